/** The Web UI leaves no space between columns; a wide space, which is not trimmed, does. */
const GAP = '\u2003';

/** Facts as lines of a Markdown table for the Web UI; those without a value are left out. */
export function detailsTable(facts: readonly (readonly [string, string | undefined])[]): string[] {
  const rows = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`| ${name}${GAP} | ${value.replaceAll('|', '\\|')} |`],
  );
  return ['| | |', '|---|---|', ...rows];
}
