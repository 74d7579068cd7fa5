/** The commands for campaigns against a complete everpost. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { aLiveApi, type LiveApi } from '../../api/live-api.js';
import { test } from '../../support/temporal/temporal.js';
import { everpost, type CliRun } from '../fake-terminal.js';

let live: LiveApi;
let dir: string;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `campaign-commands-${randomUUID()}`);
  dir = await mkdtemp(join(tmpdir(), 'everpost-campaigns-'));
});
test.afterAll(async () => {
  await live.close();
  await rm(dir, { recursive: true });
});

function campaign(...args: readonly string[]): Promise<CliRun> {
  return everpost(['campaign', ...args], { env: { EVERPOST_API_URL: live.url } });
}

let files = 0;

/** A campaign's file with this many recipients of its own. */
async function aFile(count: number, definition: Record<string, unknown> = {}): Promise<{ id: string; file: string }> {
  const number = ++files;
  const id = `file-${number}-${randomUUID().slice(0, 8)}`;
  const lines = Array.from(
    { length: count },
    (_, index) => `+1555${String(number * 1_000 + index).padStart(7, '0')},P${index}`,
  );
  await writeFile(join(dir, `${id}.csv`), ['phone,name', ...lines].join('\n'));
  const file = join(dir, `${id}.json`);
  const content = { kind: 'text', text: 'Hello {{name}}' };
  const recipients = { file: `${id}.csv` };
  await writeFile(file, JSON.stringify({ id, instance: 'main', content, recipients, ...definition }));
  return { id, file };
}

const ONE_AT_A_TIME = { highWater: 1 };

describe('everpost campaign', () => {
  test('plan FILE shows verdicts, samples and the duration, and leaves no campaign', async () => {
    const { id, file } = await aFile(3);
    const before = await campaign('list', '--json');
    const run = await campaign('plan', file);
    expect(run).toMatchObject({ exitCode: 0, err: [] });
    expect(run.out.join('\n')).toMatch(
      new RegExp(
        `^${id}  draft  3 recipients through main\n3 lines[^]*accepted +3[^]*Hello P0[^]*Takes about .* for 3 recipients`,
      ),
    );
    expect((await campaign('list', '--json')).out).toEqual(before.out);
    expect(await campaign('show', id)).toMatchObject({ exitCode: 1 });
    expect(JSON.parse((await campaign('plan', file, '--json')).out[0] ?? '')).toMatchObject({ id, canStart: true });
  });

  test('plan FILE leaves a campaign of the same id unchanged', async () => {
    const { id, file } = await aFile(2);
    await campaign('import', file);
    const before = await campaign('show', id, '--json');
    const other = { id, instance: 'main', content: { kind: 'text', text: 'Other text' } };
    const otherFile = join(dir, `${id}-other.json`);
    await writeFile(otherFile, JSON.stringify(other));
    expect(await campaign('plan', otherFile, '--recipients', join(dir, `${id}.csv`))).toMatchObject({ exitCode: 0 });
    expect((await campaign('show', id, '--json')).out).toEqual(before.out);
  });

  test('start FILE --wait imports, starts and watches to the end, once for repeated calls', async () => {
    const { id, file } = await aFile(2);
    const run = await campaign('start', file, '--wait', '--timeout', '2m');
    expect(run).toMatchObject({ exitCode: 0, err: [] });
    expect(run.out[0]).toBe(`${id}  2 recipients of 2 lines`);
    // It ends with the receipts `sent`; later receipts may have arrived or not.
    expect(run.out.at(-1)).toMatch(/ {2}completed {2}2 recipients(?: {2}(?:sent|delivered) [12])+$/);

    const again = await campaign('start', file, '--json');
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.out[0] ?? '')).toMatchObject({ id, state: 'completed' });
  });

  test('start --wait reports that the end is not reached in time, and the campaign continues', async () => {
    const { id, file } = await aFile(30, ONE_AT_A_TIME);
    expect(await campaign('start', file, '--wait', '--timeout', '1s')).toMatchObject({ exitCode: 3 });
    const cancelled = await campaign('cancel', id);
    expect(cancelled).toMatchObject({ exitCode: 0 });
    expect(cancelled.out[0]).toMatch(
      new RegExp(`^${id}  cancel\\w+  30 recipients .*\\(up to \\d of them in the gateway's queue\\)$`),
    );
    expect(await campaign('show', id, '--watch')).toMatchObject({ exitCode: 1 });
  });

  test('pause, change, status, resume and watch control and show it', async () => {
    const { id, file } = await aFile(3, ONE_AT_A_TIME);
    live.turnstile.allow('sendMessage', 1);
    await campaign('start', file);
    expect(await campaign('pause', id)).toMatchObject({ err: [], out: [expect.stringContaining(`${id}  paused`)] });
    await campaign('update', id, '--text', 'Dear {{name}}', '--high-water', '9');
    const status = await campaign('show', id);
    expect(status.out.join('\n')).toMatch(/paused[^]*high water mark: up to 9 items in the gateway's queue/);
    expect((await campaign('show', id, '--json')).out[0]).toContain('Dear {{name}}');
    live.turnstile.open();
    expect(await campaign('resume', id)).toMatchObject({ err: [], out: [expect.stringContaining(`${id}  running`)] });
    const watched = await campaign('show', id, '--watch', '--json');
    expect(watched.exitCode).toBe(0);
    // The last receipt may come a moment later.
    expect(JSON.parse(watched.out.at(-1) ?? '')).toMatchObject({
      state: 'completed',
      counts: { pending: 0, failed: 0 },
    });
    expect((await campaign('list', '--state', 'completed')).out.join('\n')).toContain(id);
  });

  test('report writes the outcome of every recipient, to a file or for a pipe', async () => {
    const { id, file } = await aFile(2);
    await campaign('start', file, '--wait');
    const csv = join(dir, `${id}.report.csv`);
    expect(await campaign('report', id, '--out', csv)).toMatchObject({
      exitCode: 0,
      err: [`The report was written to ${csv}`],
    });
    expect((await readFile(csv, 'utf8')).trimEnd().split('\r\n')).toHaveLength(3);
    const ndjson = await campaign('report', id, '--format', 'ndjson', '--state', 'delivered', 'read');
    expect(ndjson.out.map((line) => JSON.parse(line).line)).toEqual([2, 3]);
    expect((await campaign('report', id, '--format', 'ndjson', '--state', 'failed')).out).toEqual([]);
  });

  test('retry retries failed recipients', async () => {
    const { id, file } = await aFile(1);
    const chat = `1555${String(files * 1_000).padStart(7, '0')}@c.us`;
    await live.control('POST', 'instances/1101000001/accounts', { noAccount: [chat] });
    expect(await campaign('start', file, '--wait')).toMatchObject({ exitCode: 0 });
    await live.control('POST', 'instances/1101000001/accounts', { noAccount: [] });
    expect((await campaign('retry', id, '--without-account')).out[0]).toBe('1 recipients are retried');
    // It ends with the receipt `sent`; the next one may have arrived or not.
    expect((await campaign('show', id, '--watch')).out.at(-1)).toMatch(
      / {2}completed {2}1 recipients {2}(sent|delivered) 1$/,
    );
  });

  test.for<[readonly string[], RegExp]>([
    [['retry', 'any'], /name the recipients to retry: --failed, --rejected, --without-account/],
    [['update', 'any', '--text', 'a', '--content', '{}'], /only one of --text, --text-file and --content/],
    [['report', 'any', '--format', 'pdf'], /Allowed choices are csv, ndjson, json/],
  ])('%j is a usage error with its reason', async ([args, words]) => {
    const run = await campaign(...args);
    expect(run.exitCode).toBe(2);
    expect(run.err.join('\n')).toMatch(words);
  });

  test.for<[readonly string[], string]>([
    [['pause', 'missing'], 'CAMPAIGN_NOT_FOUND'],
    [['show', 'missing', '--watch'], 'CAMPAIGN_NOT_FOUND'],
    [['report', 'missing'], 'CAMPAIGN_NOT_FOUND'],
  ])('%j fails with %s', async ([args, code]) => {
    const run = await campaign(...args);
    expect(run.exitCode).toBe(1);
    expect(run.err[0]).toContain(`[${code}]`);
  });
});
