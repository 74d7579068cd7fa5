/** Always 7 and Always 8: how often the product asks the ledger and the gateway. */
import type { LedClock } from '../../dispatch/led-clock.js';
import type { ModelGateway } from './gateway.js';
import type { Finding } from './reference.js';

const WINDOW_MS = 10_000;
/** Timers of a process in that time, without a request to the gateway; each request may cause some more. */
const TURNS = 150;
const TURNS_OF_A_REQUEST = 12;
/** Of POSTs that the gateway answers with 429. */
const REFUSED_BY_RATE = 20;
/** Evidence comes for a day and a quarter of an hour; a journal is asked with a margin, in steps. */
const LONGEST_JOURNAL_MINUTES = 2_000;

export class Paces {
  readonly #clock: LedClock;
  readonly #gateway: ModelGateway;
  readonly #turns = new Map<string, readonly number[]>();
  #worst = 0;
  /** Live workers whose shift was ended as if they had died. */
  endedAlive = 0;

  constructor(clock: LedClock, gateway: ModelGateway) {
    this.#clock = clock;
    this.#gateway = gateway;
  }

  /** A timer of a process. */
  turn(worker: string): void {
    const nowMs = this.#clock.nowMs();
    const turns = [...(this.#turns.get(worker) ?? []), nowMs].filter((atMs) => atMs > nowMs - WINDOW_MS);
    this.#turns.set(worker, turns);
    const requests = this.#since(nowMs - WINDOW_MS).length;
    this.#worst = Math.max(this.#worst, turns.length - requests * TURNS_OF_A_REQUEST);
  }

  findings(): Finding[] {
    const found: Finding[] = [];
    const nowMs = this.#clock.nowMs();
    if (this.#worst > TURNS) found.push({ rule: 'Always 7', text: `${this.#worst} timers in ${WINDOW_MS} ms` });
    const busy = this.#since(nowMs - WINDOW_MS).filter(({ isBusy }) => isBusy).length;
    if (busy > REFUSED_BY_RATE)
      found.push({ rule: 'Always 7', text: `${busy} POSTs in ${WINDOW_MS} ms were answered 429` });
    if (this.endedAlive > 0)
      found.push({ rule: 'Always 7', text: `${this.endedAlive} shifts of a live worker were ended` });
    for (const { minutes = 0 } of this.#since(nowMs - WINDOW_MS)) {
      if (minutes > LONGEST_JOURNAL_MINUTES) {
        found.push({ rule: 'Always 8', text: `the journal of ${minutes} minutes was asked for` });
      }
    }
    return found;
  }

  #since(fromMs: number) {
    const { requests } = this.#gateway;
    let first = requests.length;
    while (first > 0 && requests[first - 1]!.atMs > fromMs) first -= 1;
    return requests.slice(first);
  }
}
