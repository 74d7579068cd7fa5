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
      new Option('--as <word>', 'what the phone shows: accepted, or not_accepted, which posts it again')
        .choices(['accepted', 'not_accepted'])
        .makeOptionMandatory(),
    )
    .option('--json', 'print the response as one line of JSON')
    .addHelpText(
      'after',
      `
Look at the phone first: nothing that everpost can ask has a response, and not_accepted sends it again.
Exit code: 0 the word is taken, 1 the message is settled already or may still be accepted.

Example:
  everpost message resolve msg_7k3m9x2q --as not_accepted`,
    )
    .action(async (id: string, { as, json }: ResolveOptions) => {
      const response = await withApi(context, (api) => api.resolve(id, as));
      context.terminal.out(json ? JSON.stringify(response) : `${response.id}  is ${response.state} now`);
    });
}
