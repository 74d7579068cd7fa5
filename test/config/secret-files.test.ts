import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VARIABLES, loadConfig, type Variable } from '../../src/config/index.js';
import { AppError, type Problem } from '../../src/contract/index.js';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'everpost-secrets-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function aFile(name: string, content: string, mode = 0o600): string {
  const file = join(cwd, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

function problemsOf(env: Record<string, string>): readonly Problem[] {
  try {
    loadConfig(env, { cwd });
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_INVALID') return error.problems ?? [];
    throw error;
  }
  return [];
}

const SECRETS = Object.values<Variable<unknown>>(VARIABLES).filter(({ isSecret }) => isSecret === true);

describe('a secret', () => {
  it('may be in a file, for every secret', () => {
    aFile('key', ' from-file\n');
    aFile('url', 'postgres://user:from-file@db/everpost');
    const config = loadConfig(
      { EVERPOST_API_KEY_FILE: 'key', DATABASE_URL_FILE: 'url', TEMPORAL_API_KEY_FILE: 'key' },
      { cwd },
    );
    expect(config.api.apiKey?.reveal()).toBe('from-file');
    expect(config.databaseUrl?.reveal()).toContain('from-file');
    expect(config.temporal.connectionOptions()).toMatchObject({ apiKey: 'from-file' });
  });

  it('is every variable that contains one', () => {
    const names = SECRETS.map(({ name }) => name);
    expect(names).toEqual(['EVERPOST_API_KEY', 'DATABASE_URL', 'EVERPOST_API_KEYS', 'EVERPOST_ENCRYPTION_KEYS']);
  });

  it.each(SECRETS)('is given once, or refused: $name', ({ name }) => {
    const file = aFile('any', 'from-file');
    expect(problemsOf({ [name]: 'x', [`${name}_FILE`]: file })).toContainEqual({
      path: `${name}_FILE`,
      message: `is set together with ${name}: unset one of them`,
    });
  });

  it.each([
    ['that does not exist', () => join(cwd, 'none'), /cannot be read \(ENOENT\)/],
    ['that is empty', () => aFile('empty', '\n'), /is empty/],
    ['that other users can read', () => aFile('open', 'from-file', 0o644), /mode 644\): chmod 600/],
    ['that its group can write', () => aFile('group', 'from-file', 0o660), /mode 660/],
    ['that is a folder', () => cwd, /cannot be read|other users/],
  ])('is not read from a file %s', (_, file, message) => {
    expect(problemsOf({ EVERPOST_API_KEY_FILE: file() })).toEqual([
      { path: 'EVERPOST_API_KEY_FILE', message: expect.stringMatching(message) as string },
    ]);
  });

  it('may be readable by the group, as containers get secrets', () => {
    const file = aFile('group-reads', 'from-file', 0o440);
    expect(loadConfig({ EVERPOST_API_KEY_FILE: file }, { cwd }).api.apiKey?.reveal()).toBe('from-file');
  });
});

describe('the API keys of the environment', () => {
  const keysOf = (env: Record<string, string>) =>
    loadConfig(env, { cwd })
      .http.openApiKeys(() => undefined)()
      .map(({ name, secret }) => [name, secret.reveal()]);

  it('may have names', () => {
    expect(keysOf({ EVERPOST_API_KEYS: 'ops:one, two ,shop: three:3' })).toEqual([
      ['ops', 'one'],
      ['env-2', 'two'],
      ['shop', 'three:3'],
    ]);
  });

  it.each([
    ['ops:', /a name without a key/],
    ['ops:one,ops:two', /same name for two keys/],
  ])('are refused as %s, without showing them', (text, message) => {
    expect(problemsOf({ EVERPOST_API_KEYS: text })).toEqual([
      { path: 'EVERPOST_API_KEYS', message: expect.stringMatching(message) as string },
    ]);
  });

  it('are read again when their file changes, and stay when it becomes invalid', () => {
    const file = aFile('keys', 'ops:one\nshop:two\n');
    const logged: string[] = [];
    const { openApiKeys } = loadConfig({ EVERPOST_API_KEYS_FILE: file }, { cwd }).http;
    let nowMs = 0;
    const keys = openApiKeys(
      ({ message }) => void logged.push(message),
      () => nowMs,
    );
    expect(keys().map(({ name }) => name)).toEqual(['ops', 'shop']);
    aFile('keys', 'ops:three');
    nowMs += 1_001;
    expect(keys().map(({ secret }) => secret.reveal())).toEqual(['three']);
    aFile('keys', '');
    nowMs += 1_001;
    expect(keys()).toHaveLength(1);
    expect(logged).toEqual(['API keys reloaded: 1.', expect.stringMatching(/The last valid version stays in use/)]);
  });
});
