/** The table of a message's life as parts of statements: see {@link LIFE}. */
import { type RawBuilder, sql } from 'kysely';
import { endedUnsent, MESSAGE_STATES, present } from '../../../contract/index.js';
import { type Change, changesBy, type Fact, type LIFE, type LifeColumn } from '../../../domain/index.js';
import { columnValue, isExpression, jsonText, timeOf } from '../../storage/statements.js';
import { DUE_AGAIN_AT } from './due-rows.js';
import { literalList, stateList } from '../../storage/state-lists.js';
import { changingEdits, recordedEdits } from './edit-life-in-sql.js';

type Cells<F extends Fact> = (typeof LIFE)[F][keyof (typeof LIFE)[F]];
type GivenIn<Cell> = Cell extends { readonly given: readonly (infer Column extends LifeColumn)[] } ? Column : never;

/** A value, or an expression with the message `m` and the columns of the query as those of `c`. */
type Values<F extends Fact> = {
  readonly [Column in GivenIn<Cells<F>>]: RawBuilder<unknown> | string | Date | null;
};

interface Evidence {
  readonly witness: string;
  /** An object, or an expression as in {@link Values}. */
  readonly detail?: RawBuilder<unknown> | Readonly<Record<string, unknown>> | undefined;
}

/** What comes with a fact: the values of its columns, and its evidence if the table has a word for it. */
export type Told<F extends Fact> = Values<F> &
  (Extract<Cells<F>, { readonly word: string }> extends never ? unknown : Evidence) &
  When;

interface When {
  readonly nowMs: number;
  /** The time of each message, as in {@link Values}. @default nowMs */
  readonly at?: RawBuilder<unknown>;
}

/** True if the fact changes the message `m`. `is true` keeps the planner from an index on the state. */
export function isChangedBy(fact: Fact): RawBuilder<boolean> {
  const states = changesBy(fact).map(([state]) => state);
  return states.length === MESSAGE_STATES.length ? sql`true` : sql`(m.state in ${literalList(states)}) is true`;
}

/**
 * The update of messages `m` by a fact. A larger statement than the writer's keeps due rows and evidence itself.
 * @param of  the rest of the update, from `from` on: of rows that are locked, and that the fact changes
 *   ({@link isChangedBy})
 */
export function changing<F extends Fact>(
  fact: F,
  values: Values<F> & { readonly now: RawBuilder<unknown> },
  of: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const changes = changesBy(fact);
  const columns = [...new Set(changes.flatMap(([, change]) => columnsOf(change)))];
  const [only, ...others] = new Set(changes.map(([, change]) => change));
  const set = columns.map((column) => {
    const name = sql.ref(column);
    // Each state has its own value if they differ.
    if (only !== undefined && others.length === 0) return sql`${name} = ${valueIn(only, column, values)}`;
    const cases = changes.flatMap(([state, change]) =>
      columnsOf(change).includes(column) ? [sql`when ${sql.lit(state)} then ${valueIn(change, column, values)}`] : [],
    );
    return sql`${name} = case m.state ${sql.join(cases, sql` `)} else m.${name} end`;
  });
  if (changes.some(([, { to }]) => to === 'pending')) set.push(sql`due_at = ${DUE_AGAIN_AT}`);
  return sql`update messages m set ${sql.join([...set, sql`version = m.version + 1`])} ${of}`;
}

function columnsOf({ to, given = [], now = [], cleared = [] }: Change): readonly (LifeColumn | 'state')[] {
  return [...(to === undefined ? [] : ['state' as const]), ...given, ...now, ...cleared];
}

function valueIn(change: Change, column: LifeColumn | 'state', values: object): RawBuilder<unknown> {
  if (column === 'state') return sql.lit(change.to);
  if (change.cleared?.includes(column) === true) return sql`null`;
  const given = Object.entries(values).find(
    ([name]) => name === (change.now?.includes(column) === true ? 'now' : column),
  );
  return columnValue(column, given?.[1]);
}

/** LIFE-3, WRITER-2: the parts of a statement that end waiting edits of its rows `moved`, and record the evidence. */
export function recorded(fact: Fact, told: Partial<Evidence> & When): RawBuilder<unknown> {
  const changes = changesBy(fact);
  const words = changes.flatMap(([from, { word }]) => {
    if (word === undefined) return [];
    return [sql`when ${sql.lit(from)} then ${word === 'reason' ? sql`c.reason` : sql.lit(word)}`];
  });
  // A pending message has no waiting edits (EDITROW-1).
  const endsEdits = changes.some(([from, { to, now = [] }]) => {
    if (from === 'pending') return false;
    return to === undefined ? now.includes('ended_at') : endedUnsent(to) || to === 'unresolved';
  });
  const endings = endsEdits ? endingEdits(told, NEVER_SEEN_SENT) : sql``;
  if (words.length === 0) return endings;
  const detail = isExpression(told.detail)
    ? told.detail
    : sql`${told.detail === undefined ? null : jsonText(told.detail)}::json`;
  return sql`${endings}, recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select c.id, w.word || ':' || c.version, ${timeOf(told)}, ${told.witness}::text, w.word, ${detail}
      from moved c, lateral (select case c.was ${sql.join(words, sql` `)} end as word) w where w.word is not null
    )`;
}

/** Its receipt `sent` is no longer expected. An amendment does not wait for an unresolved message. */
const NEVER_SEEN_SENT = sql`e.closes_at is null
  and (c.ended_at is not null or c.state = 'unresolved' and e.campaign_id is not null)`;

/** Ends waiting edits of messages that ended. @param others  a condition on further ones */
export function endingEdits(when: When, others: RawBuilder<unknown> = sql`false`): RawBuilder<unknown> {
  const isUnsent = sql`c.state in ${stateList('undeliverable', 'unsent')}`;
  const reason = sql`case when ${isUnsent} or c.state = 'unresolved' and c.ended_at is not null
    then 'message_' || c.state else 'never_seen_sent' end`;
  const of = sql`from moved c where e.message_id = c.id and (${isUnsent} or ${others})`;
  return sql`, ended_edits as (
      ${changingEdits('messageEnded', { nowMs: when.nowMs, ...present({ at: when.at }), reason }, of)}
      returning e.id, e.message_id, e.via, e.reason, e.state, e.ended_at
    )${recordedEdits('messageEnded', { nowMs: when.nowMs, at: sql`e.ended_at` }, sql`ended_edits`)}`;
}
