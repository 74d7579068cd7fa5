/** The table of an edit's life as parts of statements: see {@link EDIT_LIFE}. */
import { type RawBuilder, sql } from 'kysely';
import { EDIT_STATES_UNDER_WAY } from '../../../contract/index.js';
import {
  type EditChange,
  type EditColumn,
  editChangesBy,
  type EDIT_LIFE,
  type EditFact,
} from '../../../domain/index.js';
import { columnValue, isExpression, jsonText, timeOf } from '../../storage/statements.js';
import { EDITS_UNDER_WAY, literalList } from '../../storage/state-lists.js';

type Cells<F extends EditFact> = (typeof EDIT_LIFE)[F][keyof (typeof EDIT_LIFE)[F]];
type GivenIn<Cell> = Cell extends { readonly given: readonly (infer Column extends EditColumn)[] } ? Column : never;

/** What comes with a fact: the values of its columns, when its step is due, and its evidence. */
export type EditDetails<F extends EditFact> = {
  readonly [Column in GivenIn<Cells<F>>]: RawBuilder<unknown> | string | Date | null;
} & EditEvidence;

interface EditEvidence {
  readonly nowMs: number;
  /** The time of each edit: an expression. @default nowMs */
  readonly at?: RawBuilder<unknown>;
  /** A time, or an expression with the edit `e`. @default now */
  readonly due?: Date | RawBuilder<unknown>;
  /** @default ledger */
  readonly witness?: string;
  readonly reason?: string | RawBuilder<unknown> | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

export function editsThat(fact: EditFact): RawBuilder<boolean> {
  return sql`e.state in ${literalList(editChangesBy(fact).map(([state]) => state))}`;
}

/**
 * The update of edits `e` by a fact. A larger statement than the writer's locks the messages, and gives them a version.
 * @param of  the rest of the update, from `from` on
 */
export function changingEdits<F extends EditFact>(
  fact: F,
  told: EditDetails<F>,
  of: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const changes = editChangesBy(fact);
  const columns = [...new Set(changes.flatMap(([, change]) => columnsOf(change)))];
  const set = columns.map((column) => {
    const cases = changes.flatMap(([state, change]) =>
      columnsOf(change).includes(column) ? [sql`when ${sql.lit(state)} then ${valueOf(column, change, told)}`] : [],
    );
    return sql`${sql.ref(column)} = case e.state ${sql.join(cases, sql` `)} else e.${sql.ref(column)} end`;
  });
  return sql`update edits e set ${sql.join(set)} ${of} and ${editsThat(fact)}`;
}

/** A state is set with all that belongs to it. */
function columnsOf({ to, step, given = [] }: EditChange): readonly string[] {
  return [
    ...(to === undefined ? [] : ['state', 'via', 'reason', 'ended_at']),
    ...(step === undefined ? [] : ['step', 'due_at']),
    ...given,
  ];
}

function valueOf(column: string, change: EditChange, told: EditEvidence): RawBuilder<unknown> {
  const { to, step, via } = change;
  const isEnd = to !== undefined && !EDIT_STATES_UNDER_WAY.includes(to);
  switch (column) {
    case 'state':
      return sql.lit(to);
    case 'via':
      return via === undefined ? sql`null::text` : sql.lit(via);
    case 'reason':
      if (isExpression(told.reason)) return told.reason;
      return sql`${(isEnd ? told.reason : undefined) ?? null}::text`;
    case 'ended_at':
      return isEnd ? timeOf(told) : sql`null::timestamptz`;
    case 'step':
      return step === null || step === undefined ? sql`null::text` : sql.lit(step);
    case 'due_at':
      if (step === null) return sql`null::timestamptz`;
      return isExpression(told.due) ? told.due : sql`${told.due ?? new Date(told.nowMs)}::timestamptz`;
    default:
      return columnValue(column, Object.entries(told).find(([name]) => name === column)?.[1]);
  }
}

/** A part of a statement: the evidence of the edits `e` that a fact changed. @param moved  their name */
export function recordedEdits(
  fact: EditFact,
  { detail = {}, witness = 'ledger', ...when }: EditEvidence,
  moved: RawBuilder<unknown> = sql`moved`,
): RawBuilder<unknown> {
  const changes = editChangesBy(fact).filter(([, { word }]) => word !== undefined);
  const [first, ...others] = new Set(changes.map(([, { word }]) => word));
  if (first === undefined) return sql``;
  const states = literalList([...new Set(changes.map(([from, { to = from }]) => to))]);
  // Words that differ are those of the states that follow.
  const word = others.length === 0 ? sql.lit(first) : sql`e.state`;
  const said = Object.entries(detail).flatMap(([name, value]) => [sql.lit(name), sql`${jsonText(value)}::json`]);
  const end = sql`case when e.state = ${word} then`;
  const own = [sql`'edit', e.id, 'via', ${end} e.via end, 'reason', ${end} e.reason end`];
  return sql`, recorded_edits as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select e.message_id, 'edit:' || e.id || ':' || ${word} || ':' || m.version, ${timeOf(when)}, ${witness}::text,
        'edit_' || ${word}, json_strip_nulls(json_build_object(${sql.join([...own, ...said])}))
      from ${moved} e join messages m on m.id = e.message_id where e.state in ${states}
      on conflict (message_id, fact) do nothing
    )`;
}

/** A part of a statement (EDITWRITER-2): edits that waited for those that ended are due. */
export function freedEdits(nowMs: number, moved: RawBuilder<unknown> = sql`moved`): RawBuilder<unknown> {
  return sql`, freed_edits as (
      ${changingEdits(
        'freed',
        { nowMs },
        sql`
      from (select message_id, array_agg(id) as ids from ${moved} group by 1) x
      where e.message_id = x.message_id and e.id <> all(x.ids) and e.step is null and e.closes_at is not null
        and not exists (select from edits o where o.message_id = x.message_id and o.id <> all(x.ids)
          and o.state in ${EDITS_UNDER_WAY} and o.state <> 'pending')`,
      )}
    )`;
}
