import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the directory and those above it. Node's own recursive way never returns below /proc, where nothing can be made and
 * nothing says so.
 * @throws Error with the code of the system, such as EACCES, or EEXIST where a file is in the way
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeOne(dataDir);
  } catch (error) {
    const isParentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isParentMissing || dirname(dataDir) === dataDir) throw error;
    await makeDataDir(dirname(dataDir));
    await makeOne(dataDir);
  }
}

async function makeOne(dir: string): Promise<void> {
  try {
    await mkdir(dir);
  } catch (error) {
    const isThere = await stat(dir).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
