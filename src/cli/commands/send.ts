import { InvalidArgumentError, Option, type Command } from 'commander';
import { MessageCategory } from '../../contract/index.js';
import { hasReached, type MessageAnswer, type NewMessage, type WaitUntil } from '../api-client.js';
import { durationOption, timeoutOption, withApi, type CommandContext } from '../command-context.js';
import { ExitCode } from '../exit-code.js';
import { messageLine } from '../message-text.js';
import { addContentOptions, contentOf, type ContentOptions } from './content-options.js';

const WAIT_STATES = ['accepted', 'sent', 'delivered', 'end'] as const satisfies readonly WaitUntil['state'][];

interface SendOptions extends ContentOptions {
  readonly instance: string;
  readonly to?: string;
  readonly key?: string;
  readonly reference?: string;
  readonly callback?: string;
  readonly expiresIn?: number;
  readonly category?: MessageCategory;
  readonly wait?: WaitUntil['state'] | true;
  readonly timeout: number;
  readonly json?: true;
}

export function addSendCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('send')
    .description('Send one message: a text, a status, a file from a link, a poll, a location, a contact or a forward.')
    .requiredOption('--instance <name>', 'which account sends it')
    .option('--to <recipient>', 'phone digits with country code, or a chat id (…@c.us, …@g.us, …@lid)');
  addContentOptions(command)
    .option('--key <key>', 'idempotency key: the same key and message never send twice')
    .option('--reference <words>', 'words of your own, shown back and searchable')
    .option('--callback <url>', 'where every change of state is posted to')
    .option('--expires-in <duration>', 'never posted after this long, e.g. 30m (default: 24h)', durationOption)
    .addOption(
      new Option('--category <category>', 'marketing is kept from whoever said STOP (default: transactional)').choices(
        Object.values(MessageCategory),
      ),
    )
    .option('--wait [state]', `wait for ${WAIT_STATES.join(', ')} (default: sent)`, waitOption)
    .addOption(timeoutOption('how long to wait'))
    .option('--json', 'print the message as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 done, 1 failed or ended otherwise, 2 wrong use, 3 not reached in time.

Examples:
  everpost send --instance main --to 15551234567 --text "Your order is ready" --wait delivered
  everpost send --instance main --to 15551234567 --file https://example.com/a.pdf --file-name a.pdf --key order-17
  everpost send --instance main --status --text "Open until 20:00"
  everpost send --instance main --to 15551234567 --poll "Tea or coffee?" --option Tea --option Coffee
  everpost send --instance main --to 15551234567 --content '{"kind":"location","latitude":44.94,"longitude":34.1}'
  everpost send --instance main --to 15551234567 --content '{"kind":"contact","contact":{"phoneContact":15557654321}}'
  everpost send --instance main --to 15551234567 \\
    --content '{"kind":"forward","chatIdFrom":"15557654321@c.us","messages":["3EB0…"]}'`,
    )
    .action(async (options: SendOptions) => {
      const message = newMessage(options, await contentOf(options, command, context));
      await withApi(context, async (api) => {
        let sent: MessageAnswer = await api.send(message, options.key);
        if (options.wait !== undefined) {
          const state = options.wait === true ? 'sent' : options.wait;
          sent = await api.message(sent.id, { state, timeoutMs: options.timeout });
          context.exitCode = waitedExitCode(sent, state);
        }
        context.terminal.out(options.json ? JSON.stringify(sent) : messageLine(sent));
      });
    });
}

function newMessage(options: SendOptions, content: unknown): NewMessage {
  const { instance, to, reference, callback, expiresIn, category } = options;
  return {
    instance,
    ...(to === undefined ? {} : { to }),
    content,
    ...(reference === undefined ? {} : { reference }),
    ...(category === undefined ? {} : { category }),
    ...(callback === undefined ? {} : { statusCallback: callback }),
    ...(expiresIn === undefined ? {} : { expiresAt: new Date(Date.now() + expiresIn).toISOString() }),
  };
}

function waitOption(text: string): WaitUntil['state'] {
  const state = WAIT_STATES.find((known) => known === text);
  if (state === undefined) throw new InvalidArgumentError(`must be one of ${WAIT_STATES.join(', ')}`);
  return state;
}

const FAILED_ENDS: readonly string[] = ['rejected', 'failed', 'noAccount', 'expired', 'cancelled', 'suppressed'];

function waitedExitCode({ state }: MessageAnswer, wanted: WaitUntil['state']): ExitCode {
  if (FAILED_ENDS.includes(state)) return ExitCode.failed;
  return hasReached(state, wanted) ? ExitCode.done : ExitCode.notReached;
}
