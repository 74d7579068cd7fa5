import { sql } from 'kysely';
import { statesIn, type MessagePhase } from '../contract/index.js';

/** The states of these phases as a list in SQL. Literals: the planner compares them with the conditions of partial indexes. */
export function stateList(...phases: readonly MessagePhase[]) {
  return sql`(${sql.join(statesIn(...phases).map((state) => sql.lit(state)))})`;
}
