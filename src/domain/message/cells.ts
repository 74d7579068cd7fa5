/** The same cell for each of the states, in a row of a table of states and facts. */
export function each<State extends string, const Cell>(
  states: readonly State[],
  cell: Cell,
): { readonly [S in State]: Cell } {
  return Object.fromEntries(states.map((state) => [state, cell])) as { readonly [S in State]: Cell };
}
