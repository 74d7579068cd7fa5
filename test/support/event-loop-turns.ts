import { setImmediate } from 'node:timers/promises';

/**
 * The time between two turns of the event loop, which other programs do not change: that of the processor, or the time
 * that passed if that is shorter, since other threads work too.
 */
export class EventLoopTurns {
  readonly longestMs: Promise<number> = this.#measured();
  #isOn = true;

  stop(): void {
    this.#isOn = false;
  }

  async #measured(): Promise<number> {
    let longestMs = 0;
    do {
      const before = process.cpuUsage();
      const beganMs = performance.now();
      await setImmediate();
      const passedMs = performance.now() - beganMs;
      const { user, system } = process.cpuUsage(before);
      longestMs = Math.max(longestMs, Math.min(passedMs, (user + system) / 1_000));
    } while (this.#isOn);
    return longestMs;
  }
}
