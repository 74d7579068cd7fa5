/**
 * Determines the outcome of a POST whose response is missing, and writes the decision with its evidence.
 *
 *   unknown ─┬ an id of ours is seen ─▶ accepted
 *            ├ the queue's readings prove that ours never entered it ─▶ pending
 *            ├ no witness decides, and polling cannot help any more, or an hour has passed ─▶ unresolved
 *            └ no witness decides yet ─▶ polled again
 *
 * The witnesses, in this order: the queue and stored notifications. If these do not decide: the journal, and the
 * messages of receipts whose id is unknown. An instance without a journal responds with an error, which decides
 * nothing.
 */
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { AppError, LONGEST_UNKNOWN_MS, type MessageId, type MessageSnapshot, present } from '../../contract/index.js';
import {
  RETRY_INTERVAL_MS,
  comparableCopy,
  decidableFrom,
  decide,
  isPossiblyInChat,
  isSendingState,
  journalObservation,
  noticeObservation,
  type ComparableMessage,
  type Decision,
  type NotificationHistory,
  type Observation,
  type DecisionInput,
} from '../../domain/index.js';
import type { AttemptToReconcile } from '../../ledger/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { existingSnapshot } from '../message-activities.js';
import { InstanceEvidence, merged } from './instance-evidence.js';
import { OneReading, SharedReadings, WitnessPoll } from '../witness-polls.js';

type ReconcileDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'times' | 'timesOf'>;

/** Added to the time since the claim in a journal request, since the journal uses the gateway's clock. */
const JOURNAL_MARGIN_MINUTES = 5;
/**
 * How far back a journal is searched. There are few values, so that rows can share a reading. The longest one is the
 * documented default.
 */
const LONGEST_JOURNAL_MINUTES = 1440;
const JOURNAL_MINUTES = [15, 120, LONGEST_JOURNAL_MINUTES] as const;

/** For how many receipts with an unknown id the message is fetched. There may be many, and each costs a request. */
const MOST_PARKED = 5;

type Reconcile = (of: { readonly messageId: MessageId }) => Promise<MessageSnapshot>;

/**
 * @returns an activity that returns the row when its outcome is decided. An unresolved row is polled once and returned.
 * While the row stays unknown, the activity throws AppError MESSAGE_OUTCOME_UNKNOWN with the time of the next poll
 */
export function reconcileActivity(deps: ReconcileDependencies): Reconcile {
  return reconcileWith(deps, new InstanceEvidence(deps, SharedReadings));
}

/** SHARED-2: for the unresolved messages of one round. */
export function reconcileRound(deps: ReconcileDependencies): Reconcile {
  return reconcileWith(deps, new InstanceEvidence(deps, OneReading));
}

/** For how long the messages that an operator resolves by evidence, one after the other, share readings (SHARED-2). */
const SHARED_FOR_MS = 10_000;

/**
 * RECONCILE-4: decides a message in doubt as an operator requests it, also an unresolved one by a proof of absence.
 * @returns the row, as the witnesses leave it
 */
export function decideByEvidence(deps: ReconcileDependencies): (id: MessageId) => Promise<MessageSnapshot> {
  let reconcile: Reconcile;
  let sharedUntilMs = -Infinity;
  return async (messageId) => {
    const nowMs = deps.clock.nowMs();
    if (nowMs >= sharedUntilMs) {
      reconcile = reconcileWith(deps, new InstanceEvidence(deps, OneReading), true);
      sharedUntilMs = nowMs + SHARED_FOR_MS;
    }
    try {
      return await reconcile({ messageId });
    } catch (error) {
      if (error instanceof AppError && error.code === 'MESSAGE_OUTCOME_UNKNOWN')
        return existingSnapshot(deps.ledger, messageId);
      throw error;
    }
  };
}

function reconcileWith(deps: ReconcileDependencies, evidence: InstanceEvidence, isRequested = false): Reconcile {
  return async ({ messageId }) => {
    const inDoubt = await deps.ledger.reconciling.attempt(messageId);
    if (inDoubt === undefined) return existingSnapshot(deps.ledger, messageId);
    const poll = new WitnessPoll(deps.times.patience?.pollMs);
    const decision = await pollWitnesses(deps, evidence, inDoubt, poll);
    const snapshot = await write(deps, inDoubt, decision, poll, isRequested);
    if (snapshot.state !== 'unknown') return snapshot;
    const why = decision.kind === 'undecided' ? decision.why : 'decided_elsewhere';
    const retryAfterMs = decision.kind === 'undecided' ? (decision.nextPollAfterMs ?? 0) : 0;
    throw new AppError(
      'MESSAGE_OUTCOME_UNKNOWN',
      `The outcome of message ${messageId} is not known yet (${why}). Its witnesses are polled until ${new Date(inDoubt.reconcileAfterMs + LONGEST_UNKNOWN_MS).toISOString()} at the latest.`,
      { retryAfterMs },
    );
  };
}

async function pollWitnesses(
  deps: ReconcileDependencies,
  evidence: InstanceEvidence,
  inDoubt: AttemptToReconcile,
  poll: WitnessPoll,
): Promise<Decision> {
  const { ledger, clock, times } = deps;
  const { instance } = inDoubt;
  const queued = await poll.request('showMessagesQueue', () => evidence.queue(instance));
  const notices = (await ledger.observations.unowned(inDoubt))
    .map(noticeObservation)
    .filter((one) => one !== undefined);
  // The time is read before the restarts (ABSENT-6).
  const nowMs = clock.nowMs();
  const { restarted, leftAuthorized } = await ledger.observations.instanceSince(inDoubt);
  const gatewayOffset = await ledger.gatewayClocks.offset(instance, nowMs);
  const recorded = await evidence.recorded(inDoubt);
  const { readings, longestListing } = recorded;
  // It is settled earlier if the end of the connection was seen.
  const { reconcileAfterMs, lossSeenMs = Infinity } = inDoubt;
  const settledAtMs = Math.min(reconcileAfterMs, lossSeenMs + deps.timesOf(instance).settleTimeMs);
  const base = {
    attempt: { ...inDoubt, settledAtMs },
    nowMs,
    readings,
    longestListing,
    isRestarted: restarted,
    queueIsListed: queued !== undefined || poll.later.has('showMessagesQueue'),
    ...present({ gatewayOffset, patience: times.patience }),
    retryIntervalMs: times.notificationRetryMs ?? RETRY_INTERVAL_MS,
  };
  const seen = [...(queued ?? []), ...notices];
  const compared = await evidence.compared(instance, recorded, seen);
  const lids = await knownLids(deps, inDoubt, seen);
  // To decide on ten thousand items takes some milliseconds. Messages that share readings would do it in one go.
  await turnOfEventLoop();
  const first = decide({ ...base, observations: seen, accounted: compared.accounted, lids });
  if (first.kind !== 'undecided') return first;

  const minutes = journalMinutes(deps, inDoubt);
  const journal = await poll.request('lastOutgoingMessages', () => evidence.journal(instance, minutes));
  const parkedIds = await ledger.observations.parkedIds(inDoubt);
  const pointed = await pointedAt(deps, inDoubt, parkedIds, poll);
  const observations = [...seen, ...(journal?.observations ?? []), ...pointed];
  const known = journal === undefined ? compared : merged(compared, journal);
  const { accounted } = await evidence.compared(instance, known, observations);
  const unaccounted = observations.filter(({ ids }) => !ids.every((id) => accounted.has(id)));
  const copy = await copyToFind(deps, inDoubt, unaccounted, poll);
  const doubts = { leftAuthorized, hasUnexplainedReceipts: pointed.length < parkedIds.length };
  const notifications = inDoubt.mayPresume ? await notificationsOf(deps, base, inDoubt, doubts, poll) : undefined;
  const isWitnessUnavailable = [...poll.later].some((witness) => witness !== 'showMessagesQueue');
  const allLids = await knownLids(deps, inDoubt, observations);
  await turnOfEventLoop();
  return decide({
    ...base,
    observations,
    accounted,
    lids: allLids,
    isWitnessUnavailable,
    ...present({ copy, notifications }),
  });
}

async function write(
  { ledger, clock }: ReconcileDependencies,
  inDoubt: AttemptToReconcile,
  decision: Decision,
  { unavailable }: WitnessPoll,
  isRequested: boolean,
): Promise<MessageSnapshot> {
  const { reconciling } = ledger;
  const nowMs = clock.nowMs();
  switch (decision.kind) {
    case 'adopt':
      return reconciling.adopt(inDoubt, decision.idMessage, decision.witness, nowMs);
    case 'absent': {
      const readAt = new Date(decision.reading.begunAtMs).toISOString();
      const detail = { readAt, preceding: decision.link, claimSequence: inDoubt.claimSequence };
      return reconciling.makePending(inDoubt, 'absent', { witness: 'showMessagesQueue', detail }, nowMs, isRequested);
    }
    case 'presumed_absent': {
      const detail = { successor: decision.successor };
      return reconciling.makePending(inDoubt, 'presumed_absent', { witness: 'presumed', detail }, nowMs);
    }
    case 'undecided': {
      const { why, notPresumed, nextPollAfterMs, possible } = decision;
      if (nextPollAfterMs !== undefined) return existingSnapshot(ledger, inDoubt.messageId);
      const detail = { ...(unavailable.length === 0 ? {} : { unavailable }), ...present({ notPresumed }) };
      return reconciling.markUnresolved(inDoubt, why, nowMs, { detail, possible });
    }
  }
}

/** The owners of the lids among the chats of the attempt and of the observations. */
async function knownLids(
  { ledger }: ReconcileDependencies,
  { chatId }: AttemptToReconcile,
  observations: readonly Observation[],
): Promise<ReadonlyMap<string, string>> {
  const chats = [chatId, ...observations.map(({ comparable }) => comparable?.chat)].filter(
    (chat) => chat !== undefined,
  );
  const lids = [...new Set(chats)].filter((chat) => chat.endsWith('@lid'));
  return lids.length === 0 ? new Map() : ledger.lids.keysOf(lids);
}

function journalMinutes({ clock }: ReconcileDependencies, { claimedAtMs }: AttemptToReconcile): number {
  const wanted = Math.ceil((clock.nowMs() - claimedAtMs) / 60_000) + JOURNAL_MARGIN_MINUTES;
  return JOURNAL_MINUTES.find((offered) => offered >= wanted) ?? LONGEST_JOURNAL_MINUTES;
}

/** Fetches the messages of receipts with an unknown id: a receipt shows only the id, the journal shows the message. */
async function pointedAt(
  { gateway, ledger }: ReconcileDependencies,
  { chatId, instance }: AttemptToReconcile,
  ids: readonly string[],
  poll: WitnessPoll,
): Promise<Observation[]> {
  const observations: Observation[] = [];
  if (chatId === undefined || ids.length === 0) return observations;
  const forms = await ledger.lids.formsOf(chatId);
  for (const idMessage of ids.slice(0, MOST_PARKED)) {
    // The journal may have the message under another form of the recipient's id than the one that was posted to.
    for (const chat of forms) {
      const read = () => gateway.call(instance, 'getMessage', { chatId: chat, idMessage });
      const message = await poll.request('getMessage', read);
      if (message === undefined) continue;
      observations.push(journalObservation('getMessage', message.response));
      break;
    }
  }
  return observations;
}

/**
 * Fetches the original of a forward if a copy may be ours. Journals and notifications show only the copy, and only the
 * gateway has the original.
 */
async function copyToFind(
  { gateway }: ReconcileDependencies,
  { chatId, instance, content }: AttemptToReconcile,
  unaccounted: readonly Observation[],
  poll: WitnessPoll,
): Promise<ComparableMessage | undefined> {
  if (content.kind !== 'forward' || chatId === undefined) return undefined;
  const [idMessage] = content.messages;
  const isSeen = unaccounted.some(
    ({ comparable }) => comparable?.kind === 'forward' && isPossiblyInChat(chatId, comparable.chat),
  );
  if (idMessage === undefined || !isSeen) return undefined;
  const original = await poll.request('getMessage', () =>
    gateway.call(instance, 'getMessage', { chatId: content.chatIdFrom, idMessage }),
  );
  return original && comparableCopy(chatId, original.response);
}

async function notificationsOf(
  { ledger, gateway }: ReconcileDependencies,
  base: Pick<DecisionInput, 'attempt' | 'nowMs' | 'readings' | 'longestListing'> & { readonly retryIntervalMs: number },
  inDoubt: AttemptToReconcile,
  known: { readonly leftAuthorized: boolean; readonly hasUnexplainedReceipts: boolean },
  poll: WitnessPoll,
): Promise<NotificationHistory> {
  const { instance } = inDoubt;
  const { nowMs, longestListing, retryIntervalMs } = base;
  const completeReading = base.readings.findLast(
    ({ items, endedAtMs }) =>
      (items.length === 0 || items.length < longestListing) && endedAtMs + 2 * retryIntervalMs <= nowMs,
  );
  const about = { decidableFromMs: decidableFrom(base.attempt), nowMs, ...present({ completeReading }) };
  const state = await poll.request('getStateInstance', () => gateway.call(instance, 'getStateInstance', {}));
  const settings = await poll.request('getSettings', () => gateway.call(instance, 'getSettings', {}));
  // Read last, so that it includes notifications that arrived while the gateway was polled.
  const history = await ledger.observations.history(inDoubt, about);
  return {
    ...history,
    hasUnexplained: history.hasUnexplained || known.hasUnexplainedReceipts,
    isOn: settings?.response.outgoingAPIMessageWebhook === 'yes',
    wasAlwaysAuthorized: isSendingState(state?.response.stateInstance ?? '') && !known.leftAuthorized,
  };
}
