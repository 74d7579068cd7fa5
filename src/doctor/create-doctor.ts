/**
 * The examination of a running system for callers of the API.
 *
 * EXAMINE-1 A part is examined once at a time, however many callers ask, and its findings are kept for a while: later
 *    callers get the same ones, with the time at which they were found.
 * EXAMINE-2 At most {@link ACCOUNTS_AT_ONCE} accounts are asked at their gateways at a time.
 * EXAMINE-3 A caller waits for {@link WITHIN_MS} at most. A part that needs longer is reported as unknown; its
 *    examination continues, and a later caller gets its findings.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, type Finding, present } from '../contract/index.js';
import { unknownFinding } from './finding.js';

const ACCOUNTS_AT_ONCE = 10;
const WITHIN_MS = 15_000;
/** Reading the ledger costs a few statements for each account. */
const LEDGER_KEPT_MS = 5_000;
/** An examination describes up to 200 runs. */
const TEMPORAL_KEPT_MS = 30_000;
/** A gateway responds to each of these requests once a second, and workers ask too. */
const ACCOUNT_KEPT_MS = 60_000;

/** A finding, and when it was found. */
export interface Examined extends Finding {
  readonly at: string;
}

export type Doctor = ReturnType<typeof createDoctor>;

interface DoctorDependencies {
  readonly clock: Clock;
  /** @param instances  absent: everything in the ledger */
  ledger(instances: readonly string[] | undefined): Promise<readonly Finding[]>;
  temporal(): Promise<readonly Finding[]>;
  /** Asks the gateway about one account. */
  account(instance: string): Promise<readonly Finding[]>;
  /** @default WITHIN_MS */
  readonly withinMs?: number;
}

interface Part {
  readonly subject: string;
  readonly instance?: string;
  /** Equal for the same part. */
  readonly key: string;
  readonly keptMs: number;
  readonly examine: () => Promise<readonly Finding[]>;
}

export function createDoctor({ clock, ledger, temporal, account, withinMs = WITHIN_MS }: DoctorDependencies) {
  const kept = new Map<string, { readonly untilMs: number; readonly found: Promise<readonly Examined[]> }>();
  const inTurn = createTurns(ACCOUNTS_AT_ONCE);

  /** EXAMINE-1. */
  function findingsOf({ key, keptMs, examine }: Part): Promise<readonly Examined[]> {
    const known = kept.get(key);
    if (known !== undefined && clock.nowMs() < known.untilMs) return known.found;
    const found = examine().then((findings) => {
      const nowMs = clock.nowMs();
      kept.set(key, { untilMs: nowMs + keptMs, found });
      return findings.map((finding) => ({ ...finding, at: new Date(nowMs).toISOString() }));
    });
    // It never ends twice, also not with an error, which the next caller does not get.
    found.catch(() => kept.delete(key));
    for (const [old, { untilMs }] of kept) if (untilMs <= clock.nowMs()) kept.delete(old);
    kept.set(key, { untilMs: Infinity, found });
    return found;
  }

  /** EXAMINE-3. */
  async function soon(part: Part, late: Promise<undefined>): Promise<readonly Examined[]> {
    const found = await Promise.race([findingsOf(part), late]);
    if (found !== undefined) return found;
    const why = `It has not responded within ${withinMs / 1_000} s. It is still being examined: ask again in a moment`;
    const { subject, instance } = part;
    const at = new Date(clock.nowMs()).toISOString();
    return [{ ...unknownFinding(subject, { why }), ...present({ instance }), at }];
  }

  return {
    /**
     * @param instances  the accounts to examine
     * @param isWhole  whether to examine the whole installation: Temporal too, and everything in the ledger
     */
    async examine(instances: readonly string[], isWhole: boolean): Promise<readonly Examined[]> {
      const owners = isWhole ? undefined : instances;
      const parts: Part[] = [
        {
          subject: 'ledger',
          key: `ledger ${owners?.toSorted().join(' ') ?? ''}`,
          keptMs: LEDGER_KEPT_MS,
          examine: () => ledger(owners),
        },
        ...(isWhole ? [{ subject: 'temporal', key: 'temporal', keptMs: TEMPORAL_KEPT_MS, examine: temporal }] : []),
        ...instances.map((instance) => ({
          subject: `instance ${instance}`,
          instance,
          key: `instance ${instance}`,
          keptMs: ACCOUNT_KEPT_MS,
          examine: () => inTurn(() => account(instance)),
        })),
      ];
      const ending = new AbortController();
      const late = wait(withinMs, undefined, { signal: ending.signal }).catch(() => undefined);
      try {
        return (await Promise.all(parts.map((part) => soon(part, late)))).flat();
      } finally {
        ending.abort();
      }
    },
  };
}

/** Runs at most `most` at a time, in the order in which they came. */
function createTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
