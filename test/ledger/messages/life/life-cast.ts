/** Messages in every state, and what a fact changes in each of them, as lines of text. */
import { type Kysely, sql } from 'kysely';
import { beforeAll } from 'vitest';
import {
  type AttemptOutcome,
  MESSAGE_STATES,
  type MessageId,
  type MessageState,
} from '../../../../src/contract/index.js';
import type { AttemptToReconcile, Ledger, ReadRecipient, Receipt, Resolution } from '../../../../src/ledger/index.js';
import type { Schema } from '../../../../src/ledger/storage/schema.js';
import { aDatabase } from '../../../support/ledger/ledger.js';
import { claimDue, shiftOf } from '../../../support/shift.js';
import { CampaignCast, DAY } from '../../campaigns/campaign-life-cast.js';
import { Cast, MINUTE, NOW, SECOND } from '../../cast.js';

const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;
const SECOND_STATES = ['sent', 'delivered', 'read', 'failed', 'no_account'] as const;

/** A message in a state, with what facts about it need. */
export interface Subject {
  readonly id: MessageId;
  readonly chatId: string;
  readonly token?: string | undefined;
  readonly idMessage?: string | undefined;
  /** As it was while the message was unknown. */
  readonly attempt?: AttemptToReconcile | undefined;
}

type Status = Extract<Receipt, { kind: 'status' }>['status'];
type Database = Awaited<ReturnType<typeof aDatabase>>;

/** One database for all tests of a file; each call of the returned function gives a cast of its own. */
export function useLifeCast(): () => LifeCast {
  let database: Database;
  beforeAll(async () => {
    database = await aDatabase();
    return () => database.close();
  });
  return () => new LifeCast(database.ledger, database.db);
}

/** A recipient is held out only when it is written, and changes like a cancelled one. */
const STATES = MESSAGE_STATES.filter((state) => state !== 'held_out');

export class LifeCast extends Cast {
  readonly #db: Kysely<Schema>;

  constructor(ledger: Ledger, db: Kysely<Schema>) {
    super(ledger);
    this.#db = db;
  }

  shift(attempt = 1) {
    return shiftOf(this.instance, attempt);
  }

  /** One line for each state: what the fact changed. */
  async pageOf(
    name: string,
    fact: (c: LifeCast, subject: Subject) => unknown,
    { withEdit = false } = {},
  ): Promise<string> {
    const lines: string[] = [`== ${name}`];
    const states = withEdit ? (['sending', 'unknown', 'unresolved'] as const) : STATES;
    for (const state of states) {
      const c = new LifeCast(this.ledger, this.#db);
      const subject = await c.in(state);
      if (withEdit) await c.edit(subject.id, 'edited', `edt_${subject.id.slice(4)}` as never);
      lines.push(...(await changes(state, c.#db, [subject.id], () => fact(c, subject))));
    }
    return `${lines.join('\n')}\n`;
  }

  async pageOfCampaign(name: string, command: (c: RecipientsCast) => Promise<unknown>): Promise<string> {
    const c = new RecipientsCast(this.ledger);
    const ids = await c.inEachState();
    const lines: string[] = [`== ${name}`];
    const before = await Promise.all(ids.map((id) => picture(this.#db, id)));
    const result = await outcomeOf(() => command(c));
    for (const [at, id] of ids.entries()) {
      const state = before[at]?.get('state') ?? '';
      lines.push(...linesOf(state, result, before[at]!, await picture(this.#db, id)));
    }
    return `${lines.join('\n')}\n`;
  }

  /** A new message in this state. */
  async in(state: MessageState): Promise<Subject> {
    const chatId = '15550001111@c.us';
    const id = await this.pending({ run: 'started', expiresAtMs: NOW + DAY, chatId, text: `text ${this.instance}` });
    if (state === 'pending') return { id, chatId };
    if (state === 'cancelled') await this.ledger.messages.cancel(id, 'operator', NOW);
    else if (state === 'suppressed') {
      await this.ledger.suppressions.add({ chatId, instance: this.instance, scope: 'all', nowMs: NOW });
    } else if (state === 'expired') await this.ledger.messages.expire(id, NOW + DAY);
    else return this.#posted(id, chatId, state);
    return { id, chatId };
  }

  async #posted(id: MessageId, chatId: string, state: MessageState): Promise<Subject> {
    const { token } = await this.claimed(id);
    if (state === 'sending') return { id, chatId, token };
    if (state === 'rejected') await this.record(token, REFUSED);
    else if (state === 'unknown' || state === 'unresolved') {
      await this.record(token, LOST);
      const attempt = (await this.ledger.reconciling.attempt(id))!;
      if (state === 'unresolved') await this.ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
      return { id, chatId, token, attempt };
    } else {
      await this.accept(token, 'A1');
      const status = SECOND_STATES.find((one) => one === state);
      if (status !== undefined) await this.receive('A1', status, { atMs: NOW + SECOND, nowMs: NOW + SECOND });
      return { id, chatId, token, idMessage: 'A1' };
    }
    return { id, chatId, token };
  }

  async recordIf(token: string | undefined, outcome: Record<string, unknown>, nowMs: number): Promise<void> {
    const full = (outcome['kind'] === 'accepted' ? { httpStatus: 200, ...outcome } : outcome) as AttemptOutcome;
    if (token !== undefined) await this.record(token, full, nowMs);
  }

  async receiveIf(idMessage: string | undefined, status: Status, nowMs: number): Promise<void> {
    if (idMessage !== undefined) await this.receive(idMessage, status, { atMs: nowMs - SECOND, nowMs });
  }

  async receiveTogether(idMessage: string | undefined, status: Status, nowMs: number): Promise<void> {
    if (idMessage === undefined) return;
    const receipt = { kind: 'status', idMessage, status, atMs: nowMs - SECOND } as const;
    const { id } = await this.ledger.receipts.store(this.instance, { ...receipt }, nowMs);
    await this.ledger.receipts.applyTogether([{ id, instance: this.instance, receipt }], nowMs);
  }

  resolve(id: MessageId, resolution: Omit<Resolution, 'witness'>, nowMs: number): Promise<unknown> {
    return this.ledger.reconciling.resolve(id, { ...resolution, witness: 'operator' }, nowMs);
  }

  /** The gateway's queue is cleared; a reading before it may have listed the message behind two others. */
  async clearQueue(idMessage: string | undefined, nowMs: number): Promise<void> {
    const { instance, ledger } = this;
    const { operations, queueClears } = ledger;
    const id = `op-${instance}`;
    const order = { method: 'clearMessagesQueue', requestHash: 'h', request: {}, nowMs };
    await operations.open({ id, instance, ...order });
    await queueClears.stopPosts(id, instance, nowMs + MINUTE);
    const before = { begunAtMs: nowMs, items: [['x'], ['y'], [idMessage ?? 'z']] };
    const isListed = idMessage !== undefined;
    const request = { id, instance, untilMs: nowMs + MINUTE, ...(isListed ? { before } : {}) };
    if (!(await queueClears.begin(request, nowMs))) return;
    const end = { state: 'done', result: { isCleared: true } } as const;
    const after = { begunAtMs: nowMs + SECOND, items: [] };
    await queueClears.settle({ id, end, clearedByMs: nowMs, ...(isListed ? { after } : {}) }, nowMs);
  }

  async settleRemoved(nowMs: number): Promise<void> {
    await this.ledger.dispatch.endShift(this.shift(), nowMs);
    const { rows } = await sql<{ instance: string }>`select distinct instance from messages`.execute(this.#db);
    const others = rows.flatMap(({ instance }) => (instance === this.instance ? [] : [instance]));
    await this.ledger.reconciling.settleRemoved(others, 100, nowMs);
  }
}

/** The states before the first POST has an outcome come last, since recipients are claimed in the order of their lines. */
const UNPOSTED = ['cancelled', 'expired', 'suppressed', 'pending'] as const;
const POSTED = STATES.filter((state) => !UNPOSTED.some((one) => one === state));

/** A running campaign with a recipient in each state. */
export class RecipientsCast extends CampaignCast {
  shift(attempt = 1) {
    return shiftOf(this.instance, attempt);
  }

  async inEachState(): Promise<readonly MessageId[]> {
    // The last recipient keeps the campaign open in every test.
    await this.running(STATES.length + 1, { deadline: new Date(NOW + DAY).toISOString() });
    await this.claim(0);
    const compose = ({ values }: ReadRecipient) => ({
      content: { kind: 'text', text: `Hello ${String(values['name'])}` } as const,
    });
    await this.ledger.dispatch.readAhead(this.id, { limit: 100, compose, nowMs: NOW });
    const ids = (await this.report()).map(({ messageId }) => messageId);
    for (const [at, state] of UNPOSTED.entries()) await this.#end(ids[POSTED.length + at]!, state);
    const claimed = await claimDue(this.ledger.dispatch, this.shift(), NOW, { free: POSTED.length });
    for (const [at, { messageId, token }] of claimed.entries()) await this.#post(messageId, token, POSTED[at]!);
    return ids;
  }

  async #end(id: MessageId, state: (typeof UNPOSTED)[number]): Promise<void> {
    const { ledger, instance } = this;
    if (state === 'cancelled') await ledger.messages.cancel(id, 'operator', NOW);
    if (state === 'expired') await ledger.messages.expire(id, NOW + DAY);
    if (state !== 'suppressed') return;
    const { chatId } = (await ledger.views.message(id, NOW))!;
    await ledger.suppressions.add({ chatId: chatId!, instance, scope: 'all', nowMs: NOW });
  }

  async #post(id: MessageId, token: string, state: MessageState): Promise<void> {
    const { ledger, instance } = this;
    if (state === 'sending') return;
    if (state === 'rejected') return ledger.dispatch.recordOutcomes([{ token, outcome: REFUSED, atMs: NOW }]);
    if (state === 'unknown' || state === 'unresolved') {
      await ledger.dispatch.recordOutcomes([{ token, outcome: LOST, atMs: NOW }]);
      if (state === 'unresolved') await this.markUnresolved(id);
      return;
    }
    await ledger.dispatch.recordOutcomes([
      { token, outcome: { kind: 'accepted', idMessage: `G-${id}`, httpStatus: 200 }, atMs: NOW },
    ]);
    const status = SECOND_STATES.find((one) => one === state);
    if (status === undefined) return;
    await ledger.receipts.apply(instance, { kind: 'status', idMessage: `G-${id}`, status, atMs: NOW }, NOW);
  }
}

type Picture = ReadonlyMap<string, string>;

async function changes(
  state: string,
  db: Kysely<Schema>,
  ids: readonly MessageId[],
  fact: () => unknown,
): Promise<string[]> {
  const before = await Promise.all(ids.map((id) => picture(db, id)));
  const result = await outcomeOf(fact);
  const after = await Promise.all(ids.map((id) => picture(db, id)));
  return ids.flatMap((_, at) => linesOf(state, result, before[at]!, after[at]!));
}

async function outcomeOf(fact: () => unknown): Promise<string> {
  try {
    await fact();
    return '';
  } catch (error) {
    return ` ! ${String((error as { code?: unknown }).code)}`;
  }
}

function linesOf(state: string, result: string, before: Picture, after: Picture): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  const parts = keys.toSorted().map((key) => `     ${key}: ${before.get(key) ?? '-'} → ${after.get(key) ?? '-'}`);
  return [`${state}${result}`, ...parts];
}

const ROW_COLUMNS = [
  'state',
  'version',
  'reason',
  'reason_text',
  'attempt_token',
  'id_message',
  'cancel_requested_at',
  'accepted_at',
  'sent_at',
  'sent_seen_at',
  'delivered_at',
  'delivered_seen_at',
  'read_at',
  'read_seen_at',
  'ended_at',
  'expires_at',
  'due_at',
  'content_version',
  'content',
] as const;

/** All that the ledger has about a message, without the fact's own names. */
async function picture(db: Kysely<Schema>, id: MessageId): Promise<Picture> {
  const row = await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const attempts = await db.selectFrom('attempts').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  const named = (text: unknown): string =>
    plain(
      text,
      attempts.map(({ token }) => token),
      id,
    );
  const seen = new Map<string, string>();
  for (const column of ROW_COLUMNS) seen.set(column, named(row[column]));
  for (const [at, { outcome, code, id_message, retry_at, identical_hash }] of attempts.entries()) {
    const facts = { outcome, code, id_message, retry_at, isInFlight: identical_hash !== null };
    seen.set(`attempt ${at + 1}`, named(facts));
  }
  const evidence = await db.selectFrom('evidence').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  for (const [at, { what, witness, detail, at: time }] of evidence.entries()) {
    seen.set(`evidence ${String(at + 1).padStart(2, '0')}`, named({ what, witness, at: time, detail }));
  }
  const edits = await db.selectFrom('edits').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  for (const [at, { state, via, reason, ended_at }] of edits.entries()) {
    seen.set(`edit ${at + 1}`, named({ state, via, reason, ended_at }));
  }
  const due = await db.selectFrom('due_messages').selectAll().where('message_id', '=', id).execute();
  for (const { due_at, behind, expires_at } of due) seen.set('due row', named({ due_at, behind, expires_at }));
  const ids = await db
    .selectFrom('message_ids')
    .selectAll()
    .where('message_id', '=', id)
    .orderBy('id_message')
    .execute();
  seen.set('ids', named(ids.map(({ id_message, role }) => `${role} ${id_message}`)));
  return seen;
}

/** Times as a distance from {@link NOW}, tokens and ids by their place. */
function plain(value: unknown, tokens: readonly string[], id: string): string {
  let text = value instanceof Date ? JSON.stringify(value) : (JSON.stringify(value) ?? 'null');
  for (const [at, token] of tokens.entries()) text = text.replaceAll(token, `ATTEMPT-${at + 1}`);
  return text
    .replaceAll(id, 'MESSAGE')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, (time) => since(Date.parse(time.slice(1, -1))))
    .replaceAll(/edt_\w+/g, 'EDIT')
    .replaceAll(/sup_\w+/g, 'ENTRY')
    .replaceAll(/i-[0-9a-f]{8}/g, 'INSTANCE')
    .replaceAll(/c-[0-9a-f-]{36}/g, 'CAMPAIGN');
}

function since(ms: number): string {
  if (Math.abs(ms - NOW) > 10 * DAY) return 'SOME TIME';
  const minutes = (ms - NOW) / MINUTE;
  return `+${Number.isInteger(minutes) ? minutes : minutes.toFixed(3)}min`;
}
