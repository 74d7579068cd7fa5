// Measures how long a caller waits for the 202, and how long a message of an idle instance takes to reach the gateway.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { send, startDev } from './dev.js';
import { startDatabase } from './servers.js';
import { quantile } from './table.js';

/** The dispatcher is idle again between two messages. */
const BETWEEN_MS = 1_000;
const A_SECOND = 100;

/**
 * `everpost dev` with PostgreSQL and its own simulator.
 * @param {string} dir
 * @param {number} [messages]  one at a time
 * @param {number} [seconds]   with a hundred requests each
 * @returns {Promise<readonly Record<string, string>[]>}
 */
export async function measureLatency(dir, messages = 30, seconds = 10) {
  const database = await startDatabase();
  try {
    const dev = await startDev({ dataDir: dir, databaseUrl: database.url });
    try {
      await send(dev.apiUrl, 'first', '15550000000');
      await delay(2 * BETWEEN_MS);
      const alone = [];
      for (let number = 0; number < messages; number += 1) {
        alone.push(await timed(() => send(dev.apiUrl, `alone-${number}`, `1555100${1000 + number}`)));
        await delay(BETWEEN_MS);
      }
      const accepted = await untilAccepted(database.url, messages);
      const together = [];
      const startedMs = performance.now();
      for (let number = 0; number < A_SECOND * seconds; number += 1) {
        await delay(startedMs + (number * 1_000) / A_SECOND - performance.now());
        together.push(timed(() => send(dev.apiUrl, `together-${number}`, `1555200${1000 + number}`)));
      }
      return [
        row('POST to 202, one at a time', alone),
        row('stored to accepted by the gateway, one at a time', accepted),
        row(`POST to 202, ${A_SECOND} a second`, await Promise.all(together)),
      ];
    } finally {
      await dev.end('SIGTERM');
    }
  } finally {
    await database.close();
  }
}

/**
 * @param {string} url
 * @param {number} messages
 * @returns {Promise<number[]>} milliseconds, of the messages that were sent alone
 */
async function untilAccepted(url, messages) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query(
        `select extract(epoch from m.accepted_at - m.created_at) * 1000 as ms from messages m
         where m.chat_id like '1555100%' and m.accepted_at is not null`,
      );
      if (rows.length === messages) return rows.map(({ ms }) => Number(ms));
      await delay(BETWEEN_MS);
    }
  } finally {
    await client.end();
  }
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/**
 * @param {string} what
 * @param {readonly number[]} ms
 */
function row(what, ms) {
  return {
    what,
    'median, ms': quantile(ms, 0.5).toFixed(1),
    'p99, ms': quantile(ms, 0.99).toFixed(1),
    messages: String(ms.length),
  };
}
