import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** All metrics of everpost. The table in docs/metrics.md is generated from them. */
export interface Definition<Type = 'counter' | 'gauge' | 'histogram', Label extends string = string> {
  readonly type: Type;
  readonly name: string;
  readonly labels: readonly Label[];
  readonly help: string;
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[];
}

function definer<const Type extends Definition['type']>(type: Type) {
  return <const Label extends string = never>(
    name: `everpost_${string}`,
    labels: readonly Label[],
    help: string,
    buckets: readonly number[] = [],
  ): Definition<Type, Label> => ({ type, name, labels, help, buckets });
}

const counter = definer('counter');
const gauge = definer('gauge');
const histogram = definer('histogram');

/** Prometheus has the labels `instance` and `job` for the process that it scrapes (docs/decisions/0026). */
const INSTANCE = 'everpost_instance';
const JOB = 'everpost_job';

/** The API reads these from the ledger at each scrape. */
export const LEDGER_METRICS = {
  up: gauge(
    'everpost_ledger_up',
    [],
    '1 if the ledger could be read. If 0, all other metrics of the ledger are absent',
  ),
  entered: counter(
    'everpost_messages_entered_total',
    [INSTANCE, 'state'],
    'Messages that entered the state, since the ledger was created',
  ),
  messages: gauge(
    'everpost_messages',
    [INSTANCE, 'state'],
    'Messages in the state now: pending, sending, unknown or unresolved',
  ),
  oldestDueAge: gauge(
    'everpost_oldest_due_message_age_seconds',
    [INSTANCE, 'priority', 'source'],
    'How long the oldest due message that nothing blocks has been due; 0 without one. `source` is `single` or `campaign`; recipients of a campaign wait for their turn in the queue',
  ),
  queueDepth: gauge('everpost_gateway_queue_depth', [INSTANCE], "Items in the gateway's queue at the last reading"),
  queueReadingAge: gauge(
    'everpost_gateway_queue_reading_age_seconds',
    [INSTANCE],
    'Age of the last reading of the queue. Workers read it while messages are dispatched, and every two minutes while it has items',
  ),
  queueStandstill: gauge(
    'everpost_gateway_queue_standstill_seconds',
    [INSTANCE],
    'For how long the gateway has released nothing, once its queue stands still; else 0',
  ),
  accountState: gauge(
    'everpost_instance_state',
    [INSTANCE, 'state'],
    '1 for the last known state of the account, else 0; `other` is a state that this version does not know',
  ),
  accountSeenAge: gauge(
    'everpost_instance_state_age_seconds',
    [INSTANCE],
    'Age of the last known state of the account. A worker reads the state every minute, or every five minutes while nothing is sent',
  ),
  paused: gauge(
    'everpost_instance_paused',
    [INSTANCE, 'reason'],
    '1 while the instance is paused for the reason, else 0',
  ),
  notificationsWaiting: gauge(
    'everpost_notifications_waiting',
    [INSTANCE],
    'Notifications that are stored and not applied yet, counted up to 10,000',
  ),
  notificationsSetAside: gauge(
    'everpost_notifications_set_aside',
    [INSTANCE],
    'Notifications that could not be applied and wait for a replay, counted up to 10,000',
  ),
  possibleOptOuts: gauge(
    'everpost_possible_opt_outs_open',
    [INSTANCE],
    'Messages that may mean STOP and wait for a decision of an operator, counted up to 10,000',
  ),
  campaignResponses: gauge(
    'everpost_campaign_responses',
    [INSTANCE, 'response'],
    'Recipients who replied to a campaign, or opted out by a message after it, so far. `response` is `replied` or `opted_out`',
  ),
  failingSchedules: gauge(
    'everpost_schedules_failing',
    [INSTANCE],
    'Schedules whose latest run failed, fails or was missed, or that Temporal rejects',
  ),
  lostScheduleTimes: gauge(
    'everpost_schedule_times_lost',
    [INSTANCE, 'reason'],
    'Times of active and paused schedules that sent nothing: missed, skipped by overlap, or failed',
  ),
  deliveriesWaiting: gauge(
    'everpost_event_deliveries_waiting',
    [INSTANCE],
    'Deliveries of events and status callbacks that have not ended, up to 10,000 for each endpoint',
  ),
  oldestDeliveryAge: gauge(
    'everpost_event_delivery_oldest_age_seconds',
    [INSTANCE],
    'How long the oldest of these deliveries has waited; 0 without one',
  ),
  deliveriesSetAside: gauge(
    'everpost_event_deliveries_set_aside',
    [INSTANCE],
    'Deliveries that were given up and can be replayed, up to 10,000 for each endpoint',
  ),
  disabledEndpoints: gauge(
    'everpost_event_endpoints_disabled',
    [INSTANCE],
    'Event endpoints that are disabled, by an operator or because they responded 410',
  ),
  restores: gauge(
    'everpost_ledger_restores',
    [],
    'How many times the ledger was found to be an older copy of itself: some messages may have been sent since',
  ),
  workersAlive: gauge(
    'everpost_workers_alive',
    [],
    'Worker processes that have reported to the ledger within the last four seconds',
  ),
  campaigns: gauge(
    'everpost_campaigns',
    [INSTANCE, 'state'],
    'Campaigns in the state now: scheduled, running, paused or cancelling',
  ),
  autoPaused: gauge(
    'everpost_campaigns_auto_paused',
    [INSTANCE],
    'Campaigns that paused automatically because too many of their messages were not delivered',
  ),
  campaignsWaiting: gauge(
    'everpost_campaigns_waiting',
    [INSTANCE, 'reason'],
    'Running campaigns of which no message may be posted now. `reason` is the code that ends first, as `everpost campaign show` prints it. Counts the campaigns of the first 1,000 streams: a campaign has one for each account, template and timezone',
  ),
  unresolvedAge: gauge(
    'everpost_oldest_unresolved_message_age_seconds',
    [INSTANCE],
    'How long ago the oldest unresolved message was created, among the 500 oldest of all instances; 0 without one',
  ),
  runStartsWaiting: gauge(
    'everpost_run_starts_waiting',
    [],
    'Messages sent over HTTP whose workflow is not started yet, counted up to 10,000',
  ),
  oldestRunStartAge: gauge(
    'everpost_run_start_oldest_age_seconds',
    [],
    'How long ago the oldest of these messages was accepted; 0 without one',
  ),
};

/** The API reads these from Temporal at each scrape. */
export const TEMPORAL_METRICS = {
  up: gauge(
    'everpost_temporal_up',
    [],
    '1 if Temporal described the task queues within a second. If 0, the other metrics of Temporal are absent',
  ),
  waiting: gauge(
    'everpost_task_queue_waiting',
    ['task_queue', 'tasks'],
    'About how many tasks wait for a worker. `tasks` is `workflow` or `activity`. Instances, which send, have the task queue `everpost-dispatch`',
  ),
  oldestAge: gauge(
    'everpost_task_queue_oldest_age_seconds',
    ['task_queue', 'tasks'],
    'About how long the oldest of these tasks has waited; 0 without one',
  ),
};

/** Each process counts these from its start, or measures them when they are read. */
export const PROCESS_METRICS = {
  workerReady: gauge(
    'everpost_worker_ready',
    ['part'],
    "1 if this part of the process's worker works, else 0, as in `GET /readyz`. `part` is `temporal`, `ledger`, `clock` or `dispatcher`; absent in a process without a worker",
  ),
  gatewayRequests: counter(
    'everpost_gateway_requests_total',
    [INSTANCE, 'operation', 'outcome'],
    'Requests to the gateway by outcome: `ok`, or the code of the error',
  ),
  gatewayDuration: histogram(
    'everpost_gateway_request_duration_seconds',
    ['operation'],
    'From the request for a connection to the end of the response, without the wait for a rate limit',
    // A gateway responds in tenths of a second; the default timeout is 15 seconds.
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
  ),
  notificationsReceived: counter(
    'everpost_notifications_received_total',
    [INSTANCE],
    'Notifications that were stored, repeated ones included',
  ),
  deliveries: counter(
    'everpost_event_delivery_attempts_total',
    [INSTANCE, 'outcome'],
    'Attempts to deliver an event or a status callback: `delivered`, `retried`, `set_aside` or `endpoint_disabled`',
  ),
  jobRounds: counter(
    'everpost_background_job_rounds_total',
    [JOB, 'outcome'],
    'Rounds of background jobs that this process ran: `worked` or `failed`',
  ),
  jobSeconds: counter('everpost_background_job_seconds_total', [JOB], 'How long these rounds took, in total'),
  apiRequests: counter(
    'everpost_api_requests_total',
    ['method', 'route', 'status'],
    'Requests to the API and the webhook receiver; `route` is its pattern, or `none`',
  ),
  apiDuration: histogram(
    'everpost_api_request_duration_seconds',
    ['method', 'route'],
    'From a request to the beginning of its response, including the wait of a long poll',
    // A caller may request a wait of up to a minute.
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  ),
  keyRateRefusals: counter(
    'everpost_api_key_rate_refusals_total',
    [],
    'Requests that were refused because of the rate limit of their API key',
  ),
};

type Definitions = Readonly<Record<string, Definition>>;

type InstrumentOf<Known> =
  Known extends Definition<infer Type extends Definition['type'], infer Label>
    ? { counter: Counter<Label>; gauge: Gauge<Label>; histogram: Histogram<Label> }[Type]
    : never;

/** Registers every metric of a table, under its key. */
export function instrumentsOf<Known extends Definitions>(definitions: Known, registry: Registry) {
  const made = Object.entries(definitions).map(([key, { type, name, help, labels, buckets = [] }]) => {
    const options = { name, help, labelNames: labels, registers: [registry] };
    if (type === 'histogram') return [key, new Histogram({ ...options, buckets: [...buckets] })];
    return [key, type === 'gauge' ? new Gauge(options) : new Counter(options)];
  });
  return Object.fromEntries(made) as { readonly [Key in keyof Known]: InstrumentOf<Known[Key]> };
}
