import { Option, type Command } from 'commander';
import { withApi, type CommandContext } from '../command-context.js';

interface ResolveOptions {
  readonly as: 'sent' | 'not_sent';
  readonly json?: true;
}

export function addMessageCommand(program: Command, context: CommandContext): void {
  const message = program.command('message').description('Settle a single message.');
  message
    .command('resolve')
    .description("Give a person's word on a message that is unknown or held.")
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .addOption(
      new Option('--as <word>', 'what the phone shows: sent, or not_sent, which posts it again')
        .choices(['sent', 'not_sent'])
        .makeOptionMandatory(),
    )
    .option('--json', 'print the answer as one line of JSON')
    .addHelpText(
      'after',
      `
Look at the phone first: nothing that everpost can ask has an answer, and not_sent sends it again.
Exit code: 0 the word is taken, 1 the message is settled already or may still be accepted.

Example:
  everpost message resolve msg_7k3m9x2q --as not_sent`,
    )
    .action(async (id: string, { as, json }: ResolveOptions) => {
      const answer = await withApi(context, (api) => api.resolve(id, as));
      context.terminal.out(json ? JSON.stringify(answer) : `${answer.id}  is ${answer.state} now`);
    });
}
