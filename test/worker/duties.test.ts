import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fixedInstances, simulatorInstance } from '../../src/config/index.js';
import type { MessageId } from '../../src/contract/index.js';
import { createGateway } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { startDuty, watchInstances, type Duty } from '../../src/worker/index.js';
import { aLedger } from '../support/ledger.js';

const clock = { nowMs: () => Date.now() };
const PATIENT = { timeout: 10_000, interval: 10 };
const log = (): void => undefined;

let ledger: Ledger;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());

/** A message that waits for this instance, until the test is over. */
async function aWaitingMessage(instance: string): Promise<void> {
  const id = `msg_for_${instance}` as MessageId;
  await ledger.messages.open({
    id,
    requestHash: 'h',
    request: { instance, chatId: '15550000001@c.us', content: { kind: 'text', text: 'Hello' } },
    expiresAtMs: Date.now() + 60_000,
    nowMs: Date.now(),
  });
  onTestFinished(() => ledger.messages.cancel(id, 'the test is over', Date.now()).then(() => undefined));
}

describe('a duty', () => {
  test('is done by one of several workers, and by another when that one stops', async () => {
    const { duties } = ledger;
    const done: string[] = [];
    const dutyOf = (holder: string): Duty => ({
      name: 'count',
      everyMs: 20,
      round: () => Promise.resolve(void done.push(holder)),
    });
    const first = startDuty(dutyOf('first'), { duties, holder: 'first', log });
    await vi.waitFor(() => expect(done.length).toBeGreaterThan(2), PATIENT);
    const second = startDuty(dutyOf('second'), { duties, holder: 'second', log });
    const soFar = done.length;
    await vi.waitFor(() => expect(done.length).toBeGreaterThan(soFar + 2), PATIENT);
    expect(done).not.toContain('second');
    await first.stop();
    await vi.waitFor(() => expect(done).toContain('second'), PATIENT);
    await second.stop();
  });

  test('goes on after a round that failed, and says so', async () => {
    const { duties } = ledger;
    const logged: string[] = [];
    let rounds = 0;
    const failing: Duty = {
      name: 'fail once',
      everyMs: 10,
      round: () => (++rounds === 1 ? Promise.reject(new Error('not today')) : Promise.resolve()),
    };
    const running = startDuty(failing, { duties, holder: 'worker', log: ({ message }) => void logged.push(message) });
    await vi.waitFor(() => expect(rounds).toBeGreaterThan(1), PATIENT);
    await running.stop();
    expect(logged).toEqual(['fail once could not be done; tried again by itself']);
  });
});

describe('the watch over instances', () => {
  test('writes down the state of those that messages wait for, and asks no other', async () => {
    const simulator = await startSimulator();
    const instances = fixedInstances([
      simulatorInstance(simulator.url),
      { ...simulatorInstance(simulator.url), name: 'idle', idInstance: '1101000002' },
    ]);
    const gateway = createGateway({ instances, clock });
    onTestFinished(async () => {
      await gateway.close();
      await simulator.close();
    });
    await fetch(`${simulator.url}/_sim/instances/1101000001`, {
      method: 'PATCH',
      body: JSON.stringify({ state: 'notAuthorized' }),
    });
    await aWaitingMessage('main');

    await watchInstances({ ledger, gateway, clock, log }).round();

    expect(await ledger.instanceStates.current('main')).toMatchObject({ state: 'notAuthorized' });
    expect(await ledger.instanceStates.current('idle')).toBeUndefined();
    expect(simulator.requests().map(({ method }) => method)).toEqual(['getStateInstance']);
  });

  test('passes over an instance that does not answer', async () => {
    const gateway = createGateway({
      instances: fixedInstances([{ ...simulatorInstance('http://127.0.0.1:9'), name: 'away' }]),
      clock,
    });
    onTestFinished(() => gateway.close());
    await aWaitingMessage('away');
    const logged: unknown[] = [];
    await watchInstances({ ledger, gateway, clock, log: (entry) => void logged.push(entry) }).round();
    expect(logged).toMatchObject([{ instance: 'away', code: 'GATEWAY_UNREACHABLE' }]);
    expect(await ledger.instanceStates.current('away')).toBeUndefined();
  });
});
