/**
 * What the witnesses of an instance show to all its messages. A listing may have ten thousand items: it is read, parsed
 * and compared with the ledger once for the messages that are polled together.
 *
 * SHARED-1 A poll uses readings that began after it asked for them: an earlier one may be too old to prove anything.
 * SHARED-2 The unresolved messages of one round share one reading of each witness. It only has to show a positive sign,
 *    since nothing else decides them (RECONCILE-4).
 */
import {
  journalObservation,
  queueObservation,
  type AccountedId,
  type Observation,
  type RecordedReading,
} from '../../domain/index.js';
import type { AttemptToReconcile } from '../../ledger/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { readQueue } from '../witness-polls.js';

export type EvidenceDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>;

/** Ids that were compared with the ledger, and those that it accounts for. */
interface Compared {
  readonly ids: ReadonlySet<string>;
  readonly accounted: ReadonlyMap<string, AccountedId>;
}

/** The stored readings of a queue. The accounted ids include own ones that were accepted since the oldest listed one. */
interface RecordedQueue extends Compared {
  readonly readings: readonly RecordedReading[];
  readonly longestListing: number;
}

interface Journal extends Compared {
  readonly observations: readonly Observation[];
}

/** How readings of one kind are shared, by a key. */
interface Share<Reading> {
  read(of: string, readNow: () => Promise<Reading>): Promise<Reading>;
}

export class InstanceEvidence {
  readonly #deps: EvidenceDependencies;
  readonly #queues: Share<readonly Observation[]>;
  readonly #recorded: Share<RecordedQueue>;
  readonly #journals: Share<Journal>;

  /** @param share  {@link SharedReadings} (SHARED-1) or {@link OneReading} (SHARED-2) */
  constructor(deps: EvidenceDependencies, share: new <Reading>() => Share<Reading>) {
    this.#deps = deps;
    this.#queues = new share();
    this.#recorded = new share();
    this.#journals = new share();
  }

  /** Reads the queue, and records the reading: it is evidence for unknown outcomes. */
  queue(instance: string): Promise<readonly Observation[]> {
    return this.#queues.read(instance, async () => {
      const { items } = await readQueue(this.#deps, instance);
      return items.map(queueObservation);
    });
  }

  /** The newest readings, and the last one before the claim (ADOPT-4). The ids are compared after the readings. */
  async recorded(inDoubt: AttemptToReconcile): Promise<RecordedQueue> {
    const { instance, claimSequence } = inDoubt;
    const { queueReadings } = this.#deps.ledger;
    const recorded = await this.#recorded.read(instance, () => this.#readRecorded(instance));
    if (recorded.readings.some(({ sequence }) => sequence < claimSequence)) return recorded;
    const before = await queueReadings.lastBefore(inDoubt);
    if (before === undefined) return recorded;
    return {
      ...recorded,
      ...merged(await this.#compared(instance, idsIn([before])), recorded),
      readings: [before, ...recorded.readings],
    };
  }

  async #readRecorded(instance: string): Promise<RecordedQueue> {
    const { queueReadings } = this.#deps.ledger;
    const { readings, longestListing } = await queueReadings.recent(instance, this.#deps.clock.nowMs());
    const listed = await this.#compared(instance, idsIn(readings));
    const since = await queueReadings.acceptedSince(instance, listed.accounted);
    return { readings, longestListing, ...listed, accounted: new Map([...since, ...listed.accounted]) };
  }

  /** Oldest first. */
  journal(instance: string, minutes: number): Promise<Journal> {
    const { gateway } = this.#deps;
    return this.#journals.read(`${instance} ${minutes}`, async () => {
      const { response } = await gateway.call(instance, 'lastOutgoingMessages', { minutes });
      const observations = response.map((entry) => journalObservation('lastOutgoingMessages', entry)).toReversed();
      const ids = observations.flatMap((one) => one.ids);
      return { observations, ...(await this.#compared(instance, ids)) };
    });
  }

  /** Compares the ids of other observations too. */
  async compared(instance: string, known: Compared, observations: readonly Observation[]): Promise<Compared> {
    const others = observations.flatMap(({ ids }) => ids.filter((id) => !known.ids.has(id)));
    return others.length === 0 ? known : merged(known, await this.#compared(instance, others));
  }

  async #compared(instance: string, given: readonly string[]): Promise<Compared> {
    const ids = new Set(given);
    return { ids, accounted: await this.#deps.ledger.queueReadings.accounted(instance, [...ids]) };
  }
}

export function merged(...all: readonly Compared[]): Compared {
  return {
    ids: new Set(all.flatMap(({ ids }) => [...ids])),
    accounted: new Map(all.flatMap(({ accounted }) => [...accounted])),
  };
}

function idsIn(readings: readonly RecordedReading[]): string[] {
  return readings.flatMap(({ items }) => items.flatMap(({ ids }) => ids));
}
