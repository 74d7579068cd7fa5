/**
 * Finds out what became of a POST whose response is missing, and writes the decision with its evidence.
 *
 *   unknown ─┬ an id of ours is seen ─▶ accepted
 *            ├ the queue shows that ours never entered it ─▶ pending
 *            ├ nothing decides, and nothing more can be expected of asking, or an hour is over ─▶ unresolved
 *            └ nothing decides yet ─▶ asked again
 *
 * The witnesses, in this order: the queue and stored notifications; where these do not decide, the journal, and the
 * messages behind receipts without an explanation. Whether an instance has a journal shows when it is asked; one
 * without says nothing.
 */
import { AppError, LONGEST_UNKNOWN_MS, type MessageId, type MessageSnapshot } from '../../contract/index.js';
import type { OpenQuestion } from '../../ledger/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import {
  decide,
  type AccountedId,
  type Decision,
  type Presumption,
  type Question,
  type QueueReading,
} from './decide.js';
import { WitnessPoll } from './witness-poll.js';
import { comparableCopy, journalObservation, noticeObservation } from './message-observation.js';
import { queueObservation } from './queue-observation.js';
import { comparableChat, type ComparableMessage, type Observation } from './sameness.js';
import { SharedReadings } from './shared-readings.js';

type ReconcileDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'times'>;

/** A journal is asked for a little more than the time since the claim: its clock is the gateway's. */
const JOURNAL_MARGIN_MINUTES = 5;
/**
 * How far back a journal is asked: few different times, so that rows can share a reading. Its documented default is the
 * longest.
 */
const JOURNAL_MINUTES = [15, 120, 1440] as const;

interface Readings {
  readonly queue: SharedReadings<QueueReading>;
  readonly journal: SharedReadings<Observation[]>;
}

/**
 * @returns an activity: what the row says once the decision is written, or at once when nothing is open. A row that is
 *   unresolved is looked at once and returned as it then is.
 * The activity throws AppError MESSAGE_OUTCOME_UNKNOWN, with the time of the next poll, while the row stays unknown
 */
export function reconcileActivity(deps: ReconcileDependencies) {
  const readings: Readings = { queue: new SharedReadings(), journal: new SharedReadings() };
  return async ({ messageId }: { readonly messageId: MessageId }): Promise<MessageSnapshot> => {
    const { ledger } = deps;
    const open = await ledger.reconciling.question(messageId);
    if (open === undefined) return existing(deps, messageId);
    const poll = new WitnessPoll(deps.times.patience?.pollMs);
    const { decision, question } = await ask(deps, readings, open, poll);
    const snapshot = await write(deps, open, decision, { question, unavailable: poll.unavailable });
    if (snapshot.state !== 'unknown') return snapshot;
    const why = decision.kind === 'undecided' ? decision.why : 'decided_elsewhere';
    const retryAfterMs = decision.kind === 'undecided' ? (decision.askAgainAfterMs ?? 0) : 0;
    throw new AppError(
      'MESSAGE_OUTCOME_UNKNOWN',
      `The outcome of message ${messageId} is not known yet (${why}). Its witnesses are asked again, until ${untilOf(open)} at the latest.`,
      { retryAfterMs },
    );
  };
}

function untilOf({ reconcileAfterMs }: OpenQuestion): string {
  return new Date(reconcileAfterMs + LONGEST_UNKNOWN_MS).toISOString();
}

async function existing({ ledger }: ReconcileDependencies, messageId: MessageId): Promise<MessageSnapshot> {
  const snapshot = await ledger.messages.snapshot(messageId);
  if (snapshot === undefined) throw new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} is not in the ledger.`);
  return snapshot;
}

async function ask(
  deps: ReconcileDependencies,
  readings: Readings,
  open: OpenQuestion,
  poll: WitnessPoll,
): Promise<{ decision: Decision; question: Question }> {
  const { ledger, clock } = deps;
  const queue = await poll.ask('showMessagesQueue', () =>
    readings.queue.read(open.instance, () => readQueue(deps, open.instance)),
  );
  const notices = (await ledger.reconciling.observations(open))
    .map(noticeObservation)
    .filter((one) => one !== undefined);
  const { restarted, leftAuthorized } = await ledger.reconciling.instanceSince(open);
  const gatewayOffset = await ledger.gatewayClocks.offset(open.instance, clock.nowMs());
  const shared = {
    attempt: open,
    instanceRestarted: restarted,
    queueIsListed: queue.kind !== 'never',
    ...(queue.kind === 'said' ? { reading: queue.what } : {}),
    ...(gatewayOffset === undefined ? {} : { gatewayOffset }),
    ...(deps.times.patience === undefined ? {} : { patience: deps.times.patience }),
  };
  const first: Question = {
    ...shared,
    nowMs: clock.nowMs(),
    observations: notices,
    accounted: await accountedIn(deps, open, [...(shared.reading?.items ?? []), ...notices]),
  };
  const decision = decide(first);
  if (decision.kind !== 'undecided') return { decision, question: first };

  const journal = await poll.ask('lastOutgoingMessages', () => journalObservations(deps, readings, open));
  const pointed = await pointedAt(deps, open, poll);
  const observations = [...notices, ...(journal.kind === 'said' ? journal.what : []), ...pointed.observations];
  const accounted = await accountedIn(deps, open, [...(shared.reading?.items ?? []), ...observations]);
  const forward = await copyToFind(
    deps,
    open,
    observations.filter(({ ids }) => !ids.every((id) => accounted.has(id))),
    poll,
  );
  const second: Question = {
    ...shared,
    nowMs: clock.nowMs(),
    observations,
    isWitnessAway: journal.kind === 'not_now' || pointed.isAway || forward.isAway,
    accounted,
    ...(forward.copy === undefined ? {} : { copy: forward.copy }),
    ...(open.mayResend
      ? { presumption: await presumptionFor(deps, open, { leftAuthorized, unexplained: pointed.unexplained }, poll) }
      : {}),
  };
  return { decision: decide(second), question: second };
}

async function write(
  { ledger, clock }: ReconcileDependencies,
  open: OpenQuestion,
  decision: Decision,
  {
    question: { reading },
    unavailable,
  }: { readonly question: Question; readonly unavailable: WitnessPoll['unavailable'] },
): Promise<MessageSnapshot> {
  const nowMs = clock.nowMs();
  const readAt = reading === undefined ? {} : { readAt: new Date(reading.begunAtMs).toISOString() };
  switch (decision.kind) {
    case 'adopt':
      return ledger.reconciling.adopt(open, decision.idMessage, { witness: decision.witness }, nowMs);
    case 'absent': {
      const detail = { ...readAt, marker: decision.marker, claimSequence: open.claimSequence };
      return ledger.reconciling.makePending(open, 'absent', { witness: 'showMessagesQueue', detail }, nowMs);
    }
    case 'presumed_absent': {
      const detail = { ...readAt, successor: decision.successor };
      return ledger.reconciling.makePending(open, 'presumed_absent', { witness: 'presumed', detail }, nowMs);
    }
    case 'undecided':
      if (decision.askAgainAfterMs === undefined)
        return ledger.reconciling.markUnresolved(open, decision.why, nowMs, unavailable);
      return existing({ ledger } as ReconcileDependencies, open.messageId);
  }
}

/** Read after the witnesses were: what was stored meanwhile is accounted for. */
async function accountedIn(
  { ledger }: ReconcileDependencies,
  { instance }: OpenQuestion,
  observations: readonly Observation[],
): Promise<ReadonlyMap<string, AccountedId>> {
  return ledger.reconciling.accounted(instance, [...new Set(observations.flatMap(({ ids }) => ids))]);
}

async function readQueue({ gateway, clock }: ReconcileDependencies, instance: string): Promise<QueueReading> {
  const begunAtMs = clock.nowMs();
  const { response } = await gateway.call(instance, 'showMessagesQueue', {});
  return { begunAtMs, items: response.map(queueObservation) };
}

async function journalObservations(
  { gateway, clock }: ReconcileDependencies,
  { journal }: Readings,
  { instance, claimedAtMs }: OpenQuestion,
): Promise<Observation[]> {
  const wanted = Math.ceil((clock.nowMs() - claimedAtMs) / 60_000) + JOURNAL_MARGIN_MINUTES;
  const minutes = JOURNAL_MINUTES.find((offered) => offered >= wanted) ?? wanted;
  return journal.read(`${instance} ${minutes}`, async () => {
    const { response } = await gateway.call(instance, 'lastOutgoingMessages', { minutes });
    return response.map((entry) => journalObservation('lastOutgoingMessages', entry)).toReversed();
  });
}

/** A receipt for an id that no message has only points at a message; what it is, the journal says. */
async function pointedAt(
  deps: ReconcileDependencies,
  open: OpenQuestion,
  poll: WitnessPoll,
): Promise<{ observations: Observation[]; unexplained: boolean; isAway: boolean }> {
  const { chatId, instance } = open;
  const ids = await deps.ledger.reconciling.parkedIds(open);
  if (chatId === undefined) return { observations: [], unexplained: ids.length > 0, isAway: false };
  const observations: Observation[] = [];
  let isAway = false;
  for (const idMessage of ids) {
    const message = await poll.ask('getMessage', () =>
      deps.gateway.call(instance, 'getMessage', { chatId, idMessage }),
    );
    if (message.kind === 'said') observations.push(journalObservation('getMessage', message.what.response));
    isAway ||= message.kind === 'not_now';
  }
  return { observations, unexplained: observations.length < ids.length, isAway };
}

/**
 * A forward shows in journals and notifications as a copy of a message that only the gateway can show. It is asked for
 * that message when there is a copy that may be ours.
 */
async function copyToFind(
  { gateway }: ReconcileDependencies,
  { chatId, instance, content }: OpenQuestion,
  unaccounted: readonly Observation[],
  poll: WitnessPoll,
): Promise<{ copy?: ComparableMessage; isAway: boolean }> {
  if (content.kind !== 'forward' || chatId === undefined) return { isAway: false };
  const [idMessage] = content.messages;
  const isSeen = unaccounted.some(
    ({ comparable }) => comparable?.kind === 'forward' && comparable.chatId === comparableChat(chatId),
  );
  if (idMessage === undefined || !isSeen) return { isAway: false };
  const original = await poll.ask('getMessage', () =>
    gateway.call(instance, 'getMessage', { chatId: content.chatIdFrom, idMessage }),
  );
  const copy = original.kind === 'said' ? comparableCopy(chatId, original.what.response) : undefined;
  return { isAway: original.kind === 'not_now', ...(copy === undefined ? {} : { copy }) };
}

async function presumptionFor(
  deps: ReconcileDependencies,
  open: OpenQuestion,
  { leftAuthorized, unexplained }: { readonly leftAuthorized: boolean; readonly unexplained: boolean },
  poll: WitnessPoll,
): Promise<Presumption> {
  const successor = await deps.ledger.reconciling.successor(open);
  const state = await poll.ask('getStateInstance', () => deps.gateway.call(open.instance, 'getStateInstance', {}));
  const isAuthorized = state.kind === 'said' && state.what.response?.stateInstance === 'authorized';
  return {
    authorizedThroughout: isAuthorized && !leftAuthorized,
    unexplainedReceipts: unexplained,
    ...(successor === undefined ? {} : { successor }),
  };
}
