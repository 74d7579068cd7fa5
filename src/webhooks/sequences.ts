import type { ReadNotification } from './apply-notifications.js';

/** How many sequences run at once. Each one uses a connection of the ledger, which has ten by default. */
const AT_ONCE = 4;

/**
 * Applies notifications one by one: those of one instance in order, and several instances at once.
 * @param apply  applies one notification. If it fails, all sequences are emptied, and their notifications are read
 *   again later
 * @param onFailed  called once after such a failure
 */
export function createSequences(apply: (read: ReadNotification) => Promise<void>, onFailed: (error: unknown) => void) {
  const sequences = new Map<string, ReadNotification[]>();
  const working = new Set<string>();
  const listeners = new Set<() => void>();
  let isClosed = false;

  const all = () => [...sequences.values()].flat();

  function begin(): void {
    for (const [instance, sequence] of sequences) {
      if (isClosed || working.size >= AT_ONCE) return;
      if (working.has(instance)) continue;
      working.add(instance);
      void work(instance, sequence);
    }
  }

  async function work(instance: string, sequence: ReadNotification[]): Promise<void> {
    const [first] = sequence;
    const isDropped = () => sequences.get(instance) !== sequence;
    try {
      if (first !== undefined) await apply(first);
      if (!isDropped()) {
        sequence.shift();
        // The instance goes to the end, so that each instance has its turn.
        sequences.delete(instance);
        if (sequence.length > 0) sequences.set(instance, sequence);
      }
    } catch (error) {
      if (!isDropped()) {
        sequences.clear();
        onFailed(error);
      }
    }
    working.delete(instance);
    for (const listener of listeners) listener();
    begin();
  }

  function until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => {
        if (!isReached()) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
      listener();
    });
  }

  return {
    add(read: ReadNotification): void {
      const { instance } = read.notification;
      const sequence = sequences.get(instance);
      if (sequence === undefined) sequences.set(instance, [read]);
      else sequence.push(read);
      begin();
    },

    /** The ids of the notifications in the sequences. */
    ids: (): readonly string[] => all().map(({ notification }) => notification.id),
    /** The messages of these notifications. */
    subjects: (): ReadonlySet<string> => new Set(all().flatMap(({ subject }) => subject ?? [])),
    /** Resolves when at most `atMost` notifications are left, or after `close`. */
    until: (atMost: number): Promise<void> => until(() => isClosed || all().length <= atMost),

    /** Begins no other notification and waits for those under way. */
    async close(): Promise<void> {
      isClosed = true;
      await until(() => working.size === 0);
    },
  };
}
