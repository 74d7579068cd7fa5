/** Backups of an embedded ledger: its whole database as one file. PostgreSQL has pg_dump and pg_restore. */
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { AppError, codeOf } from '../contract/index.js';
import { recordRestore } from './dispatch/went-back.js';
import type { Schema } from './storage/schema.js';
import { closeDatabaseFiles, lockDataDir, makeDataDir, OWNER_ONLY_FILE } from './storage/data-dir.js';
import { ledgerError } from './storage/database-error.js';
import { migrate } from './storage/migrate.js';
import { pgliteDialect } from './storage/pglite-dialect.js';

/**
 * Writes the ledger of a data directory that no process uses into a file, which appears complete or not at all.
 * @returns its size in bytes
 * @throws AppError DATA_DIR_IN_USE | INPUT_INVALID
 */
export async function backupLedger(dataDir: string, file: string): Promise<number> {
  if (!existsSync(join(dataDir, 'ledger'))) {
    throw new AppError('INPUT_INVALID', `There is no ledger in ${dataDir}. EVERPOST_DATA_DIR names its folder.`);
  }
  return withDataDir(dataDir, async (dir) => {
    const database = await PGlite.create({ dataDir: dir, relaxedDurability: false });
    try {
      const copy = Buffer.from(await (await database.dumpDataDir('gzip')).arrayBuffer());
      const unfinished = `${file}.unfinished`;
      await writeFile(unfinished, copy, { mode: OWNER_ONLY_FILE });
      await rename(unfinished, file);
      return copy.length;
    } finally {
      await database.close();
    }
  });
}

/**
 * Restores the ledger of a data directory that no process uses from a backup, which it then is known to be (RETURN-1).
 * The former ledger stays beside it.
 * @returns where the former ledger is, if there was one
 * @throws AppError DATA_DIR_IN_USE | INPUT_INVALID
 */
export async function restoreLedger(dataDir: string, file: string, nowMs: number): Promise<string | undefined> {
  await makeDataDir(dataDir);
  return withDataDir(dataDir, async (dir) => {
    const unfinished = `${dir}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await unpack(file, unfinished);
    const former = existsSync(dir) ? `${dir}.${new Date(nowMs).toISOString().replaceAll(':', '')}` : undefined;
    if (former !== undefined) await rename(dir, former);
    await rename(unfinished, dir);
    return former;
  });
}

async function unpack(file: string, dir: string): Promise<void> {
  const copy = await readFile(file).catch((error: unknown) => {
    throw new AppError('INPUT_INVALID', `The backup ${file} cannot be read (${codeOf(error)}).`, { cause: error });
  });
  const database = await PGlite.create({
    dataDir: dir,
    loadDataDir: new Blob([copy], { type: 'application/x-gzip' }),
    relaxedDurability: false,
  });
  await closeDatabaseFiles(dir);
  const db = new Kysely<Schema>({ dialect: pgliteDialect(database) });
  try {
    await migrate(db);
    await recordRestore(db, 'command');
  } finally {
    await db.destroy();
  }
}

async function withDataDir<Result>(dataDir: string, work: (dir: string) => Promise<Result>): Promise<Result> {
  const lock = await lockDataDir(join(dataDir, 'ledger.lock'));
  try {
    return await work(join(dataDir, 'ledger'));
  } catch (error) {
    throw ledgerError(error);
  } finally {
    await lock.release();
  }
}
