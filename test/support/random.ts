/** A seeded generator (sfc32): the same seed gives the same world on every machine. */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = 0x9e3779b9 | 0;
    for (let round = 0; round < 12; round += 1) this.bits();
  }

  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0 and below 1. */
  share(): number {
    return this.bits() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  int(low: number, high: number): number {
    return low + Math.floor(this.share() * (high - low + 1));
  }

  pick<One>(list: readonly One[]): One {
    return list[Math.floor(this.share() * list.length)]!;
  }

  /** Milliseconds between two events that come `rate` times a second on average. */
  gap(rate: number): number {
    return Math.floor((-Math.log(1 - this.share()) / rate) * 1_000) + 1;
  }
}
