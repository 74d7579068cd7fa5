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
    expect(names).toEqual([
      'EVERPOST_API_KEY',
      'DATABASE_URL',
      'EVERPOST_MIGRATE_DATABASE_URL',
      'EVERPOST_API_KEYS',
      'EVERPOST_ENCRYPTION_KEYS',
    ]);
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

describe('a secret of fewer than 16 characters', () => {
  const SHORT = { EVERPOST_API_KEYS: 'ops:0123456789abcde,shop:0123456789abcdef' };
  const BEYOND = [
    ['an address beyond loopback', { EVERPOST_HTTP_HOST: '0.0.0.0' }],
    ['a public address', { EVERPOST_PUBLIC_URL: 'https://hooks.example.com' }],
  ] as const;

  it.each(BEYOND)('is no API key with %s', (_, env) => {
    const [problem, ...others] = problemsOf({ ...SHORT, ...env });
    expect(others).toEqual([]);
    expect(problem).toEqual({
      path: 'EVERPOST_API_KEYS',
      message: expect.stringMatching(/the key ops, which has fewer than 16 characters.*openssl rand/) as string,
    });
    expect(problem?.message).not.toContain('0123');
  });

  it.each(BEYOND)('is no webhook token with %s', (_, env) => {
    const entry = { baseUrl: 'https://gateway.example', apiTokenInstance: 'short' };
    const instances = {
      shop: { ...entry, idInstance: 1, webhookToken: ['0123456789abcdef', 'short'] },
      store: { ...entry, idInstance: 2, webhookToken: { file: 'short-token' } },
    };
    aFile('short-token', 'short');
    const file = aFile('instances.json', JSON.stringify(instances));
    const config = loadConfig({ EVERPOST_INSTANCES_FILE: file, ...env }, { cwd });
    expect(() => config.instances?.open(() => undefined)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        problems: [
          { path: 'shop.webhookToken[1]', message: expect.stringContaining('fewer than 16 characters') },
          { path: 'store.webhookToken[0]', message: expect.stringContaining('fewer than 16 characters') },
        ],
      }),
    );
    const local = loadConfig({ EVERPOST_INSTANCES_FILE: file }, { cwd });
    expect(local.instances?.open(() => undefined).names()).toEqual(['shop', 'store']);
  });

  it.each([
    {},
    { EVERPOST_HTTP_HOST: 'localhost' },
    { EVERPOST_HTTP_HOST: '::1', EVERPOST_PUBLIC_URL: 'http://127.0.0.1:8080' },
  ])('is allowed on loopback: %o', (env) => {
    expect(problemsOf({ ...SHORT, ...env })).toEqual([]);
  });

  it('does not replace a longer one when its file changes', () => {
    const file = aFile('long-keys', 'ops:0123456789abcdef');
    const { openApiKeys } = loadConfig({ EVERPOST_API_KEYS_FILE: file, EVERPOST_HTTP_HOST: '::' }, { cwd }).http;
    let nowMs = 0;
    const keys = openApiKeys(
      () => undefined,
      () => nowMs,
    );
    aFile('long-keys', 'ops:short');
    nowMs += 1_001;
    expect(keys().map(({ secret }) => secret.reveal())).toEqual(['0123456789abcdef']);
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
