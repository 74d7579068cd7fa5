import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeDevRecord, type DevStackFacts } from '../../../src/tools/dev/dev-record.js';
import { findStack } from '../../../src/cli/examination/stack.js';
import { findApi } from '../../../src/cli/command-context.js';
import { loadConfig } from '../../../src/config/index.js';
import { everpost } from '../fake-terminal.js';
import { aFolder } from '../../support/folder.js';

let dataDir: string;
let recordFile: string;
beforeEach(() => {
  dataDir = aFolder();
  recordFile = join(dataDir, 'dev.json');
});

function config(env: Record<string, string> = {}) {
  return loadConfig({ EVERPOST_DATA_DIR: dataDir, ...env }, { cwd: dataDir });
}

function facts(more: Partial<DevStackFacts> = {}): DevStackFacts {
  return { apiUrl: 'http://127.0.0.1:9001', temporalAddress: '127.0.0.1:9002', dataDir, ...more };
}

/** As a killed process leaves it: no process has ever had this start time. */
async function leaveRecord(): Promise<void> {
  await writeDevRecord(facts());
  const record = JSON.parse(readFileSync(recordFile, 'utf8')) as object;
  writeFileSync(recordFile, JSON.stringify({ ...record, startedAt: 'long ago' }));
}

describe('a command', () => {
  it('finds the API at EVERPOST_API_URL, else through the data directory, else at the default address', async () => {
    expect(await findApi(config())).toMatchObject({ url: 'http://127.0.0.1:8080' });
    await writeDevRecord(facts());
    expect(await findApi(config())).toMatchObject({ url: 'http://127.0.0.1:9001' });
    const named = config({ EVERPOST_API_URL: 'http://127.0.0.1:9003' });
    expect(await findApi(named)).toMatchObject({ url: 'http://127.0.0.1:9003' });
  });

  it('ignores the record of a killed everpost dev: another program may have its port', async () => {
    await leaveRecord();
    await expect(findApi(config())).rejects.toMatchObject({
      code: 'API_UNREACHABLE',
      message: expect.stringMatching(/\(process \d+\) was killed.*everpost dev --data-dir /),
    });
  });

  it('uses --data-dir instead of EVERPOST_DATA_DIR', async () => {
    await leaveRecord();
    const run = await everpost(['message', 'list', '--data-dir', dataDir]);
    expect(run).toMatchObject({ exitCode: 1, err: [expect.stringContaining(`The everpost dev of ${dataDir}`)] });
  });

  it('reports a damaged record', async () => {
    writeFileSync(recordFile, '{"apiUrl":');
    await expect(findApi(config())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`${recordFile} cannot be read`),
    });
  });
});

describe('the record of a running everpost dev', () => {
  it('is readable for its user only, and is removed at its end', async () => {
    const remove = await writeDevRecord(facts());
    expect(statSync(recordFile).mode & 0o777).toBe(0o600);
    await remove();
    expect(existsSync(recordFile)).toBe(false);
  });
});

describe('the doctor', () => {
  it('examines no default ports when neither environment nor data directory name a stack', async () => {
    const { api, temporal, instances } = await findStack(config());
    const why = `No everpost dev runs on ${dataDir}, and the environment names no other stack`;
    expect([api, temporal, instances]).toMatchObject([
      { isKnown: false, why },
      { isKnown: false, why },
      { isKnown: false, why },
    ]);
  });

  it('examines the everpost dev of the data directory, with the addresses of its record', async () => {
    await writeDevRecord(facts({ simulatorUrl: 'http://127.0.0.1:9004' }));
    const { api, temporal, instances } = await findStack(config());
    expect(api).toMatchObject({ at: { url: 'http://127.0.0.1:9001' } });
    expect(temporal.isKnown && temporal.at.connectionOptions().address).toBe('127.0.0.1:9002');
    expect(instances.isKnown && instances.at().get('main').baseUrl).toBe('http://127.0.0.1:9004');
  });

  it('examines nothing else of the data directory when another API is configured', async () => {
    await writeDevRecord(facts({ simulatorUrl: 'http://127.0.0.1:9004' }));
    const { api, temporal, instances } = await findStack(config({ EVERPOST_API_URL: 'http://127.0.0.1:9003' }));
    expect(api).toMatchObject({ at: { url: 'http://127.0.0.1:9003' } });
    expect([temporal.isKnown, instances.isKnown]).toEqual([false, false]);
  });

  it('examines no instances of its own when only the everpost dev knows the file', async () => {
    await writeDevRecord(facts());
    const { instances } = await findStack(config());
    expect(instances).toMatchObject({ isKnown: false, remedy: expect.stringContaining('EVERPOST_INSTANCES_FILE') });
  });

  it('examines the default addresses when the parts run apart', async () => {
    const { api, temporal } = await findStack(config({ DATABASE_URL: 'postgres://localhost/everpost' }));
    expect(api).toMatchObject({ at: { url: 'http://127.0.0.1:8080', origin: 'the default' } });
    expect(temporal.isKnown && temporal.at.connectionOptions().address).toBe('127.0.0.1:7233');
  });

  it('reports unknown for everything that it could not ask, which is not a success', async () => {
    const run = await everpost(['doctor', '--json', '--data-dir', dataDir]);
    expect(run.exitCode).toBe(1);
    const { findings } = JSON.parse(run.out[0] ?? '') as { findings: { subject: string; verdict: string }[] };
    expect(findings.map(({ subject, verdict }) => `${subject} ${verdict}`)).toEqual([
      'api unknown',
      'ledger unknown',
      'temporal unknown',
      'instances unknown',
    ]);
  });
});
