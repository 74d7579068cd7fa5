/*
 * What a test opens and closes at its end. A test that times out does not reach its end, and would leave it open beside
 * later tests. The hook after every test closes the rest.
 */
type Close = () => Promise<void>;

const open = new Set<Close>();

/** @returns the same function; it removes itself from the list, and may be called again */
export function closeAfterTest(close: Close): Close {
  let closing: Promise<void> | undefined;
  const once = (): Promise<void> => {
    open.delete(once);
    closing ??= close();
    return closing;
  };
  open.add(once);
  return once;
}

export async function closeRemaining(): Promise<void> {
  await Promise.all([...open].map((close) => close()));
}
