/*
 * What a test opened and closes itself at its end. A test that times out does not reach its end: its body waits on, and
 * what it opened would stay open beside the tests that follow. The hook after every test closes what is left.
 */
type Close = () => Promise<void>;

const open = new Set<Close>();

/** @returns the same function; it takes itself off the list, and may be called again */
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

export async function closeWhatIsLeft(): Promise<void> {
  await Promise.all([...open].map((close) => close()));
}
