// The campaigns and schedules of a soak. The kinds of campaigns follow each other.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { CAMPAIGN_END_STATES } from '../../dist/contract/index.js';
import { STEER_WITHIN_MS } from '../../dist/client/index.js';

const POOL = 10;
const WITHOUT_ACCOUNT = 3;
/** The steps of a campaign come this long after its start. */
const STEP_AFTER_MS = 10_000;
const PAUSED_MS = 5_000;
const KINDS = /** @type {const} */ (['pool', 'window', 'cap', 'amended', 'retried', 'paused']);

/**
 * @typedef {import('./traffic.js').Traffic} Traffic
 * @typedef {import('./traffic.js').Account} Account
 * @typedef {{ id: any, kind: typeof KINDS[number], accounts: readonly Account[], recipients: readonly { to: string, name: string }[],
 *   texts: string[], isStarted: boolean }} Campaign
 * @typedef {{ id: string, texts: string[], to?: string }} Schedule
 */

/**
 * @param {Traffic} traffic
 * @param {readonly Account[]} guests  accounts that the instances file loses and regains
 */
export function createCampaigns(traffic, guests) {
  const { api, persist, repeat, count, accountAt } = traffic;
  /** @type {Campaign[]} */
  const campaigns = [];
  /** @type {Schedule[]} */
  const schedules = [];

  /** @param {number} number  @param {number} size */
  async function campaign(number, size) {
    const kind = KINDS[(number - 1) % KINDS.length] ?? 'pool';
    const members = Array.from({ length: kind === 'pool' ? POOL : 2 }, (_, at) => accountAt(number * POOL + at));
    const accounts = [...new Set(kind === 'pool' ? [...members, ...guests] : members)];
    const recipients = Array.from({ length: size }, (_, at) => ({
      to: `1555${String(number).padStart(3, '0')}${String(1_001 + at)}`,
      name: `Recipient ${at + 1}`,
    }));
    const id = `soak-${number}`;
    /** @type {Campaign} */
    const one = { id, kind, accounts, recipients, texts: [`Hello {{name}}, offer ${number}.`], isStarted: false };
    campaigns.push(one);
    if (kind === 'pool') one.texts.push(`Offer ${number}, {{name}}!`);
    if (kind === 'retried') await withoutAccounts(one);
    const body = { ...definitionOf(one), instances: accounts.map(({ name }) => name) };
    const defined = await persist(`definition of ${id}`, () => api.defineCampaign({ id: one.id, body }));
    if (defined === undefined) return;
    const lines = recipients.map(({ to, name }) => `${JSON.stringify({ phone: to, name })}\n`);
    const imported = await persist(`import of ${id}`, () =>
      api.importRecipients({ id: one.id, file: { type: 'application/x-ndjson', body: Readable.from(lines) } }),
    );
    if (imported === undefined) return;
    const started = await persist(`start of ${id}`, () => api.startCampaign({ id: one.id, body: {} }));
    if (started === undefined) return;
    one.isStarted = true;
    count(`campaigns, ${kind}`);
    await delay(STEP_AFTER_MS, undefined, { signal: traffic.over });
    await step(one);
    await untilEnded(one);
    traffic.contacts.push(
      ...recipients
        .slice(0, 40)
        .map(({ to }) => ({ account: /** @type {Account} */ (members[0]), chatId: `${to}@c.us` })),
    );
  }

  /** @param {Campaign} one */
  async function step({ id, kind, accounts, texts }) {
    if (kind === 'cap')
      await persist('cap', () => api.updateCampaign({ id, body: { limits: null }, key: `${id}-cap` }));
    if (kind === 'amended') {
      const text = 'Dear {{name}}, we open at ten.';
      texts.push(text);
      await persist('amendment', () => api.amendCampaign({ id, body: { text }, key: `${id}-amend` }), [
        'CAMPAIGN_ENDED',
      ]);
      count('amendments');
    }
    if (kind === 'paused') {
      const request = { id, waitMs: STEER_WITHIN_MS };
      await persist('pause', () => api.pauseCampaign({ ...request, key: `${id}-pause` }), ['CAMPAIGN_ENDED']);
      await delay(PAUSED_MS, undefined, { signal: traffic.over });
      const resume = { ...request, key: `${id}-resume`, body: {} };
      await persist('resume', () => api.resumeCampaign(resume), ['CAMPAIGN_ENDED', 'COMMAND_SUPERSEDED']);
      count('pauses and resumes');
    }
    if (kind === 'retried') {
      await untilEnded({ id });
      for (const { idInstance } of accounts) await setAccounts(idInstance, []);
      const body = { scopes: [/** @type {const} */ ('no_account')] };
      await persist('retry', () => api.retryCampaign({ id, body, key: `${id}-retry` }));
      count('retries');
    }
  }

  /** @param {Pick<Campaign, 'id'>} campaign */
  const untilEnded = ({ id }) =>
    traffic.untilIs(
      () => persist('campaign', () => api.getCampaign({ id })),
      // One whose recipient is unresolved waits for an operator.
      (read) =>
        read === undefined ||
        CAMPAIGN_END_STATES.includes(read.state) ||
        read.counts.pending + read.counts.sending + read.counts.unknown + read.counts.accepted + read.counts.sent === 0,
    );

  /** @param {Campaign} campaign */
  async function withoutAccounts({ accounts, recipients }) {
    const noAccount = recipients.slice(0, WITHOUT_ACCOUNT).map(({ to }) => `${to}@c.us`);
    for (const { idInstance } of accounts) await setAccounts(idInstance, noAccount);
  }

  /** @param {string} idInstance  @param {readonly string[]} noAccount */
  const setAccounts = (idInstance, noAccount) =>
    traffic.gatewayTakes(() => traffic.gateway.ask('POST', `instances/${idInstance}/accounts`, { noAccount }));

  /** @param {number} number */
  async function schedule(number) {
    const { name: instance } = accountAt(number);
    const to = `1555920${String(number).padStart(4, '0')}`;
    const [id, text] = [`soak-every-minute-${number}`, `Reminder ${number}.`];
    schedules.push({ id, texts: [text], to });
    const message = { instance, to, content: { kind: /** @type {const} */ ('text'), text } };
    await persist('schedule', () => api.createSchedule({ body: { id, cron: ['* * * * *'], message } }));
  }

  /** Its recipients come from the file of their account. @param {string} instance  @param {string} file */
  async function scheduleOfCampaigns(instance, file) {
    const [id, text] = ['soak-rounds', 'Round for {{name}}.'];
    schedules.push({ id, texts: [text] });
    const content = { kind: /** @type {const} */ ('text'), text };
    const body = { id, cron: ['*/2 * * * *'], campaign: { instance, content }, recipients: { file } };
    await persist('schedule', () => api.createSchedule({ body }));
  }

  return {
    campaigns: /** @type {readonly Campaign[]} */ (campaigns),
    schedules: /** @type {readonly Schedule[]} */ (schedules),
    /** @param {{ everyMs: number, size: number, file: string }} options */
    async start({ everyMs, size, file }) {
      for (const number of [1, 2, 3, 4, 5]) await schedule(number);
      await scheduleOfCampaigns(accountAt(0).name, file);
      void repeat(everyMs, (number) => campaign(number, size));
    },
    async stopSchedules() {
      for (const { id } of schedules)
        await persist('schedule', () => api.pauseSchedule({ id, key: `${id}-end`, body: {} }));
    },
  };
}

/** @param {Campaign} campaign */
function definitionOf({ kind, texts, recipients }) {
  const contents = texts.map((text) => ({ kind: /** @type {const} */ ('text'), text }));
  const variants = contents.map((content, at) => ({ name: at === 0 ? 'A' : 'B', share: '50%', content }));
  return {
    ...(variants.length > 1 ? { variants } : { content: contents[0] }),
    moveAfter: '10s',
    ...(kind === 'window' ? { sendingWindows: { timezone: 'UTC', windows: [windowFrom(Date.now())] } } : {}),
    ...(kind === 'cap' ? { limits: { perDay: Math.ceil(recipients.length / 4) } } : {}),
    ...(kind === 'paused' ? { limits: { jitter: { minMs: 100, maxMs: 400 } } } : {}),
    ...(kind === 'retried' ? { autoPause: /** @type {const} */ ('off') } : {}),
  };
}

/** From the next full minute for half a day. @param {number} nowMs */
function windowFrom(nowMs) {
  const time = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(11, 16);
  return { from: time(nowMs + 60_000), until: time(nowMs + 12 * 3_600_000) };
}
