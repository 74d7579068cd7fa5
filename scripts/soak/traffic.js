// What senders and recipients do during a soak. Each part repeats its step until the traffic is stopped; what it has
// begun then still ends. A request without a response is repeated with its key, as a backend does.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../dist/contract/index.js';
import { ORDER_TEMPLATE } from '../../dist/tools/prove/index.js';

const RETRY_AFTER_MS = 250;
/** Several messages go to each of these phones. */
const PHONES = 40;

/**
 * @typedef {import('../../dist/client/index.js').ApiClient} Api
 * @typedef {{ name: string, idInstance: string }} Account
 * @typedef {{ to: string, text: string, onUnknown: 'manual' | 'auto', edits: { text: string }[] }} Planned
 * @typedef {{ planned: Planned, id?: any, mustBe?: string }} Asked
 * @typedef {ReturnType<typeof createTraffic>} Traffic
 */

/**
 * @param {object} options
 * @param {Api} options.api
 * @param {import('../../dist/testing/index.js').GatewayControl} options.gateway
 * @param {readonly Account[]} options.accounts  that are never taken away
 * @param {AbortSignal} options.stopping         ends the traffic
 * @param {AbortSignal} options.over             ends what still waits for a response
 */
export function createTraffic({ api, gateway, accounts, stopping, over }) {
  /** @type {Asked[]} */
  const singles = [];
  /** @type {string[]} */
  const surprises = [];
  /** @type {Promise<unknown>[]} */
  const underWay = [];
  /** @type {Record<string, number>} */
  const counts = {};
  /** Who got a campaign's message, and may write. @type {{ account: Account, chatId: string }[]} */
  const contacts = [];

  /** @param {string} what */
  const count = (what, by = 1) => void (counts[what] = (counts[what] ?? 0) + by);
  const accountAt = (/** @type {number} */ at) => /** @type {Account} */ (accounts[at % accounts.length]);

  /**
   * @template Result
   * @param {string} what
   * @param {() => Promise<Result>} request
   * @param {readonly string[]} refusals  codes that the moment explains
   * @returns {Promise<Result | undefined>} undefined if it was refused for good
   */
  async function persist(what, request, refusals = []) {
    for (;;) {
      over.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (refusals.includes(error.code)) return undefined;
        // An account that was taken away comes back.
        if (error.next !== 'wait' && error.code !== 'INSTANCE_NOT_FOUND') {
          surprises.push(`${what}: ${error.message}`);
          return undefined;
        }
        await delay(RETRY_AFTER_MS, undefined, { signal: over });
      }
    }
  }

  /**
   * @param {number} everyMs
   * @param {(number: number) => Promise<unknown>} step  the first has the number 1
   */
  async function repeat(everyMs, step) {
    for (let number = 1; !stopping.aborted; number += 1) {
      const work = step(number);
      // `ended` reports the error.
      work.catch(() => undefined);
      underWay.push(work);
      await delay(everyMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** @param {number} number */
  async function single(number) {
    const phone = `1555900${String(number % PHONES).padStart(4, '0')}`;
    /** @type {Asked} */
    const asked = {
      planned: {
        to: phone,
        text: `Order ${number} is ready.`,
        onUnknown: number % 3 === 0 ? 'auto' : 'manual',
        edits: [],
      },
    };
    singles.push(asked);
    const { to, text, onUnknown, edits } = asked.planned;
    const content = { kind: /** @type {const} */ ('text'), text };
    const body = { instance: accountAt(number).name, to, content, onUnknown };
    asked.id = (await persist('message', () => api.sendMessage({ body, key: `single-${number}` })))?.id;
    count('single messages');
    if (number % 4 !== 0 || asked.id === undefined) return;
    await delay((number % 8) * 1_000, undefined, { signal: over });
    edits.push({ text: `${text} Counter 4.` });
    const edit = { id: asked.id, body: { text: `${text} Counter 4.` }, key: `edit-${number}`, query: { timeoutMs: 0 } };
    await persist('edit', () => api.editMessage(edit), ['EDIT_NOT_POSSIBLE']);
    count('edits');
  }

  /** @param {number} number */
  async function template(number) {
    const { name: instance } = accountAt(number);
    const elementName = `order_${number}`;
    await persist('template', () =>
      api.submitTemplate({ body: { instance, template: { ...ORDER_TEMPLATE, elementName } } }),
    );
    await gatewayTakes(() => gateway.decideTemplate(elementName, { status: 'APPROVED' }));
    await untilIs(
      () => persist('template', () => api.getTemplate({ instance, elementName })),
      (read) => read?.status === 'APPROVED',
    );
    count('templates approved');
  }

  /** The gateway may be away, or not know it yet. @param {() => Promise<unknown>} change */
  async function gatewayTakes(change) {
    for (;;) {
      over.throwIfAborted();
      const isTaken = await change().then(
        () => true,
        () => false,
      );
      if (isTaken) return;
      await delay(RETRY_AFTER_MS, undefined, { signal: over });
    }
  }

  /**
   * @template Value
   * @param {() => Promise<Value>} read
   * @param {(value: Value) => boolean} isSo
   */
  async function untilIs(read, isSo) {
    while (!isSo(await read())) await delay(1_000, undefined, { signal: over });
  }

  /** A recipient answers, and every tenth says STOP. @param {number} number */
  async function incoming(number) {
    const contact = contacts.shift();
    if (contact === undefined) return;
    const { account, chatId } = contact;
    const isStop = number % 10 === 0;
    const message = { chatId, senderId: chatId, textMessage: isStop ? 'STOP' : `Thanks, ${number}.` };
    await gatewayTakes(() => gateway.ask('POST', `instances/${account.idInstance}/incoming`, message));
    count(isStop ? 'STOP received' : 'replies received');
    if (isStop) await marketingAfterOptOut(account, chatId, `stop-${number}`);
  }

  /** An operator adds an opt-out. @param {number} number */
  async function optOut(number) {
    const [account, to] = [accountAt(number), `1555910${String(number).padStart(4, '0')}`];
    await persist('opt-out', () => api.addSuppression({ body: { to } }));
    count('opt-outs added');
    await marketingAfterOptOut(account, `${to}@c.us`, `opt-out-${number}`);
  }

  /** @param {Account} account  @param {string} chatId  @param {string} key */
  async function marketingAfterOptOut({ name: instance }, chatId, key) {
    await untilIs(
      () => persist('suppressions', () => api.listSuppressions({ query: { to: chatId } })),
      (read) => (read?.items.length ?? 0) > 0,
    );
    const [to = ''] = chatId.split('@');
    /** @type {Asked} */
    const asked = { planned: { to, text: `Offer ${key}.`, onUnknown: 'manual', edits: [] }, mustBe: 'suppressed' };
    singles.push(asked);
    const content = { kind: /** @type {const} */ ('text'), text: asked.planned.text };
    const body = { instance, to, content, category: /** @type {const} */ ('marketing') };
    asked.id = (await persist('message', () => api.sendMessage({ body, key })))?.id;
  }

  return {
    singles: /** @type {readonly Asked[]} */ (singles),
    surprises,
    counts,
    contacts,
    count,
    persist,
    repeat,
    gatewayTakes,
    untilIs,
    accountAt,
    api,
    gateway,
    over,
    /** @param {number} perSecond  single messages */
    start(perSecond) {
      void repeat(1_000 / perSecond, single);
      void repeat(15_000, template);
      void repeat(500, incoming);
      void repeat(10_000, optOut);
    },
    /** Resolves when everything that was begun has ended. */
    ended: async () => void (await Promise.all(underWay)),
  };
}
