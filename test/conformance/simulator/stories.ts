import { expect } from 'vitest';
import { CHAT, HOUR_MS, INSTANCE, MINUTE_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

export async function aStory(sim: SimulatorDriver, more: Json = {}): Promise<string> {
  const story = { chatId: 'status@broadcast', senderId: CHAT, senderName: 'Ann', typeMessage: 'textMessage', ...more };
  const { idMessage } = (await sim.control('POST', `/instances/${INSTANCE}/stories`, story)) as { idMessage: string };
  return idMessage;
}

export async function stories(sim: SimulatorDriver, query = ''): Promise<Json[]> {
  const response = await sim.get('getIncomingStories', query);
  expectOk(response);
  expect(Array.isArray(response.json)).toBe(true);
  return response.json as Json[];
}

onSimulator('story.types', async (sim) => {
  const types = ['textMessage', 'imageMessage', 'videoMessage', 'audioMessage', 'extendedTextMessage'];
  for (const typeMessage of types) await aStory(sim, { typeMessage });
  const listed = (await stories(sim)).map((story) => story['typeMessage']);
  expect(new Set(listed)).toEqual(new Set(types));
  expect(listed).toHaveLength(types.length);
});

onSimulator('story.fields-follow-type', async (sim) => {
  await aStory(sim, { textMessage: 'hello' });
  const [story] = await stories(sim);
  expect(story).toMatchObject({ typeMessage: 'textMessage', textMessage: 'hello' });
  expect(story).not.toHaveProperty('downloadUrl');
  expect(story).not.toHaveProperty('quotedMessage');
});

onSimulator('stories.array', async (sim) => {
  expect(await stories(sim)).toEqual([]);
});

onSimulator('stories.minutes', async (sim) => {
  await aStory(sim);
  await sim.advance(20 * MINUTE_MS);
  expect(await stories(sim, '?minutes=30')).toHaveLength(1);
  expect(await stories(sim, '?minutes=10')).toHaveLength(0);
});

onSimulator('limits.stories-default-1440', async (sim) => {
  await aStory(sim, { textMessage: 'older' });
  await sim.advance(2 * HOUR_MS);
  await aStory(sim, { textMessage: 'newer' });
  await sim.advance(23 * HOUR_MS);
  expect((await stories(sim)).map((story) => story['textMessage'])).toEqual(['newer']);
});
