import { forEachConcurrently, type MessageId, type Log } from '../../contract/index.js';
import { heldLease, type Ledger, type WakeLedger } from '../../ledger/index.js';
import type { MessageOfRow } from './message-runs.js';
import { createOutageLog } from '../background.js';

export interface RunStarterDependencies {
  readonly ledger: {
    readonly messages: Pick<Ledger['messages'], 'runsToStart' | 'runStarted'>;
    readonly wakes: Pick<WakeLedger, 'listen'>;
    readonly leases: Ledger['leases'];
  };
  /** Identifies this worker in the lease. */
  readonly holder: string;
  /** Starts a workflow. No effect if it exists. */
  readonly start: (row: MessageOfRow) => Promise<void>;
  /** Whether this process is too busy to start workflows. @default never */
  readonly isBusy?: () => boolean;
  readonly log: Log;
}

const LEASE = 'start message workflows';
const LEASE_FOR_MS = 20_000;
const AT_ONCE = 8;
/** Read together and marked together. */
const MOST_IN_A_ROUND = 64;
/** A round reads the ledger, and wakes may arrive a thousand times a second. */
const BETWEEN_ROUNDS_MS = 50;
/** One workflow in each round. */
const BETWEEN_BUSY_ROUNDS_MS = 500;
/** RUNS-5: the first task of a workflow occupies the process as long as a send does. */
const AFTER_WAKE_MS = 250;
/** The next round finds messages whose announcement came while no connection listened. */
const UNASKED_MS = 5_000;
const AWAY_FROM_MS = 1_000;
const AWAY_UP_TO_MS = 30_000;

/**
 * Starts the workflows of messages that were requested by HTTP, from their rows. Sending does not wait for it.
 *
 * RUNS-1 A row is marked as started after its workflow was started. If the mark is lost, the next start finds the
 *    workflow and has no effect.
 * RUNS-2 One worker starts them, at most eight at a time. Another worker takes over when its lease ends.
 * RUNS-3 While Temporal or the ledger is unavailable, the pause between rounds grows, up to half a minute.
 * RUNS-4 A worker that is busy sending starts two workflows a second, since a workflow costs many times as much as
 *    sending its message. The others are started when the worker is less busy.
 * RUNS-5 Sending comes first: the workflow is started a quarter of a second after the message arrived.
 */
export function startRunStarter(dependencies: RunStarterDependencies) {
  const { ledger, holder, start, isBusy = () => false, log } = dependencies;
  const { messages, wakes } = ledger;
  const lease = heldLease(ledger.leases, { name: LEASE, holder, forMs: LEASE_FOR_MS });
  const outage = createOutageLog(log, 'Starting the workflows of messages');
  const stopping = new AbortController();
  /** Announcements since the last round began. */
  let isAsked = false;
  let endPause = (): void => undefined;
  let isPauseForWakes = false;
  const listening = wakes.listen(() => {
    isAsked = true;
    if (isPauseForWakes) endPause();
  });

  /** Ends after this time, when the starter stops, or, with `forWakes`, when a wake is announced. */
  function pause(ms: number, forWakes = false): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => endPause(), ms);
      isPauseForWakes = forWakes;
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopping.signal.aborted || (forWakes && isAsked)) endPause();
    });
  }

  /** @returns whether there may be more messages */
  async function round(): Promise<boolean> {
    if (!(await lease.isHeld())) return false;
    const limit = isBusy() ? 1 : MOST_IN_A_ROUND;
    const rows = await messages.runsToStart(limit);
    const started: MessageId[] = [];
    try {
      await forEachConcurrently(AT_ONCE, rows, async (row) => {
        if (stopping.signal.aborted || (isBusy() && started.length > 0)) return;
        await start(row);
        started.push(row.id);
      });
    } finally {
      // Runs that were started are marked even if another start failed.
      if (started.length > 0) await messages.runStarted(started);
    }
    return rows.length === limit;
  }

  async function run(): Promise<void> {
    let awayMs = 0;
    while (!stopping.signal.aborted) {
      isAsked = false;
      try {
        const isMore = await round();
        outage.worked();
        awayMs = 0;
        if (isMore && !isBusy()) continue;
        await pause(isBusy() ? BETWEEN_BUSY_ROUNDS_MS : BETWEEN_ROUNDS_MS);
        if (!isMore) await pause(UNASKED_MS, true);
        if (isAsked) await pause(AFTER_WAKE_MS);
      } catch (error) {
        outage.failed(error);
        awayMs = Math.min(Math.max(2 * awayMs, AWAY_FROM_MS), AWAY_UP_TO_MS);
        await pause(awayMs);
      }
    }
  }

  const ended = run();
  return {
    /** Waits for the starts under way, then lets another worker take over. */
    async stop(): Promise<void> {
      listening.close();
      stopping.abort();
      endPause();
      await ended;
      try {
        await lease.release();
      } catch (error) {
        log({
          level: 'warn',
          message: `${LEASE} could not be handed over; another worker takes over when the lease ends`,
          error,
        });
      }
    },
  };
}
