import { type Command, Option } from 'commander';
import { type CommandContext, timeoutOption, withApi } from '../command-context.js';
import { addSendCommand } from './send.js';
import type { ApiResponse } from '../../client/index.js';
import { ExitCode } from '../exit-code.js';
import { messageStory, messageColumns } from '../message-text.js';
import { MESSAGE_STATES } from '../../contract/index.js';
import { pageOptions, type PageOptions, showPage } from '../table.js';

export function addMessageCommands(program: Command, context: CommandContext): void {
  const message = program.command('message').description('Send, edit, cancel, show, list and resolve messages.');
  addSendCommand(message, context);
  addMessageEditCommand(message, context);
  addMessageCancelCommand(message, context);
  addMessageShowCommand(message, context);
  addMessageListCommand(message, context);
  addMessageResolveCommand(message, context);
}

interface EditOptions {
  readonly text: string;
  readonly key?: string;
  readonly timeout: number;
  readonly json?: true;
}

function addMessageEditCommand(message: Command, context: CommandContext): void {
  message
    .command('edit')
    .description('Edit the text of a message, before it is posted or within 15 minutes of sending.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .requiredOption('--text <text>', 'the new text, at most 20,000 characters')
    .option('--key <key>', 'idempotency key: the same key and text are one edit')
    .addOption(timeoutOption('how long to wait for its outcome'))
    .option('--json', 'print the edit as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 edited, 1 refused, too late or not possible, 2 wrong use, 3 unconfirmed or pending.

Example:
  everpost message edit msg_7k3m9x2q --text "Your order is ready at counter 4"`,
    )
    .action(async (id: string, { text, key, timeout, json }: EditOptions) => {
      const edit = await withApi(context, (api) => api.editMessage({ id, body: { text }, key, waitMs: timeout }));
      context.exitCode = editExitCode(edit);
      context.terminal.out(json ? JSON.stringify(edit) : editLine(edit));
    });
}

type EditResponse = ApiResponse<'editMessage'>;

function editLine(edit: EditResponse): string {
  const word = 'outcome' in edit ? edit.outcome : edit.state;
  const more = 'text' in edit ? [edit.via, edit.reason] : [];
  return [edit.id, word, ...more].filter((part) => part !== undefined).join('  ');
}

function editExitCode(edit: EditResponse): ExitCode {
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
}

function addMessageCancelCommand(message: Command, context: CommandContext): void {
  message
    .command('cancel')
    .description('Cancel a message that is not posted yet.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .option('--json', 'print the response as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 it will never be posted, 1 it was posted already.

Example:
  everpost message cancel msg_7k3m9x2q`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      const response = await withApi(context, (api) => api.cancelMessage({ id }));
      context.exitCode = response.cancelled ? ExitCode.done : ExitCode.failed;
      const words = response.cancelled ? 'cancelled' : `not cancelled: it is ${response.state}`;
      context.terminal.out(json ? JSON.stringify(response) : `${response.id}  ${words}`);
    });
}

function addMessageShowCommand(message: Command, context: CommandContext): void {
  message
    .command('show')
    .description('Show a message: its state, attempts, edits and evidence.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .option('--json', 'print all of it as one line of JSON')
    .addHelpText(
      'after',
      `
Times are UTC.

Example:
  everpost message show msg_7k3m9x2q`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      const found = await withApi(context, (api) => api.getMessage({ id }));
      for (const line of json ? [JSON.stringify(found)] : messageStory(found)) context.terminal.out(line);
    });
}

interface ListOptions extends PageOptions {
  readonly instance?: string;
  readonly state?: string;
  readonly to?: string;
  readonly reference?: string;
}

function addMessageListCommand(message: Command, context: CommandContext): void {
  pageOptions(
    message
      .command('list')
      .description('List messages, newest first.')
      .option('--instance <name>', 'only of this account (default: all)')
      .addOption(new Option('--state <state>', 'only in this state').choices(MESSAGE_STATES))
      .option('--to <recipient>', 'only to this phone or chat id')
      .option('--reference <words>', 'only with this reference'),
  )
    .addHelpText(
      'after',
      `
ID is the beginning of the message's id: the other commands take it. AGE is the time since the message was requested.

Examples:
  everpost message list --state unresolved
  everpost message list --to 15551234567 --limit 5
  everpost message list --reference order-17 --json`,
    )
    .action(async ({ json, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) => api.listMessages({ query: filter }));
      showPage(context, json, { columns: messageColumns(Date.now()), page, what: 'messages' });
    });
}

interface ResolveOptions {
  readonly as: 'accepted' | 'not_accepted';
  readonly json?: true;
}

function addMessageResolveCommand(message: Command, context: CommandContext): void {
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
