/**
 * What is always so.
 *
 * Always 1 The gateway accepts no message twice, also after the ledger was restored from an older copy.
 * Always 2 Each accepted request has one row in one state.
 * Always 3 What the ledger says is accepted or on the phone is there, in the same chat with the same text.
 * Always 4 What is on the phone has a row that says so, or is in doubt, unless it was requested in the time that a restored
 *    ledger does not know.
 * Always 5 A message that is due, and that nothing blocks, is posted within 15 s.
 * Always 6 A message in flight or in doubt is decided in its documented time.
 * Always 7 No work repeats faster than its documented rate.
 * Always 8 No witness is asked about a time of which it can show nothing any more.
 * Always 9 What the ledger cannot write is answered as unavailable.
 * Always 10 No message is posted or expires before its time, whatever a worker's clock says.
 * Always 11 A message whose queue was cleared is not accepted any more, and none is cancelled by that which was sent.
 * Always 12 What the ledger says was edited shows its text.
 * Always 13 An edit ends in its documented time.
 * Always 14 A queue is not filled above the high water mark of a message's class, also when it is refilled (SHIFT-4).
 * Always 15 A message that names a template is posted only while the ledger knows it as approved, and ends soon after it
 *    was rejected.
 */
import { DEFAULT_HIGH_WATER } from '../../../src/contract/index.js';
import { campaignFindings } from './campaigns/invariants.js';
import { campaignOf } from './campaigns/reference.js';
import { serves } from './command.js';
import type { Item } from './gateway-items.js';
import { groupOf, type Asked, type Finding, type Reference } from './reference.js';
import { scheduleFindings } from './schedules/invariants.js';
import type { World } from './world.js';

type Row = Awaited<ReturnType<World['copies']['messages']>>[number];

const IN_DOUBT = new Set(['sending', 'unknown', 'unresolved']);
const ACCEPTED = new Set(['accepted', 'sent', 'delivered', 'read']);
const ON_PHONE = new Set(['sent', 'delivered', 'read']);
/** Less the largest error of a worker's clock. */
const SEND_AT_MS = 60 * 60_000 - 6_000;
/** By default. */
const LIFE_MS = 24 * 60 * 60_000;
const WAITS_AT_MOST_MS = 15_000;

/** @returns what is not so now */
export async function findings(world: World, reference: Reference): Promise<Finding[]> {
  const rows = await world.copies.messages();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found: Finding[] = [];
  const say = (rule: string, text: string): void => void found.push({ rule, text });
  const groups = new Map<string, { wanted: number; rows: Row[] }>();
  const ids = new Map<string, string>();

  for (const asked of reference.asked) {
    const row = byId.get(asked.id);
    if (row === undefined) {
      say('Always 2', `${asked.stem} has no row`);
      continue;
    }
    const like = groups.get(groupOf(asked)) ?? { wanted: 0, rows: [] };
    groups.set(groupOf(asked), like);
    like.wanted += 1;
    like.rows.push(row);
    if (row.state === 'expired' && world.clock.nowMs() < asked.atMs + LIFE_MS - 5_000) {
      say('Always 10', `${asked.stem} expired ${world.clock.nowMs() - asked.atMs} ms after its request`);
    }
    found.push(...ofCleared(world, reference, asked, row));
    if (!ACCEPTED.has(row.state) || row.id_message === null) continue;
    const other = ids.get(row.id_message);
    if (other !== undefined) say('Always 3', `${asked.stem} and ${other} have one id`);
    ids.set(row.id_message, asked.stem);
    const item = world.gateway.account(asked.instance).items.find(({ idMessage }) => idMessage === row.id_message);
    if (item === undefined) say('Always 3', `${asked.stem} is ${row.state}, and the gateway never accepted it`);
    else if (asked.isLater && item.acceptedAtMs < asked.atMs + SEND_AT_MS) {
      say('Always 10', `${asked.stem} was posted before its time`);
    } else if (item.chatId !== asked.chatId || (item.text !== row.text && !asked.isErased)) {
      say('Always 3', `${asked.stem} is ${row.state} as "${row.text}", and the phone has "${item.text}"`);
    } else if (ON_PHONE.has(row.state) && item.sentAtMs === undefined) {
      say('Always 3', `${asked.stem} is ${row.state}, and it is not on the phone`);
    }
  }

  for (const instance of world.gateway.names()) {
    const items = new Map<string, Item[]>();
    for (const item of world.gateway.account(instance).items) {
      if (campaignOf(item.text) !== undefined) continue;
      const group = groupOf({ instance, chatId: item.chatId, stem: item.text.split(' ')[0]! });
      items.set(group, [...(items.get(group) ?? []), item]);
    }
    for (const [group, like] of items) {
      const { wanted: known = 0, rows: own = [] } = groups.get(group) ?? {};
      const forgotten = reference.forgotten.filter((one) => groupOf(one) === group).length;
      const wanted = known + forgotten;
      // An operator may send one again that was cleared.
      const asked = [...reference.asked, ...reference.forgotten];
      const isAgain = asked.some(({ isResolved, ...one }) => isResolved && groupOf(one) === group);
      const posted = isAgain ? like.filter(({ clearedAtMs }) => clearedAtMs === undefined) : like;
      if (posted.length > wanted) say('Always 1', `${group}: ${posted.length} accepted for ${wanted} messages`);
      const unowned = like.filter(
        ({ idMessage, clearedAtMs }) => clearedAtMs === undefined && !ids.has(idMessage),
      ).length;
      const doubtful = own.filter(
        ({ id, state, reason }) =>
          IN_DOUBT.has(state) ||
          reason === 'resolved_by_operator' ||
          (state === 'pending' && reference.restored.has(id)),
      ).length;
      if (unowned > doubtful + forgotten) {
        say('Always 4', `${group}: ${unowned} accepted, and the rows say ${own.map(({ state }) => state).join()}`);
      }
    }
  }
  found.push(
    ...stalls(world, reference, rows),
    ...overfilled(world, reference),
    ...ofTemplates(world, reference, rows),
    ...(await ofEdits(world, reference)),
    ...(await campaignFindings(world, reference)),
    ...(await scheduleFindings(world, reference)),
    ...world.paces.findings(),
  );
  return found;
}

/** After its window, and if nothing confirms it after one more hour. */
const EDIT_ENDS_WITHIN_MS = 60_000;
const CONFIRMED_WITHIN_MS = 60 * 60_000;

/** Always 12 and Always 13. A restored copy does not know what was edited since. */
async function ofEdits(world: World, reference: Reference): Promise<Finding[]> {
  const found: Finding[] = [];
  const isCalm = serves(reference) && world.clock.nowMs() - reference.calmFromMs > EDIT_ENDS_WITHIN_MS;
  const byId = new Map(reference.asked.map((asked) => [asked.id as string, asked]));
  for (const edit of await world.copies.edits()) {
    const asked = byId.get(edit.message_id);
    if (asked === undefined || asked.isErased) continue;
    const item = world.gateway.account(asked.instance).items.find(({ idMessage }) => idMessage === edit.id_message);
    if (edit.state === 'edited' && edit.is_settled && reference.lost.length === 0 && item?.edited !== edit.text) {
      found.push({ rule: 'Always 12', text: `${asked.stem} is edited as "${edit.text}", and shows "${item?.edited}"` });
    }
    const endsMs = (edit.closes_ms ?? Infinity) + (edit.is_posted ? CONFIRMED_WITHIN_MS : 0);
    const isOpen = edit.is_posted || edit.state === 'pending';
    if (isCalm && isOpen && world.nowMs > endsMs + EDIT_ENDS_WITHIN_MS) {
      found.push({ rule: 'Always 13', text: `an edit of ${asked.stem} is still ${edit.state}` });
    }
  }
  return found;
}

/** Always 11. The effect of an operation is recorded before it ends; a restored copy does not know the operation. */
function* ofCleared(world: World, reference: Reference, { instance, stem }: Asked, row: Row): Generator<Finding> {
  const item = world.gateway.account(instance).items.find(({ idMessage }) => idMessage === row.id_message);
  if (item === undefined) return;
  const { clearedAtMs, sentAtMs } = item;
  const isKnown = (atMs: number): boolean =>
    (world.temporal.ordered.get(instance) ?? 0) === 0 &&
    !reference.lost.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
  if (row.state === 'accepted' && row.reason === null && clearedAtMs !== undefined && isKnown(clearedAtMs)) {
    yield { rule: 'Always 11', text: `${stem} is accepted, and its queue was cleared at ${clearedAtMs}` };
  }
  if (row.state === 'cancelled' && row.reason === 'QUEUE_CLEARED' && sentAtMs !== undefined) {
    yield { rule: 'Always 11', text: `${stem} is cancelled, and it is on the phone` };
  }
}

/** The longest pause of an instance after a failure (CAUTION-2, CAUTION-5). */
const CAUTION_MS = 15_000;
/** Posting deadline, timeout and settle time, and a shift that begins. */
const SENDING_AT_MOST_MS = 45_000;
/** Until another worker serves what a dead one served. */
const TAKEN_OVER_MS = 20_000;
/** The longest poll of the witnesses, and the pause between two. */
const UNKNOWN_AT_MOST_MS = 180_000;

/** Since then nothing has delayed anything. */
function calmSince({ gateway, temporal, diedAtMs }: World, { calmFromMs }: Reference): number {
  return Math.max(calmFromMs, gateway.failedAtMs + CAUTION_MS, temporal.orderEndedAtMs, diedAtMs + TAKEN_OVER_MS);
}

/** Until a reading has corrected what was estimated meanwhile. */
const READ_AGAIN_MS = 30_000;

/** Always 14 */
function* overfilled(world: World, reference: Reference): Generator<Finding> {
  const fromMs = calmSince(world, reference) + READ_AGAIN_MS;
  for (const instance of world.gateway.names()) {
    const { items } = world.gateway.account(instance);
    const classes = new Map(reference.asked.map((asked) => [groupOf(asked), asked.isUrgent]));
    for (const { chatId, text, acceptedAtMs, place } of items) {
      const isUrgent = classes.get(groupOf({ instance, chatId, stem: text.split(' ')[0]! }));
      // A lower class may exceed its mark by one, in the turn of a higher one.
      const mark = isUrgent === false ? DEFAULT_HIGH_WATER.normal + 1 : DEFAULT_HIGH_WATER.urgent;
      if (acceptedAtMs <= fromMs || place <= mark) continue;
      yield { rule: 'Always 14', text: `${text} was accepted as item ${place} of a queue with the mark ${mark}` };
    }
  }
}

/** From the claim until the request has left. */
const LEAVES_WITHIN_MS = 6_000;
/** A sweep ends what came beside the verdict. */
const REJECTED_WITHIN_MS = 15_000;

/** Always 15. A restored copy does not know the verdicts since. */
function* ofTemplates(world: World, reference: Reference, rows: readonly Row[]): Generator<Finding> {
  if (reference.lost.length > 0) return;
  for (const { atMs, posted } of world.gateway.requests) {
    if (posted?.template === undefined) continue;
    const told = reference.verdicts.filter((one) => one.template === posted.template && one.atMs <= atMs);
    const last = told.at(-1);
    const before = told.findLast((one) => one.atMs <= atMs - LEAVES_WITHIN_MS);
    const isApproved = [last, before].some((one) => one?.status === 'APPROVED');
    if (!isApproved)
      yield { rule: 'Always 15', text: `${posted.text} was posted, and its template is ${last?.status}` };
  }
  if (!serves(reference)) return;
  for (const { id, state, verdict, verdict_ms: verdictMs } of rows) {
    const sinceMs = Math.max((verdictMs ?? 0) - world.nowMs + world.clock.nowMs(), calmSince(world, reference));
    if (state !== 'pending' || verdict !== 'REJECTED' || world.clock.nowMs() - sinceMs < REJECTED_WITHIN_MS) continue;
    yield { rule: 'Always 15', text: `${id} waits for a template that was rejected` };
  }
}

/** Always 5 and Always 6. */
function* stalls(world: World, reference: Reference, rows: readonly Row[]): Generator<Finding> {
  if (!serves(reference) || reference.isTemporalAway) return;
  const nowMs = world.clock.nowMs();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const calmFromMs = calmSince(world, reference);
  const chats = new Map(reference.asked.map(({ id, chatId }) => [id as string, chatId]));
  const waitedMs = (since: number | null): number =>
    since === null ? 0 : nowMs - Math.max(calmFromMs, since - world.nowMs + nowMs);
  for (const { id, stem, instance, chatId, isUrgent } of reference.asked) {
    const row = byId.get(id);
    const account = world.gateway.account(instance);
    if (row === undefined) continue;
    if (row.state === 'sending' && waitedMs(row.claimed_ms) > SENDING_AT_MOST_MS) {
      yield { rule: 'Always 6', text: `${stem} is sending since ${waitedMs(row.claimed_ms)} ms` };
    }
    // Nothing is posted while the queue is cleared.
    if (account.state !== 'authorized' || (world.temporal.ordered.get(instance) ?? 0) > 0) continue;
    if (row.state === 'unknown' && waitedMs(row.claimed_ms) > UNKNOWN_AT_MOST_MS) {
      yield { rule: 'Always 6', text: `${stem} is unknown since ${waitedMs(row.claimed_ms)} ms` };
    }
    if (row.state !== 'pending' || reference.paused.has(instance) || !world.file.has(instance)) continue;
    if (reference.closed.has(instance) && !isUrgent) continue;
    if (row.verdict !== null && row.verdict !== 'APPROVED') continue;
    const isChatBusy = rows.some((other) => other.state === 'sending' && chats.get(other.id) === chatId);
    if (isChatBusy || chatId === world.gateway.slowChat) continue;
    const behind = row.behind === null ? undefined : byId.get(row.behind);
    if (behind !== undefined && IN_DOUBT.has(behind.state)) continue;
    const roomMs = nowMs - account.fullAtMs;
    const approvedMs = row.verdict_ms === null ? Infinity : waitedMs(row.verdict_ms);
    const ms = Math.min(behind === undefined ? waitedMs(row.due_ms) : nowMs - calmFromMs, roomMs, approvedMs);
    if (ms > WAITS_AT_MOST_MS) {
      const why = behind === undefined ? 'nothing' : `${behind.id}, which is ${behind.state}`;
      yield { rule: 'Always 5', text: `${stem} is due since ${ms} ms and waits for ${why}` };
    }
  }
}
