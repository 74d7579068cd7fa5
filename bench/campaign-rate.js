// Messages a second where the gateway takes no time: npm run bench -- rate [recipients]
//
//   a campaign, from the first to the last message accepted: each claimed durably before its POST, and its outcome
//   written after it the same POSTs from a bare loop on the same machine, as many at once, with nothing written down
//
// The gateway is a process that answers at once, so what limits is everpost, its ledger, and the machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { startPostgres } from '../test/support/postgres.js';
import { ask, report, startCampaign, startEverpost } from './campaign-stand.js';

const RECIPIENTS = 10_000;
const WATER_MARKS = { highWater: 1_000, lowWater: 500 };
/** As many as a campaign posts at once. */
const AT_ONCE = 16;
const POLL_EVERY_MS = 500;

/** @param {number} recipients */
export async function measureRate(recipients = RECIPIENTS) {
  const gateway = fork(fileURLToPath(new URL('./instant-gateway.js', import.meta.url)));
  const [{ port }] = await once(gateway, 'message');
  const gatewayUrl = `http://127.0.0.1:${port}`;
  try {
    const bare = await bareRate(gatewayUrl, recipients);
    /** @type {{ name: string, rate: number, cpuMs?: number }[]} */
    const rows = [{ name: 'bare loop', rate: bare }];
    rows.push({ name: 'campaign, PGlite on disk', ...(await campaignRate(gatewayUrl, recipients)) });
    const postgres = await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] }).catch(() => undefined);
    if (postgres !== undefined) {
      rows.push({
        name: 'campaign, PostgreSQL with fsync',
        ...(await campaignRate(gatewayUrl, recipients, postgres.url)),
      });
      await postgres.close();
    }
    return rows.map(({ name, rate, cpuMs }) => ({
      '': name,
      'messages a second': rate.toFixed(0),
      'of the bare loop': `${((100 * rate) / bare).toFixed(0)} %`,
      'CPU ms a message': cpuMs?.toFixed(2) ?? '',
    }));
  } finally {
    gateway.kill();
  }
}

/**
 * @param {string} gatewayUrl
 * @param {number} recipients
 */
async function bareRate(gatewayUrl, recipients) {
  const pool = new Pool(gatewayUrl, { connections: AT_ONCE });
  let next = 0;
  const loop = async () => {
    while (next < recipients) {
      const body = JSON.stringify({
        chatId: `${15_550_000_000 + next++}@c.us`,
        message: 'The garden opens on Friday.',
      });
      const headers = { 'content-type': 'application/json' };
      const response = await pool.request({ method: 'POST', path: '/waInstance1/sendMessage/token', headers, body });
      await response.body.json();
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  const seconds = (performance.now() - startedMs) / 1_000;
  await pool.close();
  return recipients / seconds;
}

/**
 * @param {string} gatewayUrl
 * @param {number} recipients
 * @param {string} [databaseUrl]
 */
async function campaignRate(gatewayUrl, recipients, databaseUrl) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  const everpost = await startEverpost({ dir, gatewayUrl, lifted: true, databaseUrl });
  try {
    await startCampaign(everpost, { id: 'rate', recipients, waterMarks: WATER_MARKS });
    const before = await everpost.usage();
    for (let accepted = 0; accepted < recipients; await delay(POLL_EVERY_MS)) {
      ({ accepted } = (await ask(`${everpost.apiUrl}/v1/campaigns/rate`)).counts);
    }
    const after = await everpost.usage();
    const times = [];
    for await (const { acceptedAt = '' } of report(everpost, 'rate')) times.push(Date.parse(acceptedAt));
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    const cpuSeconds = (after.cpuSeconds ?? Number.NaN) - (before.cpuSeconds ?? Number.NaN);
    return { rate: recipients / seconds, cpuMs: (1_000 * cpuSeconds) / recipients };
  } finally {
    await everpost.close();
    await rm(dir, { recursive: true, force: true });
  }
}
