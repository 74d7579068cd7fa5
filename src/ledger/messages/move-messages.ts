/**
 * The one writer of messages: applies a fact of `domain/message` to all messages of a query, by comparing their states.
 *
 * WRITER-1 One statement, and nothing is read before it: it locks the messages in the order of their ids, moves those
 *    whose state the fact changes, gives them a version, and records the evidence.
 * WRITER-2 A message that ends without a recipient ends its waiting edits with it.
 * WRITER-3 Locks are taken in one order: dispatcher, campaigns, messages, attempts, ids.
 */
import { type RawBuilder, sql } from 'kysely';
import { type MessageId, type MessageState, statesIn } from '../../contract/index.js';
import { type Change, changesBy, type Fact, LIFE, type LifeColumn } from '../../domain/index.js';
import { jsonText } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { literalList, stateList } from './message-state.js';

/** A query of messages `m`. */
export interface Which {
  readonly where: RawBuilder<unknown>;
  /** Joined with the message. */
  readonly join?: RawBuilder<unknown>;
  /** Columns of the join that values and evidence refer to, as those of `c`. */
  readonly columns?: RawBuilder<unknown>;
  /** @default the id */
  readonly orderBy?: RawBuilder<unknown>;
  readonly limit?: number;
  /** Whether messages that other transactions have locked are left out. @default it waits for them */
  readonly skipsLocked?: boolean;
}

export function oneMessage(id: MessageId): Which {
  return { where: sql`m.id = ${id}` };
}

export function messagesIn(ids: readonly string[]): Which {
  return { where: sql`m.id = any(${ids}::text[])` };
}

type Cells<F extends Fact> = (typeof LIFE)[F][keyof (typeof LIFE)[F]];
type Listed<Cell, List extends string> =
  Cell extends Readonly<Record<List, readonly (infer Column extends LifeColumn)[]>> ? Column : never;
/** A value, or an expression with the message `m` and the columns of the query as those of `c`. */
type Values<F extends Fact> = {
  readonly [Column in Listed<Cells<F>, 'given'>]: RawBuilder<unknown> | string | Date | null;
};
interface Words {
  readonly witness: string;
  /** An expression as for {@link Values}, or an object. */
  readonly detail?: RawBuilder<unknown> | Readonly<Record<string, unknown>> | undefined;
}
/** What comes with a fact: the values of its columns and its evidence, as the table says. */
export type Told<F extends Fact> = Values<F> &
  (Extract<Cells<F>, { readonly word: string }> extends never ? unknown : Words) & { readonly nowMs: number };

export interface Moved {
  readonly id: MessageId;
  readonly instance: string;
  readonly was: MessageState;
  readonly state: MessageState;
  readonly version: number;
  /** An edit waits for the message to be sent. */
  readonly has_edit: boolean;
}

/** @returns the messages that the fact changed; all others of the query are in a state that ignores or refuses it */
export async function moveMessages<F extends Fact>(db: Db, fact: F, which: Which, told: Told<F>): Promise<Moved[]> {
  const { where, join = sql``, columns, orderBy = sql`m.id`, limit, skipsLocked = false } = which;
  const evidence = evidenceOf(fact, told);
  const { rows } = await sql<Moved>`
    with chosen as materialized (
      select m.id, m.state as was${columns === undefined ? sql`` : sql`, ${columns}`}
      from messages m ${join} where ${where} and ${isChangedBy(fact)}
      order by ${orderBy} ${limit === undefined ? sql`` : sql`limit ${limit}`}
      for no key update of m ${skipsLocked ? sql`skip locked` : sql``}
    ), moved as (
      ${changing(fact, told, sql`from chosen c where m.id = c.id`)}
      returning c.*, m.instance, m.state, m.version, m.reason
    )${evidence.length === 0 ? sql`` : sql`, ${sql.join(evidence)}`}
    select c.id, c.instance, c.was, c.state, c.version, ${HAS_EDIT} as has_edit from moved c`.execute(db);
  return rows;
}

const HAS_EDIT = sql<boolean>`exists (select from edits e where e.message_id = c.id and e.state = 'pending')`;

/** True if the fact changes the message `m`. A comparison with partial indexes would mislead the planner. */
function isChangedBy(fact: Fact): RawBuilder<boolean> {
  return sql`(m.state in ${literalList(changesBy(fact).map(([state]) => state))}) is true`;
}

/** For a larger statement: the update of messages `m`. @param of  the rest of the update, from `from` on */
export function changing<F extends Fact>(
  fact: F,
  told: Values<F> & { readonly nowMs: number },
  of: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const changes = changesBy(fact);
  const now = sql`${new Date(told.nowMs)}::timestamptz`;
  const given: Readonly<Record<string, unknown>> = told;
  const columns = [
    ...new Set(changes.flatMap(([, { given = [], now = [], cleared = [] }]) => [...given, ...now, ...cleared])),
  ];
  const valueIn = (column: LifeColumn) => (change: Change) => {
    if (change.given?.includes(column) === true) return valueOf(column, given[column]);
    if (change.now?.includes(column) === true) return now;
    return change.cleared?.includes(column) === true ? sql`null` : undefined;
  };
  const set = [
    ...(changes.some(([, { to }]) => to !== undefined)
      ? [assignment('state', changes, ({ to }) => to && sql.lit(to))]
      : []),
    ...columns.map((column) => assignment(column, changes, valueIn(column))),
    sql`version = m.version + 1`,
  ];
  return sql`update messages m set ${sql.join(set)} ${of} and ${isChangedBy(fact)}`;
}

function valueOf(column: LifeColumn, value: unknown): RawBuilder<unknown> {
  if (isExpression(value)) return value;
  return column.endsWith('_at') ? sql`${value}::timestamptz` : sql`${value}::text`;
}

function isExpression(value: unknown): value is RawBuilder<unknown> {
  return typeof value === 'object' && value !== null && 'toOperationNode' in value;
}

/** `column = value`, for each state its own value if they differ. */
function assignment(
  column: string,
  changes: ReturnType<typeof changesBy>,
  valueIn: (change: Change) => RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const name = sql.ref(column);
  const [first, ...others] = new Set(changes.map(([, change]) => change));
  const value = first && valueIn(first);
  if (others.length === 0 && value !== undefined) return sql`${name} = ${value}`;
  const cases = changes.flatMap(([state, change]) => {
    const its = valueIn(change);
    return its === undefined ? [] : [sql`when ${sql.lit(state)} then ${its}`];
  });
  return sql`${name} = case m.state ${sql.join(cases, sql` `)} else m.${name} end`;
}

const ENDED_UNSENT = stateList('undeliverable', 'unsent');

/** The parts of the statement that record the evidence of the rows `moved`. */
function evidenceOf(fact: Fact, told: Partial<Words> & { readonly nowMs: number }): RawBuilder<unknown>[] {
  const changes = changesBy(fact);
  const now = sql`${new Date(told.nowMs)}::timestamptz`;
  const hasWord = changes.some(([, { word }]) => word !== undefined);
  const hasEdits = changes.some(([from, { to }]) => from !== 'pending' && to !== undefined && endsUnsent(to));
  const words = changes.flatMap(([from, { word }]) => {
    if (word === undefined) return [];
    return [sql`when ${sql.lit(from)} then ${word === 'reason' ? sql`c.reason` : sql.lit(word)}`];
  });
  const own = sql`select c.id, w.word || ':' || c.version, ${now}, ${told.witness ?? null}::text, w.word, ${detailOf(told.detail)}
      from moved c, lateral (select case c.was ${sql.join(words, sql` `)} end as word) w where w.word is not null`;
  const ofEdits = sql`select e.message_id, 'edit:' || e.id || ':not_possible', ${now}, 'ledger', 'edit_not_possible',
        json_build_object('edit', e.id, 'reason', e.reason)
      from ended_edits e`;
  if (!hasWord && !hasEdits) return [];
  const entries = [...(hasEdits ? [ofEdits] : []), ...(hasWord ? [own] : [])];
  return [
    ...(hasEdits
      ? [
          sql`ended_edits as (
      update edits e set state = 'not_possible', via = null, reason = 'message_' || c.state, ended_at = ${now}
      from moved c where e.message_id = c.id and e.state = 'pending' and c.state in ${ENDED_UNSENT}
      returning e.id, e.message_id, e.reason)`,
        ]
      : []),
    sql`recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      ${sql.join(entries, sql` union all `)})`,
  ];
}

function endsUnsent(state: MessageState): boolean {
  return statesIn('undeliverable', 'unsent').some((one) => one === state);
}

function detailOf(detail: Words['detail']): RawBuilder<unknown> {
  if (isExpression(detail)) return detail;
  return sql`${detail === undefined ? null : jsonText(detail)}::json`;
}
