import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const HISTORIES = new URL('../test/histories/', import.meta.url);
/** Histories of the last release that were recorded again since, and `hashes.json` with the hash of each that it had. */
const LAST_RELEASE = new URL('last-release/', HISTORIES);

/**
 * Saves a history as test/histories/<name>.json. Removes what names the process, machine and folders of the recording,
 * which no replay reads. The name of a worker's sticky task queue begins with its identity.
 *
 * The history that it replaces is kept in last-release/ if the last release had it: until the next release, its runs may
 * be open on a server.
 *
 * @param {Parameters<typeof historyToJSON>[0]} history
 * @param {string} name
 */
export async function saveHistory(history, name) {
  const kept = JSON.parse(historyToJSON(history), (key, value) => {
    if (key === 'stackTrace') return '';
    if (key === 'identity') return 'everpost';
    return value?.kind === 'TASK_QUEUE_KIND_STICKY' ? { ...value, name: 'everpost' } : value;
  });
  const file = new URL(`${name}.json`, HISTORIES);
  if (existsSync(file) && (await hashOf(file)) === (await releasedHashes())[name]) {
    await copyFile(file, new URL(`${name}.json`, LAST_RELEASE));
  }
  await writeFile(file, JSON.stringify(kept, undefined, 2));
}

/** By name: the hash of each history that the last release had. @returns {Promise<Record<string, string>>} */
export async function releasedHashes() {
  return JSON.parse(await readFile(new URL('hashes.json', LAST_RELEASE), 'utf8'));
}

/** Makes the present histories those of the last release. */
export async function markAsReleased() {
  const names = (await readdir(HISTORIES)).filter((name) => name.endsWith('.json')).toSorted();
  const hashes = names.map(async (name) => [name.replace('.json', ''), await hashOf(new URL(name, HISTORIES))]);
  for (const name of await readdir(LAST_RELEASE)) await rm(new URL(name, LAST_RELEASE));
  const text = JSON.stringify(Object.fromEntries(await Promise.all(hashes)), undefined, 2);
  await writeFile(new URL('hashes.json', LAST_RELEASE), `${text}\n`);
}

/** @param {URL} file */
export async function hashOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
