/** `everpost backup` and `everpost restore`: of the embedded ledger. */
import path from 'node:path';
import type { Config } from '../../../config/index.js';
import { AppError } from '../../../contract/index.js';
import type { CommandGroup } from '../../command-group.js';

const FILE = { '<file>': 'the backup' } as const;

export function addBackupCommands(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('backup', {
    description: 'Write a backup of the embedded ledger.',
    arguments: FILE,
    options: { '--json': 'print { file, bytes } as one line of JSON' },
    help: `Stop the process that uses the data directory first. A ledger in PostgreSQL is backed up by pg_dump:
docs/recover.md has the commands.

Example:
  everpost backup ledger.backup`,
    async action({ file, json }) {
      const to = path.resolve(terminal.cwd, file);
      const { backupLedger } = await import('../../../ledger/index.js');
      const bytes = await backupLedger(
        dataDirOf(context.config(), 'pg_dump --format=custom --file=FILE "$DATABASE_URL"'),
        to,
      );
      terminal.out(json ? JSON.stringify({ file: to, bytes }) : `The ledger is in ${to} (${bytes} bytes).`);
    },
  });
  program.add('restore', {
    description: 'Restore the embedded ledger from a backup. What may have been sent since becomes unresolved.',
    arguments: FILE,
    options: { '--json': 'print { former } as one line of JSON: where the former ledger is, if there was one' },
    help: `Stop the process that uses the data directory first. Messages that were due and may have been sent after the
backup are not sent again: they become unresolved with the reason LEDGER_WENT_BACK. Then have the gateway show
which were sent: everpost message resolve --reason LEDGER_WENT_BACK --by-evidence
A ledger in PostgreSQL is restored by pg_restore: docs/recover.md has the commands.

Example:
  everpost restore ledger.backup`,
    async action({ file, json }) {
      const command = 'pg_restore --clean --if-exists --dbname="$DATABASE_URL" FILE';
      const dataDir = dataDirOf(context.config(), command);
      const { restoreLedger } = await import('../../../ledger/index.js');
      const former = await restoreLedger(dataDir, path.resolve(terminal.cwd, file), Date.now());
      if (json) return terminal.out(JSON.stringify({ former }));
      terminal.out(
        `The ledger is as the backup has it.${former === undefined ? '' : ` The former one is in ${former}.`}`,
      );
    },
  });
}

function dataDirOf({ databaseUrl, dataDir }: Config, command: string): string {
  if (databaseUrl === undefined) return dataDir;
  throw new AppError('CONFIG_INVALID', `The ledger is in PostgreSQL (DATABASE_URL is set): ${command}`, {
    problems: [{ path: 'DATABASE_URL', message: 'is set, and the command is for the embedded ledger' }],
  });
}
