/** How many rows are deleted in one statement, so that other statements run in between. */
const AT_ONCE = 1_000;

/**
 * @param forget  deletes at most `limit` old rows. @returns how many
 * @returns how many were deleted, once nothing old is left
 */
export async function forgetInParts(forget: (limit: number) => Promise<number>): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const deleted = await forget(AT_ONCE);
    forgotten += deleted;
    if (deleted < AT_ONCE) return forgotten;
  }
}
