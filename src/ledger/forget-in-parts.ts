/** How many rows are deleted in one statement, so that other statements run in between. */
const AT_ONCE = 1_000;

/**
 * @param forget  deletes at most `limit` old rows
 * @returns how many were deleted, once nothing old is left
 */
export async function forgetInParts(
  forget: (limit: number) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const deleted = Number((await forget(AT_ONCE)).numDeletedRows);
    forgotten += deleted;
    if (deleted < AT_ONCE) return forgotten;
  }
}
