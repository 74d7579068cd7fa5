import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  MILESTONES,
  MessageCategory,
  OnUnknown,
  Priority,
  hasReached,
  type Milestone,
  present,
} from '../../contract/index.js';
import { storeFile, waitForMessage, type MessageResponse } from '../../client/index.js';
import { durationOption, timeoutOption, type CommandContext } from '../command-context.js';
import { ExitCode } from '../exit-code.js';
import { messageLine } from '../message-text.js';
import { INSTANCE_OPTION, withInstance } from '../instance-option.js';
import { addContentOptions, checkContentOptions, contentOf, type ContentOptions } from './content-options.js';

interface SendOptions extends ContentOptions {
  readonly instance?: string;
  readonly to?: string;
  readonly key?: string;
  readonly reference?: string;
  readonly callback?: string;
  readonly at?: string;
  readonly expiresIn?: number;
  readonly typing?: string;
  readonly category?: MessageCategory;
  readonly priority?: Priority;
  readonly onUnknown?: OnUnknown;
  readonly wait?: Milestone | true;
  readonly timeout: number;
  readonly json?: true;
}

export function addSendCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('send')
    .description(
      'Send one message: a text, a template, a status, a file from a link or of this machine, a poll, a location, a contact or a forward.',
    )
    .option(...INSTANCE_OPTION)
    .option('--to <recipient>', 'phone digits with country code, or a chat id (…@c.us, …@g.us, …@lid)');
  addContentOptions(command)
    .option('--key <key>', 'idempotency key: the same key and message are sent once')
    .option('--reference <words>', 'text of your own, shown in responses and searchable')
    .option('--callback <url>', 'URL that every change of state is posted to')
    .option('--at <time>', 'not posted before this, e.g. 2030-01-31T12:00:00Z (default: at once)')
    .option(
      '--expires-in <duration>',
      'not posted after this long, e.g. 30m; with --at from then on (default: 24h)',
      durationOption,
    )
    .option('--typing <duration>', 'show typing in the chat for so long before it, 1s to 20s (default: not)')
    .addOption(
      new Option(
        '--category <category>',
        'marketing is not sent to recipients who said STOP (default: transactional)',
      ).choices(Object.values(MessageCategory)),
    )
    .addOption(
      new Option('--priority <priority>', 'messages with a higher priority are posted first (default: normal)').choices(
        Object.values(Priority),
      ),
    )
    .addOption(
      new Option(
        '--on-unknown <what>',
        'when the outcome of its POST stays unknown: manual waits for proof, late evidence or an operator, auto may send it twice on a presumption (default: manual)',
      ).choices(Object.values(OnUnknown)),
    )
    .option('--wait [state]', `wait for ${MILESTONES.join(', ')} (default: sent)`, waitOption)
    .addOption(timeoutOption('how long to wait'))
    .option('--json', 'print the message as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 done, 1 failed or ended otherwise, 2 wrong use, 3 not reached in time.

--wait end returns at delivered, or at any end without delivery. A delivered message may never be read.

Examples:
  everpost send --to 15551234567 --text "Your order is ready" --wait delivered
  everpost send --instance main --to 15551234567 --text "The alarm went off" --priority urgent
  everpost send --to 15551234567 --text "See you at ten" --at 2030-01-31T08:00:00+01:00
  everpost send --to 15551234567 --text "Yes, we are open" --typing 3s
  everpost send --to 15551234567 --file https://example.com/a.pdf --file-name a.pdf --key order-17
  everpost send --to 15551234567 --template order_ready --param 1=17 --param "2=counter 4"
  everpost send --status --text "Open until 20:00"
  everpost send --to 15551234567 --poll "Tea or coffee?" --option Tea --option Coffee
  everpost send --to 15551234567 --content '{"kind":"location","latitude":44.94,"longitude":34.1}'
  everpost send --to 15551234567 --content '{"kind":"contact","contact":{"phoneContact":15557654321}}'
  everpost send --to 15551234567 \\
    --content '{"kind":"forward","chatIdFrom":"15557654321@c.us","messages":["3EB0…"]}'`,
    )
    .action(async (options: SendOptions) => {
      checkContentOptions(options, command);
      await withInstance(context, options.instance, async (api, instance) => {
        const content = await contentOf(options, context, {
          findTemplate: (elementName) => api.getTemplate({ instance, elementName }),
          storeFile: (file) => storeFile(api, file, context.terminal.cwd),
        });
        const message = newMessage(instance, options, content);
        let sent: MessageResponse = await api.sendMessage({ body: message, key: options.key });
        if (options.wait !== undefined) {
          const state = options.wait === true ? 'sent' : options.wait;
          sent = await waitForMessage(api, sent.id, state, options.timeout);
          context.exitCode = waitedExitCode(sent, state);
        }
        context.terminal.out(options.json ? JSON.stringify(sent) : messageLine(sent));
      });
    });
}

function newMessage(instance: string, options: SendOptions, content: unknown) {
  const { to, reference, callback, at, expiresIn, typing, category, priority, onUnknown } = options;
  return {
    instance,
    ...present({ to }),
    content,
    ...present({ reference, category, priority, onUnknown, statusCallback: callback, sendAt: at, typing }),
    ...(expiresIn === undefined ? {} : { expiresAt: expiryAfter(expiresIn, at) }),
  };
}

/** A time that cannot be read is refused by the API. */
function expiryAfter(expiresIn: number, at: string | undefined): string {
  const fromMs = at === undefined ? NaN : Date.parse(at);
  return new Date(Math.max(Date.now(), Number.isNaN(fromMs) ? 0 : fromMs) + expiresIn).toISOString();
}

function waitOption(text: string): Milestone {
  const state = MILESTONES.find((known) => known === text);
  if (state === undefined) throw new InvalidArgumentError(`must be one of ${MILESTONES.join(', ')}`);
  return state;
}

function waitedExitCode({ state }: MessageResponse, wanted: Milestone): ExitCode {
  const hasEndedOtherwise = hasReached(state, 'read') && state !== 'read';
  if (hasEndedOtherwise) return ExitCode.failed;
  return hasReached(state, wanted) ? ExitCode.done : ExitCode.notReached;
}
