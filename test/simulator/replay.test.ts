import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { aDataFile, aWebhookServer, call, CHAT, control, HOUR_MS, patch, START_MS } from './cast.js';
import { runs } from '../support/runs.js';

type Step = (simulator: Simulator) => Promise<unknown>;

const OTHER_CHAT = '15550000002@c.us';
const chats = fc.constantFrom(CHAT, OTHER_CHAT, '120363000000000001@g.us');

/** The events of a gateway, one at a time. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(chats, fc.string({ minLength: 1, maxLength: 5 })).map(
    ([chatId, message]): Step =>
      (simulator) =>
        call(simulator, 'sendMessage', { chatId, message }),
  ),
  chats.map(
    (chatId): Step =>
      (simulator) =>
        call(simulator, 'sendFileByUrl', { chatId, urlFile: 'https://files.example/a.jpg', fileName: 'a.jpg' }),
  ),
  chats.map(
    (chatId): Step =>
      (simulator) =>
        call(simulator, 'sendTyping', { chatId, typingTime: 5000 }),
  ),
  fc.nat(5).map((index): Step => async (simulator) => {
    const message = simulator.delivered()[index];
    if (message === undefined) return;
    const { chatId, idMessage } = message;
    await call(simulator, 'editMessage', { chatId, idMessage, message: 'edited' });
  }),
  fc.constantFrom('authorized', 'notAuthorized', 'yellowCard').map(
    (state): Step =>
      (simulator) =>
        patch(simulator, { state }),
  ),
  fc.constantFrom(0, 500, 20_000).map(
    (delaySendMessagesMilliseconds): Step =>
      (simulator) =>
        patch(simulator, { settings: { delaySendMessagesMilliseconds } }),
  ),
  fc.constant((simulator: Simulator) => call(simulator, 'reboot')),
  fc.constant((simulator: Simulator) =>
    control(simulator, 'POST', '/instances/1101000001/accounts', { noAccount: [OTHER_CHAT] }),
  ),
  fc.constantFrom(1, 499, 1000, 61_000, HOUR_MS, 25 * HOUR_MS).map(
    (ms): Step =>
      (simulator) =>
        simulator.advance(ms),
  ),
);

// A hundred histories take a busy machine half a minute.
test('a restart at any moment gives the same gateway, whatever happened before', async () => {
  const receiver = await aWebhookServer();
  const settings = { webhookUrl: receiver.url, outgoingWebhook: 'yes', stateWebhook: 'yes' } as const;
  const dataFile = aDataFile();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), fc.boolean(), async (history, reachable) => {
      run += 1;
      receiver.responseStatus = reachable ? 200 : 500;
      const options = { clock: { nowMs: () => START_MS }, rateLimits: false, settings };
      const live = await startSimulator({ ...options, dataFile: `${dataFile}.${run}` });
      for (const step of history) await step(live);
      await live.idle();
      copyFileSync(`${dataFile}.${run}`, `${dataFile}.${run}.copy`);
      const replayed = await startSimulator({ ...options, dataFile: `${dataFile}.${run}.copy` });
      try {
        expect(replayed.nowMs()).toBe(live.nowMs());
        expect(replayed.nextDueAtMs()).toBe(live.nextDueAtMs());
        expect(replayed.delivered()).toEqual(live.delivered());
        const shown = await control(live, 'GET', '/instances/1101000001');
        expect(await control(replayed, 'GET', '/instances/1101000001')).toEqual(shown);
      } finally {
        await Promise.all([live.close(), replayed.close()]);
      }
    }),
    { numRuns: runs(40) },
  );
});
