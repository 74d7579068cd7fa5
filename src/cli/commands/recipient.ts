import type { ApiResponse } from '../../client/index.js';
import { AppError, present } from '../../contract/index.js';
import type { CommandGroup } from '../command-group.js';
import { ExitCode } from '../command-context.js';
import { COUNTRY } from './suppression.js';

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
    help: `Pending messages to the recipient are cancelled. Messages being sent end first; the receipt lists what the
erasure waits for. Rows keep their states and times. Opt-outs are kept as hashes, so that the recipient gets
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

function receiptLines({ id, state, requestedAt, endedAt, rows, waiting }: Receipt): string[] {
  const open = Object.entries(waiting).map(([what, count]) => `${count} ${what}`);
  const waits = open.length === 0 ? '' : `; waits for ${open.join(', ')}`;
  const head =
    state === 'done'
      ? `erased ${endedAt}, requested ${requestedAt}`
      : `requested ${requestedAt}, not done yet${waits}. Check again: everpost recipient erasure ${id}`;
  return [`${id}: ${head}`, ...Object.entries(rows).map(([table, count]) => `  ${table}: ${count}`)];
}
