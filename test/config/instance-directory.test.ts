import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { watchedInstances } from '../../src/config/instance-directory.js';
import { aFolder } from '../support/folder.js';

let folder: string;
let file: string;
let nowMs: number;
let logged: string[];

beforeEach(() => {
  folder = aFolder();
  file = path.join(folder, 'instances.json');
  nowMs = 0;
  logged = [];
});

function write(names: readonly string[], token: unknown = 'token'): void {
  const instances = names.map((name, index) => [
    name,
    { baseUrl: 'https://gateway.example', idInstance: String(index + 1), apiTokenInstance: token },
  ]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(instances)), { mode: 0o600 });
}

function watch() {
  return watchedInstances({
    filePath: file,
    env: {},
    monotonicMs: () => nowMs,
    log: ({ level, message }) => logged.push(`${level}: ${message}`),
  });
}

describe('the instance directory', () => {
  it('warns of a file that others can read, with the command that restricts it, and of no other', () => {
    write(['shop']);
    watch();
    // As Kubernetes mounts it for the group of a container.
    chmodSync(file, 0o440);
    watch();
    expect(logged).toEqual([]);

    chmodSync(file, 0o644);
    watch();
    expect(logged).toEqual([
      `warn: Other users can read the instances file ${file} (mode 644), and with it the tokens of the accounts. Restrict access: chmod 600 ${file}`,
    ]);
  });

  it('notices a changed file within a second, and checks no more often', () => {
    write(['shop']);
    const directory = watch();
    write(['shop', 'store']);
    nowMs = 999;
    expect(directory.names()).toEqual(['shop']);
    nowMs = 1_000;
    expect(directory.names()).toEqual(['shop', 'store']);
    expect(logged).toEqual(['info: Instances reloaded: shop, store.']);
  });

  it('notices a replaced token file', () => {
    writeFileSync(path.join(folder, 'token'), 'old', { mode: 0o600 });
    write(['shop'], { file: 'token' });
    const directory = watch();
    writeFileSync(path.join(folder, 'token'), 'newer');
    nowMs = 1_000;
    expect(directory.get('shop').apiTokenInstance.reveal()).toBe('newer');
  });

  it('keeps the last valid file when the new one is invalid, logs that once, and uses the corrected one', () => {
    write(['shop']);
    const directory = watch();
    writeFileSync(file, '{');
    nowMs = 1_000;
    expect(directory.get('shop').idInstance).toBe('1');
    nowMs = 2_000;
    expect(directory.names()).toEqual(['shop']);
    expect(logged).toEqual([expect.stringMatching(/^error: .*The last valid version stays in use\.$/)]);
    write(['shop', 'store']);
    nowMs = 3_000;
    expect(directory.names()).toEqual(['shop', 'store']);
  });

  it('continues when the file disappears', () => {
    write(['shop']);
    const directory = watch();
    rmSync(file);
    nowMs = 1_000;
    expect(directory.names()).toEqual(['shop']);
    expect(logged).toHaveLength(1);
  });
});
