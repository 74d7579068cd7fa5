/**
 * One reading for all who ask for the same thing at the same time: a thousand who wait for one message, and are woken
 * by one change, cost one. A reading begins after all callers it is for have asked, so it is never older than the
 * change that they were notified of.
 */
export type ShareReading = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>;

export function createSharedReadings(): ShareReading {
  const scheduled = new Map<string, Promise<unknown>>();

  return <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    const known = scheduled.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key belongs to one reading, and so to one type
    if (known !== undefined) return known as Promise<Value>;
    const reading = new Promise<Value>((resolve, reject) => {
      setImmediate(() => {
        scheduled.delete(key);
        read().then(resolve, reject);
      });
    });
    scheduled.set(key, reading);
    return reading;
  };
}
