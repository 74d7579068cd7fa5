import { expect } from 'vitest';
import { CHAT, MINUTE_MS, OTHER_CHAT, SECOND_MS, INSTANCE, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, expectValidationFailed, onSimulator } from './assertions.js';

/** The published status. */
async function published(sim: SimulatorDriver, status: Json): Promise<Json | undefined> {
  const idMessage = await sim.accepted('sendTextStatus', status);
  await sim.advance(MINUTE_MS);
  return (await sim.delivered()).find((message) => message['idMessage'] === idMessage);
}

async function contacts(sim: SimulatorDriver, change: Json): Promise<void> {
  await sim.control('POST', `/instances/${INSTANCE}/accounts`, change);
}

onSimulator('status.message', async (sim) => {
  expectValidationFailed(await sim.post('sendTextStatus', {}), 'message');
  expectValidationFailed(await sim.post('sendTextStatus', { message: '\uFEFFstatus' }), 'message');
  expect(await published(sim, { message: 'status 🌞' })).toMatchObject({ text: 'status 🌞' });
});

for (const [rowId, more, shown] of [
  ['status.background-default-black', {}, { backgroundColor: '#000000' }],
  ['status.participants', { participants: [CHAT] }, { visibleTo: [CHAT] }],
  ['status.participants-empty-means-all', { participants: [] }, { visibleTo: 'all contacts' }],
] as const) {
  onSimulator(rowId, async (sim) => expect(await published(sim, { message: 's', ...more })).toMatchObject(shown));
}

onSimulator('status.background-hex', async (sim) => {
  expectValidationFailed(
    await sim.post('sendTextStatus', { message: 's', backgroundColor: 'blue' }),
    'backgroundColor',
  );
  expect(await published(sim, { message: 's', backgroundColor: '#228B22' })).toMatchObject({
    backgroundColor: '#228B22',
  });
});

onSimulator('status.participants-unknown-skipped', async (sim) => {
  await contacts(sim, { noAccount: [OTHER_CHAT] });
  expect(await published(sim, { message: 's', participants: [OTHER_CHAT, CHAT] })).toMatchObject({
    visibleTo: [CHAT],
  });
});

async function expectForbiddenWithoutBeta(sim: SimulatorDriver): Promise<void> {
  await contacts(sim, { beta: false });
  const response = await sim.post('sendTextStatus', { message: 's' });
  expect(response.status).toBe(403);
  expect(response.text).toContain('Forbidden');
}

onSimulator('errors.status.forbidden', expectForbiddenWithoutBeta);

onSimulator('status.beta-access', async (sim) => {
  expectOk(await sim.post('sendTextStatus', { message: 's' }));
  await expectForbiddenWithoutBeta(sim);
});

onSimulator('versioning.status-beta', async (sim) => {
  await expectForbiddenWithoutBeta(sim);
  await contacts(sim, { beta: true });
  expectOk(await sim.post('sendTextStatus', { message: 's' }));
});

onSimulator('typing.typingTime-milliseconds', async (sim) => {
  expectOk(await sim.post('sendTyping', { chatId: CHAT }));
  await sim.advance(MINUTE_MS);
  await sim.post('sendTyping', { chatId: CHAT, typingTime: 5000 });
  await sim.text('behind');
  await sim.advance(5 * SECOND_MS - 1);
  expect(await sim.deliveredTexts(CHAT)).toEqual([]);
  await sim.advance(SECOND_MS);
  expect(await sim.deliveredTexts(CHAT)).toEqual(['behind']);
});

onSimulator('typing.empty-answer', async (sim) => {
  const response = await sim.post('sendTyping', { chatId: CHAT, typingTime: 1000 });
  expectOk(response);
  expect(response.text).toBe('');
});

onSimulator('typing.delivery-time', async (sim) => {
  const delayMs = 3 * SECOND_MS;
  await sim.settings({ delaySendMessagesMilliseconds: delayMs });
  await sim.post('sendTyping', { chatId: CHAT, typingTime: 10_000 });
  await sim.text('behind');
  await sim.advance(delayMs + 10_000 - 1);
  expect(await sim.deliveredTexts(CHAT)).toEqual([]);
  await sim.advance(1);
  expect(await sim.deliveredTexts(CHAT)).toEqual(['behind']);
});
