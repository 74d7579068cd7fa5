import { expect, it, vi } from 'vitest';
import { AppError, MESSAGE_STATES } from '../../src/contract/index.js';
import type { LedgerReadings } from '../../src/ledger/index.js';
import { LEDGER_METRICS, PROCESS_METRICS, TEMPORAL_METRICS, type Definition } from '../../src/metrics/definitions.js';
import { createMetrics, type Metrics } from '../../src/metrics/index.js';
import type { WaitingTasks } from '../../src/metrics/temporal-metrics.js';
import { aDirectory, anInstance } from '../api/api-parts.js';

const NOTHING: LedgerReadings = {
  transitions: [],
  queues: [],
  accounts: [],
  pauses: [],
  due: [],
  notifications: [],
  possibleOptOuts: [],
  responses: [],
  schedules: [],
  events: [],
  campaigns: [],
  campaignsWaiting: [],
  unresolved: [],
  restores: 0,
  workersAlive: 0,
  runStarts: { waiting: 0, oldestAgeMs: 0 },
};

function metricsOf(
  read: () => Promise<LedgerReadings>,
  taskQueues: () => Promise<WaitingTasks[]> = () => Promise.resolve([]),
): Metrics {
  const instances = aDirectory(anInstance(), anInstance({ name: 'shop' }));
  const ledger = { metrics: { read, fold: vi.fn() } };
  return createMetrics({ ledger, instances, clock: { nowMs: () => 0 }, taskQueues });
}

/** The lines of one metric. */
async function seriesOf(metrics: Metrics, name: string): Promise<string[]> {
  const { text } = await metrics.ofService();
  return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

it('a counter shows every state from the start, so that a rate finds the series', async () => {
  const metrics = metricsOf(() => Promise.resolve(NOTHING));
  const series = await seriesOf(metrics, 'everpost_messages_entered_total');
  expect(series).toHaveLength(2 * MESSAGE_STATES.length);
  expect(series).toContain('everpost_messages_entered_total{everpost_instance="shop",state="read"} 0');
});

it('the metrics show how many messages entered a state, and how many are in it now', async () => {
  const transitions = [
    { instance: 'main', from: null, state: 'pending', messages: 5 },
    { instance: 'main', from: 'pending', state: 'sending', messages: 3 },
    { instance: 'main', from: 'sending', state: 'accepted', messages: 2 },
  ] as const;
  const metrics = metricsOf(() => Promise.resolve({ ...NOTHING, transitions }));

  // Twice, since each reading is independent.
  await metrics.ofService();
  const shown = [
    ...(await seriesOf(metrics, 'everpost_messages')),
    ...(await seriesOf(metrics, 'everpost_messages_entered_total')),
  ].filter((line) => line.includes('"main"') && !line.endsWith(' 0'));
  expect(shown).toEqual([
    'everpost_messages{everpost_instance="main",state="pending"} 2',
    'everpost_messages{everpost_instance="main",state="sending"} 1',
    'everpost_messages_entered_total{everpost_instance="main",state="pending"} 5',
    'everpost_messages_entered_total{everpost_instance="main",state="sending"} 3',
    'everpost_messages_entered_total{everpost_instance="main",state="accepted"} 2',
  ]);
});

it('METRICS-3: an unknown state of the account is shown as other, and a resumed pause as 0', async () => {
  const readings = vi.fn<() => Promise<LedgerReadings>>();
  const metrics = metricsOf(readings);
  const accounts = [{ instance: 'main', state: '15550001111 said "hi"', ageMs: 2_000 }];
  readings.mockResolvedValue({ ...NOTHING, accounts, pauses: [{ instance: 'main', reason: 'operator' }] });
  expect(await seriesOf(metrics, 'everpost_instance_state')).toContain(
    'everpost_instance_state{everpost_instance="main",state="other"} 1',
  );
  const paused = (value: number) => `everpost_instance_paused{everpost_instance="main",reason="operator"} ${value}`;
  expect(await seriesOf(metrics, 'everpost_instance_paused')).toContain(paused(1));

  readings.mockResolvedValue(NOTHING);
  expect(await seriesOf(metrics, 'everpost_instance_paused')).toContain(paused(0));
});

it('campaigns, the oldest unresolved message and the workers are shown, each with 0 where there is none', async () => {
  const of = { instance: 'main' };
  const readings = {
    ...NOTHING,
    campaigns: [{ ...of, state: 'paused', total: 3, autoPaused: 1 }],
    campaignsWaiting: [
      { ...of, reason: 'QUIET_HOURS' },
      { ...of, reason: 'QUIET_HOURS' },
    ],
    unresolved: [{ ...of, ageMs: 90_000 }],
    workersAlive: 2,
  } as const;
  const read = vi.fn<() => Promise<LedgerReadings>>().mockResolvedValue(readings);
  const { text } = await metricsOf(read).ofService();
  const lines = text.split('\n');
  for (const line of [
    'everpost_campaigns{everpost_instance="main",state="paused"} 3',
    'everpost_campaigns{everpost_instance="main",state="running"} 0',
    'everpost_campaigns_auto_paused{everpost_instance="main"} 1',
    'everpost_campaigns_auto_paused{everpost_instance="shop"} 0',
    'everpost_campaigns_waiting{everpost_instance="main",reason="QUIET_HOURS"} 2',
    'everpost_oldest_unresolved_message_age_seconds{everpost_instance="main"} 90',
    'everpost_oldest_unresolved_message_age_seconds{everpost_instance="shop"} 0',
    'everpost_workers_alive 2',
  ]) {
    expect(lines).toContain(line);
  }
  read.mockRejectedValue(new AppError('LEDGER_UNAVAILABLE', 'away'));
  expect(await seriesOf(metricsOf(read), 'everpost_workers_alive')).toEqual([]);
});

it('METRICS-4: an unavailable ledger has no old numbers, and everything else is shown', async () => {
  const read = vi.fn<() => Promise<LedgerReadings>>().mockResolvedValueOnce(NOTHING);
  const metrics = metricsOf(read);
  metrics.keyRateRefused();
  expect(await seriesOf(metrics, 'everpost_ledger_up')).toEqual(['everpost_ledger_up 1']);

  read.mockRejectedValue(new AppError('LEDGER_UNAVAILABLE', 'away'));
  const lines = (await metrics.ofService()).text.split('\n').filter((line) => line.startsWith('everpost_'));
  expect(lines).toContain('everpost_ledger_up 0');
  expect(lines).toContain('everpost_api_key_rate_refusals_total 1');
  const ofLedger = Object.values(LEDGER_METRICS).map(({ name }) => name);
  const shown = lines.flatMap((line) => /^\w+/.exec(line) ?? []);
  expect(shown.filter((name) => ofLedger.some((one) => one === name))).toEqual(['everpost_ledger_up']);

  read.mockRejectedValue(new AppError('INTERNAL', 'a bug'));
  await expect(metrics.ofService()).rejects.toThrow('a bug');
});

it('METRICS-4: an unavailable Temporal has no old numbers, and everything else is shown', async () => {
  const waiting = { taskQueue: 'everpost', tasks: 'workflow', waiting: 3_000, oldestAgeMs: 61_500 } as const;
  const taskQueues = vi.fn<() => Promise<WaitingTasks[]>>().mockResolvedValueOnce([waiting]);
  const metrics = metricsOf(() => Promise.resolve(NOTHING), taskQueues);
  const shown = async () => {
    const { text } = await metrics.ofService();
    return text.split('\n').filter((line) => /^everpost_(temporal_up|task_queue|ledger_up)/.test(line));
  };
  expect(await shown()).toEqual([
    'everpost_ledger_up 1',
    'everpost_temporal_up 1',
    'everpost_task_queue_waiting{task_queue="everpost",tasks="workflow"} 3000',
    'everpost_task_queue_oldest_age_seconds{task_queue="everpost",tasks="workflow"} 61.5',
  ]);
  taskQueues.mockRejectedValue(new AppError('TEMPORAL_UNAVAILABLE', 'away'));
  expect(await shown()).toEqual(['everpost_ledger_up 1', 'everpost_temporal_up 0']);
});

it("the metrics count a process's work, by instance, operation and outcome", async () => {
  const metrics = metricsOf(() => Promise.resolve(NOTHING));
  metrics.gatewayCalled('main', 'sendMessage', 'ok');
  metrics.gatewayCalled('main', 'sendMessage', 'GATEWAY_BUSY');
  metrics.gatewayExchanged('sendMessage', 300);
  metrics.notificationReceived('shop');
  metrics.deliveryAttempted('main', 'retried');
  metrics.apiRequested({ method: 'GET', route: '/v1/messages/{id}', status: 404, durationMs: 3, requestId: 'r-1' });

  const { text, contentType } = await metrics.ofProcess();
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  for (const line of [
    'everpost_gateway_requests_total{everpost_instance="main",operation="sendMessage",outcome="ok"} 1',
    'everpost_gateway_requests_total{everpost_instance="main",operation="sendMessage",outcome="GATEWAY_BUSY"} 1',
    'everpost_gateway_request_duration_seconds_bucket{le="0.25",operation="sendMessage"} 0',
    'everpost_gateway_request_duration_seconds_bucket{le="0.5",operation="sendMessage"} 1',
    'everpost_notifications_received_total{everpost_instance="shop"} 1',
    'everpost_event_delivery_attempts_total{everpost_instance="main",outcome="retried"} 1',
    'everpost_api_requests_total{method="GET",route="/v1/messages/{id}",status="404"} 1',
    'everpost_api_request_duration_seconds_sum{method="GET",route="/v1/messages/{id}"} 0.003',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).not.toContain('everpost_ledger_up');
});

it('the metrics have the defined names, and those of the process', async () => {
  const { text } = await metricsOf(() => Promise.resolve(NOTHING)).ofService();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [name, type]);
  const own = names.filter(([name]) => name?.startsWith('everpost_'));
  const defined = [PROCESS_METRICS, LEDGER_METRICS, TEMPORAL_METRICS]
    .flatMap((metrics) => Object.values<Definition>(metrics))
    .map(({ name, type }) => [name, type]);
  expect(own).toEqual(expect.arrayContaining(defined));
  expect(own).toHaveLength(defined.length);
  expect(names.filter(([name]) => !/^(everpost|process|nodejs)_/.test(name ?? ''))).toEqual([]);
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
    expect(names.map(([known]) => known)).toContain(name);
  }
  expect(names.filter(([name]) => name?.startsWith('nodejs_eventloop_lag_'))).toHaveLength(1);
});
