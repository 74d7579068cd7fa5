import { AppError, type OperationName } from '../../src/contract/index.js';
import { createRateGate, type RateGate } from '../../src/gateway/index.js';

const RETRY_AFTER_MS = 100;

/**
 * A rate gate with a counter. A test that acts during a campaign lets a fixed number of its messages leave: however
 * slow the machine is, the campaign is then still under way.
 */
export class Turnstile implements RateGate {
  readonly #gate: RateGate;
  readonly #left = new Map<OperationName, number>();

  /** @param gate decides about operations without a count. @default the product's gate of one process */
  constructor(gate: RateGate = createRateGate()) {
    this.#gate = gate;
  }

  /** Lets `count` more requests of `operation` leave. Later ones do not leave, and are told to retry. */
  allow(operation: OperationName, count: number): void {
    this.#left.set(operation, count);
  }

  /** Lets all requests leave again. */
  open(): void {
    this.#left.clear();
  }

  async acquire(...request: Parameters<RateGate['acquire']>): Promise<void> {
    const [instance, operation] = request;
    const left = this.#left.get(operation);
    if (left === 0) {
      const message = `The test lets no ${operation} of ${instance} leave.`;
      throw new AppError('GATEWAY_BUSY', message, { retryAfterMs: RETRY_AFTER_MS });
    }
    if (left !== undefined) this.#left.set(operation, left - 1);
    await this.#gate.acquire(...request);
  }

  block(...request: Parameters<RateGate['block']>): void {
    this.#gate.block(...request);
  }

  close(): void {
    this.#gate.close();
  }
}
