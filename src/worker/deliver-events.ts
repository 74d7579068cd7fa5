import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, present, type Clock, type DeliveryAttempt, type Secret, type Log } from '../contract/index.js';
import { EVENTS_WAKE, type DeliveryOutcome, type DueDelivery, type Ledger } from '../ledger/index.js';
import type { Loop } from './background-job.js';
import type { EventPoster, PostResult } from './post-event.js';

interface DelivererDependencies {
  readonly ledger: Pick<Ledger, 'deliveries' | 'eventEndpoints' | 'wakes'>;
  readonly poster: Pick<EventPoster, 'post'>;
  readonly clock: Clock;
  /** Called when an attempt has ended. */
  readonly onAttempted?: (instance: string, outcome: DeliveryAttempt) => void;
  readonly log: Log;
}

/** The lease of one delivery: three times the longest POST. */
const DELIVERY_LEASE_MS = 30_000;
const PER_TARGET = 16;
const MOST_UNDER_WAY = 256;
/** How often the ledger is polled for events of triggers and for retries, which no signal announces. */
const EVERY_MS = 1_000;
/** Events that are recorded within this time are claimed together. A round on the embedded ledger blocks the process. */
const BETWEEN_ROUNDS_MS = 10;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 30 * 60_000;
const SET_ASIDE_AFTER_MS = 3 * 24 * 60 * 60_000;
const STOP_WITHIN_MS = 3_000;

/**
 * Delivers events to their endpoints, and status callbacks of messages: each at least once, and in order for its key.
 * A target that is slow or does not respond delays no other target.
 */
export function deliverEvents(dependencies: DelivererDependencies): Loop {
  const { ledger, poster, clock, onAttempted, log } = dependencies;
  const { deliveries, eventEndpoints } = ledger;
  const posts = new Set<Promise<void>>();
  const underWay = new Map<string, number>();
  let outcomes: DeliveryOutcome[] = [];
  let ask = (): void => undefined;

  async function recordOutcomes(): Promise<void> {
    const ended = outcomes;
    outcomes = [];
    try {
      await deliveries.record(ended, clock.nowMs());
    } catch (error) {
      outcomes = [...ended, ...outcomes];
      throw error;
    }
  }

  async function round(): Promise<number | undefined> {
    await recordOutcomes();
    const limit = MOST_UNDER_WAY - posts.size;
    if (limit <= 0) return undefined;
    const { due, isMore } = await deliveries.claim({
      nowMs: clock.nowMs(),
      leaseMs: DELIVERY_LEASE_MS,
      perTarget: PER_TARGET,
      limit,
      underWay: Object.fromEntries(underWay),
    });
    for (const delivery of due) begin(delivery);
    return isMore ? BETWEEN_ROUNDS_MS : undefined;
  }

  function begin(delivery: DueDelivery): void {
    const { target } = delivery;
    underWay.set(target, (underWay.get(target) ?? 0) + 1);
    const post = deliver(delivery)
      .catch((error: unknown) => log({ level: 'warn', message: 'an event is delivered again later', error }))
      .finally(() => {
        posts.delete(post);
        const left = (underWay.get(target) ?? 1) - 1;
        if (left === 0) underWay.delete(target);
        else underWay.set(target, left);
        ask();
      });
    posts.add(post);
  }

  async function deliver(delivery: DueDelivery): Promise<void> {
    const outcome = await outcomeOf(delivery, await postSigned(delivery));
    // Not before the wait: a round replaces the list.
    outcomes.push(outcome);
  }

  /** Nothing is posted without its signature or its header. */
  async function postSigned(delivery: DueDelivery): Promise<PostResult> {
    const { url, contentType, sequence, endpointId, raw, rawBody, data, type, at, instance } = delivery;
    const id = `evt_${sequence}`;
    const head = JSON.stringify({ id, type, timestamp: at, instance });
    // `data` is included exactly as it is stored.
    const body = raw ? (rawBody ?? Buffer.from(data)) : Buffer.from(`${head.slice(0, -1)},"data":${data}}`);
    let credentials;
    try {
      credentials = delivery.credentials();
    } catch (error) {
      log({ level: 'warn', message: 'an event cannot be signed; retried automatically', endpoint: endpointId, error });
      return { problem: codeOf(error) ?? 'no credentials' };
    }
    return poster.post(
      url,
      {
        'content-type': (raw ? contentType : undefined) ?? 'application/json',
        ...present({ authorization: credentials.authorization?.reveal() }),
        ...signedHeaders(credentials.secrets, { id, body, nowMs: clock.nowMs() }),
      },
      body,
    );
  }

  async function outcomeOf(delivery: DueDelivery, result: PostResult): Promise<DeliveryOutcome> {
    const { problem, httpStatus, retryAfterMs } = result;
    const { endpointId, isCallback, sequence, tries, createdAtMs } = delivery;
    const attempted = (outcome: DeliveryAttempt) => onAttempted?.(delivery.instance, outcome);
    if (problem === undefined) {
      attempted('delivered');
      return { delivery };
    }
    const nowMs = clock.nowMs();
    const isGone = httpStatus === 410;
    if (isGone && !isCallback) {
      if (await eventEndpoints.disable(endpointId, problem, nowMs)) {
        log({ level: 'warn', message: 'an event endpoint is gone, and was disabled', endpoint: endpointId });
      }
      attempted('endpoint_disabled');
      return { delivery, problem, nextTryAtMs: nowMs };
    }
    if (isGone || nowMs - createdAtMs >= SET_ASIDE_AFTER_MS) {
      const event = `evt_${sequence}`;
      log({ level: 'warn', message: 'an event could not be delivered', endpoint: endpointId, event, problem });
      attempted('set_aside');
      return { delivery, problem };
    }
    if (retryAfterMs !== undefined && !isCallback) await eventEndpoints.hold(endpointId, nowMs + retryAfterMs);
    attempted('retried');
    const backOffMs = Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries - 1, 20), RETRY_MAX_MS);
    return { delivery, problem, nextTryAtMs: nowMs + Math.max(backOffMs, retryAfterMs ?? 0) };
  }

  return {
    name: 'deliver events',
    everyMs: EVERY_MS,
    afterWakeMs: BETWEEN_ROUNDS_MS,
    withAnyClock: true,
    wakes(wake) {
      ask = wake;
      return ledger.wakes.listen((name) => {
        if (name === EVENTS_WAKE) wake();
      });
    },
    round,
    async finish() {
      await Promise.race([Promise.allSettled(posts), delay(STOP_WITHIN_MS, undefined, { ref: false })]);
      await recordOutcomes();
    },
  };
}

const PREFIX = 'whsec_';

/** The headers of Standard Webhooks: one signature for each secret, so that receivers can change theirs gradually. */
function signedHeaders(
  secrets: readonly Secret[],
  { id, body, nowMs }: { readonly id: string; readonly body: Uint8Array; readonly nowMs: number },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
