import type { ApiClient } from '../../../client/index.js';
import { AppError, MESSAGE_STATES } from '../../../contract/index.js';
import { readRecipient } from '../../../domain/index.js';
import type { CommandGroup } from '../../command-group.js';
import { ExitCode } from '../../command-context.js';
import { MESSAGE_COLUMNS, messageStory, type FoundMessage } from './message-text.js';
import { COUNTRY, choice, timeoutOption } from '../../options.js';
import { words } from '../../table.js';
import { checkTextOptions, readText, textOptions } from '../../text-option.js';
import { addResolveCommand } from './resolve.js';
import { addSendCommand } from './send.js';

const MESSAGE = {
  '<id>': 'id of the message, or at least its first 4 characters, with or without msg_',
} as const;

export function addMessageCommands(program: CommandGroup): void {
  const message = program.group('message', 'Send, edit, cancel, show, list and resolve messages.');
  addSendCommand(message);
  message.call('edit', {
    description: 'Edit the text of a message, before it is posted or within 15 minutes of sending.',
    arguments: MESSAGE,
    options: {
      ...textOptions('the new text, at most 20,000 characters'),
      '--key <key>': 'idempotency key: the same key and text are one edit',
      ...timeoutOption('how long to wait for the outcome'),
    },
    json: 'print the edit as one line of JSON',
    help: `Exit code: 0 edited, 1 refused, too late or not possible, 2 wrong use, 3 unconfirmed or pending.

Examples:
  everpost message edit msg_7k3m9x2q --text "Your order is ready at counter 4"
  everpost message edit msg_7k3m9x2q --text-file ready.txt`,
    check: checkTextOptions,
    async call(api, { id, key, timeout, ...given }, { terminal }) {
      const text = (await readText(given, terminal)) ?? '';
      return api.editMessage({ id, body: { text }, key, waitMs: timeout });
    },
    exitCode(edit) {
      if (!('outcome' in edit)) return ExitCode.notReached;
      switch (edit.outcome) {
        case 'edited':
          return ExitCode.done;
        case 'unconfirmed':
          return ExitCode.notReached;
        case 'refused':
        case 'too_late':
        case 'superseded':
        case 'not_possible':
          return ExitCode.failed;
      }
    },
    lines: (edit) =>
      words([
        edit.id,
        'outcome' in edit ? edit.outcome : edit.state,
        ...('text' in edit ? [edit.via, edit.reason] : []),
      ]),
  });
  message.call('cancel', {
    description: 'Cancel a message that is not posted yet.',
    arguments: MESSAGE,
    json: 'print the response as one line of JSON',
    help: `Exit code: 0 the message will never be posted, 1 it was already posted.

Example:
  everpost message cancel msg_7k3m9x2q`,
    call: (api, { id }) => api.cancelMessage({ id }),
    exitCode: ({ cancelled }) => (cancelled ? ExitCode.done : ExitCode.failed),
    lines: ({ id, cancelled, state }) => `${id}  ${cancelled ? 'cancelled' : `not cancelled: it is ${state}`}`,
  });
  message.call('show', {
    description: 'Show a message: its text on the phone, state, attempts, edits, and a sentence for each step.',
    arguments: {
      '<id>': `${MESSAGE['<id>']}; or a phone number or chat id: the newest message to it`,
    },
    options: COUNTRY,
    json: 'print the message as one line of JSON, with all details of its evidence',
    help: `Times are UTC. For a phone number or chat id, the earlier messages to it follow in one line each.

Examples:
  everpost message show msg_7k3m9x2q
  everpost message show +15551234567`,
    call: shownMessage,
    lines: messageStory,
  });
  message.list('list', {
    description: 'List messages, newest first.',
    options: {
      '--instance <name>': 'only messages of this account (default: all)',
      '--state <state>': choice(MESSAGE_STATES, 'only messages in this state'),
      '--reason <code>': 'only messages in their state for this reason, e.g. LEDGER_WENT_BACK',
      '--to <recipient>': 'only messages to this phone number or chat id, in any of its spellings',
      ...COUNTRY,
      '--reference <words>': 'only messages with this reference',
    },
    help: `ID is a prefix of the message's id, which the other commands accept. AGE is the time since the message was requested.

Examples:
  everpost message list --state unresolved
  everpost message list --to 15551234567 --limit 5
  everpost message list --reference order-17 --json`,
    call: (api, { country: defaultCountry, ...query }) => api.listMessages({ query: { ...query, defaultCountry } }),
    what: 'messages',
    columns: MESSAGE_COLUMNS,
  });
  addResolveCommand(message);
}

const EARLIER = 10;

/** The message with this id, or the newest one to this recipient. Digits may also be the beginning of an id. */
async function shownMessage(
  api: ApiClient,
  { id, country: defaultCountry }: { readonly id: string; readonly country?: string },
): Promise<FoundMessage> {
  // A national number is a recipient too: the API reports that its country is missing.
  const read = readRecipient(id);
  const isRecipient = 'chatId' in read || read.reason === 'country_missing';
  if (defaultCountry === undefined && !isRecipient) return api.getMessage({ id });
  const { items } = await api.listMessages({ query: { to: id, defaultCountry, limit: EARLIER + 1 } });
  const [newest, ...earlier] = items;
  if (newest !== undefined)
    return { ...(await api.getMessage({ id: newest.id })), ...(earlier.length > 0 && { earlier }) };
  if (/^[0-9]+$/.test(id) && defaultCountry === undefined) return api.getMessage({ id });
  throw new AppError(
    'MESSAGE_NOT_FOUND',
    'There is no message to this phone number or chat id. List messages: everpost message list',
  );
}
