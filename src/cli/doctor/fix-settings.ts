import { writeWebhookToken } from '../../config/index.js';
import { AppError } from '../../contract/index.js';
import type { OperationResponse } from '../../starter/index.js';
import { withApi, type CommandContext } from '../command-context.js';
import { agrees } from '../terminal.js';
import type { NeededChange } from './finding.js';

/** The result for one account's settings. */
export interface FixedSettings {
  readonly instance: string;
  /** Names only: a value may be a token. */
  readonly settings: readonly string[];
  /** The instances file, if the webhookToken was written to it. */
  readonly wroteTo?: string;
  readonly outcome: 'set' | 'refused' | 'not answered' | 'may have been set' | 'left as they are';
  /** The code and the gateway's text, if it rejected the change. */
  readonly why?: string;
}

const RESTARTS = 'This restarts the account for up to five minutes; its queue waits.';
const RESPONSE_MS = 60_000;

/**
 * Applies the changes, account by account, once the operator agrees. Uses the API like every operation, so that a
 * worker that reconciles a lost response later knows about the restart.
 * @param yes  an operator has agreed already
 * @throws AppError INPUT_INVALID without a terminal
 */
export async function fixSettings(
  context: CommandContext,
  changes: readonly NeededChange[],
  { yes }: { readonly yes: boolean },
): Promise<readonly FixedSettings[]> {
  const fixed: FixedSettings[] = [];
  for (const needed of changes) {
    const { instance } = needed;
    const atGateway = Object.keys(needed.change);
    const settings = [...(needed.webhookToken === undefined ? [] : ['webhookToken']), ...atGateway];
    context.terminal.err(intent(context, needed));
    const outcome =
      yes || (await agrees(context.terminal, 'Set them now?', ELSEWHERE)) ? await fix(context, needed) : LEFT;
    fixed.push({ instance, settings, ...outcome });
  }
  return fixed;
}

/** Describes the changes to the operator, without values. */
function intent(context: CommandContext, { instance, change, webhookToken }: NeededChange): string {
  const names = Object.keys(change);
  return [
    `instance ${instance}:`,
    ...(webhookToken === undefined ? [] : [`webhookToken will be written to ${instancesFile(context)}.`]),
    ...(names.length === 0 ? [] : [`${names.join(', ')} will be set. ${RESTARTS}`]),
  ].join(' ');
}

/**
 * Writes the file first: the other order could leave a token at the gateway that is stored nowhere. Beyond loopback,
 * the receiver already refuses notifications without a token; on loopback it takes them until the gateway sends the new
 * one.
 */
async function fix(
  context: CommandContext,
  { instance, change, webhookToken }: NeededChange,
): Promise<Omit<FixedSettings, 'instance' | 'settings'>> {
  if (webhookToken === undefined) return set(context, { instance, change });
  const wroteTo = instancesFile(context);
  try {
    await writeWebhookToken(wroteTo, instance, webhookToken);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: 'refused', why: error.message };
  }
  if (Object.keys(change).length === 0) return { outcome: 'set', wroteTo };
  return { ...(await set(context, { instance, change })), wroteTo };
}

function instancesFile(context: CommandContext): string {
  const { instances } = context.config();
  if (instances === undefined) throw new AppError('INTERNAL', 'A webhook token was created without an instances file.');
  return instances.filePath;
}

const ELSEWHERE = 'nothing was set. In a script: everpost doctor --fix --yes';
const LEFT = { outcome: 'left as they are' } as const;

async function set(context: CommandContext, { instance, change }: NeededChange) {
  try {
    const ended = await withApi(context, (api) =>
      api.beginOperation({
        method: 'setSettings',
        body: { instance, request: change },
        query: { wait: 'true' },
        waitMs: RESPONSE_MS,
      }),
    );
    return outcomeOf(ended);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'API_UNREACHABLE') throw error;
    return { outcome: 'not answered', why: `${error.message} Then run: everpost doctor --fix` } as const;
  }
}

function outcomeOf({ state, result, code, text }: OperationResponse): Pick<FixedSettings, 'outcome' | 'why'> {
  const why = [code, text].filter((word) => word !== undefined).join(': ');
  switch (state) {
    case 'done':
      return wasSaved(result) ? { outcome: 'set' } : { outcome: 'refused', why: 'saveSettings is not true' };
    case 'failed':
      return { outcome: 'refused', why };
    case 'may_have_happened':
      return { outcome: 'may have been set', why };
    case 'pending':
    case 'sending':
      return { outcome: 'not answered', why: 'no worker runs, or the gateway does not respond; everpost retries it' };
  }
}

function wasSaved(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'saveSettings' in result && result.saveSettings === true;
}
