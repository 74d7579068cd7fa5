/**
 * A new data directory starts as a copy of an empty database with all tables, which the build prepares: creating one
 * takes five seconds of CPU, a copy less than one.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import type { Schema } from './schema.js';
import { OWNER_ONLY_DIR, OWNER_ONLY_FILE } from './data-dir.js';
import { migrate } from './migrate.js';
import { pgliteDialect } from './pglite-dialect.js';

/** Exists only in a build: code that runs from its sources lets PGlite create each database. */
export const PREPARED_DATABASE_PATH = fileURLToPath(new URL('../../empty-ledger.tar.br', import.meta.url));

/**
 * @param initDbStartParams  arguments of PostgreSQL's initdb
 * @returns a tar of an empty database with all tables, without the databases that only `create database` copies
 */
export async function prepareDatabase(initDbStartParams: string[] = []): Promise<Buffer> {
  const database = await PGlite.create({ initDbStartParams });
  await database.exec(`update pg_database set datistemplate = false where datname like 'template%'`);
  for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`);
  await migrate(new Kysely<Schema>({ dialect: pgliteDialect(database) }));
  // Otherwise each start from the tar would first replay everything since the last checkpoint.
  await database.exec('checkpoint');
  const tar = await database.dumpDataDir('none');
  await database.close();
  return Buffer.from(await tar.arrayBuffer());
}

const BLOCK = 512;
const DIRECTORY = '5';

/**
 * Creates a missing directory of a database from the prepared one. It appears complete or not at all, also after a
 * kill. The caller holds the lock of the data directory.
 */
export async function placeNewDatabase(dir: string, preparedPath = PREPARED_DATABASE_PATH): Promise<void> {
  if (existsSync(dir) || !existsSync(preparedPath)) return;
  const unfinished = `${dir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const tar = await promisify(brotliDecompress)(await readFile(preparedPath));
  // The names of `prepareDatabase` all fit into the header. It waits for each of a thousand small files, which takes a
  // third of the time.
  const text = (from: number, to: number) => tar.toString('latin1', from, to).replace(/\0.*/s, '');
  mkdirSync(unfinished, { mode: OWNER_ONLY_DIR });
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const path = join(unfinished, text(at, at + 100));
    const size = Number.parseInt(text(at + 124, at + 136), 8);
    const content = at + BLOCK;
    if (text(at + 156, at + 157) === DIRECTORY) mkdirSync(path, { mode: OWNER_ONLY_DIR });
    else writeFileSync(path, tar.subarray(content, content + size), { mode: OWNER_ONLY_FILE });
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
  await rename(unfinished, dir);
}
