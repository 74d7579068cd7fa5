import { InvalidArgumentError } from 'commander';
import { storeFile, waitForMessage, type MessageResponse } from '../../../client/index.js';
import {
  MILESTONES,
  MessageCategory,
  OnUnknown,
  Priority,
  hasReached,
  present,
  type Milestone,
} from '../../../contract/index.js';
import type { CommandGroup } from '../../command-group.js';
import { ExitCode } from '../../exit-code.js';
import { messageLine } from '../../message-text.js';
import { INSTANCE, choice, durationOption, parsed, timeoutOption } from '../../options.js';
import { CONTENT, checkContentOptions, contentOf } from './content-options.js';

export function addSendCommand(program: CommandGroup): void {
  program.call('send', {
    description:
      'Send one message: a text, a template, a status, a file (link or local path), a poll, a location, a contact or a forward.',
    options: {
      ...INSTANCE,
      '--to <recipient>': 'phone digits with country code, or a chat id (…@c.us, …@g.us, …@lid)',
      ...CONTENT,
      '--key <key>': 'idempotency key: the same key and message are sent once',
      '--reference <words>': 'free text, shown in responses and searchable',
      '--callback <url>': 'URL to post every change of state to',
      '--at <time>': 'do not post before this time, e.g. 2030-01-31T12:00:00Z (default: immediately)',
      '--expires-in <duration>': parsed(
        durationOption,
        'do not post after this long, e.g. 30m, counted from --at if given (default: 24h)',
      ),
      '--typing <duration>': 'show typing in the chat for this long before the message, 1s to 20s (default: none)',
      '--category <category>': choice(
        Object.values(MessageCategory),
        'marketing is not sent to recipients who wrote STOP (default: transactional)',
      ),
      '--priority <priority>': choice(
        Object.values(Priority),
        'messages with a higher priority are posted first (default: normal)',
      ),
      '--on-unknown <what>': choice(
        Object.values(OnUnknown),
        'policy if the outcome of the POST stays unknown: manual waits for proof, late evidence or an operator; auto may presume and send twice (default: manual)',
      ),
      '--wait [state]': parsed<Milestone | true>(waitOption, `wait for ${MILESTONES.join(', ')} (default: sent)`),
      ...timeoutOption('how long to wait'),
    },
    json: 'print the message as one line of JSON',
    help: `Exit code: 0 done, 1 failed or ended in another state, 2 wrong use, 3 not reached in time.

--wait end returns at delivered, or at any end state without delivery. A delivered message may never be read.

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
    check: checkContentOptions,
    async call(api, options, { terminal, instance: chosen }): Promise<MessageResponse> {
      const instance = await chosen();
      const content = await contentOf(options, terminal, {
        findTemplate: (elementName) => api.getTemplate({ instance, elementName }),
        storeFile: (file) => storeFile(api, file, terminal.cwd),
      });
      const { to, reference, callback: statusCallback, at: sendAt, typing, category, priority, onUnknown } = options;
      const expiresAt = options.expiresIn === undefined ? undefined : expiryAfter(options.expiresIn, sendAt);
      const facts = { to, reference, category, priority, onUnknown, statusCallback, sendAt, typing, expiresAt };
      const sent = await api.sendMessage({ body: { instance, content, ...present(facts) }, key: options.key });
      return options.wait === undefined ? sent : waitForMessage(api, sent.id, awaited(options.wait), options.timeout);
    },
    exitCode: (sent, { wait }) => (wait === undefined ? ExitCode.done : waitedExitCode(sent, awaited(wait))),
    lines: messageLine,
  });
}

function awaited(wait: Milestone | true): Milestone {
  return wait === true ? 'sent' : wait;
}

/** The API refuses a time that cannot be parsed. */
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
