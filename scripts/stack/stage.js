// What the scenes of a play share: the stack, the API, the simulated phones, checks, and every message that was requested.
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../dist/http-client/index.js';
import { controlGateway } from '../../dist/testing/index.js';

const PATIENCE_MS = 180_000;
const EVERY_MS = 500;

/**
 * @typedef {Awaited<ReturnType<typeof openStage>>} Stage
 * @typedef {{ readonly id: string, readonly chatId: string, readonly isCancelled?: boolean }} Requested
 */

/**
 * @param {import('./stack.js').Stack} stack
 * @param {(line: string) => void} say
 */
export async function openStage(stack, say) {
  const { output: key } = await stack.exec('api', ['sh', '-c', 'cat "$EVERPOST_API_KEYS_FILE"']);
  /** @type {string[]} */
  const failures = [];
  /** @type {Requested[]} */
  const requested = [];
  return {
    stack,
    say,
    failures,
    requested,
    api: createClient({ baseUrl: `http://${stack.at('127.0.0.1:8080')}`, apiKey: key.trim() }),
    phones: controlGateway(`http://${stack.at('127.0.0.1:8090')}`),

    /** @param {string} what  @param {unknown} expected  @param {unknown} saw */
    check(what, expected, saw) {
      const [wanted, shown] = [JSON.stringify(expected), JSON.stringify(saw)];
      if (wanted !== shown) failures.push(what);
      say(wanted === shown ? `ok    ${what}: ${shown}` : `FAIL  ${what}: ${shown}, expected ${wanted}`);
    },

    /**
     * @template Value
     * @param {string} what
     * @param {() => Promise<Value>} read   may fail for a time
     * @param {(value: Value) => boolean} isSo
     * @returns {Promise<Value>}
     */
    async until(what, read, isSo, patienceMs = PATIENCE_MS) {
      const end = Date.now() + patienceMs;
      for (;;) {
        const value = await read().catch((/** @type {unknown} */ error) =>
          Date.now() > end ? Promise.reject(error) : undefined,
        );
        if (value !== undefined && isSo(value)) return value;
        if (Date.now() > end)
          throw new Error(`not within ${patienceMs / 1_000} s: ${what}; it is ${JSON.stringify(value)}`);
        await delay(EVERY_MS);
      }
    },
  };
}

/** @param {string} number  @param {string} text */
export const aText = (number, text) => ({
  instance: 'main',
  to: number,
  content: { kind: /** @type {const} */ ('text'), text },
});

/** @param {string} number */
export const chatOf = (number) => `${number}@c.us`;
