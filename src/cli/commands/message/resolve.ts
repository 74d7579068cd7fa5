import { Option, type Command } from 'commander';
import { withApi, type CommandContext } from '../../command-context.js';

interface ResolveOptions {
  readonly as: 'accepted' | 'not_accepted';
  readonly json?: true;
}

export function addMessageResolveCommand(message: Command, context: CommandContext): void {
  message
    .command('resolve')
    .description('State the outcome of a message that is unknown or unresolved.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .addOption(
      new Option('--as <word>', 'accepted: the phone shows the message; not_accepted: it does not, so post it again')
        .choices(['accepted', 'not_accepted'])
        .makeOptionMandatory(),
    )
    .option('--json', 'print the response as one line of JSON')
    .addHelpText(
      'after',
      `
Look at the phone first: no witness could determine the outcome, and not_accepted posts the message again.
Exit code: 0 resolved, 1 the outcome is known already, or the gateway may still accept the message.

Example:
  everpost message resolve msg_7k3m9x2q --as not_accepted`,
    )
    .action(async (id: string, { as, json }: ResolveOptions) => {
      const response = await withApi(context, (api) => api.resolveMessage({ id, body: { outcome: as } }));
      context.terminal.out(json ? JSON.stringify(response) : `${response.id}  is ${response.state} now`);
    });
}
