import { readFile, readdir } from 'node:fs/promises';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { expect, inject } from 'vitest';
import { test } from '../support/temporal.js';
import { missingFrom, STORIES } from './stories.js';

const HISTORIES = new URL('./', import.meta.url);

/** `npm run record-histories` records all of them again. */
const names = (await readdir(HISTORIES)).filter((name) => name.endsWith('.json'));

function replayOptions(): ReplayWorkerOptions {
  return { workflowBundle: { codePath: inject('temporal').workflowBundlePath } };
}

function read(name: string): Promise<string> {
  return readFile(new URL(name, HISTORIES), 'utf8');
}

test('each story has its saved history, and no other is saved', () => {
  expect(names.toSorted()).toEqual(
    Object.keys(STORIES)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
});

test.for(names)('today’s code replays %s', async (name) => {
  const history = JSON.parse(await read(name));
  await expect(Worker.runReplayHistory(replayOptions(), history)).resolves.toBeUndefined();
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

test('the replay detects a history that today’s code would not have written', async () => {
  const name = names.find((one) => one.startsWith('message-'));
  if (name === undefined) throw new Error('no history of a message is saved');
  const text = await read(name);
  const changed = JSON.parse(text.replaceAll('"sendMessage"', '"sendSomethingElse"'));
  await expect(Worker.runReplayHistory(replayOptions(), changed)).rejects.toThrow(/Nondeterminism|does not match/i);
});
