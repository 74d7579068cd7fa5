/** The table of a message's life as parts of statements: see {@link LIFE}. */
import { type RawBuilder, sql } from 'kysely';
import { endedUnsent, MESSAGE_STATES } from '../../../contract/index.js';
import { type Change, changesBy, type Fact, type LIFE, type LifeColumn } from '../../../domain/index.js';
import { jsonText } from '../../storage/statements.js';
import { DUE_AGAIN_AT } from '../due-rows.js';
import { literalList, stateList } from '../../storage/state-lists.js';

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
  (Extract<Cells<F>, { readonly word: string }> extends never ? unknown : Evidence) & { readonly nowMs: number };

export function timeOf({ nowMs }: { readonly nowMs: number }): RawBuilder<unknown> {
  return sql`${new Date(nowMs)}::timestamptz`;
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
  const set = columns.map((column) => assignment(column, changes, values));
  if (changes.some(([, { to }]) => to === 'pending')) set.push(sql`due_at = ${DUE_AGAIN_AT}`);
  return sql`update messages m set ${sql.join([...set, sql`version = m.version + 1`])} ${of}`;
}

function columnsOf({ to, given = [], now = [], cleared = [] }: Change): readonly (LifeColumn | 'state')[] {
  return [...(to === undefined ? [] : ['state' as const]), ...given, ...now, ...cleared];
}

/** `column = value`, for each state its own value if they differ. */
function assignment(column: LifeColumn | 'state', changes: ReturnType<typeof changesBy>, values: object) {
  const name = sql.ref(column);
  const [only, ...others] = new Set(changes.map(([, change]) => change));
  if (only !== undefined && others.length === 0) return sql`${name} = ${valueIn(only, column, values)}`;
  const cases = changes.flatMap(([state, change]) =>
    columnsOf(change).includes(column) ? [sql`when ${sql.lit(state)} then ${valueIn(change, column, values)}`] : [],
  );
  return sql`${name} = case m.state ${sql.join(cases, sql` `)} else m.${name} end`;
}

function valueIn(change: Change, column: LifeColumn | 'state', values: object): RawBuilder<unknown> {
  if (column === 'state') return sql.lit(change.to);
  if (change.cleared?.includes(column) === true) return sql`null`;
  const given = Object.entries(values).find(
    ([name]) => name === (change.now?.includes(column) === true ? 'now' : column),
  );
  const value: unknown = given?.[1];
  if (isExpression(value)) return value;
  return column.endsWith('_at') ? sql`${value}::timestamptz` : sql`${value}::text`;
}

function isExpression(value: unknown): value is RawBuilder<unknown> {
  return typeof value === 'object' && value !== null && 'toOperationNode' in value;
}

/** LIFE-3, WRITER-2: the parts of a statement that end waiting edits of its rows `moved`, and record the evidence. */
export function recorded(fact: Fact, told: Partial<Evidence> & { readonly nowMs: number }): RawBuilder<unknown> {
  const changes = changesBy(fact);
  const now = timeOf(told);
  // A pending message has no waiting edits (EDITROW-1).
  const endsEdits = changes.some(([from, { to }]) => from !== 'pending' && to !== undefined && endedUnsent(to));
  const words = changes.flatMap(([from, { word }]) => {
    if (word === undefined) return [];
    return [sql`when ${sql.lit(from)} then ${word === 'reason' ? sql`c.reason` : sql.lit(word)}`];
  });
  const detail = isExpression(told.detail)
    ? told.detail
    : sql`${told.detail === undefined ? null : jsonText(told.detail)}::json`;
  const own = sql`
      select c.id, w.word || ':' || c.version, ${now}, ${told.witness}::text, w.word, ${detail}
      from moved c, lateral (select case c.was ${sql.join(words, sql` `)} end as word) w where w.word is not null`;
  if (endsEdits) return endingEdits(now, words.length > 0 ? [own] : []);
  return words.length > 0 ? recording([own]) : sql``;
}

/** @param others  more entries of the evidence */
export function endingEdits(now: RawBuilder<unknown>, others: readonly RawBuilder<unknown>[] = []) {
  const ofEdits = sql`
      select e.message_id, 'edit:' || e.id || ':not_possible', ${now}, 'ledger', 'edit_not_possible',
        json_build_object('edit', e.id, 'reason', e.reason)
      from ended_edits e`;
  return sql`, ended_edits as (
      update edits e set state = 'not_possible', via = null, reason = 'message_' || c.state, ended_at = ${now}
      from moved c where e.message_id = c.id and e.state = 'pending'
        and c.state in ${stateList('undeliverable', 'unsent')}
      returning e.id, e.message_id, e.reason
    )${recording([ofEdits, ...others])}`;
}

function recording(entries: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`, recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)${sql.join(entries, sql` union all `)}
    )`;
}
