import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/contract/index.js';
import { createRateGate, type Gateway, type RateGate } from '../../src/gateway/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { aLedger, useLedger } from '../support/ledger/ledger.js';
import { aGateway, anInstance, errorOf } from './cast.js';
import { eventually } from '../support/eventually.js';

const LONG_MS = 60_000;

const ledger = useLedger();
/** Each test has its own instance: they share no bucket. */
let main: string;
beforeEach(() => {
  main = `main-${randomUUID()}`;
});

const aSharedGate = (): RateGate => createRateGate({ buckets: ledger.rateLimitBuckets });

describe.each([
  ['in memory', () => createRateGate()],
  ['in the ledger', aSharedGate],
] as const)('a rate gate with its buckets %s', (_, aGate) => {
  it('lets requests pass in order and at a distance, never early', async () => {
    const gate = aGate();
    const beganMs = performance.now();
    const passed: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (order) => {
        await gate.acquire(main, 'sendMessage', 50, LONG_MS);
        // Timers may be late, never early.
        expect(performance.now() - beganMs).toBeGreaterThanOrEqual(order * 20);
        passed.push(order);
      }),
    );
    expect(passed).toEqual([0, 1, 2, 3, 4]);
  });

  it('separates instances and operations, and reports a wait that is too long at once', async () => {
    const gate = aGate();
    await gate.acquire(main, 'editMessage', 0.01, 0);
    await gate.acquire(`other-${main}`, 'editMessage', 0.01, 0);
    await gate.acquire(main, 'sendMessage', 0.01, 0);
    const error = await errorOf(gate.acquire(main, 'editMessage', 0.01, 10));
    expect(error).toMatchObject({ code: 'GATEWAY_BUSY', next: 'wait' });
    expect(error.retryAfterMs).toBeGreaterThan(10);
    expect(error.retryAfterMs).toBeLessThanOrEqual(110_000);
  });

  it('takes no turn from later callers for one that does not wait for it', async () => {
    const gate = aGate();
    const perSecond = 1 / 300;
    await gate.acquire(main, 'editMessage', perSecond, 0);
    const [impatient, next] = await Promise.all([
      errorOf(gate.acquire(main, 'editMessage', perSecond, 1)),
      errorOf(gate.acquire(main, 'editMessage', perSecond, 1)),
    ]);
    expect([impatient.code, next.code]).toEqual(['GATEWAY_BUSY', 'GATEWAY_BUSY']);
    // Both see the same turn, the first one: less than two intervals away.
    expect(next.retryAfterMs).toBeLessThan(350_000);
  });

  it('is disabled by 0, except while the gateway asked for a pause', async () => {
    const gate = aGate();
    for (let request = 0; request < 100; request += 1) await gate.acquire(main, 'sendMessage', 0, 0);
    gate.block(main, 'sendMessage', LONG_MS);
    expect((await errorOf(gate.acquire(main, 'sendMessage', 0, 0))).code).toBe('GATEWAY_BUSY');
  });

  it('delays even callers with a granted turn when the gateway asked for a pause', async () => {
    const gate = aGate();
    await gate.acquire(main, 'editMessage', 50, LONG_MS);
    const beganMs = performance.now();
    const waiting = gate.acquire(main, 'editMessage', 50, LONG_MS);
    gate.block(main, 'editMessage', 60);
    await waiting;
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(60);
  });

  it('refuses all callers when it closes', async () => {
    const gate = aGate();
    await gate.acquire(main, 'editMessage', 0.1, LONG_MS);
    const waiting = errorOf(gate.acquire(main, 'editMessage', 0.1, LONG_MS));
    gate.close();
    expect(await waiting).toMatchObject({ code: 'GATEWAY_UNREACHABLE', next: 'wait' });
  });
});

/** The gates of two workers. */
describe('rate gates that share a ledger', () => {
  it('let the requests of all workers pass at the distance of one worker', async () => {
    const [first, second] = [aSharedGate(), aSharedGate()];
    const beganMs = performance.now();
    const gates = [first, second, first, second, first, second];
    await Promise.all(gates.map((gate) => gate.acquire(main, 'sendMessage', 20, LONG_MS)));
    // The last of six takes five intervals; timers may be late, never early.
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(5 * 50);
  });

  it('are all blocked when the gateway asked one of them for a pause', async () => {
    const notShared: unknown[] = [];
    const first = createRateGate({
      buckets: ledger.rateLimitBuckets,
      onBlockNotShared: (...facts) => void notShared.push(facts),
    });
    const second = aSharedGate();
    first.block(main, 'sendMessage', LONG_MS);
    await eventually(async () =>
      expect(await ledger.rateLimitBuckets.blockedForMs(main, 'sendMessage')).toBeGreaterThan(0),
    );
    expect((await errorOf(second.acquire(main, 'sendMessage', 50, 1_000))).code).toBe('GATEWAY_BUSY');
    expect((await errorOf(second.acquire(main, 'sendMessage', 0, 1_000))).code).toBe('GATEWAY_BUSY');
    expect(notShared).toEqual([]);
  });

  it('cancel a granted turn when the gateway asked another worker for a pause', async () => {
    const [first, second] = [aSharedGate(), aSharedGate()];
    await first.acquire(main, 'editMessage', 5, 0);
    const beganMs = performance.now();
    const waiting = second.acquire(main, 'editMessage', 5, LONG_MS);
    first.block(main, 'editMessage', 600);
    await waiting;
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(600);
  });

  it('let nothing pass while the ledger is unavailable, and report a block that only they keep', async () => {
    const gone = await aLedger();
    const notShared: unknown[] = [];
    const gate = createRateGate({
      buckets: gone.rateLimitBuckets,
      onBlockNotShared: (instance, operation, error) => void notShared.push({ instance, operation, error }),
    });
    await gone.close();
    const error = { code: 'LEDGER_UNAVAILABLE', next: 'wait' };
    expect(await errorOf(gate.acquire(main, 'sendMessage', 50, LONG_MS))).toMatchObject(error);
    gate.block(main, 'sendMessage', LONG_MS);
    await eventually(() => expect(notShared).toMatchObject([{ instance: main, operation: 'sendMessage', error }]));
  });

  it('keep two workers of one instance below the gateway’s own limit: it answers no 429', async () => {
    const simulator = await startSimulator();
    onTestFinished(() => simulator.close());
    const instance = anInstance(simulator.url, {
      name: main,
      idInstance: '1101000001',
      apiTokenInstance: new Secret('simulator-token'),
      // Just above half of the gateway's 50 and 1: two workers that do not share exceed them, and two that share do
      // not, even when a busy machine delays a request by most of a second.
      rateLimits: { sendMessage: 26, showMessagesQueue: 0.55 },
    });
    const [one, two] = [aGateway(instance, { gate: aSharedGate() }), aGateway(instance, { gate: aSharedGate() })];
    onTestFinished(async () => {
      await Promise.all([one.close(), two.close()]);
    });

    const inTurn = (count: number, call: (worker: Gateway, order: number) => Promise<unknown>) =>
      Promise.all(Array.from({ length: count }, (_, order) => call(order % 2 === 0 ? one : two, order)));
    const say = (worker: Gateway, order: number) =>
      worker.call(main, 'sendMessage', { chatId: '15551234567@c.us', message: `message ${order}` });
    // The first request of each also makes its connection, which may take longer than the pause after it.
    await inTurn(2, say);
    await Promise.all([inTurn(80, say), inTurn(3, (worker) => worker.call(main, 'showMessagesQueue', {}))]);

    const statuses = simulator.requests().map(({ status }) => status);
    expect(statuses).toHaveLength(85);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
