/**
 * What is always so of campaigns. A request is compared with what was in force when it left.
 *
 * Always 16 No recipient gets a text that was replaced before it was posted, or the text of a stop without an older one;
 *    no edit brings a replaced text.
 * Always 17 Nothing is posted before the start, after the deadline, or while it is paused or cancelled. None expires
 *    before the deadline, and none begins by itself that missed its start.
 * Always 18 Nothing is posted to a recipient who is on the suppression list.
 * Always 19 Each recipient is in one state; the counts of a campaign are those of its rows, and add up to its audience.
 * Always 20 No recipient is accepted twice, unless a retry included the recipient.
 * Always 21 Nothing is posted outside of its hours, or over its cap.
 * Always 22 A campaign with too many failures pauses soon.
 * Always 24 A post comes from an account that its campaign has.
 * Always 23 A campaign ends, or names what it waits for with a time or a remedy; so does its amendment.
 */
import { CAMPAIGN_END_STATES } from '../../../../src/contract/index.js';
import { BACKOFF_MS, chatOf, POSTING_MS, serves } from '../command.js';
import type { Finding, Reference } from '../reference.js';
import type { World } from '../world.js';
import { chatNumber } from './commands.js';
import { zoneOf } from './definition.js';
import { accountsUntil, campaignOf, changed, current, held, type Hours, type ModelCampaign } from './reference.js';

type Row = Awaited<ReturnType<World['copies']['campaigns']>>[number];
type Request = World['gateway']['requests'][number];

const DAY_MS = 24 * 60 * 60_000;
const TOKYO_MS = 9 * 60 * 60_000;
const PAUSED_WITHIN_MS = 15_000;

/** @returns what is not so now */
export async function campaignFindings(world: World, reference: Reference): Promise<Finding[]> {
  if (!world.hasCampaigns) return [];
  const rows = await world.copies.campaigns();
  const found = ofRequests(world, reference);
  observe(reference, rows, world.clock.nowMs());
  await observeSilence(world, reference);
  const known = new Map([...reference.campaigns.values()].map((campaign) => [campaign.id as string, campaign]));
  for (const row of rows) {
    const campaign = known.get(row.id);
    if (campaign !== undefined) found.push(...ofTotals(row, campaign), ...ofTimes(row, campaign, world, reference));
  }
  return [...found, ...twice(world, reference), ...(await ofOutcomes(world, reference, rows))];
}

/** New requests of the gateway. */
function ofRequests({ gateway, nowMs, clock }: World, reference: Reference): Finding[] {
  const wallMs = nowMs - clock.nowMs();
  const fresh = gateway.requests.slice(reference.compared);
  reference.compared = gateway.requests.length;
  return fresh.flatMap((request) => {
    const { atMs, posted, edited } = request;
    const text = campaignOf(posted?.text ?? edited ?? '');
    if (text === undefined || isLost(reference, atMs)) return [];
    const campaign = reference.campaigns.get(text.name);
    // It was lost with a restored copy.
    if (campaign === undefined) return [];
    const leaves = { fromMs: atMs - POSTING_MS, untilMs: atMs };
    if (posted === undefined) {
      const isNewest = held(campaign.amended, leaves, (value) => value === text.version);
      return isNewest ? [] : [{ rule: 'Always 16', text: `an edit to "${edited}" was posted` }];
    }
    return [...ofPost(campaign, request, { reference, wallMs, gateway, version: text.version })];
  });
}

function isLost({ lost }: Reference, atMs: number): boolean {
  return lost.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
}

interface Comparing {
  readonly reference: Reference;
  readonly wallMs: number;
  readonly gateway: World['gateway'];
  readonly version: number;
}

function* ofPost(
  campaign: ModelCampaign,
  { atMs, instance, posted }: Request,
  { reference, wallMs, gateway, version }: Comparing,
): Generator<Finding> {
  const { text, chatId } = posted!;
  const leaves = { fromMs: atMs - POSTING_MS, untilMs: atMs };
  const skewMs = reference.skewMs;
  if (!held(campaign.texts, leaves, (value) => value === version)) {
    yield { rule: 'Always 16', text: `"${text}" was posted at ${atMs}, and its text was replaced` };
  }
  if (campaign.stops.includes(version)) {
    yield { rule: 'Always 16', text: `"${text}" was posted at ${atMs}, and it only corrects an older text` };
  }
  if (!held(campaign.accounts, leaves, (accounts) => accounts.includes(instance))) {
    yield {
      rule: 'Always 24',
      text: `"${text}" was posted at ${atMs} by ${instance}, which its campaign does not have`,
    };
  }
  const isInTime =
    held(campaign.deadlineMs, leaves, (ms) => atMs < ms + skewMs) &&
    held(campaign.startMs, leaves, (ms) => atMs >= ms - skewMs);
  if (!isInTime)
    yield { rule: 'Always 17', text: `"${text}" was posted at ${atMs}, before its start or after its end` };
  if (!held(campaign.open, leaves, (isOpen) => isOpen)) {
    yield { rule: 'Always 17', text: `"${text}" was posted at ${atMs}, and its campaign is stopped` };
  }
  for (const whose of ['*', ...accountsUntil(campaign, leaves.fromMs)]) {
    const silentMs = reference.silentSince.get(`${whose} ${chatId}`) ?? Infinity;
    if (silentMs < leaves.fromMs) {
      yield {
        rule: 'Always 18',
        text: `"${text}" was posted at ${atMs}, and its recipient is suppressed since ${silentMs}`,
      };
    }
  }
  const isWithin = (hours: Hours | undefined): boolean =>
    [-skewMs, 0, skewMs].some((ms) => isOpenAt(hours, chatNumber(chatId), wallMs + atMs + ms));
  if (!held(campaign.hours, leaves, isWithin)) {
    yield { rule: 'Always 21', text: `"${text}" was posted at ${atMs}, outside of its hours` };
  }
  const dayMs = Math.floor((wallMs + atMs) / DAY_MS) * DAY_MS - wallMs;
  const earlier = itemsOf(gateway, campaign).filter(
    (item) => campaignOf(item.text)?.name === campaign.name && item.acceptedAtMs >= dayMs && item.acceptedAtMs < atMs,
  ).length;
  if (skewMs === 0 && !held(campaign.perDay, leaves, (cap) => cap === undefined || earlier < cap)) {
    yield { rule: 'Always 21', text: `"${text}" was posted at ${atMs} after ${earlier} others of its day` };
  }
}

function itemsOf(gateway: World['gateway'], campaign: ModelCampaign) {
  return accountsUntil(campaign).flatMap((name) => gateway.account(name).items);
}

function isOpenAt(hours: Hours | undefined, chat: number, atMs: number): boolean {
  if (hours === undefined) return true;
  const isEast = hours.timezone === 'recipient' && zoneOf(chat) === 'Asia/Tokyo';
  const time = new Date(atMs + (isEast ? TOKYO_MS : 0)).toISOString().slice(11, 16);
  return time >= hours.from && time < hours.until;
}

/** What everpost does itself: it pauses a campaign. */
function observe(reference: Reference, rows: readonly Row[], nowMs: number): void {
  for (const campaign of reference.campaigns.values()) {
    const row = rows.find(({ id }) => id === campaign.id);
    if (row?.state !== 'paused' || !current(campaign.open)) continue;
    const paused = { ...campaign, isTouched: true, open: changed(campaign.open, false, nowMs) };
    reference.campaigns = new Map([...reference.campaigns, [campaign.name, paused]]);
  }
}

/** STOP takes effect once its notification has come. */
async function observeSilence({ copies, clock }: World, reference: Reference): Promise<void> {
  const silent = await copies.silent();
  reference.silentSince = new Map(
    silent.map(({ chat, instance }) => {
      const key = `${instance ?? '*'} ${chat}`;
      return [key, reference.silentSince.get(key) ?? clock.nowMs()];
    }),
  );
}

function* ofTotals(row: Row, campaign: ModelCampaign): Generator<Finding> {
  const { id, state, audience, recipients, strange, counted, recounted } = row;
  const withRow = Object.values(recounted).reduce((sum, count) => sum + count, 0);
  const facts = JSON.stringify({ audience, recipients, counted, recounted, expected: campaign.chats.length });
  if (JSON.stringify(counted) !== JSON.stringify(recounted)) {
    yield { rule: 'Always 19', text: `${id} is ${state}, and its counts are not those of its rows: ${facts}` };
  }
  if (audience !== campaign.chats.length || recipients !== audience || withRow > audience || strange > 0) {
    yield { rule: 'Always 19', text: `${id} is ${state}, and its recipients do not add up: ${facts}` };
  }
}

function* ofTimes(row: Row, campaign: ModelCampaign, world: World, { skewMs, lost }: Reference): Generator<Finding> {
  const { id, recounted, started_ms: startedMs, state_without_message: rest } = row;
  const nowMs = world.clock.nowMs();
  const hasExpired = rest === 'expired' || Object.keys(recounted).some((state) => state.startsWith('expired'));
  if (hasExpired && campaign.deadlineMs.every(({ value }) => value > nowMs + skewMs) && nowMs < DAY_MS) {
    yield { rule: 'Always 17', text: `${id} has expired recipients before its deadline` };
  }
  const lateMs = startedMs === null ? 0 : startedMs - (world.nowMs - nowMs) - current(campaign.startMs);
  if (lateMs > campaign.lateMs + skewMs && !campaign.isTouched && lost.length === 0) {
    yield { rule: 'Always 17', text: `${id} began ${lateMs} ms after its start` };
  }
}

function* twice({ gateway }: World, reference: Reference): Generator<Finding> {
  for (const campaign of reference.campaigns.values()) {
    const own = itemsOf(gateway, campaign).filter(
      ({ text, clearedAtMs }) => campaignOf(text)?.name === campaign.name && clearedAtMs === undefined,
    );
    for (const chat of campaign.chats) {
      const got = own.filter(({ chatId }) => chatId === chatOf(chat)).length;
      const again = campaign.again.get(chat) ?? 0;
      if (got > 1 + again) {
        yield {
          rule: 'Always 20',
          text: `${campaign.name} was accepted ${got} times for ${chat}, and retried ${again} times`,
        };
      }
    }
  }
}

const MISSED = ['failed', 'no_account', 'rejected'];
const ARRIVED = ['sent', 'delivered', 'read'];
const LIMIT = { share: 0.3, atLeast: 2 };

/** Always 3 for the rows of campaigns, and Always 22. */
async function ofOutcomes(world: World, reference: Reference, rows: readonly Row[]): Promise<Finding[]> {
  const found: Finding[] = [];
  const messages = (await world.copies.messages()).filter(({ campaign }) => campaign !== null);
  for (const { id, instance, state, id_message, text, campaign } of messages) {
    if (![...ARRIVED, 'accepted'].includes(state) || id_message === null) continue;
    const item = world.gateway.account(instance).items.find(({ idMessage }) => idMessage === id_message);
    if (item?.text === text && (state === 'accepted' || item?.sentAtMs !== undefined)) continue;
    found.push({
      rule: 'Always 3',
      text: `${id} of ${campaign} is ${state} as "${text}", and the phone has "${item?.text}"`,
    });
  }
  for (const { id, state } of rows) {
    const campaign = [...reference.campaigns.values()].find((one) => one.id === id);
    const own = messages.filter((message) => message.campaign === id && message.reason !== 'content_invalid');
    const missed = own.filter((message) => MISSED.includes(message.state)).length;
    const all = missed + own.filter((message) => ARRIVED.includes(message.state)).length;
    const isBad = all >= LIMIT.atLeast && missed / all > LIMIT.share;
    const isOne = campaign !== undefined && accountsUntil(campaign).length === 1;
    const isOwn = isOne && !campaign.isTouched && current(campaign.open) && state === 'running';
    const nowMs = world.clock.nowMs();
    if (!isBad || !isOwn || !serves(reference)) world.badSince.delete(id);
    else if (!world.badSince.has(id)) world.badSince.set(id, nowMs);
    const sinceMs = Math.max(world.badSince.get(id) ?? nowMs, reference.calmFromMs);
    if (nowMs - sinceMs > PAUSED_WITHIN_MS) {
      found.push({ rule: 'Always 22', text: `${id} runs, and ${missed} of ${all} did not arrive` });
    }
  }
  return found;
}

/** Codes of waits that end in a documented time, or that the gateway ends. */
const ENDS_BY_ITSELF = new Set(['RECEIPTS', 'TEMPLATE_NOT_APPROVED', 'INSTANCE_NOT_AUTHORIZED', 'QUEUE_FULL']);
const NAMED_WITHIN_MS = 120_000;
const SLICE_MS = 10_000;
/** The longest wait for a receipt, and the default deadline, each with a margin. */
export const WAITS_MS = [DAY_MS + 30 * 60_000, 8 * DAY_MS];
export const ENDS_WITHIN_MS = 90_000;

/** Always 23, at the end of a sequence. */
export async function restOfCampaigns(
  world: World,
  reference: Reference,
  pass: (ms: number) => Promise<void>,
): Promise<void> {
  const own = (): readonly ModelCampaign[] => [...reference.campaigns.values()];
  if (own().length === 0) return;
  for (let ms = 0; ; ms += SLICE_MS) {
    const silent = await unnamed(world, own());
    if (silent.length === 0) break;
    if (ms >= NAMED_WITHIN_MS) throw new Error(`Always 23: names no blocker: ${silent.join('; ')}`);
    await pass(SLICE_MS);
  }
  for (const waitMs of WAITS_MS) {
    if ((await open(world, own())).length === 0) return;
    world.clock.jump(waitMs);
    reference.disturbed(world.clock.nowMs(), BACKOFF_MS);
    await pass(ENDS_WITHIN_MS);
  }
  const left = await open(world, own());
  if (left.length > 0)
    throw new Error(`Always 23: has not ended: ${left.map((one) => JSON.stringify(one)).join('; ')}`);
  for (const { id } of own()) {
    const amendments = await world.ledger.amendments.list(id, { nowMs: world.nowMs, spacingMs: () => 0 });
    const running = amendments.filter(({ state }) => state === 'running');
    if (running.length > 0) throw new Error(`Always 23: an amendment has not ended: ${JSON.stringify(running)}`);
  }
}

/** Started campaigns that have not ended, but for those that wait for an operator since they missed their start. */
async function open({ ledger, nowMs }: World, campaigns: readonly ModelCampaign[]) {
  const shown = await Promise.all(campaigns.map(({ id }) => ledger.campaigns.progress(id, nowMs)));
  return shown.filter(
    (one) =>
      one !== undefined &&
      one.state !== 'draft' &&
      !CAMPAIGN_END_STATES.includes(one.state) &&
      one.waiting?.code !== 'START_MISSED',
  );
}

async function unnamed(world: World, campaigns: readonly ModelCampaign[]): Promise<string[]> {
  const silent = (await open(world, campaigns)).flatMap((one) => {
    // No view shows the campaigns of an instance that is not configured.
    if (one === undefined || one.state === 'paused' || !world.file.has(one.instance)) return [];
    const { waiting } = one;
    const isNamed = waiting?.until ?? waiting?.remedy ?? (ENDS_BY_ITSELF.has(waiting?.code ?? '') ? true : undefined);
    return isNamed === undefined ? [`${one.id} is ${one.state}: ${JSON.stringify({ ...one.counts, waiting })}`] : [];
  });
  for (const { id } of campaigns) {
    const { counts } = (await world.ledger.campaigns.progress(id, world.nowMs)) ?? {};
    const row = (await world.copies.campaigns()).find((one) => one.id === id);
    const sum = Object.values(counts ?? {}).reduce((total, count) => total + count, 0);
    if (row !== undefined && sum !== row.audience) throw new Error(`Always 19: ${id} shows ${sum} of ${row.audience}`);
  }
  return silent;
}
