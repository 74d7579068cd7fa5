/** A column's time as the contract writes it. */
export function iso(at: Date | null): string | undefined {
  return at?.toISOString();
}
