// The account: what was requested, what everpost says about it, and what the phones received.
import { itemsOf } from '../../dist/http-client/index.js';

const FINAL = ['delivered', 'read', 'cancelled', 'unresolved'];
const PATIENCE_MS = 300_000;

/** @param {import('./stage.js').Stage} stage */
export async function account({ api, phones, check, until, say, requested }) {
  const states = await until(
    'every message has ended',
    async () => {
      /** @type {Map<string, string>} */
      const found = new Map();
      for await (const { id, state } of itemsOf(api.listMessages, { query: {} })) found.set(id, state);
      return found;
    },
    (found) => requested.every(({ id }) => FINAL.includes(found.get(id) ?? '')),
    PATIENCE_MS,
  );
  /** @type {Map<string, number>} */
  const received = new Map();
  for (const { chatId } of await phones.delivered()) received.set(chatId, (received.get(chatId) ?? 0) + 1);
  const timesOf = (/** @type {{ chatId: string }} */ { chatId }) => received.get(chatId) ?? 0;
  const inState = (/** @type {string[]} */ ...wanted) =>
    requested.filter(({ id }) => wanted.includes(states.get(id) ?? ''));
  const arrived = inState('delivered', 'read');
  const cancelled = inState('cancelled');
  say(
    `requested ${requested.length}: ${arrived.length} arrived, ${cancelled.length} cancelled, ${inState('unresolved').length} unresolved`,
  );
  check('lost', 0, arrived.filter((message) => timesOf(message) === 0).length);
  check('twice', 0, requested.filter((message) => timesOf(message) > 1).length);
  check('cancelled, and on a phone', 0, cancelled.filter((message) => timesOf(message) > 0).length);
  check('cancelled as requested', requested.filter(({ isCancelled }) => isCancelled).length, cancelled.length);
  check('unresolved', 0, inState('unresolved').length);
  check('messages without a request', 0, states.size - requested.length);
  check(
    'phones without a request',
    0,
    [...received.keys()].filter((chat) => !requested.some(({ chatId }) => chatId === chat)).length,
  );
}
