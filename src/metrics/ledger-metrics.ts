import type { Registry } from 'prom-client';
import {
  ACCOUNT_STATES,
  MESSAGE_STATES,
  PAUSE_REASONS,
  PRIORITIES,
  groupBy,
  statesIn,
  type CampaignState,
  type MessageState,
} from '../contract/index.js';
import type { LedgerReadings } from '../ledger/index.js';
import { LEDGER_METRICS, instrumentsOf } from './definitions.js';

/** States that a message leaves again, so that their current number is useful. */
const CURRENT_STATES = statesIn('pending', 'in_flight', 'unresolved');
const OPEN_CAMPAIGNS = ['scheduled', 'running', 'paused', 'cancelling'] as const satisfies CampaignState[];

type LedgerMetrics = ReturnType<typeof instrumentsOf<typeof LEDGER_METRICS>>;

export function createLedgerMetrics(registry: Registry) {
  const metrics = instrumentsOf(LEDGER_METRICS, registry);
  const { up, restores, workersAlive, runStartsWaiting, oldestRunStartAge, ...labelled } = metrics;

  function clear(): void {
    for (const metric of Object.values(labelled)) metric.reset();
    for (const metric of [restores, workersAlive, runStartsWaiting, oldestRunStartAge]) metric.remove();
  }

  /** Sets 0 for an instance without rows, so that an alert or a rate finds a series. */
  function showNone(of: OfInstance): void {
    const { deliveriesWaiting, oldestDeliveryAge, deliveriesSetAside, disabledEndpoints } = metrics;
    for (const priority of PRIORITIES) {
      for (const source of ['single', 'campaign']) metrics.oldestDueAge.set({ ...of, priority, source }, 0);
    }
    for (const reason of PAUSE_REASONS) metrics.paused.set({ ...of, reason }, 0);
    for (const state of OPEN_CAMPAIGNS) metrics.campaigns.set({ ...of, state }, 0);
    for (const gauge of [metrics.queueStandstill, metrics.autoPaused, metrics.unresolvedAge]) gauge.set(of, 0);
    for (const response of ['replied', 'opted_out']) metrics.campaignResponses.set({ ...of, response }, 0);
    for (const gauge of [deliveriesWaiting, oldestDeliveryAge, deliveriesSetAside, disabledEndpoints]) gauge.set(of, 0);
  }

  function showMessages(of: OfInstance, transitions: LedgerReadings['transitions']): void {
    const sum = (end: 'from' | 'state', state: MessageState) =>
      transitions.reduce((total, one) => total + (one[end] === state ? one.messages : 0), 0);
    for (const state of MESSAGE_STATES) metrics.entered.inc({ ...of, state }, sum('state', state));
    for (const state of CURRENT_STATES)
      metrics.messages.set({ ...of, state }, sum('state', state) - sum('from', state));
  }

  return {
    /** @param instances  the configured ones; each gets every series */
    show(instances: readonly string[], readings: LedgerReadings): void {
      clear();
      up.set(1);
      const transitions = groupBy(readings.transitions, ({ instance }) => instance);
      for (const instance of instances) {
        const of = { everpost_instance: instance };
        showNone(of);
        showMessages(of, transitions.get(instance) ?? []);
      }
      for (const { instance, state, ageMs } of readings.accounts) {
        const of = { everpost_instance: instance };
        const known = ACCOUNT_STATES.find((one) => one === state) ?? 'other';
        for (const one of [...ACCOUNT_STATES, 'other']) {
          metrics.accountState.set({ ...of, state: one }, one === known ? 1 : 0);
        }
        metrics.accountSeenAge.set(of, ageMs / 1_000);
      }
      for (const { instance, priority, source, ageMs } of readings.due) {
        metrics.oldestDueAge.set({ everpost_instance: instance, priority, source }, ageMs / 1_000);
      }
      for (const { instance, depth, ageMs, standsMs } of readings.queues) {
        const of = { everpost_instance: instance };
        metrics.queueDepth.set(of, depth);
        metrics.queueReadingAge.set(of, ageMs / 1_000);
        metrics.queueStandstill.set(of, standsMs / 1_000);
      }
      for (const { instance, reason } of readings.pauses)
        metrics.paused.set({ everpost_instance: instance, reason }, 1);
      for (const { instance, waiting, setAside } of readings.notifications) {
        metrics.notificationsWaiting.set({ everpost_instance: instance }, waiting);
        metrics.notificationsSetAside.set({ everpost_instance: instance }, setAside);
      }
      for (const { instance, open } of readings.possibleOptOuts) {
        metrics.possibleOptOuts.set({ everpost_instance: instance }, open);
      }
      for (const { instance, replied, optedOut } of readings.responses) {
        const of = { everpost_instance: instance };
        metrics.campaignResponses.set({ ...of, response: 'replied' }, replied);
        metrics.campaignResponses.set({ ...of, response: 'opted_out' }, optedOut);
      }
      for (const { instance, failing, ...lost } of readings.schedules) {
        metrics.failingSchedules.set({ everpost_instance: instance }, failing);
        for (const [reason, times] of Object.entries(lost))
          metrics.lostScheduleTimes.set({ everpost_instance: instance, reason }, times);
      }
      for (const { instance, ...events } of readings.events) {
        const of = { everpost_instance: instance };
        metrics.deliveriesWaiting.set(of, events.waiting);
        metrics.oldestDeliveryAge.set(of, events.oldestAgeMs / 1_000);
        metrics.deliveriesSetAside.set(of, events.setAside);
        metrics.disabledEndpoints.set(of, events.disabledEndpoints);
      }
      showCampaigns(metrics, readings);
      for (const { instance, ageMs } of readings.unresolved)
        metrics.unresolvedAge.set({ everpost_instance: instance }, ageMs / 1_000);
      restores.set(readings.restores);
      workersAlive.set(readings.workersAlive);
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

function showCampaigns(
  { campaigns, autoPaused, campaignsWaiting }: Pick<LedgerMetrics, 'campaigns' | 'autoPaused' | 'campaignsWaiting'>,
  readings: Pick<LedgerReadings, 'campaigns' | 'campaignsWaiting'>,
): void {
  for (const { instance, state, total, autoPaused: paused } of readings.campaigns) {
    const of = { everpost_instance: instance };
    campaigns.set({ ...of, state }, total);
    if (state === 'paused') autoPaused.set(of, paused);
  }
  for (const { instance, reason } of readings.campaignsWaiting)
    campaignsWaiting.inc({ everpost_instance: instance, reason });
}

interface OfInstance {
  readonly everpost_instance: string;
}
