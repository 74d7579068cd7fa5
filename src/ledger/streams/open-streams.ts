/**
 * Maintains the open times of streams, which claims depend on.
 *
 * LIMIT-3 A claim is made only between a stream's `opens_at` and `closes_at`, and its posting deadline is not after the
 *    latter. After a span has passed, nothing is claimed until a tick has computed the next one.
 * LIMIT-4 A change of settings ends the spans of its streams in its own transaction. The next spans are computed from
 *    settings that are read under the locks of the streams, so older settings cannot return.
 * LIMIT-5 A day's cap has a row, created with the first span of that day. Its count starts with the messages posted
 *    earlier that day, so a cap that is set at noon applies to the whole day.
 */
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { type CampaignId, type InstanceSettings, present } from '../../contract/index.js';
import {
  dailyCaps,
  openTimes,
  type DailyCap,
  type OpenTimes,
  type SendingRules,
  type UsedCap,
} from '../../domain/index.js';
import type { CampaignsTable, StreamsTable } from '../storage/schema.js';
import { jsonText } from '../storage/statements.js';
import { onlyRow, type Db, type Tx } from '../storage/store.js';

/** What the hours and limits of a stream depend on. */
export interface RulesRow
  extends
    Pick<Selectable<StreamsTable>, 'instance' | 'class' | 'category' | 'timezone' | 'campaign_id'>,
    Pick<Selectable<CampaignsTable>, 'sending_windows' | 'limits'> {
  readonly settings: InstanceSettings | null;
}

/** Computes the next times of the streams of these instances whose span has passed. */
export async function openStreams(tx: Tx, instances: readonly string[], nowMs: number): Promise<void> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows: locked } = await sql<{ id: string | number }>`
    select id from streams where instance = any(${instances}::text[]) and closes_at <= ${now} order by id
    for no key update`.execute(tx);
  if (locked.length === 0) return;
  // A separate statement: it sees what was committed before the locks were granted.
  const { rows: streams } = await sql<RulesRow & { readonly id: string }>`
    select s.id::text as id, s.instance, s.class, s.category, s.timezone, s.campaign_id, c.sending_windows, c.limits,
      i.settings
    from streams s left join campaigns c on c.id = s.campaign_id
    left join instance_settings i on i.instance = s.instance
    where s.id = any(${locked.map(({ id }) => String(id))}::bigint[])`.execute(tx);
  const opened = streams.map((row) => {
    const rules = rulesOf(row);
    return { id: row.id, rules, times: openTimes(rules, nowMs) };
  });
  await writeCaps(tx, opened);
  const columns = opened.map(({ id, rules: { settings, campaign, isMarketing }, times }) => {
    const frequency = isMarketing ? settings.limits?.frequencyCap : undefined;
    const isWithoutRules = Object.keys(settings).length === 0 && !campaign?.sendingWindows && !campaign?.limits;
    return {
      id,
      opens_at: times.opensAtMs === Infinity ? 'infinity' : new Date(times.opensAtMs),
      closes_at: isWithoutRules ? 'infinity' : new Date(times.closesAtMs),
      closed_by: times.closedBy,
      is_capped: times.caps.length > 0,
      is_jittered: campaign?.limits?.jitter !== undefined,
      frequency_messages: frequency?.messages,
      frequency_days: frequency?.days,
    };
  });
  await sql`
    update streams s set opens_at = e.opens_at, closes_at = e.closes_at, closed_by = e.closed_by,
      closed_since = case when e.closed_by is distinct from s.closed_by then ${now} else s.closed_since end,
      is_capped = e.is_capped, is_jittered = e.is_jittered,
      next_at = case when e.is_jittered then s.next_at else '-infinity' end,
      frequency_messages = e.frequency_messages, frequency_days = e.frequency_days
    from json_to_recordset(${jsonText(columns)}::json) as e(
      id bigint, opens_at timestamptz, closes_at timestamptz, closed_by text, is_capped boolean, is_jittered boolean,
      frequency_messages integer, frequency_days integer)
    where s.id = e.id`.execute(tx);
}

export function rulesOf(row: RulesRow): SendingRules {
  const { campaign_id: id } = row;
  const campaign = id && {
    id,
    timezone: row.timezone ?? undefined,
    sendingWindows: row.sending_windows ?? undefined,
    limits: row.limits ?? undefined,
  };
  return {
    instance: row.instance,
    isUrgent: row.class === 0,
    isMarketing: row.category === 'marketing',
    settings: row.settings ?? {},
    ...present({ campaign }),
  };
}

async function writeCaps(
  tx: Tx,
  opened: readonly { readonly rules: SendingRules; readonly times: OpenTimes }[],
): Promise<void> {
  const caps = new Map<string, DailyCap & { readonly rules: SendingRules }>();
  for (const { rules, times } of opened) {
    for (const cap of times.caps) caps.set(`${cap.scope} ${cap.day.startMs}`, { ...cap, rules });
  }
  for (const { scope, day, cap, rules } of caps.values()) {
    const campaign = scope.startsWith('campaign:') ? rules.campaign?.id : undefined;
    await sql`
      insert into daily_caps (scope, day_starts_at, day_ends_at, cap, posted)
      select ${scope}::text, ${new Date(day.startMs)}::timestamptz, ${new Date(day.endMs)}::timestamptz, ${cap}::integer,
        ${countPostedSince(rules.instance, campaign, new Date(day.startMs))}
      on conflict (scope, day_starts_at) do update set cap = excluded.cap, day_ends_at = excluded.day_ends_at`.execute(
      tx,
    );
  }
}

/** Accepted, or with an unknown outcome: of the instance, or of all accounts of the campaign. */
function countPostedSince(instance: string, campaign: CampaignId | undefined, since: Date) {
  const isIts = sql`(${campaign ?? null}::text is null or m.campaign_id = ${campaign ?? null})`;
  const senders =
    campaign === undefined
      ? sql`${instance}`
      : sql`any(array(select p.instance from campaign_accounts p where p.campaign_id = ${campaign}))`;
  return sql<number>`(
    select count(*)::integer from message_ids i join messages m on m.id = i.message_id
    join attempts a on a.token = m.attempt_token
    where i.instance = ${senders} and i.role = 'message' and i.stored_at >= ${since}::timestamptz
      and a.claimed_at >= ${since}::timestamptz and ${isIts}) + (
    select count(*)::integer from attempts a join messages m on m.id = a.message_id and m.attempt_token = a.token
    where a.instance = ${senders} and a.identical_hash is not null and (a.outcome is null or a.outcome = 'unknown')
      and a.claimed_at >= ${since}::timestamptz and ${isIts})`;
}

/** The caps of today, and how many messages count for them: by its row if the cap has one (LIMIT-5). */
export async function usedCaps(db: Db, rules: SendingRules, nowMs: number): Promise<UsedCap[]> {
  const caps: UsedCap[] = [];
  for (const cap of dailyCaps(rules, nowMs)) {
    const { scope, day } = cap;
    const since = new Date(day.startMs);
    const campaign = scope.startsWith('campaign:') ? rules.campaign?.id : undefined;
    const { posted } = await onlyRow(
      db,
      sql<{ posted: number }>`
        select coalesce(
          (select posted from daily_caps where scope = ${scope} and day_starts_at = ${since}::timestamptz),
          ${countPostedSince(rules.instance, campaign, since)}) as posted`,
    );
    caps.push({ ...cap, posted });
  }
  return caps;
}

/**
 * LIMIT-4. The caps of the day go too: those that still apply are counted again with the next span (LIMIT-5).
 * @param some  a condition on the stream `s`
 * @param scopes  whose limits have changed
 */
export async function endOpenTimes(db: Db, some: RawBuilder<unknown>, scopes: readonly string[]): Promise<void> {
  await sql`
    update streams set closes_at = '-infinity'
    where id in (select s.id from streams s where ${some} order by s.id for no key update)`.execute(db);
  await db
    .deleteFrom('daily_caps')
    .where('scope', '=', sql<string>`any(${scopes}::text[])`)
    .execute();
}

/**
 * Stores changed settings of instances, with or without a running shift (LIMIT-4). Also ends the times of streams that
 * were created under earlier settings.
 * @returns instances whose streams have to be selected again
 */
export async function configureInstances(
  tx: Tx,
  instances: readonly { readonly instance: string; readonly settings: InstanceSettings }[],
): Promise<readonly string[]> {
  const given = instances.map(({ instance, settings }) => ({
    instance,
    settings: Object.keys(settings).length === 0 ? null : settings,
  }));
  const { rows } = await sql<{ instance: string }>`/* configure_instances */
    with given as materialized (
      select * from json_to_recordset(${jsonText(given)}::json) as g(instance text, settings json)
    ), written as (
      insert into instance_settings as i (instance, settings)
      select instance, settings from given where settings is not null
      on conflict (instance) do update set settings = excluded.settings where i.settings::text <> excluded.settings::text
      returning instance
    ), removed as (
      delete from instance_settings i using given g where i.instance = g.instance and g.settings is null
      returning i.instance
    )
    select instance from written union all select instance from removed
    union all
    select g.instance from given g
    where g.settings is not null and exists (
      select from streams s where s.instance = g.instance and s.closes_at = 'infinity')`.execute(tx);
  const changed = [...new Set(rows.map(({ instance }) => instance))];
  const scopes = changed.map((instance) => `instance:${instance}`);
  if (changed.length > 0) await endOpenTimes(tx, sql`s.instance = any(${changed}::text[])`, scopes);
  return changed;
}
