const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * Reads a duration as operators write it: a number and its unit, `500ms`, `15s`, `1.5m`, `24h`, `7d`.
 * @returns whole milliseconds
 * @throws Error naming the accepted form; a bare number is refused, since its unit cannot be told
 */
export function parseDurationMs(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (unitMs === undefined) throw new Error('must be a number with its unit, e.g. 500ms, 15s, 1m, 24h');
  return Math.round(Number(amount) * unitMs);
}
