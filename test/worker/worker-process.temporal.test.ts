/** The process `everpost worker`: its health while its servers go and come back, and its metrics. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client, Connection } from '@temporalio/client';
import { fileURLToPath } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import { aFolder } from '../support/folder.js';
import { startPostgres } from '../support/ledger/postgres.js';

const PROGRAM = fileURLToPath(new URL('../../bin/everpost.js', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The metrics of Temporal's SDK that the dashboard shows, but for those of failures, of which there are none. */
function shownOfSdk(): string[] {
  const dashboard = readFileSync(new URL('../../deploy/grafana/everpost.json', import.meta.url), 'utf8');
  const names = [...dashboard.matchAll(/\btemporal_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
  return [...new Set(names)].filter((name) => !name.includes('_failed_'));
}

async function startWorker(databaseUrl: string): Promise<{ url: string }> {
  const { address, namespace } = inject('temporal');
  const child = spawn(process.execPath, [PROGRAM, 'worker', '--json'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: aFolder(),
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      EVERPOST_METRICS_PORT: '0',
      EVERPOST_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => {
      throw new Error(`everpost worker ended with ${code}`);
    }),
  ])) as [string];
  const { metricsUrl } = JSON.parse(line) as { metricsUrl: string };
  return { url: metricsUrl.replace(/\/metrics$/, '') };
}

// The embedded ledger belongs to one process only.
it.skipIf(process.env['LEDGER'] !== 'postgres')(
  'a worker is ready, not ready while its ledger is away, and ready again; its metrics have those of the SDK (READY-1)',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const { url } = await startWorker(server.url);
    const readyz = async () => {
      const response = await fetch(`${url}/readyz`);
      const { errors = [] } = (await response.json()) as { errors?: { path: string }[] };
      return [response.status, ...errors.map(({ path }) => path)];
    };
    await expect.poll(readyz).toEqual([200]);

    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    expect(await metrics()).toContain('everpost_worker_ready{part="ledger"} 1');
    const connection = await Connection.connect({ address: inject('temporal').address });
    onTestFinished(() => connection.close());
    const client = new Client({ connection, namespace: inject('temporal').namespace });
    // There is no such schedule: the run ends at once, after the tasks that are measured.
    const args = [{ scheduleId: 'none', at: new Date().toISOString() }];
    await client.workflow.start('scheduleRun', { workflowId: randomUUID(), taskQueue: 'everpost', args });
    for (const name of shownOfSdk()) await expect.poll(metrics).toContain(`# TYPE ${name} `);

    await server.crash();
    await expect.poll(readyz).toEqual([503, 'ledger']);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(await metrics()).toContain('everpost_worker_ready{part="ledger"} 0');
    await server.start();
    await expect.poll(readyz).toEqual([200]);
  },
);
