import { randomBytes } from 'node:crypto';
import { AppError } from '../../../contract/index.js';
import { withStoredFile, type ApiClient, type DefinitionFile } from '../../../client/index.js';
import type { Terminal } from '../../terminal.js';
import { importFrom, type From } from './import.js';

/** As many characters of the file's id as leave room for the rest. */
const KEPT_OF_ID = 48;

/**
 * Imports a campaign's file under an id of its own while `use` reads it, and removes all of it: at the end,
 * after an error and at Ctrl-C. After a kill the worker removes it.
 * @returns undefined when it was interrupted
 * @throws AppError as importing does
 */
export async function withPlanOf<Result>(
  api: ApiClient,
  file: DefinitionFile,
  { from, terminal }: { readonly from: From; readonly terminal: Terminal },
  use: (planId: string) => Promise<Result>,
): Promise<Result | undefined> {
  const { id } = file;
  const planId = `plan-${id.slice(0, KEPT_OF_ID)}-${randomBytes(4).toString('hex')}`;
  const interrupt = new AbortController();
  const forget = terminal.onInterrupt?.(() => interrupt.abort());
  try {
    const body = withSeed({ ...file, definition: await withStoredFile(api, file) });
    await api.defineCampaign({ id: planId, body, query: { planOnly: 'true' } });
    await importFrom(api, planId, from, terminal, interrupt.signal);
    const result = await use(planId);
    return interrupt.signal.aborted ? undefined : result;
  } catch (error) {
    if (interrupt.signal.aborted) return undefined;
    throw error;
  } finally {
    forget?.();
    await removePlan(api, planId);
  }
}

async function removePlan(api: ApiClient, planId: string): Promise<void> {
  try {
    await api.removePlan({ id: planId });
  } catch (error) {
    // It was never written, or is removed already.
    if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_NOT_FOUND') throw error;
  }
}

/** Pauses are by the campaign's id where they have no seed: the plan has the file's, and so the same pauses. */
function withSeed({ id, definition }: DefinitionFile): DefinitionFile['definition'] {
  const { limits } = definition;
  if (!isObject(limits) || !isObject(limits['jitter'])) return definition;
  return { ...definition, limits: { ...limits, jitter: { seed: id, ...limits['jitter'] } } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
