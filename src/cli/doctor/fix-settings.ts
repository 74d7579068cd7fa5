import { AppError } from '../../contract/index.js';
import type { OperationView } from '../../ledger/index.js';
import { withApi, type CommandContext } from '../command-context.js';
import type { NeededChange } from './finding.js';

/** What became of one account's settings. */
export interface FixedSettings {
  readonly instance: string;
  /** Names only: a value may be a token. */
  readonly settings: readonly string[];
  readonly outcome: 'set' | 'refused' | 'not answered' | 'may have been set' | 'left as they are';
  /** The code, and the gateway's own words, where it was refused. */
  readonly why?: string;
}

const RESTARTS = 'The account restarts for it, for up to five minutes; what is in its queue waits.';
const ANSWER_MS = 60_000;

/**
 * Sets what is needed, account by account, once somebody has agreed. It goes by the API like every operation, so that whoever
 * judges a lost answer later knows of the restart.
 * @param yes  somebody has agreed already
 * @throws AppError INPUT_INVALID when there is nobody to agree | API_UNREACHABLE
 */
export async function fixSettings(
  context: CommandContext,
  changes: readonly NeededChange[],
  { yes }: { readonly yes: boolean },
): Promise<readonly FixedSettings[]> {
  const fixed: FixedSettings[] = [];
  for (const { instance, change } of changes) {
    const settings = Object.keys(change);
    context.terminal.err(`instance ${instance}: ${settings.join(', ')} will be set. ${RESTARTS}`);
    const outcome = yes || (await isAgreed(context)) ? await set(context, { instance, change }) : LEFT;
    fixed.push({ instance, settings, ...outcome });
  }
  return fixed;
}

const LEFT = { outcome: 'left as they are' } as const;

async function isAgreed({ terminal: { ask } }: CommandContext): Promise<boolean> {
  if (ask === undefined) {
    throw new AppError(
      'INPUT_INVALID',
      'Nobody is there to agree, and nothing was set. In a script: doctor --fix --yes',
    );
  }
  return /^y(?:es)?$/i.test((await ask('Set them now? [y/N] ')).trim());
}

async function set(context: CommandContext, { instance, change }: NeededChange) {
  const ended = await withApi(context, (api) =>
    api.operation('setSettings', { instance, request: change }, { timeoutMs: ANSWER_MS }),
  );
  return outcomeOf(ended);
}

function outcomeOf({ state, result, code, text }: OperationView): Pick<FixedSettings, 'outcome' | 'why'> {
  const why = [code, text].filter((word) => word !== undefined).join(': ');
  switch (state) {
    case 'done':
      return wasSaved(result) ? { outcome: 'set' } : { outcome: 'refused', why: 'saveSettings is not true' };
    case 'failed':
      return { outcome: 'refused', why };
    case 'may_have_happened':
      return { outcome: 'may have been set', why };
    case 'open':
    case 'posting':
      return { outcome: 'not answered', why: 'no worker runs, or the gateway is away; it is tried again' };
  }
}

function wasSaved(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'saveSettings' in result && result.saveSettings === true;
}
