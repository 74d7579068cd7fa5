import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { Worker } from '@temporalio/worker';
import { beforeAll, expect, inject } from 'vitest';
import { hashOf, releasedHashes } from '../../scripts/save-history.js';
import { test } from '../support/temporal/temporal.js';
import { missingFrom, STORIES } from './stories.js';

const HISTORIES = new URL('./', import.meta.url);

/** `npm run record-histories` records all of them again. */
const names = (await readdir(HISTORIES)).filter((name) => name.endsWith('.json'));

/** Those of the last release that were recorded again since. */
const former = (await readdir(new URL('last-release/', HISTORIES)))
  .filter((name) => name !== 'hashes.json')
  .map((name) => `last-release/${name}`);

function read(name: string): Promise<string> {
  return readFile(new URL(name, HISTORIES), 'utf8');
}

/** A history that today's code would not have written. */
const CHANGED = 'changed';

/** By name: an error, or `replayed`. */
const replayed = new Map<string, string>();

// By one worker: each has a thread that loads the SDK.
beforeAll(async () => {
  const workflowBundle = { codePath: inject('temporal').workflowBundlePath };
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories())) {
    replayed.set(workflowId, error === undefined ? 'replayed' : String(error));
  }
});

async function* histories(): AsyncGenerator<{ workflowId: string; history: object }> {
  for (const name of [...names, ...former]) yield { workflowId: name, history: JSON.parse(await read(name)) };
  const name = names.find((one) => one.startsWith('message-'));
  if (name === undefined) throw new Error('no history of a message is saved');
  const changed = (await read(name)).replaceAll('"sendMessage"', '"sendSomethingElse"');
  yield { workflowId: CHANGED, history: JSON.parse(changed) };
}

test('each story has its saved history, and no other is saved', () => {
  expect(names.toSorted()).toEqual(
    Object.keys(STORIES)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
});

test('each history of the last release is still here, whether or not it was recorded again (UPGRADE-4)', async () => {
  const hashes = await Promise.all(
    [...names, ...former].map(async (name) => [basename(name, '.json'), await hashOf(new URL(name, HISTORIES))]),
  );
  const released = await releasedHashes();
  expect(Object.keys(released)).not.toEqual([]);
  for (const entry of Object.entries(released)) expect(hashes).toContainEqual(entry);
});

test.for([...names, ...former])('today’s code replays %s', (name) => {
  expect(replayed.get(name)).toBe('replayed');
});

test.for(names)('%s contains every part of its story', async (name) => {
  expect(missingFrom(JSON.parse(await read(name)), name.replace('.json', ''))).toEqual([]);
});

test.for(names)('%s contains no machine name, no folder and no real phone number', async (name) => {
  const text = await read(name);
  const payloads = [...text.matchAll(/"data": "([^"]+)"/g)].map(([, data = '']) => atob(data)).join('\n');
  const identities = [...text.matchAll(/"identity": "([^"]*)"/g)].map(([, identity]) => identity);
  expect(new Set(identities)).toEqual(new Set(['everpost']));
  const whole = `${text}\n${payloads}`;
  expect(whole).not.toMatch(/\d@|(?:\/[\w.-]+){3}|\.[jt]s:\d/);
  const numbers = payloads.match(/(?<![\w.])\d{10,15}(?![\w.])/g) ?? [];
  const recordedAtMs = Date.parse(JSON.parse(text).events[0].eventTime);
  // In seconds or milliseconds.
  const isTime = (number: string): boolean =>
    [1, 1_000].some((unit) => Math.abs(Number(number) * unit - recordedAtMs) < 24 * 60 * 60_000);
  expect(numbers.filter((number) => !number.startsWith('1555') && !isTime(number))).toEqual([]);
});

test('the replay detects a history that today’s code would not have written', () => {
  expect(replayed.get(CHANGED)).toMatch(/Nondeterminism|does not match/i);
});
