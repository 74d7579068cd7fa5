import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from './data-dir-lock.js';

/** Messages and phone numbers are in it: for its owner alone. */
const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;
const GROUP_AND_OTHERS = 0o077;

/**
 * Makes the directory, for its owner alone, and those above it. Node's own recursive way never returns below /proc,
 * where nothing can be made and nothing says so.
 * @throws Error with the code of the system, such as EACCES, or EEXIST where a file has that name
 */
export function makeDataDir(dataDir: string): Promise<void> {
  return makeWithParents(dataDir, OWNER_ONLY_DIR);
}

/**
 * Takes the rights of group and others from a data directory that an earlier version made. Only from one that is surely
 * ours (it holds a ledger): the operator may have named a directory that others use too.
 * @returns the mode that it is left with when others can look into it, e.g. `755`; undefined when they cannot
 */
export async function closeDataDir(dataDir: string): Promise<string | undefined> {
  const { mode } = await stat(dataDir);
  if ((mode & GROUP_AND_OTHERS) === 0) return undefined;
  const isOurs = (await readdir(dataDir)).includes('ledger');
  try {
    if (isOurs) {
      await closeAll(dataDir);
      return undefined;
    }
  } catch (error) {
    // Another user's, such as a volume that a container was given: then the warning is all that can be done.
    if (!hasCode(error, 'EPERM')) throw error;
  }
  return (mode & 0o777).toString(8);
}

/** The embedded database unpacks its first files readable by every user. */
export async function closeDatabaseFiles(dir: string): Promise<void> {
  const { mode } = await stat(join(dir, 'PG_VERSION'));
  if ((mode & GROUP_AND_OTHERS) !== 0) await closeAll(dir);
}

async function closeAll(dir: string): Promise<void> {
  await chmod(dir, OWNER_ONLY_DIR);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await closeAll(path);
    else if (entry.isFile()) await closeFile(path);
  }
}

async function closeFile(path: string): Promise<void> {
  try {
    await chmod(path, OWNER_ONLY_FILE);
  } catch (error) {
    // A database deletes files of its own at any time: one that is gone needs no rights.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

async function makeWithParents(dir: string, mode?: number): Promise<void> {
  try {
    await makeOne(dir, mode);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(dir) === dir) throw error;
    await makeWithParents(dirname(dir));
    await makeOne(dir, mode);
  }
}

async function makeOne(dir: string, mode?: number): Promise<void> {
  try {
    await mkdir(dir, mode);
  } catch (error) {
    const isThere = await stat(dir).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
