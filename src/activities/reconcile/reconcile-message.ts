/**
 * Finds out what became of a POST whose answer nobody has, and writes the decision with its evidence.
 *
 *   unknown ─┬ an id of ours is seen ─▶ accepted
 *            ├ the queue shows that ours never entered it ─▶ pending
 *            ├ nothing decides, and nothing more can be expected of asking, or an hour is over ─▶ unresolved
 *            └ nothing decides yet ─▶ asked again
 *
 * The witnesses, in this order: the queue and stored notifications; where these do not decide, the journal, and the messages
 * behind receipts that nobody can explain. Whether an instance has a journal shows when it is asked; one without says nothing.
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
import { Look } from './look.js';
import { copyLikeness, journalSighting, noticeSighting } from './message-sighting.js';
import { queueSighting } from './queue-sighting.js';
import { comparableChat, type Likeness, type Sighting } from './sameness.js';
import { SharedReadings } from './shared-readings.js';

type ReconcileDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'times'>;

/** A journal is asked for a little more than the time since the claim: its clock is the gateway's. */
const JOURNAL_MARGIN_MINUTES = 5;
/** How far back a journal is asked: few different times, so that rows can share a reading. Its documented default is the longest. */
const JOURNAL_MINUTES = [15, 120, 1440] as const;

interface Readings {
  readonly queue: SharedReadings<QueueReading>;
  readonly journal: SharedReadings<Sighting[]>;
}

/**
 * @returns an activity: what the row says once the decision is written, or at once when nothing is open. A row that is unresolved
 *   is looked at once and returned as it then is.
 * The activity throws AppError MESSAGE_OUTCOME_UNKNOWN, with the time of the next look, while the row stays unknown
 */
export function reconcileActivity(deps: ReconcileDependencies) {
  const readings: Readings = { queue: new SharedReadings(), journal: new SharedReadings() };
  return async ({ messageId }: { readonly messageId: MessageId }): Promise<MessageSnapshot> => {
    const { ledger } = deps;
    const open = await ledger.reconciling.question(messageId);
    if (open === undefined) return existing(deps, messageId);
    const look = new Look(deps.times.patience?.lookMs);
    const { decision, question } = await ask(deps, readings, open, look);
    const snapshot = await write(deps, open, decision, { question, unavailable: look.unavailable });
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

function untilOf({ judgeAfterMs }: OpenQuestion): string {
  return new Date(judgeAfterMs + LONGEST_UNKNOWN_MS).toISOString();
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
  look: Look,
): Promise<{ decision: Decision; question: Question }> {
  const { ledger, clock } = deps;
  const queue = await look.ask('showMessagesQueue', () =>
    readings.queue.read(open.instance, () => readQueue(deps, open.instance)),
  );
  const notices = (await ledger.reconciling.sightings(open)).map(noticeSighting).filter((one) => one !== undefined);
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
    sightings: notices,
    accounted: await accountedIn(deps, open, [...(shared.reading?.items ?? []), ...notices]),
  };
  const decision = decide(first);
  if (decision.kind !== 'undecided') return { decision, question: first };

  const journal = await look.ask('lastOutgoingMessages', () => journalSightings(deps, readings, open));
  const pointed = await pointedAt(deps, open, look);
  const sightings = [...notices, ...(journal.kind === 'said' ? journal.what : []), ...pointed.sightings];
  const accounted = await accountedIn(deps, open, [...(shared.reading?.items ?? []), ...sightings]);
  const forward = await copyToLookFor(
    deps,
    open,
    sightings.filter(({ ids }) => !ids.every((id) => accounted.has(id))),
    look,
  );
  const second: Question = {
    ...shared,
    nowMs: clock.nowMs(),
    sightings,
    isWitnessAway: journal.kind === 'not_now' || pointed.isAway || forward.isAway,
    accounted,
    ...(forward.copy === undefined ? {} : { copy: forward.copy }),
    ...(open.mayResend
      ? { presumption: await presumptionFor(deps, open, { leftAuthorized, unexplained: pointed.unexplained }, look) }
      : {}),
  };
  return { decision: decide(second), question: second };
}

async function write(
  { ledger, clock }: ReconcileDependencies,
  open: OpenQuestion,
  decision: Decision,
  { question: { reading }, unavailable }: { readonly question: Question; readonly unavailable: Look['unavailable'] },
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
  sightings: readonly Sighting[],
): Promise<ReadonlyMap<string, AccountedId>> {
  return ledger.reconciling.accounted(instance, [...new Set(sightings.flatMap(({ ids }) => ids))]);
}

async function readQueue({ gateway, clock }: ReconcileDependencies, instance: string): Promise<QueueReading> {
  const begunAtMs = clock.nowMs();
  const { answer } = await gateway.call(instance, 'showMessagesQueue', {});
  return { begunAtMs, items: answer.map(queueSighting) };
}

async function journalSightings(
  { gateway, clock }: ReconcileDependencies,
  { journal }: Readings,
  { instance, claimedAtMs }: OpenQuestion,
): Promise<Sighting[]> {
  const wanted = Math.ceil((clock.nowMs() - claimedAtMs) / 60_000) + JOURNAL_MARGIN_MINUTES;
  const minutes = JOURNAL_MINUTES.find((offered) => offered >= wanted) ?? wanted;
  return journal.read(`${instance} ${minutes}`, async () => {
    const { answer } = await gateway.call(instance, 'lastOutgoingMessages', { minutes });
    return answer.map((entry) => journalSighting('lastOutgoingMessages', entry)).toReversed();
  });
}

/** A receipt for an id that nobody has only points at a message; what it is, the journal says. */
async function pointedAt(
  deps: ReconcileDependencies,
  open: OpenQuestion,
  look: Look,
): Promise<{ sightings: Sighting[]; unexplained: boolean; isAway: boolean }> {
  const { chatId, instance } = open;
  const ids = await deps.ledger.reconciling.parkedIds(open);
  if (chatId === undefined) return { sightings: [], unexplained: ids.length > 0, isAway: false };
  const sightings: Sighting[] = [];
  let isAway = false;
  for (const idMessage of ids) {
    const message = await look.ask('getMessage', () =>
      deps.gateway.call(instance, 'getMessage', { chatId, idMessage }),
    );
    if (message.kind === 'said') sightings.push(journalSighting('getMessage', message.what.answer));
    isAway ||= message.kind === 'not_now';
  }
  return { sightings, unexplained: sightings.length < ids.length, isAway };
}

/**
 * A forward shows in journals and notifications as a copy of a message that only the gateway can show. It is asked for that
 * message when there is a copy that may be ours.
 */
async function copyToLookFor(
  { gateway }: ReconcileDependencies,
  { chatId, instance, content }: OpenQuestion,
  unaccounted: readonly Sighting[],
  look: Look,
): Promise<{ copy?: Likeness; isAway: boolean }> {
  if (content.kind !== 'forward' || chatId === undefined) return { isAway: false };
  const [idMessage] = content.messages;
  const isSeen = unaccounted.some(
    ({ likeness }) => likeness?.kind === 'forward' && likeness.chatId === comparableChat(chatId),
  );
  if (idMessage === undefined || !isSeen) return { isAway: false };
  const original = await look.ask('getMessage', () =>
    gateway.call(instance, 'getMessage', { chatId: content.chatIdFrom, idMessage }),
  );
  const copy = original.kind === 'said' ? copyLikeness(chatId, original.what.answer) : undefined;
  return { isAway: original.kind === 'not_now', ...(copy === undefined ? {} : { copy }) };
}

async function presumptionFor(
  deps: ReconcileDependencies,
  open: OpenQuestion,
  { leftAuthorized, unexplained }: { readonly leftAuthorized: boolean; readonly unexplained: boolean },
  look: Look,
): Promise<Presumption> {
  const successor = await deps.ledger.reconciling.successor(open);
  const state = await look.ask('getStateInstance', () => deps.gateway.call(open.instance, 'getStateInstance', {}));
  const isAuthorized = state.kind === 'said' && state.what.answer?.stateInstance === 'authorized';
  return {
    authorizedThroughout: isAuthorized && !leftAuthorized,
    unexplainedReceipts: unexplained,
    ...(successor === undefined ? {} : { successor }),
  };
}
