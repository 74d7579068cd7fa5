import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { aFolder } from './support/folder.js';

let dir: string;

/** A copy of the command in a package that is not built. */
beforeEach(async () => {
  dir = aFolder({ 'package.json': '{ "type": "module" }' });
  await mkdir(join(dir, 'bin'));
  await copyFile(fileURLToPath(new URL('../bin/everpost.js', import.meta.url)), join(dir, 'bin', 'everpost.js'));
});

function everpost(...nodeOptions: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeOptions, join(dir, 'bin', 'everpost.js'), 'dev'],
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe("the command's start script", () => {
  test('names npm ci without a build', async () => {
    expect(await everpost()).toEqual({
      code: 1,
      output: 'everpost is not built yet. In its folder, run: npm ci\n',
    });
  });

  test('names the required version on an old Node', async () => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' })`;
    const { code, output } = await everpost('--import', `data:text/javascript,${encodeURIComponent(pretend)}`);
    expect({ code, output }).toEqual({
      code: 1,
      output: 'everpost needs Node.js 20.19 or newer; this is 20.18.3. Install a newer one.\n',
    });
  });

  test('runs the build with the same arguments', async () => {
    await mkdir(join(dir, 'dist', 'cli'), { recursive: true });
    await writeFile(join(dir, 'dist', 'cli', 'index.js'), 'process.stdout.write(process.argv[2]);');
    expect(await everpost()).toEqual({ code: 0, output: 'dev' });
  });
});
