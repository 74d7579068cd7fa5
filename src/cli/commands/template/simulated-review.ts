import { SIMULATOR_INSTANCE } from '../../../config/index.js';
import type { TemplateResponse } from '../../../client/index.js';
import { readDevRecord } from '../../../tools/dev/index.js';
import type { CommandContext } from '../../command-context.js';

/** The simulator of an everpost dev has no reviewers: a template stays PENDING until its operator decides. Says how. */
export async function printSimulatedReview(
  { config, terminal }: CommandContext,
  { elementName, instance, status }: TemplateResponse,
): Promise<void> {
  if (status !== 'PENDING' || instance !== SIMULATOR_INSTANCE.name) return;
  const { api, dataDir } = config();
  const dev = await readDevRecord(dataDir);
  if (dev.kind !== 'running' || dev.facts.simulatorUrl === undefined) return;
  if (api.isNamed && api.url !== dev.facts.apiUrl) return;
  terminal.err(
    `The simulator waits for your decision: curl -X POST ${dev.facts.simulatorUrl}/_sim/templates/${elementName}/decision ` +
      `-H 'Content-Type: application/json' -d '{ "status": "APPROVED" }'`,
  );
}
