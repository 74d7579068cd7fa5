import type { Registry } from 'prom-client';
import {
  ACCOUNT_STATES,
  MESSAGE_STATES,
  PAUSE_REASONS,
  PRIORITIES,
  groupBy,
  statesIn,
  type MessageState,
} from '../contract/index.js';
import type { LedgerReadings } from '../ledger/index.js';
import { LEDGER_METRICS, instrumentsOf } from './definitions.js';

/** States that a message leaves again, so that their current number is useful. */
const CURRENT_STATES = statesIn('pending', 'in_flight', 'unresolved');

export function createLedgerMetrics(registry: Registry) {
  const metrics = instrumentsOf(LEDGER_METRICS, registry);
  const { up, runStartsWaiting, oldestRunStartAge, ...labelled } = metrics;
  const { entered, messages, oldestDueAge, queueDepth, queueReadingAge, accountState, accountSeenAge, paused } =
    metrics;
  const { notificationsWaiting, notificationsSetAside } = metrics;
  const { deliveriesWaiting, oldestDeliveryAge, deliveriesSetAside, disabledEndpoints } = metrics;

  function clear(): void {
    for (const metric of Object.values(labelled)) metric.reset();
    runStartsWaiting.remove();
    oldestRunStartAge.remove();
  }

  /** Sets 0 for an instance without rows, so that an alert or a rate finds a series. */
  function showNone(instance: string): void {
    const of = { everpost_instance: instance };
    for (const state of MESSAGE_STATES) entered.inc({ ...of, state }, 0);
    for (const priority of PRIORITIES) {
      for (const source of ['single', 'campaign']) oldestDueAge.set({ ...of, priority, source }, 0);
    }
    for (const reason of PAUSE_REASONS) paused.set({ ...of, reason }, 0);
    for (const gauge of [deliveriesWaiting, oldestDeliveryAge, deliveriesSetAside, disabledEndpoints]) gauge.set(of, 0);
  }

  function showMessages(instance: string, transitions: LedgerReadings['transitions']): void {
    const of = { everpost_instance: instance };
    const sum = (some: LedgerReadings['transitions']) => some.reduce((total, one) => total + one.messages, 0);
    const into = (state: MessageState) => sum(transitions.filter((one) => one.state === state));
    const outOf = (state: MessageState) => sum(transitions.filter((one) => one.from === state));
    for (const state of MESSAGE_STATES) entered.inc({ ...of, state }, into(state));
    for (const state of CURRENT_STATES) messages.set({ ...of, state }, into(state) - outOf(state));
  }

  function showAccounts(accounts: LedgerReadings['accounts']): void {
    for (const { instance, state, ageMs } of accounts) {
      const known = ACCOUNT_STATES.find((one) => one === state) ?? 'other';
      for (const one of [...ACCOUNT_STATES, 'other']) {
        accountState.set({ everpost_instance: instance, state: one }, one === known ? 1 : 0);
      }
      accountSeenAge.set({ everpost_instance: instance }, ageMs / 1_000);
    }
  }

  return {
    /** @param instances  the configured ones; each gets every series */
    show(instances: readonly string[], readings: LedgerReadings): void {
      clear();
      up.set(1);
      const transitions = groupBy(readings.transitions, ({ instance }) => instance);
      for (const instance of instances) {
        showNone(instance);
        showMessages(instance, transitions.get(instance) ?? []);
      }
      showAccounts(readings.accounts);
      for (const { instance, priority, source, ageMs } of readings.due) {
        oldestDueAge.set({ everpost_instance: instance, priority, source }, ageMs / 1_000);
      }
      for (const { instance, depth, ageMs } of readings.queues) {
        queueDepth.set({ everpost_instance: instance }, depth);
        queueReadingAge.set({ everpost_instance: instance }, ageMs / 1_000);
      }
      for (const { instance, reason } of readings.pauses) paused.set({ everpost_instance: instance, reason }, 1);
      for (const { instance, waiting, setAside } of readings.notifications) {
        notificationsWaiting.set({ everpost_instance: instance }, waiting);
        notificationsSetAside.set({ everpost_instance: instance }, setAside);
      }
      for (const { instance, ...events } of readings.events) {
        const of = { everpost_instance: instance };
        deliveriesWaiting.set(of, events.waiting);
        oldestDeliveryAge.set(of, events.oldestAgeMs / 1_000);
        deliveriesSetAside.set(of, events.setAside);
        disabledEndpoints.set(of, events.disabledEndpoints);
      }
      runStartsWaiting.set(readings.runStarts.waiting);
      oldestRunStartAge.set(readings.runStarts.oldestAgeMs / 1_000);
    },
    /** Removes the numbers of a ledger that could not be read, so that no stale number is served. */
    hide(): void {
      clear();
      up.set(0);
    },
  };
}
