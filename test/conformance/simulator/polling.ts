import { expect } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS, type Json } from '../scene.js';
import type { SimulatorResponse, SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

interface Fetched {
  readonly receiptId: number;
  readonly body: Json;
}

/** Two notifications that wait to be fetched. */
async function twoIncoming(sim: SimulatorDriver): Promise<readonly [string, string]> {
  await sim.settings({ incomingWebhook: 'yes' });
  return [await sim.incoming('one'), await sim.incoming('two')];
}

async function fetched(sim: SimulatorDriver): Promise<Fetched> {
  const response = await sim.get('receiveNotification');
  expectOk(response);
  expect(response.json).toEqual({ receiptId: expect.any(Number), body: expect.any(Object) });
  return response.json as Fetched;
}

async function fetchedId(sim: SimulatorDriver): Promise<unknown> {
  return (await fetched(sim)).body['idMessage'];
}

function deletion(sim: SimulatorDriver, receiptId: unknown): Promise<SimulatorResponse> {
  return sim.get('deleteNotification', `/${String(receiptId)}`, { verb: 'DELETE' });
}

/** Fetches while none waits; settles when it is answered. */
async function asking(
  sim: SimulatorDriver,
  query = '',
): Promise<{ hasResponse: boolean; readonly response: Promise<SimulatorResponse> }> {
  const before = await sim.arrived();
  const response = sim.get('receiveNotification', query);
  const asked = { hasResponse: false, response };
  void response.then(() => (asked.hasResponse = true));
  await expect.poll(() => sim.arrived()).toBe(before + 1);
  return asked;
}

onSimulator('polling.oldest-first', async (sim) => {
  const [first] = await twoIncoming(sim);
  const { body } = await fetched(sim);
  expect(body).toMatchObject({
    typeWebhook: 'incomingMessageReceived',
    idMessage: first,
    timestamp: expect.any(Number),
  });
});

onSimulator('polling.kept-until-deleted', async (sim) => {
  const [first, second] = await twoIncoming(sim);
  expect([await fetchedId(sim), await fetchedId(sim)]).toEqual([first, first]);
  const { receiptId } = await fetched(sim);
  expect((await deletion(sim, receiptId)).json).toEqual({ result: true });
  expect(await fetchedId(sim)).toBe(second);
  expect((await deletion(sim, receiptId)).json).toEqual({ result: false });
  expect(await fetchedId(sim)).toBe(second);
});

onSimulator('polling.receive-timeout', async (sim) => {
  await sim.settings({ incomingWebhook: 'yes' });
  for (const seconds of ['4', '61', 'soon']) {
    expect((await sim.get('receiveNotification', `?receiveTimeout=${seconds}`)).status, seconds).toBe(400);
  }
  const inVain = await asking(sim);
  await sim.advance(5 * SECOND_MS - 1);
  expect(inVain.hasResponse).toBe(false);
  await sim.advance(1);
  expect(await inVain.response).toMatchObject({ status: 200, json: null });
  const patient = await asking(sim, '?receiveTimeout=60');
  await sim.advance(MINUTE_MS - SECOND_MS);
  const idMessage = await sim.incoming('hello');
  expect((await patient.response).json).toMatchObject({ body: { idMessage } });
});

onSimulator('polling.without-webhook-url', async (sim) => {
  const [first] = await twoIncoming(sim);
  await sim.settings({ webhookUrl: 'http://127.0.0.1:1/' });
  const refused = await sim.get('receiveNotification');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('custom webhook url is set');
  await sim.settings({ webhookUrl: '' });
  expect(await fetchedId(sim)).toBe(first);
});

onSimulator('polling.kept-24-hours', async (sim) => {
  const [first] = await twoIncoming(sim);
  await sim.advance(23 * HOUR_MS);
  expect(await fetchedId(sim)).toBe(first);
  await sim.advance(2 * HOUR_MS);
  const afterwards = await sim.incoming('three');
  expect(await fetchedId(sim)).toBe(afterwards);
});

onSimulator('polling.receipt-number', async (sim) => {
  await twoIncoming(sim);
  expect(await fetched(sim)).toMatchObject({ receiptId: expect.any(Number) });
  const refused = await deletion(sim, 'first');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('receiptId');
  expect((await sim.get('deleteNotification', '', { verb: 'DELETE' })).status).toBe(404);
});
