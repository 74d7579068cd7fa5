import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** Without any program on PATH, so that no server is found; the loop needs none. */
async function bench(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PATH: '' };
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/run.js', ...args], { cwd: ROOT, env });
  return stdout;
}

function figure(cell = ''): number {
  return Number(cell.replaceAll(',', ''));
}

/** The cells of a system's row in each table. */
function rowsOf(report: string, system: string): string[][] {
  const rows = report.split('\n').filter((line) => line.startsWith(`| ${system} `));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the benchmark', () => {
  test('measures a system, kills its worker, and names the server that another one lacks', async () => {
    const document = await readFile(DOCUMENT, 'utf8');
    const report = await bench('--smoke', '--only', 'loop,bullmq-everysec');

    const [speed = [], killed = [], promise] = rowsOf(report, 'bare undici loop');
    const [, messages, rate, sending, cpu, database, temporal, redis, peakMb, heapMb] = speed;
    expect(messages).toBe('40');
    for (const measured of [rate, sending, cpu, peakMb, heapMb]) expect(figure(measured)).toBeGreaterThan(0);
    expect([database, temporal, redis]).toEqual(['', '', '']);
    const [, killedOf, lost, twice, unresolved, waiting, resumed] = killed;
    expect({ killedOf, lost, unresolved, waiting }).toEqual({
      killedOf: '40',
      lost: '0',
      unresolved: '0',
      waiting: '0',
    });
    expect(figure(twice)).toBeGreaterThanOrEqual(20);
    expect(figure(resumed)).toBeGreaterThan(0);
    expect(promise?.[1]).toBe('nothing');

    expect(rowsOf(report, 'BullMQ, appendfsync everysec')[0]?.[1]).toBe('skipped');
    expect(report).toContain('BullMQ, appendfsync everysec – skipped: redis-server not found');
    expect(await readFile(DOCUMENT, 'utf8')).toBe(document);
  });

  test('names its systems when an unknown one is requested', async () => {
    await expect(bench('--only', 'loop,carrier-pigeon')).rejects.toThrow(/Unknown system: carrier-pigeon/);
  });

  test('names its measurements when an unknown one is requested', async () => {
    await expect(bench('speed')).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/peers[^]*webhooks/) });
  });
});
