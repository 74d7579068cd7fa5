import { expect } from 'vitest';
import { CHAT, OTHER_CHAT, START_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

async function expectSetRead(sim: SimulatorDriver, body: Json, setRead: boolean): Promise<void> {
  const response = await sim.post('readChat', body);
  expectOk(response);
  expect(response.json).toEqual({ setRead });
}

onSimulator('read-chat.one-message', async (sim) => {
  await sim.settings({ incomingWebhook: 'yes' });
  const named = await sim.incoming('named');
  const other = await sim.incoming('other');
  await expectSetRead(sim, { chatId: CHAT, idMessage: named }, true);
  expect(await sim.isRead(named)).toBe(true);
  expect(await sim.isRead(other)).toBe(false);
});

onSimulator('read-chat.all-unread', async (sim) => {
  await sim.settings({ incomingWebhook: 'yes' });
  const one = await sim.incoming('one');
  const two = await sim.incoming('two');
  const elsewhere = await sim.incoming('elsewhere', OTHER_CHAT);
  await expectSetRead(sim, { chatId: CHAT }, true);
  expect(await sim.isRead(one)).toBe(true);
  expect(await sim.isRead(two)).toBe(true);
  expect(await sim.isRead(elsewhere)).toBe(false);
});

onSimulator('read-chat.not-before-setting', async (sim) => {
  await sim.settings({ incomingWebhook: 'no' });
  const earlier = await sim.incoming('earlier');
  await sim.settings({ incomingWebhook: 'yes' });
  const later = await sim.incoming('later');
  await sim.post('readChat', { chatId: CHAT });
  expect(await sim.isRead(later)).toBe(true);
  expect(await sim.isRead(earlier)).toBe(false);
});

onSimulator('read-chat.needs-setting', async (sim) => {
  await sim.settings({ incomingWebhook: 'yes' });
  const idMessage = await sim.incoming('hello');
  await sim.settings({ incomingWebhook: 'no' });
  await expectSetRead(sim, { chatId: CHAT }, false);
  expect(await sim.isRead(idMessage)).toBe(false);
});

onSimulator('read-chat.set-read', async (sim) => {
  const response = await sim.post('readChat', { chatId: CHAT });
  expectOk(response);
  expect(response.json).toEqual({ setRead: expect.any(Boolean) });
});

onSimulator('errors.read-chat.body-shape', async (sim) => {
  const response = await sim.post('readChat', {});
  expect(response.json).toEqual({
    statusCode: 400,
    timestamp: new Date(START_MS).toISOString(),
    path: expect.any(String),
    message: expect.stringMatching(/^Validation failed\. Details: /),
  });
});

onSimulator('errors.body-shape-elsewhere', async (sim) => {
  const response = await sim.post('editMessage', {});
  expect(response.json).toEqual({
    statusCode: 400,
    timestamp: new Date(START_MS).toISOString(),
    path: expect.any(String),
    message: expect.any(String),
  });
});

onSimulator('versioning.read-chat-v3', async (sim) => {
  expectOk(await sim.post('readChat', { chatId: CHAT }));
});

onSimulator('versioning.error-path-without-v3', async (sim) => {
  const { path } = (await sim.post('readChat', {})).json as { path: unknown };
  expect(path).toMatch(/^\/waInstance/);
});
