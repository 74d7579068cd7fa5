import { sql } from 'kysely';
import { EDIT_STATES_UNDER_WAY, type MessagePhase, statesIn } from '../../contract/index.js';

/** The states of these phases as a list in SQL. */
export function stateList(...phases: readonly MessagePhase[]) {
  return literalList(statesIn(...phases));
}

/** A list in SQL. Literals: the planner compares them with the conditions of partial indexes. */
export function literalList(words: readonly string[]) {
  return sql`(${sql.join(words.map((word) => sql.lit(word)))})`;
}

/** The states of an edit without an outcome, as a list in SQL. */
export const EDITS_UNDER_WAY = literalList(EDIT_STATES_UNDER_WAY);
