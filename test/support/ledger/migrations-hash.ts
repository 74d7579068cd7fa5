import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const MIGRATIONS = new URL('../../../src/ledger/migrations/', import.meta.url);

/** Names a database after the current migrations. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(MIGRATIONS)).toSorted()) hash.update(await readFile(new URL(name, MIGRATIONS)));
  return hash.digest('hex').slice(0, 16);
}
