/** Explains every statement that a worker or a page repeats: see scripts/statements.js. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/index.js';
import { startEverything } from './everything.js';
import { loadOf } from './limits.js';
import { namesOnPage, writePage } from './page.js';
import { costlyNodes, type RanStatement } from './plans.js';
import { isOfLedger, playEverything } from './play.js';
import { STORES, type StoreName, type WorldLedger } from './stores.js';

const { STORES: stores = 'postgres', MESSAGES = '1000000', SHOW = '25', WRITE = '' } = process.env;
const LEDGER = fileURLToPath(new URL('../../src/ledger', import.meta.url));
/** The embedded ledger has one process, which needs no messages to others. */
const ONLY_ON_POSTGRES = ['announce_wakes'];
/** The first rounds of background jobs follow the start. */
const JOBS_WITHIN_MS = 60_000;
/** What is queued when the play ends. */
const REST_MS = 5_000;

const places = await preparedStatements();
const measured: Record<StoreName, readonly RanStatement[]> = { postgres: [], embedded: [] };

test.each(stores.split(',') as StoreName[])('repeated statements read few blocks on %s', async (store) => {
  const startedMs = performance.now();
  const say = (line: string): void => {
    process.stdout.write(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);
  };
  const world = await STORES[store](Number(MESSAGES));
  say(`${MESSAGES} messages are in the ledger: ${store}`);
  const prepared = [...places.keys()].filter((name) => store === 'postgres' || !ONLY_ON_POSTGRES.includes(name));
  const { failed, notPlayed } = await play(world, prepared, say);
  const statements = world.plans.all();
  await world.close();
  say(`${statements.length} statements were explained; the nearest to their limits:`);
  for (const statement of statements.slice(0, Number(SHOW))) say(lineOf(statement));

  measured[store] = statements;
  expect.soft(failed, 'what failed').toEqual([]);
  expect.soft(notPlayed, 'prepared statements that did not run: play them').toEqual([]);
  const above = statements.filter((statement) => loadOf(statement) > 1);
  const forced = statements.filter((statement) => statement.forced.size > 0);
  expect.soft(forced.map(scansOf), 'statements that scan where scans are forbidden: give them an index').toEqual([]);
  expect.soft(above.map(explained), 'statements that read too much, or scan a table that grows').toEqual([]);
});

test('docs/statements.md has every prepared statement', async () => {
  if (WRITE !== '') await writePage(places, measured);
  expect(await namesOnPage(), 'run `npm run statements -- --write`').toEqual([...places.keys()].toSorted());
});

async function play({ ledger, plans }: WorldLedger, prepared: readonly string[], say: (line: string) => void) {
  const failed: string[] = [];
  let isOver = false;
  const everything = await startEverything(ledger, ({ message, error }) => {
    if (!isOver && error instanceof AppError && isOfLedger(error.code))
      failed.push(`${message}: ${error.message} ${String(error.cause)}`);
  });
  failed.push(...(await playEverything(everything)));
  say('everything was played');
  const notPlayed = () => {
    const ran = new Set(plans.all().map(({ name }) => name));
    return prepared.filter((name) => !ran.has(name));
  };
  const untilMs = performance.now() + JOBS_WITHIN_MS;
  while (notPlayed().length > 0 && performance.now() < untilMs) await delay(500);
  await delay(REST_MS);
  isOver = true;
  await everything.close();
  return { failed, notPlayed: notPlayed() };
}

/** The files of the statements in the ledger's code that have a name, since a worker or a page repeats them. */
async function preparedStatements(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(LEDGER, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const found = files.map(async (file) => {
    const source = await readFile(`${LEDGER}/${file}`, 'utf8');
    return [...source.matchAll(/`\s*\/\* (\w+) \*\//g)].map(([, name = '']) => [name, file] as const);
  });
  return new Map((await Promise.all(found)).flat());
}

function lineOf({ text, name, blocks, rows, runs, ms }: RanStatement): string {
  const numbers = [`${blocks} blocks`, `${rows} rows`, `${runs} runs`, `${ms.toFixed(1)} ms`];
  return `${numbers.map((number) => number.padStart(14)).join('')}  ${name ?? text.slice(0, 120)}`;
}

function scansOf({ name, text, forced }: RanStatement): string {
  return `${name ?? text}: ${[...forced].join(', ')}`;
}

function explained(statement: RanStatement): string {
  const { text, scanned, plan } = statement;
  return [lineOf(statement), text, costlyNodes(plan), `scanned: ${scanned.join(', ') || 'none'}`].join('\n');
}
