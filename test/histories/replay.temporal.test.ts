import { readFile, readdir } from 'node:fs/promises';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { expect, inject } from 'vitest';
import { test } from '../support/temporal.js';

const HISTORIES = new URL('./', import.meta.url);

/** Each released way through a workflow has its saved history; `npm run history -- save` adds one. */
const names = (await readdir(HISTORIES)).filter((name) => name.endsWith('.json'));

function replayOptions(): ReplayWorkerOptions {
  return { workflowBundle: { codePath: inject('temporal').workflowBundlePath } };
}

test('there are saved histories to replay', () => {
  expect(names.length).toBeGreaterThan(0);
});

test.for(names)('today’s code replays %s', async (name) => {
  const history = JSON.parse(await readFile(new URL(name, HISTORIES), 'utf8'));
  await expect(Worker.runReplayHistory(replayOptions(), history)).resolves.toBeUndefined();
});

test('a history that today’s code would not have written is noticed', async () => {
  const name = names.find((one) => one.startsWith('message-'));
  if (name === undefined) throw new Error('no history of a message is saved');
  const text = await readFile(new URL(name, HISTORIES), 'utf8');
  const changed = JSON.parse(text.replaceAll('"openMessage"', '"openSomethingElse"'));
  await expect(Worker.runReplayHistory(replayOptions(), changed)).rejects.toThrow(/Nondeterminism|does not match/i);
});
