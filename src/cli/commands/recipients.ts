/** Commands for the suppression list, and for erasing recipients. */
import type { ApiResponse } from '../../client/index.js';
import {
  AppError,
  SUPPRESSION_VERDICTS,
  SuppressionScope,
  SuppressionSource,
  present,
  type PossibleOptOut,
  type Suppression,
} from '../../contract/index.js';
import { PAGE, PAGE_JSON, type CommandGroup } from '../command-group.js';
import { ExitCode } from '../command-context.js';
import { COUNTRY, choice } from '../options.js';
import { countLines, words } from '../table.js';
import { remedyLines } from './campaign/campaign-text.js';
import { LIST_OPTIONS, factLines, listQuery, openRecipients } from './campaign/recipients-source.js';

const NUMBER = { '<number>': 'phone number or chat id' } as const;
const POSSIBLE = { '<id>': 'id of the possible opt-out, pos_…' } as const;
const SCOPES = Object.values(SuppressionScope);
const ENTRY_OPTIONS = {
  '--instance <name>': 'only for this account (default: all accounts)',
  '--scope <scope>': choice(SCOPES, 'all: also transactional messages (default: marketing)'),
  ...COUNTRY,
} as const;
/** The number of rejected lines that are printed; `--json` prints all lines of the response. */
const SHOWN_REJECTS = 20;

export function addSuppressionCommands(program: CommandGroup): void {
  const suppression = program.group(
    'suppression',
    'Manage the list of recipients who get no messages. A recipient who writes STOP is added automatically.',
  );
  suppression.call('add', {
    description:
      'Add a recipient to the list. Once the command returns, no message that the entry covers is posted to them.',
    arguments: NUMBER,
    options: { ...ENTRY_OPTIONS, '--note <words>': 'the reason, as free text' },
    json: 'print the entry as one line of JSON',
    help: `Adding a recipient again changes nothing. Messages already in the gateway's queue are still sent.

Examples:
  everpost suppression add 15551234567 --note "asked by phone"
  everpost suppression add 15551234567 --scope all --instance main`,
    call: (api, { number: to, instance, scope, country, note }) =>
      api.addSuppression({ body: { to, ...present({ instance, scope, defaultCountry: country, note }) } }),
    lines: suppressionLine,
  });
  suppression.call('remove', {
    description:
      'Remove a recipient from the list, whatever the source of the entry. Make sure that the recipient agrees.',
    arguments: NUMBER,
    options: { '--instance <name>': "only this account's own entries (default: every entry)", ...COUNTRY },
    json: 'print { removed, left } as one line of JSON',
    help: `Entries are kept with the time they were removed: everpost suppression list --to … --removed
Exit code: 0 no entry remains, 1 entries for other accounts, or for all, remain; 2 wrong use.

Example:
  everpost suppression remove 15551234567`,
    call: (api, { number: to, instance, country }) =>
      api.removeSuppression({ body: { to, ...present({ instance, defaultCountry: country }) } }),
    exitCode: ({ left }) => (left.length > 0 ? ExitCode.failed : ExitCode.done),
    lines: ({ removed, left }) => [
      ...(removed.length === 0 ? ['There is no entry to remove.'] : removed.map(suppressionLine)),
      ...left.map((entry) => `still applies: ${suppressionLine(entry)}`),
    ],
  });
  suppression.call('list', {
    description: 'List the entries, newest first, with their source and time.',
    options: {
      '--to <number>': 'only this phone number or chat id',
      ...COUNTRY,
      '--instance <name>': 'only entries that apply to this account: its own, and those for all',
      '--source <source>': choice(Object.values(SuppressionSource), 'only of this source'),
      '--scope <scope>': choice(SCOPES, 'only of this scope'),
      '--removed': 'include removed entries',
      ...PAGE,
    },
    json: PAGE_JSON,
    help: `Examples:
  everpost suppression list --source stop_word
  everpost suppression list --to 15551234567 --removed`,
    call: (api, { country, removed, json: _, ...filter }) =>
      api.listSuppressions({ query: { ...filter, defaultCountry: country, removed: removed && 'true' } }),
    lines({ items, cursor }, _, { terminal }) {
      if (cursor !== undefined) terminal.err(`More: --cursor ${cursor}`);
      return items.map(suppressionLine);
    },
  });
  suppression.call('import', {
    description:
      'Add every recipient of a file to the list: one number a line, CSV with a header, NDJSON, or an Excel file (.xlsx).',
    arguments: { '<file>': 'the file, or - for standard input' },
    options: { ...ENTRY_OPTIONS, ...LIST_OPTIONS },
    json: 'print { lines, verdicts, remedies, rejects } as one line of JSON',
    help: `Importing a file again changes nothing. If an import fails, the lines that were read stay on the list.
Exit code: 0 every line is on the list; 1 some are not, or the import was cut off; 2 wrong use.

Examples:
  everpost suppression import opted-out.txt
  everpost suppression import opted-out.csv --country DE --instance main`,
    async call(api, { file, instance, scope, country, ...options }, { terminal }) {
      const { body, type, sizeBytes } = await openRecipients(file, terminal, { mayBeList: true });
      try {
        const query = { instance, scope, defaultCountry: country, ...listQuery(options) };
        return await api.importSuppressions({ file: { body, type, sizeBytes }, query });
      } catch (error) {
        if (body.errored === null || body.errored === undefined) throw error;
        const message = `${file} could not be read to the end. Import it again for the rest.`;
        throw new AppError('INPUT_INVALID', message, { cause: body.errored });
      } finally {
        body.destroy();
      }
    },
    exitCode: ({ lines, verdicts }) => (lines > verdicts.added + verdicts.already ? ExitCode.failed : ExitCode.done),
    lines: ({ lines, verdicts, remedies, rejects, source }) => [
      `${lines} lines`,
      ...countLines(SUPPRESSION_VERDICTS, verdicts),
      ...remedyLines(remedies),
      ...factLines(source),
      ...rejects.slice(0, SHOWN_REJECTS).map(({ line, reason, value }) => `line ${line}: ${reason}: ${value}`),
      ...(rejects.length > SHOWN_REJECTS ? ['… print the others with --json'] : []),
    ],
  });
  addPossibleCommands(suppression);
}

function addPossibleCommands(suppression: CommandGroup): void {
  const possible = suppression.group(
    'possible',
    'List messages that may mean STOP and do not count as such, and decide about them.',
  );
  possible.call('list', {
    isDefault: true,
    description: 'List the open ones, newest first, with the text and the word that it is similar to.',
    options: {
      '--instance <name>': 'only messages to this account (default: all accounts)',
      '--all': 'include decided ones',
      ...PAGE,
    },
    json: PAGE_JSON,
    help: `Until you accept one, its recipient is not suppressed.

Examples:
  everpost suppression possible
  everpost suppression possible --instance main --all`,
    call: (api, { json: _, all, ...filter }) => api.listPossibleOptOuts({ query: { ...filter, all: all && 'true' } }),
    lines({ items, cursor }, _, { terminal }) {
      if (cursor !== undefined) terminal.err(`More: --cursor ${cursor}`);
      return items.map(possibleLine);
    },
  });
  possible.call('accept', {
    description: 'Add the recipient to the suppression list, as a STOP word would, from the time of the message on.',
    arguments: POSSIBLE,
    json: 'print { possible, suppression, wasSuppressed } as one line of JSON',
    help: `Accepting again changes nothing. A later START of the recipient removes the entry.
Exit code: 0 accepted, 1 no such possible opt-out, 2 wrong use.

Example:
  everpost suppression possible accept pos_0123456789abcdef`,
    call: (api, { id }) => api.acceptPossibleOptOut({ id }),
    lines: ({ possible: accepted, suppression: entry, wasSuppressed }) => [
      entry === undefined ? possibleLine(accepted) : suppressionLine(entry),
      ...(wasSuppressed ? ['Other entries already kept marketing messages from the recipient.'] : []),
      ...(entry?.removedBy === 'start_word' ? ['The recipient has written START since, which closed the entry.'] : []),
    ],
  });
  possible.call('dismiss', {
    description: 'Close one without an effect. The same text of the same recipient is not listed again.',
    arguments: POSSIBLE,
    json: 'print the possible opt-out as one line of JSON',
    help: `Dismissing again changes nothing. One that was accepted cannot be dismissed: remove its entry.
Exit code: 0 dismissed, 1 accepted before, or no such possible opt-out; 2 wrong use.

Example:
  everpost suppression possible dismiss pos_0123456789abcdef`,
    call: (api, { id }) => api.dismissPossibleOptOut({ id }),
    lines: possibleLine,
  });
}

/** One line: id, account, recipient, time, text, what it is similar to, and the decision. */
function possibleLine(possible: PossibleOptOut): string {
  const { id, instance, chatId, at, text, word, language, further, state, decidedBy, decidedAt } = possible;
  return words([
    id,
    instance,
    chatId,
    at,
    text === undefined ? '(text deleted)' : JSON.stringify(text),
    `similar to ${JSON.stringify(word)} (${language})`,
    further > 0 ? `${further} more` : undefined,
    state,
    decidedBy && `by ${decidedBy} ${decidedAt}`,
  ]);
}

/** One line for an entry: recipient, account, scope, author and time, and its removal. */
function suppressionLine(entry: Suppression): string {
  const { chatId, instance = 'all accounts', scope, source, since, word, note, removedAt, removedBy } = entry;
  return words([
    chatId,
    instance,
    scope,
    source,
    word && JSON.stringify(word),
    `since ${since}`,
    note,
    removedAt && `removed ${removedAt} by ${removedBy}`,
    entry.startWordAt && `wrote START ${entry.startWordAt}`,
    entry.id,
  ]);
}

/** How long the command waits for the end of an erasure. */
const WAIT_MS = 25_000;

type Receipt = ApiResponse<'getErasure'>;

export function addRecipientCommands(program: CommandGroup): void {
  const recipient = program.group('recipient', 'Erase recipients.');
  recipient.call('erase', {
    description: 'Erase a recipient everywhere in the ledger: number, names and texts. This is permanent.',
    arguments: { '<number>': 'phone number or chat id' },
    options: { '--yes': 'confirm', ...COUNTRY },
    json: 'print the receipt as one line of JSON',
    help: `Pending messages to the recipient are cancelled, and schedules that send to them end. Messages being sent end
first; the receipt lists what the erasure waits for. Texts to others that are still to be sent are kept and listed. Rows keep their states and times. Opt-outs are kept as hashes, so that the recipient gets
no further message.
Exit code: 0 erased, 3 recorded and not done yet, 2 wrong use.

Example:
  everpost recipient erase 15551234567 --yes`,
    check({ yes }) {
      if (!yes) throw new AppError('INPUT_INVALID', 'Erasing is permanent. Repeat the command with --yes.');
    },
    async call(api, { number: to, country }) {
      const { id } = await api.eraseRecipient({ body: { to, ...present({ defaultCountry: country }) } });
      return api.getErasure({ id, query: { timeoutMs: WAIT_MS } });
    },
    exitCode: receiptExitCode,
    lines: receiptLines,
  });
  recipient.call('erasure', {
    description: 'Show the receipt of an erasure.',
    arguments: { '<id>': 'id of the erasure, ers_…, from everpost recipient erase' },
    json: 'print the receipt as one line of JSON',
    help: `Exit code: 0 erased, 3 not done yet, 1 no such erasure.

Example:
  everpost recipient erasure ers_0123456789abcdef`,
    call: (api, { id }) => api.getErasure({ id }),
    exitCode: receiptExitCode,
    lines: receiptLines,
  });
}

function receiptExitCode({ state }: Receipt): ExitCode {
  return state === 'done' ? ExitCode.done : ExitCode.notReached;
}

function receiptLines({ id, state, requestedAt, endedAt, rows, waiting, kept, notReached }: Receipt): string[] {
  const open = Object.entries(waiting).map(([what, count]) => `${count} ${what}`);
  const waits = open.length === 0 ? '' : `; waits for ${open.join(', ')}`;
  const head =
    state === 'done'
      ? `erased ${endedAt}, requested ${requestedAt}`
      : `requested ${requestedAt}, not done yet${waits}. Check again: everpost recipient erasure ${id}`;
  const keptLines = Object.entries(kept).map(
    ([table, { count, ids }]) => `  ${table}: ${count} (${ids.join('; ')}${count > ids.length ? '; …' : ''})`,
  );
  return [
    `${id}: ${head}`,
    ...Object.entries(rows).map(([table, count]) => `  ${table}: ${count}`),
    ...(keptLines.length === 0 ? [] : ['still contain the number:', ...keptLines]),
    ...(state === 'done' ? ['not reached:', ...notReached.map((what) => `  ${what}`)] : []),
  ];
}
