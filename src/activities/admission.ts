/**
 * Whether a single message may enter the gateway's queue now.
 *
 * ADMISSION-1 It is posted only while it can leave the queue before it expires and before the gateway forgets it. What
 *    stands before it is the queue, and those who wait here and come before it: of higher priority, or as high and
 *    older.
 * ADMISSION-2 One that lives for less than a day is posted only while the instance is authorized: it must not arrive
 *    tomorrow.
 * ADMISSION-3 The queue is read for all who ask, and only where it matters: while so much is free that it cannot have
 *    been filled since the last reading, that reading is enough. A queue that cannot be read makes no message wait.
 * ADMISSION-4 While the instance is paused no recipient is posted, however long they live: INSTANCE-2 of the ledger's
 *    instances.
 */
import { AppError, LONG_LIFE_MS, QUEUE_RETENTION_MS, type MessageId } from '../contract/index.js';
import { ASSUMED_INTERVAL_MS, type AdmissionFacts, type AdmissionWait } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { AUTHORIZED, instancePaused, STATE_RETRY_MS, type InstanceStateReader } from './instance-state.js';
import { queueNow, type QueueDepth, type QueueNow } from './queue-depth.js';

/** Of a reading so young nothing but our own additions is doubted. */
const YOUNG_READING_MS = 10_000;
/** The most that an instance takes from all its senders together, a second. */
const UNMATCHED_PER_SECOND = 50;
/** What is seen of an instance's state holds for so long. */
const STATE_HOLDS_MS = 30_000;
/** A pace varies; so much of the time is left over. */
const MARGIN = 0.1;
const TURN_WITHIN_MS = 1_500;
/** One that could not be read last time is tried when a turn is free anyway. */
const UNREADABLE_TURN_WITHIN_MS = 100;
const SOONEST_RETRY_MS = 1_000;
const LATEST_RETRY_MS = 60_000;

export interface AdmissionParts {
  readonly queueDepth: QueueDepth;
  readonly instanceStates: InstanceStateReader;
}

/**
 * @returns what throws AppError MESSAGE_NOT_ADMITTED or INSTANCE_PAUSED while a message has to wait, and notes for what
 *   it waits
 */
export function createAdmission(
  { ledger, clock }: Pick<ActivityDependencies, 'ledger' | 'clock'>,
  { queueDepth, instanceStates }: AdmissionParts,
): (messageId: MessageId) => Promise<void> {
  async function reasonToWait(facts: AdmissionFacts): Promise<AdmissionWait | undefined> {
    if (facts.expiresAtMs - facts.requestedAtMs < LONG_LIFE_MS) {
      const word = await instanceStates.now(facts.instance, STATE_HOLDS_MS, facts.instanceState);
      const wait = waitForAuthorization(word);
      if (wait !== undefined) return wait;
    }
    return hasRoomForSure(facts, clock.nowMs()) ? undefined : waitForQueue(facts);
  }

  async function waitForQueue(facts: AdmissionFacts): Promise<AdmissionWait | undefined> {
    const turnWithinMs = facts.queue.unreadableSinceMs === undefined ? TURN_WITHIN_MS : UNREADABLE_TURN_WITHIN_MS;
    // With the pace known a reading suffices for longer.
    const wish = { maxAgeMs: YOUNG_READING_MS, turnWithinMs, wantsPace: true };
    const queue = await queueDepth.now(facts.instance, wish);
    if (queue.depth === undefined) return undefined;
    const ahead = queue.depth + facts.before;
    const excessMs = timeToLeaveMs(ahead, queue.intervalMs) - timeLeftMs(facts, clock.nowMs());
    if (excessMs <= 0) return undefined;
    const retryAfterMs = Math.min(LATEST_RETRY_MS, Math.max(SOONEST_RETRY_MS, excessMs));
    return { what: 'queue', text: queueWords(ahead, queue), retryAfterMs };
  }

  return async (messageId) => {
    const facts = await ledger.queues.admission(messageId, clock.nowMs());
    // Not pending, past its time, or not wanted: the claim says what it is.
    if (facts === undefined || facts.expiresAtMs <= clock.nowMs()) return;
    if (facts.pauses.length > 0) throw instancePaused(messageId, facts.instance, facts.pauses);
    const wait = await reasonToWait(facts);
    if (wait === undefined) {
      if (facts.isWaiting) await ledger.queues.admit(messageId);
      return;
    }
    const untilExpiryMs = Math.max(SOONEST_RETRY_MS, facts.expiresAtMs - clock.nowMs());
    const retryAfterMs = Math.min(wait.retryAfterMs, untilExpiryMs);
    await ledger.queues.wait(messageId, { ...wait, retryAfterMs }, clock.nowMs());
    throw new AppError(
      'MESSAGE_NOT_ADMITTED',
      `Message ${messageId} waits here (${wait.text}). It goes on by itself.`,
      {
        retryAfterMs,
      },
    );
  };
}

/** ADMISSION-2. An instance that never tells its state makes no message wait; one that cannot be asked now does. */
function waitForAuthorization(word: Awaited<ReturnType<InstanceStateReader['now']>>): AdmissionWait | undefined {
  if (word.state === AUTHORIZED) return undefined;
  if (word.state !== undefined) {
    return { what: 'authorization', text: `instance ${word.state}`, retryAfterMs: STATE_RETRY_MS };
  }
  // What an operator has to repair, or what is refused for good, the send itself says better.
  if (word.next === 'stop' || word.next === 'human') return undefined;
  return { what: 'authorization', text: `instance state not known (${word.code})`, retryAfterMs: STATE_RETRY_MS };
}

/** ADMISSION-3: even if all others had added all they could since the last reading. */
function hasRoomForSure(facts: AdmissionFacts, nowMs: number): boolean {
  const { queue, before } = facts;
  if (queue.depth === undefined || queue.begunAtMs === undefined || queue.unreadableSinceMs !== undefined) return false;
  const ageMs = Math.max(0, nowMs - queue.begunAtMs);
  const mostDepth =
    ageMs < YOUNG_READING_MS
      ? (queueNow(queue, nowMs).depth ?? 0)
      : queue.depth + queue.acceptedSince + queue.unlisted + Math.ceil((ageMs / 1_000) * UNMATCHED_PER_SECOND);
  return timeToLeaveMs(mostDepth + before, queue.releaseIntervalMs) <= timeLeftMs(facts, nowMs);
}

/** Behind so many; nothing ahead leaves at once. */
function timeToLeaveMs(ahead: number, intervalMs = ASSUMED_INTERVAL_MS): number {
  return ahead === 0 ? 0 : (ahead + 1) * intervalMs * (1 + MARGIN);
}

function timeLeftMs({ expiresAtMs }: AdmissionFacts, nowMs: number): number {
  return Math.min(expiresAtMs - nowMs, QUEUE_RETENTION_MS);
}

function queueWords(ahead: number, { intervalMs = ASSUMED_INTERVAL_MS }: QueueNow): string {
  const minutes = Math.ceil(((ahead + 1) * intervalMs) / 60_000);
  return `queue: ${ahead.toLocaleString('en-US')} ahead, ${minutes} min`;
}
