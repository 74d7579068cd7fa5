import { AppError } from '../contract/index.js';
import type { ApiClient } from '../client/index.js';
import { withApi, type CommandContext } from './command-context.js';

/** `--instance` of a command that needs one account. */
export const INSTANCE_OPTION = [
  '--instance <name>',
  'the account (default: EVERPOST_INSTANCE, or the only one there is)',
] as const;

/**
 * Lends a client of the API to a command, and the account that it works with: the one it was given, else
 * EVERPOST_INSTANCE, else the only one there is.
 * @throws AppError INPUT_INVALID when there are several, or none
 */
export function withInstance<Result>(
  context: CommandContext,
  given: string | undefined,
  use: (api: ApiClient, instance: string) => Promise<Result>,
): Promise<Result> {
  const named = given ?? context.config().instance;
  return withApi(context, async (api) => use(api, named ?? (await onlyInstance(api))));
}

async function onlyInstance(api: ApiClient): Promise<string> {
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
