/** STOP from the phone to the end of later messages, through all parts between. */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '../support/temporal/temporal.js';

import type { ApiResponse } from './api-parts.js';
import { aLiveApi, type LiveApi } from './live-api.js';
import { eventually } from '../support/eventually.js';

let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `suppressions-${randomUUID()}`);
});
test.afterAll(() => live.close());

async function writes(number: string, textMessage: string): Promise<void> {
  await live.control('POST', 'instances/1101000001/incoming', { chatId: `${number}@c.us`, textMessage });
}

async function isOnTheList(number: string): Promise<boolean> {
  return (await live.call('GET', `/v1/suppressions?to=${number}`)).body.items.length > 0;
}

/** Its state once it has reached this one, or has ended before. */
async function sent(message: object, wait = 'sent'): Promise<ApiResponse['body']> {
  const { body } = await live.call('POST', '/v1/messages', { instance: 'main', ...message });
  return (await live.call('GET', `/v1/messages/${body.id}?wait=${wait}&timeoutMs=60000`)).body;
}

function text(words: string) {
  return { content: { kind: 'text', text: words } };
}

describe('a recipient who writes STOP', () => {
  test('gets no marketing any more, but transactional messages, until they write START', async () => {
    const to = '15550007001';
    await writes(to, 'Stop 🛑');
    await eventually(async () => expect(await isOnTheList(to)).toBe(true));

    expect(await sent({ to, category: 'marketing', ...text('Sale') })).toMatchObject({
      state: 'suppressed',
      reason: 'suppressed_stop_word',
      attempts: [],
      evidence: [{ witness: 'suppression', what: 'suppressed', detail: { source: 'stop_word' } }],
    });
    expect((await sent({ to, ...text('Your order') })).idMessage).toBeDefined();

    await writes(to, 'START');
    // The simulator's times are whole seconds: within one second STOP wins, and the recipient repeats START.
    await eventually(async () => {
      if (await isOnTheList(to)) await writes(to, 'START');
      expect(await isOnTheList(to)).toBe(false);
    });
    expect((await sent({ to, category: 'marketing', ...text('Sale again') })).idMessage).toBeDefined();
    expect(live.phoneOf(to).map((message) => message.text)).toEqual(['Your order', 'Sale again']);
  });
});
