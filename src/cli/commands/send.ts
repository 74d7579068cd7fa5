import { InvalidArgumentError, type Command } from 'commander';
import type { MessageContent } from '../../contract/index.js';
import { hasReached, type MessageAnswer, type NewMessage, type WaitUntil } from '../api-client.js';
import { durationOption, timeoutOption, withApi, type CommandContext } from '../command-context.js';
import { ExitCode } from '../exit-code.js';
import { messageLine } from '../message-text.js';

const WAIT_STATES = ['accepted', 'sent', 'delivered', 'end'] as const satisfies readonly WaitUntil['state'][];

interface SendOptions {
  readonly instance: string;
  readonly to?: string;
  readonly text?: string;
  readonly file?: string;
  readonly fileName?: string;
  readonly caption?: string;
  readonly status?: true;
  readonly key?: string;
  readonly reference?: string;
  readonly expiresIn?: number;
  readonly wait?: WaitUntil['state'] | true;
  readonly timeout: number;
  readonly json?: true;
}

export function addSendCommand(program: Command, context: CommandContext): void {
  program
    .command('send')
    .description('Send one message: a text, a file from a link, or a status.')
    .requiredOption('--instance <name>', 'which account sends it')
    .option('--to <recipient>', 'phone digits with country code, or a chat id (…@c.us, …@g.us, …@lid)')
    .option('--text <text>', 'the text, at most 20,000 characters (a status: 500)')
    .option('--file <url>', 'link to a file, http:// or https://, sent instead of a text')
    .option('--file-name <name>', "the file's name with its extension")
    .option('--caption <text>', "the file's caption")
    .option('--status', 'publish the text as a status; takes no --to')
    .option('--key <key>', 'idempotency key: the same key and message never send twice')
    .option('--reference <words>', 'words of your own, shown back and searchable')
    .option('--expires-in <duration>', 'never posted after this long, e.g. 30m (default: 24h)', durationOption)
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
  everpost send --instance main --status --text "Open until 20:00"`,
    )
    .action(async (options: SendOptions, command: Command) => {
      const message = newMessage(options, command);
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

function newMessage(options: SendOptions, command: Command): NewMessage {
  const { instance, to, reference, expiresIn } = options;
  return {
    instance,
    ...(to === undefined ? {} : { to }),
    content: contentOf(options, command),
    ...(reference === undefined ? {} : { reference }),
    ...(expiresIn === undefined ? {} : { expiresAt: new Date(Date.now() + expiresIn).toISOString() }),
  };
}

function contentOf({ text, file, fileName, caption, status }: SendOptions, command: Command): MessageContent {
  if ((text === undefined) === (file === undefined)) return command.error('error: give either --text or --file');
  if (file === undefined && (fileName ?? caption) !== undefined) {
    return command.error('error: --file-name and --caption belong to --file');
  }
  if (text !== undefined) return status ? { kind: 'status', text } : { kind: 'text', text };
  if (status) return command.error('error: a status is a text; give --text');
  if (file === undefined || fileName === undefined) return command.error('error: --file needs --file-name');
  return { kind: 'file', url: file, fileName, ...(caption === undefined ? {} : { caption }) };
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
