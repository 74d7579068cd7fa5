import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { AppError, type Problem } from '../../src/contract/index.js';

const CWD = '/somewhere';

function problemsOf(env: Record<string, string>): readonly Problem[] {
  try {
    loadConfig(env, { cwd: CWD });
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_INVALID') return error.problems ?? [];
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    const config = loadConfig({}, { cwd: CWD });
    expect(config).toMatchObject({
      api: { url: 'http://127.0.0.1:8080', isNamed: false },
      http: { host: '127.0.0.1', port: 8080, isPortAsked: false, hasApiKeys: false },
      dataDir: '/somewhere/.everpost',
      temporal: { isNamed: false, address: '127.0.0.1:7233', namespace: 'default' },
      times: {
        postingDeadlineMs: 5_000,
        gatewayTimeoutMs: 15_000,
        settleTimeMs: 15_000,
        editConfirmTimeoutMs: 20_000,
        templatePollIntervalsMs: [15_000, 60_000, 300_000, 3_600_000],
      },
      logLevel: 'info',
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.instances).toBeUndefined();
  });

  it('has the public address without a trailing slash', () => {
    const publicUrl = (text: string) => loadConfig({ EVERPOST_PUBLIC_URL: text }, { cwd: CWD }).publicUrl;
    expect(publicUrl('https://hooks.example.com/')).toBe('https://hooks.example.com');
    expect(publicUrl('https://example.com/everpost/')).toBe('https://example.com/everpost');
    for (const text of ['https://user:secret@example.com', 'https://example.com?token=x', 'hooks.example.com']) {
      expect(problemsOf({ EVERPOST_PUBLIC_URL: text })).toEqual([
        { path: 'EVERPOST_PUBLIC_URL', message: expect.not.stringContaining('secret') as string },
      ]);
    }
  });

  it('has the address of the Web UI without a trailing slash, and without a secret', () => {
    const uiUrl = (text: string) => loadConfig({ EVERPOST_TEMPORAL_UI_URL: text }, { cwd: CWD }).temporal.webUiUrl;
    expect(uiUrl('https://temporal.example.com/ui/')).toBe('https://temporal.example.com/ui');
    expect(loadConfig({}, { cwd: CWD }).temporal.webUiUrl).toBeUndefined();
    for (const text of ['https://user:secret@example.com', 'ftp://example.com', 'javascript:alert(1)']) {
      expect(problemsOf({ EVERPOST_TEMPORAL_UI_URL: text })).toEqual([
        { path: 'EVERPOST_TEMPORAL_UI_URL', message: expect.not.stringContaining('secret') as string },
      ]);
    }
  });

  it('refuses a name of a deployment that Temporal cannot separate from a build id', () => {
    for (const name of ['ever.post', 'ever:post', 'ever post'])
      expect(problemsOf({ TEMPORAL_DEPLOYMENT_NAME: name })).toEqual([
        { path: 'TEMPORAL_DEPLOYMENT_NAME', message: 'must not contain spaces, dots or colons' },
      ]);
    const { temporal } = loadConfig(
      { TEMPORAL_DEPLOYMENT_NAME: 'everpost', TEMPORAL_WORKER_BUILD_ID: '1.2.3' },
      { cwd: CWD },
    );
    expect(temporal).toMatchObject({ deploymentName: 'everpost', buildId: '1.2.3' });
  });

  it('treats an empty variable as unset', () => {
    const config = loadConfig({ EVERPOST_HTTP_PORT: '', DATABASE_URL: ' ', TEMPORAL_ADDRESS: '' }, { cwd: CWD });
    expect(config.http.port).toBe(8080);
    expect(config.databaseUrl).toBeUndefined();
    expect(config.temporal.isNamed).toBe(false);
  });

  it('reports every problem at once, each under its variable', () => {
    const problems = problemsOf({
      EVERPOST_HTTP_PORT: '70000',
      EVERPOST_SETTLE_TIME: '15',
      EVERPOST_API_URL: 'ftp://example.com',
      DATABASE_URL: 'mysql://localhost/x',
      EVERPOST_LOG_LEVEL: 'loud',
    });
    expect(problems.map(({ path }) => path)).toEqual([
      'EVERPOST_API_URL',
      'DATABASE_URL',
      'EVERPOST_HTTP_PORT',
      'EVERPOST_SETTLE_TIME',
      'EVERPOST_LOG_LEVEL',
    ]);
    expect(problems.every(({ message }) => message.startsWith('must be'))).toBe(true);
  });

  it('refuses an invalid payload key, and does not show it', () => {
    expect(problemsOf({ EVERPOST_ENCRYPTION_KEYS: 'k' })).toEqual([
      { path: 'EVERPOST_ENCRYPTION_KEYS', message: expect.stringMatching(/^entry 1 is not <id>:/) as string },
    ]);
  });

  it('is immutable, down to its last field', () => {
    const config = loadConfig({ EVERPOST_API_KEYS: 'a,b' }, { cwd: CWD });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.times.templatePollIntervalsMs)).toBe(true);
    expect(Object.isFrozen(config.http)).toBe(true);
  });

  it('shows no secret when printed or written as JSON', () => {
    const env = {
      EVERPOST_API_KEY: 'secret-1',
      EVERPOST_API_KEYS: 'secret-2, secret-3',
      DATABASE_URL: 'postgres://user:secret-4@db/everpost',
      TEMPORAL_ADDRESS: 'cloud:7233',
      TEMPORAL_API_KEY: 'secret-5',
    };
    const config = loadConfig(env, { cwd: CWD });
    expect(inspect(config, { depth: 10, showHidden: true }) + JSON.stringify(config)).not.toContain('secret-');
    const apiKeys = config.http.openApiKeys(() => undefined)();
    expect(apiKeys.map(({ secret }) => secret.reveal())).toEqual(['secret-2', 'secret-3']);
    expect(config.databaseUrl?.reveal()).toContain('secret-4');
  });

  it("reads Temporal's own variables as Temporal's tools do", () => {
    const env = { TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_NAMESPACE: 'prod', TEMPORAL_API_KEY: 'key' };
    const { temporal } = loadConfig(env, { cwd: CWD });
    expect(temporal).toMatchObject({ isNamed: true, address: 'cloud:7233', namespace: 'prod' });
    expect(temporal.connectionOptions()).toMatchObject({ address: 'cloud:7233', apiKey: 'key', tls: true });
  });
});
