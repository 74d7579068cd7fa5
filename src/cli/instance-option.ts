import { AppError } from '../contract/index.js';
import type { ApiClient } from '../client/index.js';
import type { CommandContext } from './command-context.js';

/** `--instance` of a command that needs one account. */
export const INSTANCE_OPTION = [
  '--instance <name>',
  'the account (default: EVERPOST_INSTANCE, or the only one there is)',
] as const;

/**
 * The account that a command works with: the one it was given, else EVERPOST_INSTANCE, else the only one there is.
 * @throws AppError INPUT_INVALID when there are several, or none
 */
export async function instanceFor(
  context: CommandContext,
  api: Pick<ApiClient, 'listInstances'>,
  given: string | undefined,
): Promise<string> {
  const named = given ?? context.config().instance;
  if (named !== undefined) return named;
  const names = (await api.listInstances()).items.map(({ name }) => name);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw new AppError(
    'INPUT_INVALID',
    names.length === 0
      ? 'No instance is configured. Add one to the instances file (EVERPOST_INSTANCES_FILE).'
      : `Several instances are configured: ${names.join(', ')}. Choose one: --instance ${only}, or set EVERPOST_INSTANCE.`,
  );
}
