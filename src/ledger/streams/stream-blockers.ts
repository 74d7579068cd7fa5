/** What the ledger knows of streams, for `streamBlocker`; for views, never for a claim. */
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { MessageCategory, groupBy, present, type CampaignState } from '../../contract/index.js';
import { dailyCaps, streamBlocker, type Blocker, type CapFacts, type StreamFacts } from '../../domain/index.js';
import { awayState } from '../instances/pauses.js';
import type { StreamsTable } from '../storage/schema.js';
import { isoTime } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { rulesOf, type RulesRow } from './open-streams.js';
import { classIn, classOf } from './streams.js';

interface FactsRow
  extends RulesRow, Pick<Selectable<StreamsTable>, 'needs_phone' | 'element_name' | 'template_id' | 'closed_since'> {
  readonly id: string;
  readonly next_at: Date | null;
  readonly campaign_state: CampaignState | null;
  readonly deadline_at: Date | null;
  readonly pauses: readonly { readonly reason: string; readonly since: string }[] | null;
  readonly clearing_until: Date | null;
  readonly clearing_since: Date | null;
  readonly away_state: string | null;
  readonly away_since: Date | null;
  readonly template_name: string | null;
  readonly template_status: string | null;
  readonly template_has_id: boolean | null;
  readonly template_since: Date | null;
}

/** @param some  a condition on the stream `s` */
export function streamsWhere(some: RawBuilder<unknown>) {
  return sql`select s.id::text as id, s.instance, s.class, s.category, s.timezone, s.campaign_id, s.element_name,
    s.template_id, s.needs_phone, s.closed_since, s.next_at from streams s where ${some}`;
}

/**
 * As if messages of this campaign were due from each of its accounts that is in, by the account's name: it has no stream
 * before its first messages are composed.
 * @param which  a condition on the account `a`
 */
export function streamsOfCampaign(id: string, which: RawBuilder<unknown> = sql`a.out_at is null`) {
  return sql`select a.instance as id, a.instance, ${classIn('c')} as class, c.category,
    null as timezone, c.id as campaign_id, c.content ->> 'elementName' as element_name, c.content ->> 'templateId' as template_id,
    true as needs_phone, null::timestamptz as closed_since, null::timestamptz as next_at
    from campaigns c join campaign_accounts a on a.campaign_id = c.id where c.id = ${id} and ${which}`;
}

/** As if single messages of this instance were due that need its phone: one stream for each category. */
export function streamsOfInstance(instance: string) {
  return sql`select category as id, ${instance}::text as instance, ${classOf('normal')}::integer as class, category,
    null as timezone, null as campaign_id, null as element_name, null as template_id, true as needs_phone,
    null::timestamptz as closed_since, null::timestamptz as next_at
    from unnest(${Object.values(MessageCategory)}::text[]) category`;
}

/** What blocks all of the streams: that of the one which is claimable first. Undefined if one is open, or there is none. */
export function blockerOfAll(streams: Iterable<StreamFacts>, nowMs: number): Blocker | undefined {
  const blockers = Array.from(streams, (one) => streamBlocker(one, nowMs));
  if (blockers.includes(undefined)) return undefined;
  return blockers.filter((one) => one !== undefined).toSorted((a, b) => endOf(a) - endOf(b))[0];
}

function endOf({ until }: Blocker): number {
  return until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until);
}

/** By the id of each stream of a query. */
export async function streamFacts(
  db: Db,
  streams: RawBuilder<unknown>,
  nowMs: number,
): Promise<Map<string, StreamFacts>> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<FactsRow>`
    select stream.id, stream.instance, stream.class, stream.category, stream.timezone, stream.campaign_id, stream.element_name, stream.template_id, stream.needs_phone,
      stream.closed_since, case when stream.next_at > ${now} then stream.next_at end as next_at, c.sending_windows, c.limits,
      c.state as campaign_state, c.deadline_at, i.settings, p.pauses, clearing.until as clearing_until,
      clearing.since as clearing_since, away.state as away_state, away.since as away_since, t.element_name as template_name,
      coalesce(t.status, t.state) as template_status, t.template_id is not null as template_has_id,
      coalesce(t.status_since, t.created_at) as template_since
    from (${streams}) stream left join campaigns c on c.id = stream.campaign_id
    left join instance_settings i on i.instance = stream.instance
    left join lateral (
      select json_agg(json_build_object('reason', reason, 'since', ${isoTime('since')}) order by since, seq) as pauses
      from instance_pauses where instance = stream.instance and resumed_at is null) p on true
    left join lateral (
      select stops_posts_until as until, created_at as since from operations
      where instance = stream.instance and stops_posts_until > ${now} order by stops_posts_until desc limit 1) clearing on true
    left join lateral (${awayState(sql`stream.instance`, new Date(nowMs))}) away on true
    left join lateral (
      select * from templates t where t.instance = stream.instance
        and case when stream.element_name is null then t.template_id = stream.template_id else t.element_name = stream.element_name end
      order by t.status is not distinct from 'APPROVED' limit 1) t on true`.execute(db);
  const scopes = rows.flatMap(({ instance, campaign_id }) => [
    `instance:${instance}`,
    ...(campaign_id === null ? [] : [`campaign:${campaign_id}`]),
  ]);
  const caps = await sql<CapFacts>`
    select scope, posted, reached_at, day_ends_at from daily_caps
    where scope = any(${[...new Set(scopes)]}::text[]) and day_starts_at <= ${now} and day_ends_at > ${now}`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, factsOf(row, caps.rows)]));
}

function factsOf(row: FactsRow, caps: readonly CapFacts[]): StreamFacts {
  const { clearing_until: until, clearing_since: since, away_state: state, away_since, campaign_id, deadline_at } = row;
  const { element_name, template_name, template_status: status } = row;
  // DISPATCH-4: a template that is named by its id only and is not ours belongs to the gateway.
  const notOurs = element_name === null ? undefined : { name: element_name, status: 'not known here', hasId: false };
  return {
    rules: rulesOf(row),
    needsPhone: row.needs_phone,
    pauses: row.pauses ?? [],
    clearing: until === null || since === null ? undefined : { until, since },
    away: state === null || away_since === null ? undefined : { state, since: away_since },
    campaign:
      campaign_id === null
        ? undefined
        : { id: campaign_id, state: row.campaign_state ?? 'draft', deadlineAt: deadline_at },
    template:
      template_name === null || status === null
        ? notOurs
        : { name: template_name, status, hasId: row.template_has_id === true, since: row.template_since ?? undefined },
    caps,
    closedSince: row.closed_since ?? undefined,
    nextAt: row.next_at ?? undefined,
  };
}

/** Which messages of an instance its hours and limits delay, and how much of the day's cap is used. */
export async function closedInstance(db: Db, instance: string, nowMs: number) {
  const facts = await streamFacts(db, streamsOfInstance(instance), nowMs);
  const blockerOf = (category: MessageCategory): Blocker | undefined => {
    const known = facts.get(category);
    // Only by time: pauses and the account's state are shown by themselves.
    return known && streamBlocker({ ...known, pauses: [], clearing: undefined, needsPhone: false }, nowMs);
  };
  const [all, marketing] = [blockerOf('transactional'), blockerOf('marketing')];
  // Messages that wait only because of time. `all`: every message that is not urgent.
  const closed: (Blocker & { readonly messages: 'all' | 'marketing' })[] = [];
  if (all !== undefined) closed.push({ messages: 'all', ...all });
  else if (marketing !== undefined) closed.push({ messages: 'marketing', ...marketing });
  const known = facts.get('transactional');
  const [cap] = known === undefined ? [] : dailyCaps(known.rules, nowMs);
  const today = cap && {
    posted: known?.caps.find(({ scope }) => scope === cap.scope)?.posted ?? 0,
    cap: cap.cap,
    until: new Date(cap.day.endMs).toISOString(),
  };
  return { closed, ...present({ today }) };
}

/** What a cap of the account still allows today; undefined without a cap. */
export function capsLeft(facts: StreamFacts | undefined, nowMs: number) {
  const [cap] =
    facts === undefined ? [] : dailyCaps(facts.rules, nowMs).filter(({ scope }) => scope.startsWith('instance:'));
  if (facts === undefined || cap === undefined || facts.rules.isUrgent) return undefined;
  const posted = facts.caps.find(({ scope }) => scope === cap.scope)?.posted ?? 0;
  return { messages: Math.max(0, cap.cap - posted), untilMs: cap.day.endMs };
}

/** More streams are not read, so that a scrape stays short. */
const MOST_READ = 1_000;

/** The running campaigns of which no message may be posted now, each with the code that ends first. */
export async function campaignsWaiting(
  db: Db,
  instances: readonly string[],
  nowMs: number,
): Promise<readonly { readonly instance: string; readonly reason: string }[]> {
  const ofRunning = sql`s.instance = any(${instances}::text[]) and exists (
    select from campaigns c where c.id = s.campaign_id and c.state = 'running')`;
  const some = sql`${streamsWhere(ofRunning)} order by s.instance, s.campaign_id limit ${MOST_READ}`;
  const facts = [...(await streamFacts(db, some, nowMs)).values()];
  const ofCampaigns = [...groupBy(facts, ({ rules, campaign }) => `${rules.instance} ${campaign?.id}`).values()];
  // The last campaign may have more streams.
  if (facts.length === MOST_READ) ofCampaigns.pop();
  return ofCampaigns.flatMap((streams) => {
    const first = blockerOfAll(streams, nowMs);
    return first === undefined ? [] : [{ instance: streams[0]!.rules.instance, reason: first.code }];
  });
}
