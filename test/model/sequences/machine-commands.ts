/** What happens to workers, clocks, Temporal and the ledger. */
import fc from 'fast-check';
import { AppError, type FaultPoint } from '../../../src/contract/index.js';
import {
  BACKOFF_MS,
  HOUR_MS,
  POSTING_MS,
  command,
  instance,
  isIn,
  none,
  plain,
  processOf,
  sendMany,
  serves,
} from './command.js';
import type { Asked } from './reference.js';
import { HEARTBEAT_MS } from './temporal.js';
import type { World } from './world.js';

/** A request that has left may arrive this much later. */
const IN_FLIGHT_MS = 10_000;
const DAY_MS = 24 * HOUR_MS;
/** What a worker does is known to Temporal by then. */
const KNOWN_WITHIN_MS = HEARTBEAT_MS + 5_000;
const POINTS = ['claim.before', 'claim.after', 'bytes.left', 'response.received', 'outcome.stored'] as const;

export const MACHINE_COMMANDS = {
  kill: command<object>({
    weight: 2,
    args: none,
    isPossible: ({ isRunning }) => isRunning,
    run(world) {
      world.kill();
      return Promise.resolve(world.process !== undefined);
    },
    learn(reference, _, isRunning: boolean) {
      reference.isRunning = isRunning;
      reference.isClockWrong &&= !isRunning;
    },
  }),
  /** Another worker begins to serve the same ledger. */
  join: command<object>({
    weight: 3,
    args: none,
    isPossible: ({ isRunning, isReadOnly }, _, world) => isRunning && !isReadOnly && world.second === undefined,
    run: (world) => world.join(),
  }),
  /** A worker does not notice that its try has ended: two dispatchers serve one instance. */
  end_try: command<{ readonly instance: string }>({
    weight: 3,
    args: fc.record({ instance }),
    isPossible: isIn,
    async run(world, { instance: name }, reference) {
      const added = await sendMany(world, reference, plain(name), 3);
      await world.pass(POSTING_MS);
      world.temporal.endTry(name);
      return added;
    },
    learn(reference, _, added: readonly Asked[], nowMs) {
      reference.asked = [...reference.asked, ...added];
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  kill_at: command<{ readonly point: FaultPoint }>({
    weight: 2,
    args: fc.record({ point: fc.constantFrom(...POINTS) }),
    isPossible: ({ isRunning }) => isRunning,
    run(world, { point }) {
      processOf(world).diesAt = point;
    },
  }),
  start: command<object>({
    weight: 6,
    args: none,
    // A live process is replaced, as in a deployment without a drain.
    run: (world) => world.start(),
    learn(reference, _args, _result, nowMs) {
      reference.isRunning = true;
      reference.isClockWrong = false;
      reference.disturbed(nowMs, 20_000);
    },
  }),
  /** The server of the ledger becomes a standby: it reads, and does not write. */
  read_only: command<{ readonly isReadOnly: boolean }>({
    args: fc.record({ isReadOnly: fc.constantFrom(true, false, false) }),
    isPossible: (reference, { isReadOnly }) => reference.isReadOnly !== isReadOnly,
    async run(world, { isReadOnly }) {
      if (!isReadOnly) return world.copies.setReadOnly(false);
      await world.copies.setReadOnly(true);
      // A caller gets an error that tells to try again.
      const { process } = world;
      if (process === undefined) return;
      const paused = await process.ledger.instances
        .pauseByOperator('nowhere', 'read-only', 'operator', 0)
        .catch((error: unknown) => error);
      if (!(paused instanceof AppError) || paused.code !== 'LEDGER_UNAVAILABLE') {
        throw new Error(`Always 9: a write was answered with ${String(paused)}`);
      }
    },
    learn(reference, { isReadOnly }, _, nowMs) {
      reference.isReadOnly = isReadOnly;
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  /** A worker's clock is wrong, or right again. */
  clock: command<{ readonly aheadMs: number }>({
    args: fc.record({ aheadMs: fc.constantFrom(0, 3_000, -3_000, 30 * HOUR_MS, 30 * HOUR_MS, -2 * HOUR_MS) }),
    isPossible: ({ isRunning }) => isRunning,
    run(world, { aheadMs }) {
      processOf(world).aheadMs = aheadMs;
    },
    learn(reference, { aheadMs }, _, nowMs) {
      reference.isClockWrong = Math.abs(aheadMs) > 5_000;
      if (!reference.isClockWrong) reference.skewMs = Math.max(reference.skewMs, Math.abs(aheadMs));
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  /** Temporal takes no requests, or takes them again. Callers and the ledger notice nothing. */
  temporal_away: command<{ readonly isAway: boolean }>({
    args: fc.record({ isAway: fc.boolean() }),
    run(world, { isAway }) {
      world.temporal.setAway(isAway);
    },
    learn(reference, { isAway }, _, nowMs) {
      reference.isTemporalAway = isAway;
      reference.wasTemporalAway ||= isAway;
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  /** Temporal's clock is wrong, or right again. */
  temporal_clock: command<{ readonly aheadMs: number }>({
    args: fc.record({ aheadMs: fc.constantFrom(0, 2 * HOUR_MS, -2 * HOUR_MS) }),
    run(world, { aheadMs }) {
      world.temporal.aheadMs = aheadMs;
    },
  }),
  /** Weeks pass at once. */
  months: command<{ readonly days: number }>({
    args: fc.record({ days: fc.constantFrom(1, 3, 40) }),
    run(world, { days }) {
      world.clock.jump(days * DAY_MS);
    },
    learn(reference, _args, _result, nowMs) {
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
  /** A backup of the ledger. */
  copy_ledger: command<object>({
    weight: 2,
    args: none,
    isPossible: serves,
    run: (world) => world.copies.take(),
    learn(reference, _args, _result, nowMs) {
      const { asked, paused, suppressed, campaigns, schedules, silentSince } = reference;
      const sets = { paused: new Set(paused), suppressed: new Set(suppressed) };
      reference.copy = { asked, ...sets, campaigns, schedules, silentSince, atMs: nowMs };
    },
  }),
  /** The ledger is restored from its copy, while a process works or while none does. */
  restore_ledger: command<{ readonly isLive: boolean }>({
    weight: 3,
    args: fc.record({ isLive: fc.boolean() }),
    isPossible: ({ copy, isReadOnly, isTemporalAway }, { isLive }, world) =>
      copy !== undefined &&
      !isReadOnly &&
      (isLive || (!isTemporalAway && (world.process !== undefined || world.diedAtMs > copy.atMs + KNOWN_WITHIN_MS))),
    async run(world, { isLive }, reference) {
      const lost: Asked[] = [];
      if (serves(reference) && world.file.has('main')) {
        lost.push(...(await sendMany(world, reference, plain('main'), 1)));
        await world.pass(POSTING_MS);
      }
      if (!isLive) {
        // A copy that is younger than the last heartbeat before all workers died is not found (RETURN-1).
        if (world.process !== undefined) await world.pass(KNOWN_WITHIN_MS);
        world.killAll();
      }
      await world.copies.restore();
      world.restoredAtMs = world.clock.nowMs();
      await world.process?.sayAlive();
      await world.second?.sayAlive();
      if (isLive) await foundByWorkers(world);
      return lost;
    },
    learn(reference, { isLive }, lost: readonly Asked[], nowMs) {
      const { asked, paused, suppressed, campaigns, schedules, silentSince, atMs } = reference.copy!;
      const known = new Set(asked.map(({ id }) => id));
      const forgotten = [...reference.asked, ...lost].filter(({ id }) => !known.has(id));
      reference.forgotten = [...reference.forgotten, ...forgotten];
      for (const id of known) reference.restored.add(id);
      reference.asked = asked;
      // What was retried since may have been posted.
      const retried = [...campaigns].map(([name, campaign]) => {
        const { again = campaign.again } = reference.campaigns.get(name) ?? {};
        return [name, { ...campaign, again }] as const;
      });
      reference.campaigns = new Map(retried);
      reference.schedules = schedules;
      reference.silentSince = silentSince;
      reference.paused = new Set(paused);
      reference.suppressed = new Set(suppressed);
      reference.lost.push({ fromMs: atMs, toMs: nowMs + IN_FLIGHT_MS });
      reference.isRunning &&= isLive;
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
};

/** A shift claims without a reason after five seconds. A worker that dies before then may not have found the restore. */
async function foundByWorkers(world: World): Promise<void> {
  for (const one of [world.process, world.second]) if (one !== undefined) one.diesAt = undefined;
  await world.pass(6_000);
}
