/** What callers and operators do with campaigns, and what happens to their recipients. */
import fc from 'fast-check';
import type { CampaignId, CampaignState, MessageId, RetryRequest } from '../../../../src/contract/index.js';
import { BACKOFF_MS, chatOf, command, HOUR_MS, instance, isIn } from '../command.js';
import { UNREACHED, type Unreached } from '../faults.js';
import { INSTANCES, TEMPLATES } from '../instances.js';
import type { World } from '../world.js';
import { ask, onCampaign, pick, put, which, type Change } from './command.js';
import {
  asWindows,
  contentOf,
  hoursOf,
  hoursOfRule,
  listOf,
  mayBeLateMs,
  MINUTE_MS,
  RULES,
  rulesOf,
  type NewCampaign,
} from './definition.js';
import { always, campaignOf, changed, current, textOf, type ModelCampaign } from './reference.js';

const CHATS = 10;
const POOLS: readonly (readonly string[])[] = [['main'], ['other'], ['main', 'other'], ['other', 'main']];
const AUTO_PAUSE = { failureRate: 0.3, sampleSize: 10, minSamples: 2 };

const isStarting: Change = (campaign, nowMs) => ({
  ...campaign,
  isStarted: true,
  open: changed(campaign.open, true, nowMs),
});
const isOpen =
  (value: boolean): Change =>
  (campaign, nowMs) => ({ ...campaign, isTouched: true, open: changed(campaign.open, value, nowMs) });

const chats = fc.uniqueArray(fc.nat(CHATS - 1), { minLength: 3, maxLength: CHATS });

export const CAMPAIGN_COMMANDS = {
  campaign: command<NewCampaign>({
    weight: 10,
    args: fc.record({
      instance,
      isPool: fc.constantFrom(true, false, false),
      chats,
      highWater: fc.constantFrom(1, 1, 3, 12),
      kind: fc.constantFrom('text', 'text', 'text', 'template'),
      rule: fc.constantFrom(...RULES),
      inMinutes: fc.constantFrom(0, 0, 1),
      missedStart: fc.constantFrom('run', 'skip', 'hold'),
      isStarted: fc.constantFrom(true, true, true, false),
    }),
    isPossible: (reference, args, world) =>
      isIn(reference, args, world) &&
      reference.campaigns.size < 3 &&
      (!args.isPool || INSTANCES.every((name) => world.file.has(name))),
    async run(world, args, reference): Promise<ModelCampaign | undefined> {
      const name = `c${(reference.number += 1)}`;
      const pool = args.isPool ? [args.instance, ...INSTANCES.filter((one) => one !== args.instance)] : [args.instance];
      const kind = args.instance === 'main' && !args.isPool ? args.kind : 'text';
      const { nowMs, clock } = world;
      const rules = rulesOf(args, nowMs);
      const { limits, deadline, startAt } = rules;
      const content = contentOf({ name, kind }, 1, TEMPLATES[0]);
      const { highWater } = args;
      const sender = args.isPool ? { instances: pool, moveAfter: '30s' } : { instance: args.instance };
      const body = { id: name, ...sender, content, highWater, autoPause: AUTO_PAUSE, ...rules };
      world.hasCampaigns = true;
      const begun = await ask(world, reference, ({ campaigns }, key) => campaigns.begin(body, key));
      if (begun === undefined) return undefined;
      const { id } = begun.campaign;
      await ask(world, reference, async ({ campaigns }) => campaigns.import(id, listOf(args.chats), false));
      const isStarted =
        args.isStarted && (await ask(world, reference, ({ campaigns }) => campaigns.start(id))) !== undefined;
      const atMs = (time: string): number => Date.parse(time) - nowMs + clock.nowMs();
      return {
        id,
        name,
        instance: args.instance,
        accounts: always(pool),
        kind,
        chats: args.chats,
        isStarted,
        knowsZones: args.rule === 'zones',
        texts: always(1),
        amended: [],
        stops: [],
        open: always(isStarted),
        hours: always(hoursOfRule(args, nowMs)),
        perDay: always(limits?.perDay),
        deadlineMs: always(deadline === undefined ? Infinity : atMs(deadline)),
        startMs: always(startAt === undefined ? -Infinity : atMs(startAt)),
        lateMs: mayBeLateMs(args),
        again: new Map(),
        isTouched: false,
      };
    },
    learn(reference, _, campaign: ModelCampaign | undefined) {
      if (campaign !== undefined) put(reference, campaign);
    },
  }),
  campaign_start: onCampaign(3, fc.record({ which }), async (world, { id, isStarted }, _, reference) => {
    const started = await ask(world, reference, ({ campaigns }) => campaigns.start(id));
    return started === undefined || isStarted ? undefined : isStarting;
  }),
  campaign_pause: onCampaign(3, fc.record({ which }), async (world, { id }, _, reference) => {
    const paused = await ask(world, reference, ({ campaigns }, key) => campaigns.pause(id, key));
    return paused && isOpen(false);
  }),
  campaign_resume: onCampaign(4, fc.record({ which }), async (world, { id }, _, reference) => {
    const resumed = await ask(world, reference, ({ campaigns }, key) => campaigns.resume(id, key));
    return resumed && isOpen(true);
  }),
  campaign_cancel: onCampaign(2, fc.record({ which }), async (world, { id }, _, reference) => {
    const cancelled = await ask(world, reference, ({ campaigns }, key) => campaigns.cancel(id, key));
    return cancelled && isOpen(false);
  }),
  campaign_text: onCampaign(
    5,
    fc.record({ which, elementName: fc.constantFrom(...TEMPLATES) }),
    async (world, campaign, { elementName }, reference) => {
      const version = Math.max(...campaign.texts.map(({ value }) => value)) + 1;
      const content = contentOf(campaign, version, elementName) as never;
      const updated = await ask(world, reference, ({ campaigns }, key) =>
        campaigns.update(campaign.id, { content }, key),
      );
      return updated && ((before, nowMs) => ({ ...before, texts: changed(before.texts, version, nowMs) }));
    },
  ),
  campaign_hours: onCampaign(
    4,
    fc.record({
      which,
      timezone: fc.constantFrom('UTC', 'UTC', 'recipient', undefined),
      inMinutes: fc.constantFrom(0, 0, 1),
    }),
    async (world, { id }, { timezone, inMinutes }, reference) => {
      const hours = timezone && hoursOf(world.nowMs, timezone, inMinutes);
      const sendingWindows = hours === undefined ? null : asWindows(hours);
      const change = { sendingWindows } as never;
      const updated = await ask(world, reference, ({ campaigns }, key) => campaigns.update(id, change, key));
      return updated && ((before, nowMs) => ({ ...before, hours: changed(before.hours, hours, nowMs) }));
    },
  ),
  campaign_accounts: onCampaign(
    4,
    fc.record({ which, list: fc.constantFrom(...POOLS) }),
    async (world, { id, kind }, { list }, reference) => {
      if (kind !== 'text' || !list.every((name) => world.file.has(name))) return undefined;
      const change = { instances: [...list] };
      const updated = await ask(world, reference, ({ campaigns }, key) => campaigns.update(id, change, key));
      return (
        updated &&
        ((before, nowMs) => ({ ...before, instance: list[0]!, accounts: changed(before.accounts, list, nowMs) }))
      );
    },
  ),
  campaign_resume_account: onCampaign(
    2,
    fc.record({ which, name: fc.constantFrom(...INSTANCES) }),
    async (world, { id }, { name }, reference) => {
      const resumed = await ask(world, reference, ({ campaigns }, key) => campaigns.resumeAccount(id, name, key));
      return resumed && isOpen(true);
    },
  ),
  campaign_cap: onCampaign(
    3,
    fc.record({ which, perDay: fc.constantFrom(1, 3, undefined, undefined) }),
    async (world, { id }, { perDay }, reference) => {
      const limits = perDay === undefined ? null : { perDay };
      const updated = await ask(world, reference, ({ campaigns }, key) => campaigns.update(id, { limits }, key));
      return updated && ((before, nowMs) => ({ ...before, perDay: changed(before.perDay, perDay, nowMs) }));
    },
  ),
  campaign_deadline: onCampaign(
    3,
    fc.record({ which, inMs: fc.constantFrom(20_000, MINUTE_MS, HOUR_MS) }),
    async (world, { id }, { inMs }, reference) => {
      const deadline = new Date(world.nowMs + inMs).toISOString();
      const updated = await ask(world, reference, ({ campaigns }, key) => campaigns.update(id, { deadline }, key));
      return updated && deadlineIn(inMs);
    },
  ),
  campaign_start_time: onCampaign(
    2,
    fc.record({ which, inMs: fc.constantFrom(20_000, MINUTE_MS) }),
    async (world, { id }, { inMs }, reference) => {
      const startAt = new Date(world.nowMs + inMs).toISOString();
      const updated = await ask(world, reference, ({ campaigns }, key) => campaigns.update(id, { startAt }, key));
      if (updated === undefined) return undefined;
      const isScheduled = updated !== 'waiting' && updated.state === 'scheduled';
      return (before, nowMs) => ({
        ...before,
        startMs: changed(before.startMs, nowMs + inMs, nowMs),
        ...(isScheduled ? { open: changed(before.open, true, nowMs) } : {}),
      });
    },
  ),
  campaign_retry: onCampaign(
    5,
    fc.record({
      which,
      scopes: fc.constantFrom<RetryRequest['scopes'][]>(
        ['failed', 'no_account', 'rejected'],
        ['cancelled'],
        ['expired', 'suppressed'],
        ['failed', 'no_account', 'rejected', 'expired', 'cancelled', 'suppressed'],
      ),
      hasDeadline: fc.boolean(),
    }),
    async (world, { id }, { scopes, hasDeadline }, reference) => {
      const before = await world.copies.messages();
      const asked = before.filter(({ campaign, state }) => campaign === id && scopes.includes(state as never));
      const deadline = new Date(world.nowMs + HOUR_MS).toISOString();
      const retry: RetryRequest = { scopes, ...(hasDeadline ? { deadline } : {}) };
      const retried = await ask(world, reference, ({ campaigns }, key) => campaigns.retry(id, retry, key));
      if (retried === undefined || retried === 'waiting') return undefined;
      const { state } = retried.progress;
      return (campaign, nowMs) => {
        const chatIds = asked.map(({ chat }) => chat);
        const again = counted(campaign.again, chatIds);
        const isRunning = RUNS.has(state) ? isOpen(true)(campaign, nowMs) : campaign;
        return { ...(hasDeadline ? deadlineIn(HOUR_MS)(isRunning, nowMs) : isRunning), again, isTouched: true };
      };
    },
  ),
  campaign_amend: onCampaign(
    4,
    fc.record({ which, stop: fc.constantFrom(false, false, true) }),
    async (world, { id, name, texts }, { stop }, reference) => {
      const version = Math.max(...texts.map(({ value }) => value)) + 1;
      const request = { text: textOf(name, version), stop };
      const amended = await ask(world, reference, ({ campaigns }, key) => campaigns.amend(id, request, key));
      if (amended === undefined) return undefined;
      return (before, nowMs) => ({
        ...before,
        texts: changed(before.texts, version, nowMs),
        amended: changed(before.amended, version, nowMs),
        ...(stop ? { open: changed(before.open, false, nowMs), stops: [...before.stops, version] } : {}),
      });
    },
  ),
  /** An operator looks at the phone of a recipient, and says what is so. */
  campaign_resolve: onCampaign(3, fc.record({ which }), async (world, { id, name }, _, reference) => {
    const rows = await world.copies.messages();
    const doubtful = rows.find(
      ({ campaign, state }) => campaign === id && (state === 'unresolved' || state === 'unknown'),
    );
    if (doubtful === undefined) return undefined;
    const of = doubtful.instance;
    const owned = new Set(rows.map(({ id_message }) => id_message));
    const item = world.gateway
      .account(of)
      .items.find(
        ({ chatId, text, idMessage, clearedAtMs }) =>
          chatId === doubtful.chat &&
          campaignOf(text)?.name === name &&
          (idMessage === doubtful.id_message || (!owned.has(idMessage) && clearedAtMs === undefined)),
      );
    const outcome = item === undefined ? ('not_accepted' as const) : ('accepted' as const);
    const resolution = { outcome, idMessage: item?.idMessage, witness: 'operator' };
    const resolved = await ask(world, reference, async ({ ledger, clock, wake }) => {
      const snapshot = await ledger.reconciling.resolve(doubtful.id as MessageId, resolution, clock.nowMs());
      await wake(of);
      return snapshot;
    });
    if (resolved === undefined || item !== undefined) return undefined;
    return (campaign) => ({ ...campaign, again: counted(campaign.again, [doubtful.chat]), isTouched: true });
  }),
  campaign_add: onCampaign(2, fc.record({ which, chats }), async (world, { id }, { chats: more }, reference) => {
    const added = await ask(world, reference, async ({ campaigns }) => {
      await campaigns.import(id, listOf(more), true);
      return true;
    });
    if (added === undefined) return undefined;
    return (before) => ({ ...before, chats: [...new Set([...before.chats, ...more])] });
  }),
  /** A campaign that exists only for a plan is removed with its recipients. */
  campaign_plan: command<{ readonly chats: readonly number[] }>({
    args: fc.record({ chats }),
    isPossible: (reference, _, world) => isIn(reference, { instance: 'main' }, world),
    async run(world, args, reference) {
      const id = `plan${(reference.number += 1)}` as CampaignId;
      const body = { instance: 'main', content: contentOf({ name: 'c0', kind: 'text' }, 1, '') };
      await ask(world, reference, ({ campaigns }) => campaigns.plan(id, body));
      await ask(world, reference, ({ campaigns }) => campaigns.import(id, listOf(args.chats), false));
      await ask(world, reference, async ({ campaigns, ledger }) => {
        if ((await ledger.campaigns.state(id)) !== undefined) await campaigns.removePlan(id);
      });
      if ((await world.ledger.campaigns.state(id)) !== undefined) throw new Error(`Always 19: ${id} was not removed`);
    },
  }),
  /** A recipient writes STOP. */
  stop_word: command<{ readonly instance: string; readonly chat: number }>({
    weight: 2,
    args: fc.record({ instance, chat: fc.nat(CHATS - 1) }),
    run(world, { instance: name, chat }) {
      world.gateway.incoming(name, chatOf(chat), 'STOP');
    },
  }),
  /** A recipient of campaigns is not reached, or is reached again. */
  unreached: command<{ readonly chats: readonly number[]; readonly how: Unreached | undefined }>({
    weight: 5,
    args: fc.record({ chats, how: fc.constantFrom(undefined, ...UNREACHED) }),
    run(world, args) {
      for (const chat of args.chats) {
        if (args.how === undefined) world.gateway.unreached.delete(chatOf(chat));
        else world.gateway.unreached.set(chatOf(chat), args.how);
      }
    },
  }),
  /** Time passes at once until just before, or just after, a start, a deadline, or the edge of hours. */
  jump_to_edge: command<{ readonly which: number; readonly edge: number; readonly afterMs: number }>({
    weight: 4,
    args: fc.record({ which, edge: fc.nat(3), afterMs: fc.constantFrom(-300, 0, 200, 30_000) }),
    isPossible: (reference, args) => pick(reference, args.which) !== undefined,
    run(world, args, reference) {
      const edges = edgesOf(pick(reference, args.which)!, world);
      const at = edges[args.edge % Math.max(1, edges.length)];
      if (at !== undefined) world.clock.jump(Math.max(0, at + args.afterMs - world.clock.nowMs()));
    },
    learn(reference, _args, _result, nowMs) {
      reference.disturbed(nowMs, BACKOFF_MS);
    },
  }),
};

const RUNS = new Set<CampaignState>(['running', 'scheduled']);

const deadlineIn =
  (inMs: number): Change =>
  (campaign, nowMs) => ({ ...campaign, deadlineMs: changed(campaign.deadlineMs, nowMs + inMs, nowMs) });

/** Each of these chats may be posted to once more. */
function counted(again: ModelCampaign['again'], chatIds: readonly string[]): ModelCampaign['again'] {
  return new Map([...again, ...chatIds.map((id) => [chatNumber(id), (again.get(chatNumber(id)) ?? 0) + 1] as const)]);
}

export function chatNumber(chatId: string): number {
  return Number(chatId.split('@')[0]!.slice(-1));
}

/** The edges that are still to come. */
function edgesOf({ deadlineMs, startMs, hours }: ModelCampaign, { clock, nowMs }: World): readonly number[] {
  const day = new Date(nowMs).toISOString().slice(0, 11);
  const now = clock.nowMs();
  const at = (time: string): number => Date.parse(`${day}${time}:00Z`) - nowMs + now;
  const open = current(hours);
  const edges = [current(deadlineMs), current(startMs), ...(open === undefined ? [] : [at(open.from), at(open.until)])];
  return edges.filter((ms) => Number.isFinite(ms) && ms > now);
}
