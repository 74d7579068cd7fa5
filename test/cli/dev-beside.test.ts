/** Two `everpost dev` on one machine, both with default ports, as real processes. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDataDir } from '../support/embedded-database.js';
import { isAlive, startDev, type DevProcess } from './dev-process.js';
import { everpost, type CliRun } from './fake-terminal.js';

let dirs: string[];
let devs: DevProcess[] = [];

beforeAll(async () => {
  dirs = [await aDataDir(), await aDataDir()];
  // At the same time: each must notice the ports that the other one has just taken.
  const starts = await Promise.allSettled(dirs.map((dir) => startDev(dir, {}, [])));
  devs = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
});
afterAll(async () => {
  await Promise.all(devs.filter(({ pid }) => isAlive(pid)).map((dev) => dev.end('SIGTERM')));
  for (const dir of dirs) rmSync(dir, { recursive: true });
});

/** One command against the everpost dev of a data directory, its only argument. */
function command(which: 0 | 1, ...args: string[]): Promise<CliRun> {
  return everpost([...args, '--data-dir', dirs[which] ?? '']);
}

describe('a second everpost dev on another data directory', () => {
  it('runs beside the first: no address is shared, and each has its own messages', async () => {
    const addresses = devs.flatMap(({ facts }) =>
      [facts.apiUrl, facts.temporalAddress, facts.temporalUiUrl, facts.simulatorUrl].map((url) =>
        url?.split(':').at(-1),
      ),
    );
    expect(new Set(addresses).size).toBe(8);

    const send = ['send', '--instance', 'main', '--to', '15550001001', '--wait', 'delivered', '--text'];
    const runs = await Promise.all([command(0, ...send, 'of the first'), command(1, ...send, 'of the second')]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const phones = await Promise.all(
      devs.map(async ({ facts }) => {
        const response = await fetch(`${facts.simulatorUrl}/_sim/delivered`);
        return ((await response.json()) as { text: string }[]).map(({ text }) => text);
      }),
    );
    expect(phones).toEqual([['of the first'], ['of the second']]);
  });

  it('reports for each taken default port where it listens instead', () => {
    const told = devs.map((dev) => dev.told()).join('\n');
    const { facts } = devs.find(({ facts: { apiUrl } }) => !apiUrl.endsWith(':8080')) ?? {};
    expect(told).toContain(`Another program uses port 8080. The API listens at ${facts?.apiUrl} instead.`);
    expect(told).toMatch(/Another program uses port 8090\. The simulator listens at http/);
    expect(told).toMatch(/Another program uses port 7233 or 8233\. Temporal listens at \S+ instead/);
  });

  it('is examined by the doctor of its data directory, and the other one is not', async () => {
    for (const which of [0, 1] as const) {
      const { exitCode, out } = await command(which, 'doctor');
      expect({ exitCode, notOk: out.filter((line) => !line.startsWith('ok ')) }).toEqual({ exitCode: 0, notOk: [] });
      const said = out.join('\n');
      expect(said).toContain(devs[which]?.facts.apiUrl);
      expect(said).toContain(`${devs[which]?.facts.temporalAddress} responds`);
      expect(said).not.toContain(devs[1 - which]?.facts.apiUrl);
    }
  });

  it('is refused on the same data directory, and leaves the record of the first unchanged', async () => {
    const before = readFileSync(path.join(dirs[0] ?? '', 'dev.json'), 'utf8');
    await expect(startDev(dirs[0] ?? '', {}, [])).rejects.toThrow(/\[DATA_DIR_IN_USE\]/);
    expect(readFileSync(path.join(dirs[0] ?? '', 'dev.json'), 'utf8')).toBe(before);
  });

  it.for([
    ['--http-port', {}],
    ['EVERPOST_HTTP_PORT', undefined],
  ] as const)('is refused on a taken port that %s requests, with the remedy', async ([, env]) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const port = String((holder.address() as { port: number }).port);
    const dir = mkdtempSync(path.join(os.tmpdir(), 'everpost-beside-three-'));
    const asked =
      env === undefined ? startDev(dir, { EVERPOST_HTTP_PORT: port }, []) : startDev(dir, env, ['--http-port', port]);
    await expect(asked).rejects.toThrow(/another program uses the port.*choose another port.*\[PORT_IN_USE\]/);
    holder.close();
    rmSync(dir, { recursive: true });
  });
});

describe('the addresses in the data directory', () => {
  it('are ignored once the process was killed, and the next start writes its own', async () => {
    await devs[1]?.end('SIGKILL');
    expect(await command(1, 'message', 'list')).toMatchObject({
      exitCode: 1,
      err: [expect.stringContaining('was killed. Start it again: everpost dev')],
    });
    const doctor = await command(1, 'doctor');
    expect(doctor.exitCode).toBe(1);
    expect(doctor.out.filter((line) => line.startsWith('ok '))).toEqual([]);

    devs[1] = await startDev(dirs[1] ?? '', {}, []);
    expect((await command(1, 'message', 'list')).out.join()).toContain('delivered');
  });

  it('are removed by an orderly end', async () => {
    const record = path.join(dirs[0] ?? '', 'dev.json');
    expect(existsSync(record)).toBe(true);
    await devs[0]?.end('SIGTERM');
    expect(existsSync(record)).toBe(false);
  });
});
