import type { Command } from 'commander';
import type { ApiResponse } from '../../client/index.js';
import { present, AppError } from '../../contract/index.js';
import { withApi, type CommandContext } from '../command-context.js';
import { ExitCode } from '../exit-code.js';
import { COUNTRY_OPTION } from './suppression/suppression-text.js';

/** How long the command waits for the end of an erasure. */
const WAIT_MS = 25_000;

type Receipt = ApiResponse<'getErasure'>;

export function addRecipientCommands(program: Command, context: CommandContext): void {
  const recipient = program.command('recipient').description('Erase recipients.');
  recipient
    .command('erase')
    .description('Erase a recipient everywhere in the ledger: number, names and texts. It is final.')
    .argument('<number>', 'phone number or chat id')
    .option('--yes', 'confirm')
    .option(...COUNTRY_OPTION)
    .option('--json', 'print the receipt as one line of JSON')
    .addHelpText(
      'after',
      `
Pending messages to the recipient are cancelled. What is being sent ends first; the receipt says what is waited for.
Rows stay with their states and times. Opt-outs stay as hashes, so that the recipient is not written to again.
Exit code: 0 erased, 3 recorded and not done yet, 2 wrong use.

Example:
  everpost recipient erase 15551234567 --yes`,
    )
    .action(async (to: string, options: { readonly yes?: true; readonly country?: string; readonly json?: true }) => {
      if (options.yes !== true) {
        throw new AppError('INPUT_INVALID', 'Erasing is final. Repeat the command with --yes.');
      }
      const receipt = await withApi(context, async (api) => {
        const { id } = await api.eraseRecipient({ body: { to, ...present({ defaultCountry: options.country }) } });
        return api.getErasure({ id, query: { timeoutMs: WAIT_MS } });
      });
      show(context, receipt, options.json);
    });
  recipient
    .command('erasure')
    .description('Show the receipt of an erasure.')
    .argument('<id>', 'ers_…, as `recipient erase` printed it')
    .option('--json', 'print it as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 erased, 3 not done yet, 1 no such erasure.

Example:
  everpost recipient erasure ers_0123456789abcdef`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      show(context, await withApi(context, (api) => api.getErasure({ id })), json);
    });
}

function show(context: CommandContext, receipt: Receipt, json: true | undefined): void {
  const { id, state, requestedAt, endedAt, rows, waiting } = receipt;
  if (state !== 'done') context.exitCode = ExitCode.notReached;
  if (json) return context.terminal.out(JSON.stringify(receipt));
  context.terminal.out(
    state === 'done'
      ? `${id}: erased ${endedAt}, asked for ${requestedAt}`
      : `${id}: asked for ${requestedAt}, not done yet${waitsFor(waiting)}. Ask again: everpost recipient erasure ${id}`,
  );
  for (const [table, count] of Object.entries(rows)) context.terminal.out(`  ${table}: ${count}`);
}

function waitsFor(waiting: Receipt['waiting']): string {
  const words = Object.entries(waiting).map(([what, count]) => `${count} ${what}`);
  return words.length === 0 ? '' : `; waits for ${words.join(', ')}`;
}
