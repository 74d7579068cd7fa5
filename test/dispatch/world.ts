import { AppError, Secret, type InstanceConfig, type MessageId } from '../../src/contract/index.js';
import { createDispatcher, type Dispatcher, type DispatcherDependencies } from '../../src/dispatch/index.js';
import type { Gateway } from '../../src/gateway/index.js';
import type { Ledger, Shift } from '../../src/ledger/index.js';
import { FakeGateway } from './fake-gateway.js';
import { FakeLedger } from './fake-ledger.js';
import { LedClock } from './led-clock.js';

export const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 15_000, settleTimeMs: 15_000 };

export interface World {
  readonly clock: LedClock;
  readonly ledger: FakeLedger;
  readonly gateway: FakeGateway;
  /** A process with its own ticker. */
  dispatcher(changes?: Partial<DispatcherDependencies>): Dispatcher;
  shift(instance: string, attempt?: number): Shift;
}

/** Dispatchers on a fake ledger and gateway that keep the rules, on a clock that only the test moves. */
export function aWorld({ intervalMs = 500, rateLimit = 50 } = {}): World {
  const clock = new LedClock();
  const ledger = new FakeLedger(clock);
  const gateway = new FakeGateway(clock, intervalMs);
  const config: Omit<InstanceConfig, 'name'> = {
    baseUrl: 'http://gateway.test',
    idInstance: '1101000001',
    apiTokenInstance: new Secret('token'),
    rateLimits: { sendMessage: rateLimit },
  };
  return {
    clock,
    ledger,
    gateway,
    dispatcher: (changes = {}) =>
      createDispatcher({
        ledger: ledger as unknown as Ledger['dispatch'],
        gateway: gateway as unknown as Gateway,
        instances: { names: () => [], get: (name) => ({ name, ...config }) },
        clock: clock.wall,
        timers: clock,
        timesOf: () => TIMES,
        editConfirmTimeoutMs: 20_000,
        explainRejection: (_, error) => Promise.resolve(error),
        reconcile: witnessesThatKnowNothing(),
        pauseIfFailing: () => Promise.resolve(false),
        log: () => undefined,
        ...changes,
      }),
    shift: (instance, attempt = 1) => ({
      instance,
      worker: `worker-${attempt}`,
      try: { run: 'run', shift: 1, attempt },
    }),
  };
}

/** After half a minute an operator has to decide. */
function witnessesThatKnowNothing(): DispatcherDependencies['reconcile'] {
  const asked = new Map<MessageId, number>();
  return (id) => {
    const times = (asked.get(id) ?? 0) + 1;
    asked.set(id, times);
    if (times < 30) throw new AppError('MESSAGE_OUTCOME_UNKNOWN', 'No witness knows.', { retryAfterMs: 1_000 });
    return Promise.resolve({ id, version: 3, state: 'unresolved', expiresAt: '2030-01-01T00:00:00.000Z', edits: [] });
  };
}

/** The number of releases that the queue missed: 1 when an item left at each interval from the first on. */
export function shareOfPace({ gateway, clock }: World, instance: string): number {
  const { releases, intervalMs } = gateway.account(instance);
  const firstMs = releases[0]?.atMs ?? 0;
  return releases.length / (Math.floor((clock.nowMs() - firstMs) / intervalMs) + 1);
}
