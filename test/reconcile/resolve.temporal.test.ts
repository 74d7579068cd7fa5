import { describe, expect } from 'vitest';
import { RESTART_WAIT_MS } from '../../src/domain/index.js';
import { aLiveApi, type LiveApi } from '../api/live-api.js';
import { test } from '../support/temporal/temporal.js';

const BOB = '15550000002';
/** Longer than the time until a lost request can be reconciled and a witness can come. */
const LONG_MS = 10 * 60_000;

async function sendAndLose(live: LiveApi, text: string): Promise<string> {
  await live.control('POST', 'faults', { method: 'sendMessage', kind: 'reset', accepted: false, times: 1 });
  const { body } = await live.call('POST', '/v1/messages', {
    instance: 'main',
    to: BOB,
    content: { kind: 'text', text },
  });
  await until(live, body.id, 'unknown');
  return body.id;
}

/** Until the message is in that state, or in one of those that may follow before the next poll. */
async function until(live: LiveApi, id: string, ...states: string[]): Promise<void> {
  await expect.poll(async () => (await live.call('GET', `/v1/messages/${id}`)).body.state).toBeOneOf(states);
}

describe('a message whose request was lost', () => {
  test('is unresolved without evidence, and leaves once when an operator states that it was not sent', async ({
    temporal,
    taskQueue,
  }) => {
    const live = await aLiveApi(temporal, taskQueue);
    try {
      const id = await sendAndLose(live, 'Are you there?');
      live.advance(LONG_MS);
      await until(live, id, 'unresolved');

      const path = `/v1/messages/${id}/resolve`;
      expect(await live.call('POST', path, { as: 'maybe' })).toMatchObject({ status: 422 });
      expect(await live.call('POST', path, { outcome: 'not_accepted', idMessage: 'BAE5' })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'idMessage' }] },
      });
      expect(await live.call('POST', path, { outcome: 'not_accepted' })).toMatchObject({
        status: 200,
        body: { state: 'pending' },
      });

      await until(live, id, 'accepted', 'sent', 'delivered');
      await expect.poll(() => live.phoneOf(BOB)).toMatchObject([{ text: 'Are you there?' }]);
      expect(await live.call('POST', path, { outcome: 'accepted' })).toMatchObject({
        status: 409,
        body: { code: 'RESOLVE_NOT_POSSIBLE' },
      });
    } finally {
      await live.close();
    }
  });

  test('leaves once, without an operator’s decision, when the queue proves it absent', async ({
    temporal,
    taskQueue,
  }) => {
    const live = await aLiveApi(temporal, taskQueue);
    try {
      await live.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const send = async (text: string) => {
        const content = { kind: 'text', text };
        const { body } = await live.call('POST', '/v1/messages', { instance: 'main', to: BOB, content });
        await until(live, body.id, 'accepted');
      };
      await send('First');
      const id = await sendAndLose(live, 'Second');
      live.advance(60_000);
      // It shows that the listing is not truncated. Then the wait for an announced restart passes.
      await send('Third');
      await expect
        .poll(
          async () => {
            live.advance(RESTART_WAIT_MS);
            return (await live.call('GET', `/v1/messages/${id}`)).body.state;
          },
          { interval: 3_000 },
        )
        .toBe('accepted');

      await live.control('PATCH', 'instances/1101000001', { state: 'authorized' });
      live.advance(60_000);
      await expect.poll(() => live.phoneOf(BOB).map(({ text }) => text)).toEqual(['First', 'Third', 'Second']);
    } finally {
      await live.close();
    }
  });
});
