/**
 * @param {readonly Readonly<Record<string, string>>[]} rows  all with the same keys, which become the header
 * @returns {string} a table in Markdown, so that it can be copied into a document
 */
export function table(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => row[column]?.length ?? 0)));
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n');
}

/**
 * @param {readonly number[]} samples
 * @param {number} share  0.5: the median
 */
export function quantile(samples, share) {
  const inOrder = samples.toSorted((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? Number.NaN;
}
