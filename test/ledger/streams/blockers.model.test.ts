/**
 * In random worlds, what is shown as a message's blocker agrees with what a claim does (BLOCK-1 to BLOCK-5): a message
 * is claimed exactly if nothing blocks it, at `until` and not before, and the next due time is not later.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  CampaignLimits,
  InstanceSettings,
  LocalHours,
  MessageContent,
  MessageId,
} from '../../../src/contract/index.js';
import { renderContent } from '../../../src/domain/index.js';
import type { MessageView } from '../../../src/ledger/index.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { runs } from '../../support/runs.js';
import { PLAIN_TEMPLATE } from '../../support/template.js';
import { CampaignCast, DAY, NAMESPACE } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW } from '../cast.js';
import { DispatchCast } from '../dispatch/cast.js';

let database: Awaited<ReturnType<typeof aDatabase>>;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.close());

const HOUR = 60 * MINUTE;

const time = fc.nat(23).map((hour) => `${String(hour).padStart(2, '0')}:00`);
const hours: fc.Arbitrary<LocalHours> = fc.record({
  timezone: fc.constantFrom('UTC', 'America/New_York'),
  windows: fc.array(fc.record({ from: time, until: time }), { minLength: 1, maxLength: 2 }),
});
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const caps = fc.record(
  {
    timezone: fc.constant('UTC'),
    perDay: fc.integer({ min: 1, max: 3 }),
    frequencyCap: fc.constant({ messages: 1, days: 1 }),
  },
  { requiredKeys: ['timezone', 'frequencyCap'] },
);
const settings: fc.Arbitrary<InstanceSettings> = fc.oneof(
  fc.constant({}),
  fc.record({ limits: caps }),
  fc.record({ sendingWindows: hours, quietHours: hours, limits: caps }, { requiredKeys: [] }),
);
const single = fc.record({
  chat: fc.nat(1),
  text: fc.nat(2),
  priority: fc.constantFrom('urgent', 'normal'),
  category: fc.constantFrom('transactional', 'marketing', 'marketing', 'marketing'),
  lifeMs: fc.constantFrom(20 * MINUTE, 3 * HOUR, 3 * DAY),
  sendInMs: fc.constantFrom(0, 0, 0, HOUR),
  template: fc.constantFrom(false, false, true),
  isSuppressed: fc.constantFrom(false, false, false, true),
});
const campaign = fc.record({
  recipients: fc.integer({ min: 1, max: 3 }),
  state: fc.constantFrom('running', 'running', 'paused'),
  isChanged: fc.constantFrom(false, false, true),
  sendingWindows: sometimes(hours),
  limits: sometimes(
    fc.record(
      {
        perDay: fc.integer({ min: 1, max: 3 }),
        jitter: fc.constant({ minMs: 10 * MINUTE, maxMs: 10 * MINUTE, seed: 's' }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<CampaignLimits>,
  ),
});
const facts = fc.record({
  settings,
  singles: fc.array(single, { minLength: 2, maxLength: 7 }),
  campaigns: fc.array(campaign, { maxLength: 2 }),
  isApproved: fc.boolean(),
  isPaused: fc.constantFrom(false, false, false, true),
  isAway: fc.constantFrom(false, false, false, true),
  isClearing: fc.constantFrom(false, false, false, true),
});
type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

const ELEMENT = 'order_ready';

class World {
  readonly c = new DispatchCast(database.ledger);
  readonly ids: MessageId[] = [];
  /** Messages that no claim may take, whatever is shown. */
  readonly forbidden = new Set<MessageId>();
  readonly #suppressed = new Set<string>();
  readonly #marketing = new Set<MessageId>();
  #hasFrequencyCap = false;
  #isAway = false;

  async build(given: Facts): Promise<void> {
    const { instance, ledger } = this.c;
    this.c.settings = given.settings;
    this.#hasFrequencyCap = given.settings.limits?.frequencyCap !== undefined;
    await this.#template(given.isApproved);
    for (const one of given.campaigns) await this.#campaign(one);
    for (const one of given.singles) await this.#single(one);
    if (given.isPaused) await ledger.instances.pauseByOperator(instance, 'one', 'loopback', NOW);
    this.#isAway = given.isAway;
    if (given.isClearing) {
      const order = { method: 'clearMessagesQueue', instance, requestHash: 'h', request: {}, nowMs: NOW };
      await ledger.operations.open({ id: `op-${instance}`, ...order });
      await ledger.queueClears.stopPosts(`op-${instance}`, instance, NOW + 5 * MINUTE);
    }
    await this.c.begin(2);
  }

  async #template(isApproved: boolean): Promise<void> {
    const key = { instance: this.c.instance, elementName: ELEMENT };
    const { templates } = this.c.ledger;
    await templates.submit({ ...key, definition: PLAIN_TEMPLATE, definitionHash: 'd', requestedAt: '' }, NOW);
    if (!isApproved) return;
    const token = randomUUID();
    await templates.claim({ key, token, reconcileAfterMs: NOW });
    const reading = { templateId: `T-${key.instance}`, status: 'APPROVED' };
    await templates.recordOutcome(key, token, { kind: 'accepted', reading, witness: 'response' }, NOW);
  }

  async #campaign({ recipients, state, isChanged, sendingWindows, limits }: Facts['campaigns'][number]): Promise<void> {
    const cast = new CampaignCast(this.c.ledger, this.c.instance);
    const { campaigns, dispatch } = this.c.ledger;
    await cast.draft({ ...(sendingWindows && { sendingWindows }), ...(limits && { limits }) });
    await cast.imported(recipients);
    await campaigns.start(cast.id, NAMESPACE, NOW);
    const compose = ({ values }: { values: Readonly<Record<string, string>> }, content: never) => ({
      content: renderContent(content, values) as unknown as MessageContent,
    });
    await dispatch.readAhead(cast.id, { limit: recipients, compose: compose as never, nowMs: NOW });
    const rows = await database.db.selectFrom('messages').select('id').where('campaign_id', '=', cast.id).execute();
    this.ids.push(...rows.map(({ id }) => id));
    if (isChanged) await campaigns.update(cast.id, { content: { kind: 'text', text: 'Later' } }, NOW);
    if (isChanged) for (const { id } of rows) this.forbidden.add(id);
    if (state === 'paused') await campaigns.pause(cast.id, NOW);
  }

  async #single({ chat, text, lifeMs, sendInMs, template, isSuppressed, ...over }: Facts['singles'][number]) {
    const chatId = `1555${this.c.instance.slice(2, 8).replaceAll(/\D/g, '7')}00${chat}@c.us`;
    const content: MessageContent = template
      ? { kind: 'template', elementName: ELEMENT, params: [] }
      : { kind: 'text', text: `text ${text}` };
    const times = { expiresAtMs: NOW + lifeMs, ...(sendInMs > 0 && { sendAtMs: NOW + sendInMs }) };
    const id = await this.c.take({ chatId, content, ...over, ...times });
    this.ids.push(id);
    if (over.category === 'marketing') this.#marketing.add(id);
    if (!isSuppressed) return;
    this.#suppressed.add(chatId);
    // As if the entry was written while another transaction had locked the message.
    const entry = `sup_${randomUUID()}`;
    const now = new Date(NOW);
    await sql`insert into suppressions (id, instance, chat_id, scope, source, since, recorded_at)
      values (${entry}, ${this.c.instance}, ${chatId}, 'all', 'operator', ${now}, ${now}) on conflict do nothing`.execute(
      database.db,
    );
    await sql`insert into suppressed_chats (chat_id, suppression_id)
      select ${chatId}, id from suppressions where id = ${entry}`.execute(database.db);
  }

  async pending(nowMs: number): Promise<MessageView[]> {
    const views = await Promise.all(this.ids.map((id) => this.c.ledger.views.message(id, nowMs)));
    return views.filter((view) => view !== undefined).filter(({ state }) => state === 'pending');
  }

  /** Claims until nothing is claimed, ended or parked. @returns what was claimed, and the next due time */
  async drain(nowMs: number): Promise<{ claimed: MessageId[]; nextDueMs: number | undefined }> {
    const { instance, ledger } = this.c;
    // A worker sees the account's state every minute; after a longer gap it is not known.
    if (this.#isAway) await ledger.instanceStates.record({ instance, state: 'notAuthorized', atMs: nowMs });
    const claimed: MessageId[] = [];
    const marketing: string[] = [];
    for (;;) {
      const before = await this.pending(nowMs);
      const tick = await this.c.tick({ free: 50, nowMs, room: { urgent: 99, high: 99, normal: 99, low: 99 } });
      const blocked = before.filter(({ waiting }) => waiting !== undefined).map(({ id }) => id);
      for (const { messageId, chatId = '', postingDeadlineMs } of tick.claimed) {
        expect(postingDeadlineMs).toBeGreaterThan(nowMs);
        expect(blocked).not.toContain(messageId);
        expect([this.forbidden.has(messageId), this.#suppressed.has(chatId)]).toEqual([false, false]);
      }
      marketing.push(...tick.claimed.flatMap((one) => (this.#marketing.has(one.messageId) ? (one.chatId ?? []) : [])));
      if (this.#hasFrequencyCap) expect(new Set(marketing).size).toBe(marketing.length);
      claimed.push(...tick.claimed.map(({ messageId }) => messageId));
      const after = await this.pending(nowMs);
      const isQuiet = tick.claimed.length === 0 && tick.hasHidden !== true && after.length === before.length;
      if (isQuiet) return { claimed, nextDueMs: tick.nextDueMs };
    }
  }
}

it('a message is claimed exactly if nothing blocks it, and when its blockers end', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(facts, async (given) => {
      const world = new World();
      await world.build(given);
      for (let nowMs = NOW, steps = 0; steps < 5; steps += 1) {
        const { nextDueMs } = await world.drain(nowMs);
        const pending = await world.pending(nowMs);
        expect(pending.filter(({ waiting }) => waiting === undefined)).toEqual([]);
        const untils = pending.flatMap(({ waiting }) =>
          waiting?.until === undefined ? [] : [Date.parse(waiting.until)],
        );
        if (untils.length === 0) {
          expect(nextDueMs ?? Infinity).toBeGreaterThan(nowMs);
          return;
        }
        const untilMs = Math.min(...untils);
        expect(untilMs).toBeGreaterThan(nowMs);
        expect(nextDueMs).toBeLessThanOrEqual(untilMs);
        expect(nextDueMs).toBeGreaterThan(nowMs);
        expect((await world.drain(untilMs - 1)).claimed).toEqual([]);
        nowMs = untilMs;
      }
    }),
    { numRuns: runs(160) },
  );
});
