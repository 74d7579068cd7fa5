/** How a test passes time on the time-skipping server, in its world and at the simulator together. */
import type { TimeSkippingTemporal } from '../support/temporal/temporal.js';
import type { World } from './world.js';

/**
 * Passes time on the time-skipping server and everywhere else, event by event: the simulator's earliest due event comes
 * first, and its notifications are applied before the next one.
 */
export async function passTime(world: World, timeSkipping: TimeSkippingTemporal, ms: number): Promise<void> {
  const untilMs = (await timeSkipping.env.currentTimeMs()) + ms;
  for (;;) {
    const nowMs = await reachNow(world, timeSkipping);
    if (nowMs >= untilMs) return;
    await sleepUntil(world, timeSkipping, nowMs, untilMs);
  }
}

/**
 * The server considers the pings of a client that it owes a response for a minute or two as abuse, and closes the
 * connection.
 */
const LONGEST_SLEEP_MS = 4 * 60 * 60_000;
/** Time is skipped only while no activity runs, so a shift without work must not last ten seconds. */
const END_IDLE_EVERY_MS = 50;
/** A campaign may make something due during a sleep: a shorter one notices sooner. */
const STEP_MS = 1_000;

/**
 * Passes time until `poll` no longer throws, and returns its result. At most `withinMs` is skipped. The server's clock
 * also advances during work; that time, which is longer on a slow machine, does not count.
 */
export async function passTimeUntil<Seen>(
  world: World,
  timeSkipping: TimeSkippingTemporal,
  withinMs: number,
  poll: () => Seen | Promise<Seen>,
): Promise<Seen> {
  const skippedMs = async (): Promise<number> => (await timeSkipping.env.currentTimeMs()) - performance.now();
  const beganMs = await skippedMs();
  for (;;) {
    const nowMs = await reachNow(world, timeSkipping);
    try {
      return await poll();
    } catch (error) {
      if ((await skippedMs()) - beganMs >= withinMs) throw error;
    }
    await sleepUntil(world, timeSkipping, nowMs, nowMs + STEP_MS);
  }
}

async function reachNow(world: World, { env }: TimeSkippingTemporal): Promise<number> {
  const nowMs = await env.currentTimeMs();
  world.clock.set(nowMs);
  await world.settle();
  return nowMs;
}

async function sleepUntil(world: World, { env }: TimeSkippingTemporal, nowMs: number, latestMs: number): Promise<void> {
  const dueMs = Math.min(world.simulator.nextDueAtMs() ?? latestMs, latestMs, nowMs + LONGEST_SLEEP_MS);
  // Without the signal the call would outlive a test that has timed out, and be repeated on a closed connection. It is
  // a signal of its own, since the client never removes its listener.
  const signal = AbortSignal.any([world.closing]);
  const ending = setInterval(() => world.endIdleShift(), END_IDLE_EVERY_MS);
  try {
    await env.connection.withAbortSignal(signal, () => env.sleep(Math.max(1, dueMs - nowMs)));
  } finally {
    clearInterval(ending);
  }
}
