// A campaign and single messages, while worker, Temporal's server and the database are killed one after the other.
import { setTimeout as delay } from 'node:timers/promises';
import { itemsOf } from '../../dist/http-client/index.js';
import { aText, chatOf } from './stage.js';

const RECIPIENTS = 240;
const KILLED = ['worker', 'temporal', 'postgres', 'worker', 'api'];
const PATIENCE_MS = 600_000;
/** The simulator's queue releases two messages a second, and the campaign needs most of them. */
const SINGLE_EVERY_MS = 2_000;
const RETRY_AFTER_MS = 250;

/** @typedef {import('./stage.js').Stage} Stage */

/** @param {Stage} stage */
export async function campaignUnderKills(stage) {
  const { stack, api, until, say } = stage;
  await startCampaign(stage);
  const read = () => api.getCampaign({ id: 'spring' });
  const singles = sendSingles(stage);
  for (const [at, name] of KILLED.entries()) {
    const share = ((at + 1) * RECIPIENTS) / (KILLED.length + 1);
    await until(
      `${share} recipients are served`,
      read,
      ({ counts }) => RECIPIENTS - counts.pending >= share,
      PATIENCE_MS,
    );
    await stack.kill(name);
    await stack.untilHealthy(name);
    say(`${name} is healthy again`);
  }
  await singles.stop();
  for await (const { messageId, chatId } of itemsOf(api.listRecipients, { id: 'spring', query: {} })) {
    stage.requested.push({ id: messageId, chatId });
  }
  const open = ['pending', 'sending', 'unknown', 'accepted', 'sent'];
  await until(
    'nothing is under way',
    () => all(api),
    (now) => !now.some(({ state }) => open.includes(state)),
    PATIENCE_MS,
  );
  await resolve(stage);
  const { state, counts } = await until('the campaign ends', read, (now) => now.state !== 'running');
  say(`the campaign is ${state}: ${JSON.stringify(counts)}`);
}

/** @param {Stage['api']} api */
async function all(api) {
  const messages = [];
  for await (const message of itemsOf(api.listMessages, { query: {} })) messages.push(message);
  return messages;
}

/** As docs/operate.md says: an operator reads the phone, and states the outcome. @param {Stage} stage */
async function resolve({ api, phones, say }) {
  for (const { id, chatId, reason } of (await all(api)).filter(({ state }) => state === 'unresolved')) {
    const [shown] = await phones.delivered(chatId);
    const outcome = shown === undefined ? 'not_accepted' : 'accepted';
    await api.resolveMessage({ id, body: { outcome, ...(shown && { idMessage: shown.idMessage }) } });
    say(`      ${id} was unresolved (${reason}); the phone says ${outcome}`);
  }
}

/** @param {Stage} stage */
async function startCampaign({ api, check }) {
  const id = 'spring';
  const numbers = Array.from({ length: RECIPIENTS }, (_, at) => `1555020${String(at).padStart(4, '0')}`);
  await api.defineCampaign({ id, body: { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } } });
  const csv = ['phone,name', ...numbers.map((number) => `${number},N${number}`)].join('\n');
  const { lines, rejected } = await api.importRecipients({ id, file: { type: 'text/csv', body: csv } });
  check('recipients of the campaign', RECIPIENTS, lines - rejected);
  await api.startCampaign({ id, body: {} });
}

/**
 * Requests messages one after the other, as a program would: each again with its key until the API has taken it.
 * @param {Stage} stage
 */
function sendSingles({ api, requested }) {
  const stopping = new AbortController();
  const sending = (async () => {
    for (let at = 0; !stopping.signal.aborted; at += 1) {
      const number = `1555030${String(at).padStart(4, '0')}`;
      const request = () => api.sendMessage({ key: `single-${at}`, body: aText(number, `Number ${at}`) });
      const { id } = await untilTaken(request);
      requested.push({ id, chatId: chatOf(number) });
      await delay(SINGLE_EVERY_MS);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return sending;
    },
  };
}

/**
 * @template Value
 * @param {() => Promise<Value>} request
 * @returns {Promise<Value>}
 */
async function untilTaken(request) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(RETRY_AFTER_MS);
    }
  }
}
