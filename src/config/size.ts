const UNITS: Readonly<Record<string, number>> = { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/**
 * Reads a size such as `512mb` or `2gb`, as bytes. @throws Error that says what is wrong, without the name of the
 * setting
 */
export function parseSizeBytes(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([a-z]{2})$/.exec(text.trim().toLowerCase()) ?? [];
  const bytes = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (!(bytes > 0)) throw new Error('must be a size such as 512mb or 2gb');
  return bytes;
}
