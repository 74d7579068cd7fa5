import { randomBytes } from 'node:crypto';
import { AppError } from '../../../contract/index.js';
import type { ApiClient } from '../../api-client.js';
import type { Terminal } from '../../terminal.js';
import type { DefinitionFile } from './definition-file.js';
import { importFrom, type From } from './import.js';

/** As many characters of the file's id as leave room for the rest. */
const KEPT_OF_ID = 48;

/**
 * Imports a campaign's file under an id of its own for as long as `use` looks at it, and removes all of it: at the end, after
 * an error and at Ctrl-C. After a kill the worker removes it.
 * @throws AppError as importing does; INPUT_INVALID when it was interrupted
 */
export async function withPlanOf<Result>(
  api: ApiClient,
  { id, definition }: DefinitionFile,
  { from, terminal }: { readonly from: From; readonly terminal: Terminal },
  use: (planId: string) => Promise<Result>,
): Promise<Result> {
  const planId = `plan-${id.slice(0, KEPT_OF_ID)}-${randomBytes(4).toString('hex')}`;
  let isInterrupted = false;
  let removing: Promise<void> | undefined;
  const remove = (): Promise<void> => (removing ??= removePlan(api, planId));
  // What is under way then fails, because its campaign is gone. A second Ctrl-C ends the process.
  const forget = terminal.onInterrupt?.(() => {
    isInterrupted = true;
    remove().catch(() => undefined); // It is awaited, and told, below.
  });
  try {
    await api.defineForPlan(planId, definition);
    await importFrom(api, planId, from, terminal);
    return await use(planId);
  } catch (error) {
    if (!isInterrupted) throw error;
    throw new AppError('INPUT_INVALID', `The plan of ${id} was interrupted. Nothing is left of it.`, { cause: error });
  } finally {
    forget?.();
    await remove();
  }
}

async function removePlan(api: ApiClient, planId: string): Promise<void> {
  try {
    await api.removePlan(planId);
  } catch (error) {
    // It was never written, or is removed already.
    if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_UNKNOWN') throw error;
  }
}
