import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
/** All metrics of everpost. The table in docs/metrics.md is generated from them. */

export interface Definition {
  readonly name: `everpost_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[];
}

/** Prometheus uses the label `instance` for the process that it scrapes (docs/decisions/0026). */
const INSTANCE = 'everpost_instance';

/** The API reads these from the ledger at each scrape. */
export const LEDGER_METRICS = {
  up: {
    name: 'everpost_ledger_up',
    type: 'gauge',
    labels: [],
    help: '1 if the ledger could be read. If 0, all other metrics of the ledger are absent',
  },
  entered: {
    name: 'everpost_messages_entered_total',
    type: 'counter',
    labels: [INSTANCE, 'state'],
    help: 'Messages that entered the state, since the ledger was created',
  },
  messages: {
    name: 'everpost_messages',
    type: 'gauge',
    labels: [INSTANCE, 'state'],
    help: 'Messages in the state now: pending, sending, unknown or unresolved',
  },
  oldestDueAge: {
    name: 'everpost_oldest_due_message_age_seconds',
    type: 'gauge',
    labels: [INSTANCE, 'priority', 'source'],
    help: 'How long the oldest due message that nothing blocks has been due; 0 without one. `source` is `single` or `campaign`; recipients of a campaign wait for their turn in the queue',
  },
  queueDepth: {
    name: 'everpost_gateway_queue_depth',
    type: 'gauge',
    labels: [INSTANCE],
    help: "Items in the gateway's queue at the last reading",
  },
  queueReadingAge: {
    name: 'everpost_gateway_queue_reading_age_seconds',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Age of the last reading of the queue. Workers read it while messages are dispatched',
  },
  accountState: {
    name: 'everpost_instance_state',
    type: 'gauge',
    labels: [INSTANCE, 'state'],
    help: '1 for the last known state of the account, else 0; `other` is a state that this version does not know',
  },
  accountSeenAge: {
    name: 'everpost_instance_state_age_seconds',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Age of the last known state of the account. A worker reads the state every minute, or every five minutes while nothing is sent',
  },
  paused: {
    name: 'everpost_instance_paused',
    type: 'gauge',
    labels: [INSTANCE, 'reason'],
    help: '1 while the instance is paused for the reason, else 0',
  },
  notificationsWaiting: {
    name: 'everpost_notifications_waiting',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Notifications that are stored and not applied yet, counted up to 10,000',
  },
  notificationsSetAside: {
    name: 'everpost_notifications_set_aside',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Notifications that could not be applied and wait for a replay, counted up to 10,000',
  },
  deliveriesWaiting: {
    name: 'everpost_event_deliveries_waiting',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Deliveries of events and status callbacks that have not ended, up to 10,000 for each endpoint',
  },
  oldestDeliveryAge: {
    name: 'everpost_event_delivery_oldest_age_seconds',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'How long the oldest of these deliveries has waited; 0 without one',
  },
  deliveriesSetAside: {
    name: 'everpost_event_deliveries_set_aside',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Deliveries that were given up and can be replayed, up to 10,000 for each endpoint',
  },
  disabledEndpoints: {
    name: 'everpost_event_endpoints_disabled',
    type: 'gauge',
    labels: [INSTANCE],
    help: 'Event endpoints that are disabled, by an operator or because they responded 410',
  },
  runStartsWaiting: {
    name: 'everpost_run_starts_waiting',
    type: 'gauge',
    labels: [],
    help: 'Messages sent over HTTP whose workflow is not started yet, counted up to 10,000',
  },
  oldestRunStartAge: {
    name: 'everpost_run_start_oldest_age_seconds',
    type: 'gauge',
    labels: [],
    help: 'How long ago the oldest of these messages was accepted; 0 without one',
  },
} as const satisfies Readonly<Record<string, Definition>>;

/** Each process counts these from its start. */
export const PROCESS_METRICS = {
  gatewayRequests: {
    name: 'everpost_gateway_requests_total',
    type: 'counter',
    labels: [INSTANCE, 'operation', 'outcome'],
    help: 'Requests to the gateway by outcome: `ok`, or the code of the error',
  },
  gatewayDuration: {
    name: 'everpost_gateway_request_duration_seconds',
    type: 'histogram',
    labels: ['operation'],
    help: 'From the request for a connection to the end of the response, without the wait for a rate limit',
    // A gateway responds in tenths of a second; the default timeout is 15 seconds.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
  },
  notificationsReceived: {
    name: 'everpost_notifications_received_total',
    type: 'counter',
    labels: [INSTANCE],
    help: 'Notifications that were stored, repeated ones included',
  },
  deliveries: {
    name: 'everpost_event_delivery_attempts_total',
    type: 'counter',
    labels: [INSTANCE, 'outcome'],
    help: 'Attempts to deliver an event or a status callback: `delivered`, `retried`, `set_aside` or `endpoint_disabled`',
  },
  apiRequests: {
    name: 'everpost_api_requests_total',
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests to the API and the webhook receiver; `route` is its pattern, or `none`',
  },
  apiDuration: {
    name: 'everpost_api_request_duration_seconds',
    type: 'histogram',
    labels: ['method', 'route'],
    help: 'From a request to the beginning of its response, including the wait of a long poll',
    // A caller may request a wait of up to a minute.
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  },
  keyRateRefusals: {
    name: 'everpost_api_key_rate_refusals_total',
    type: 'counter',
    labels: [],
    help: 'Requests that were refused because of the rate limit of their API key',
  },
} as const satisfies Readonly<Record<string, Definition>>;

type InstrumentOf<Known extends Definition> = Known['type'] extends 'counter'
  ? Counter<Known['labels'][number]>
  : Known['type'] extends 'gauge'
    ? Gauge<Known['labels'][number]>
    : Histogram<Known['labels'][number]>;

/** Registers every metric of a table, under its key. */
export function instrumentsOf<Known extends Readonly<Record<string, Definition>>>(
  definitions: Known,
  registry: Registry,
): { readonly [Key in keyof Known]: InstrumentOf<Known[Key]> } {
  const made = Object.entries(definitions).map(([key, definition]) => [key, instrumentOf(definition, registry)]);
  return Object.fromEntries(made) as { readonly [Key in keyof Known]: InstrumentOf<Known[Key]> };
}

function instrumentOf({ name, type, labels, help, buckets = [] }: Definition, registry: Registry) {
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  switch (type) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...buckets] });
  }
}
