// The account of a soak: the chaos run's own account, of single messages, campaigns and schedules.
import { setTimeout as delay } from 'node:timers/promises';
import { itemsOf } from '../../dist/http-client/index.js';
import { account, accountCampaigns, readCampaign, readRows } from '../../dist/tools/prove/index.js';

const OPEN = ['pending', 'sending', 'unknown', 'accepted', 'sent'];
const POLL_EVERY_MS = 2_000;
/** The gateway repeats a notification once a minute. */
const QUIET_MS = 90_000;

/**
 * @typedef {import('./traffic.js').Traffic} Traffic
 * @typedef {ReturnType<typeof import('./campaigns.js').createCampaigns>} Campaigns
 */

/**
 * Returns once every message has ended, or nothing has changed for a time; resolves what is unresolved, and what stays
 * unknown, as an operator does: by the phone.
 * @param {Traffic} traffic
 * @param {(line: string) => void} say
 * @returns {Promise<number>} how many messages an operator had to resolve
 */
export async function untilAllEnded(traffic, say) {
  let [resolved, last, lastMs] = [0, '', Date.now()];
  for (;;) {
    const open = (await Promise.all(OPEN.map((state) => listed(traffic, state)))).flat();
    const unresolved = await listed(traffic, 'unresolved');
    for (const message of unresolved) await resolve(traffic, message);
    resolved += unresolved.length;
    // One that the phone has becomes accepted, and its receipts follow.
    if (open.length + unresolved.length === 0) return resolved;
    const now = JSON.stringify(open.map(({ id, version }) => [id, version]));
    if (now !== last) [last, lastMs] = [now, Date.now()];
    // What may still be decided, within an hour, waits no longer than an operator does.
    else if (Date.now() - lastMs > QUIET_MS && open.every(({ state }) => state === 'unknown')) {
      for (const message of open) await resolve(traffic, message);
      resolved += open.length;
    } else if (Date.now() - lastMs > QUIET_MS) {
      const why = open.map(({ state, waiting }) => `${state}${waiting === undefined ? '' : ` (${waiting.code})`}`);
      say(`nothing moves any more: ${[...new Set(why)].join(', ')}`);
      return resolved;
    }
    await delay(POLL_EVERY_MS);
  }
}

/**
 * By what the phone shows, and no other message has: schedules send the same text again.
 * @param {Traffic} traffic
 * @param {{ id: any, instance: string, chatId: string, content: any, postedText?: any }} message
 */
async function resolve({ api, gateway, persist }, { id, instance, chatId, content, postedText }) {
  const resolution = async () => {
    for (const { text, idMessage } of await gateway.delivered(chatId)) {
      if (text !== (postedText ?? content?.text)) continue;
      const { items } = await api.listMessages({ query: { instance, idMessage } });
      if (items.length === 0) return { outcome: /** @type {const} */ ('accepted'), idMessage };
    }
    return { outcome: /** @type {const} */ ('not_accepted') };
  };
  await persist(
    'resolve',
    async () => {
      const body = await resolution();
      // One that was sent again and is unknown again is resolved by its own request.
      return api.resolveMessage({ id, body, key: `resolve-${id}-${body.idMessage ?? Date.now()}` });
    },
    ['MESSAGE_ENDED', 'RESOLVE_NOT_POSSIBLE'],
  );
}

/** @param {Traffic} traffic  @param {string} [state] */
async function listed({ api, persist }, state) {
  /** @type {any[]} */
  const found = [];
  const list = (/** @type {any} */ given) =>
    persist('messages', () => api.listMessages(given)).then((page) => page ?? { items: [] });
  const query = /** @type {any} */ ({ limit: 500, ...(state === undefined ? {} : { state }) });
  for await (const message of itemsOf(/** @type {any} */ (list), { query })) found.push(message);
  return found;
}

/** @param {Traffic} traffic  @param {Campaigns} campaigns  @param {readonly { to: string, name: string }[]} ofSchedule */
export async function accountFor(traffic, { campaigns, schedules }, ofSchedule) {
  const { api, gateway, singles } = traffic;
  const planned = [...campaigns, ...(await campaignsOfSchedule(traffic, campaigns, schedules, ofSchedule))];
  const read = await Promise.all(planned.map((one) => readOf(api, one)));
  const list = await listed(traffic);
  const views = await readRows(
    api,
    list.map(({ id }) => id),
  );
  const recipients = read.flatMap((one) => recipientsOf(one, views));
  const known = new Set([...singles, ...recipients].map(({ id = '' }) => id));
  const others = list.filter(({ id }) => !known.has(id));
  const scheduled = others.filter(({ chatId, content }) =>
    schedules.some(({ to, texts }) => chatId === `${to}@c.us` && texts.includes(content.text)),
  );
  const asked = [...singles, ...recipients, ...scheduled.map((message) => askedAs(message, views))];
  return {
    ...account(/** @type {any} */ (asked), views, await gateway.delivered()),
    campaigns: accountCampaigns(/** @type {any} */ (read), views),
    ofSchedules: scheduled.length,
    wrong: [
      ...others.filter((one) => !scheduled.includes(one)).map(({ id }) => `${id} was not requested`),
      ...singles
        .filter(({ id, mustBe }) => mustBe !== undefined && views.get(id)?.state !== mustBe)
        .map(({ id }) => `${id} was posted after an opt-out`),
      ...read.flatMap((one) => wrongTexts(one, views)),
    ],
  };
}

/** @typedef {import('./campaigns.js').Campaign} Campaign */

/**
 * @param {Traffic} traffic
 * @param {readonly Campaign[]} known
 * @param {readonly import('./campaigns.js').Schedule[]} schedules
 * @param {readonly { to: string, name: string }[]} recipients
 */
async function campaignsOfSchedule({ api }, known, schedules, recipients) {
  const ids = new Set(known.map(({ id }) => id));
  const found = [];
  for await (const { id } of itemsOf(/** @type {any} */ (api.listCampaigns), {
    query: /** @type {any} */ ({ limit: 500 }),
  })) {
    const schedule = schedules.find((one) => id.startsWith(`${one.id}-`));
    if (ids.has(id) || schedule === undefined) continue;
    found.push({ id, texts: schedule.texts, recipients, isStarted: true });
  }
  return found;
}

/** @param {Traffic['api']} api  @param {Pick<Campaign, 'id' | 'texts' | 'recipients' | 'isStarted'>} planned */
async function readOf(api, planned) {
  const read = planned.isStarted ? await readCampaign(api, planned.id) : undefined;
  return { planned, sentWhilePaused: 0, ...(read && { read }) };
}

/** The recipients as messages, each with the text that the ledger says was posted. */
function recipientsOf(/** @type {Awaited<ReturnType<typeof readOf>>} */ { planned, read }, /** @type {any} */ views) {
  const ids = new Map(read?.report.map(({ chatId, messageId }) => [chatId, messageId]));
  return planned.recipients.map(({ to }) => {
    const id = ids.get(`${to}@c.us`);
    return id === undefined
      ? { id: undefined, planned: { to, text: '', onUnknown: 'manual', edits: [] } }
      : askedAs({ id, to }, views);
  });
}

/** @param {{ id: any, to?: string, chatId?: string }} message  @param {any} views */
function askedAs({ id, to, chatId = '' }, views) {
  const view = views.get(id);
  return {
    id,
    planned: {
      to: to ?? chatId.split('@')[0] ?? '',
      text: textOf(view),
      onUnknown: view?.onUnknown ?? 'manual',
      edits: view?.edits ?? [],
    },
  };
}

/** @param {any} view */
const textOf = (view) => view?.postedText ?? view?.content?.text ?? '';

/** @param {Awaited<ReturnType<typeof readOf>>} campaign  @param {any} views */
function wrongTexts({ planned, read }, views) {
  const names = new Map(planned.recipients.map(({ to, name }) => [`${to}@c.us`, name]));
  return (read?.report ?? []).flatMap(({ chatId, messageId }) => {
    const texts = planned.texts.map((text) => text.replace('{{name}}', names.get(chatId) ?? ''));
    const view = views.get(messageId);
    return view === undefined || view.attempts.length === 0 || texts.includes(textOf(view))
      ? []
      : [`${messageId} has a text that its campaign never had`];
  });
}
