import { sql, type RawBuilder, type Selectable } from 'kysely';
import { present, type InstanceSettings } from '../../../contract/index.js';
import { dailyCaps, openTimes, type ClosedBy, type DailyCap, type SendingRules } from '../../../domain/index.js';
import type { DailyCapsTable } from '../../schema.js';
import type { Db } from '../../storage/store.js';
import { rulesOfStreams } from './open-streams.js';

/** Why messages wait only because of time. Times are ISO UTC. */
export interface Closed {
  readonly code: ClosedBy | 'DAILY_LIMIT_REACHED';
  readonly text?: string;
  /** Absent if no tick has reached it yet. */
  readonly since?: string;
  /** Absent: no open time within 400 days. */
  readonly until?: string;
}

/** Messages of an instance that wait only because of time. */
export interface ClosedInstance extends Closed {
  /** `all`: every message that is not urgent. */
  readonly messages: 'all' | 'marketing';
}

export interface PostedToday {
  readonly posted: number;
  readonly cap: number;
  /** ISO UTC: when the next day begins. */
  readonly until: string;
}

type CapRow = Pick<Selectable<DailyCapsTable>, 'scope' | 'posted' | 'reached_at'>;

/**
 * Why all these streams are closed, for the one that opens first; undefined if one is open or there are no streams.
 * @param some  a condition on the stream `s`
 */
export async function closedStreams(db: Db, some: RawBuilder<unknown>, nowMs: number): Promise<Closed | undefined> {
  const streams = await rulesOfStreams(db, some);
  const caps = await capsOn(
    db,
    streams.flatMap(({ rules }) => scopesOf(rules)),
    nowMs,
  );
  const closed = streams.map(({ rules, closedSince }) => closedBy(rules, caps, closedSince, nowMs));
  if (closed.includes(undefined)) return undefined;
  return closed.toSorted((a, b) => opensAt(a) - opensAt(b))[0];
}

/** Why messages of an instance wait, and how much of the day's cap is used. */
export async function closedInstance(db: Db, instance: string, nowMs: number) {
  const row = await db
    .selectFrom('instance_settings')
    .select('settings')
    .where('instance', '=', instance)
    .executeTakeFirst();
  const settings: InstanceSettings = row?.settings ?? {};
  const caps = await capsOn(db, [`instance:${instance}`], nowMs);
  const of = (isMarketing: boolean) =>
    closedBy({ instance, isUrgent: false, isMarketing, settings }, caps, undefined, nowMs);
  const [all, marketing] = [of(false), of(true)];
  const closed: ClosedInstance[] = [];
  if (all !== undefined) closed.push({ messages: 'all', ...all });
  else if (marketing !== undefined) closed.push({ messages: 'marketing', ...marketing });
  const [today] = dailyCaps({ instance, isUrgent: false, isMarketing: false, settings }, nowMs);
  return { closed, ...present({ today: today && postedOn(today, caps[0]) }) };
}

function postedOn({ cap, day }: DailyCap, row: CapRow | undefined): PostedToday {
  return { posted: row?.posted ?? 0, cap, until: new Date(day.endMs).toISOString() };
}

function scopesOf({ instance, campaign, isUrgent }: SendingRules): string[] {
  return [
    ...(isUrgent ? [] : [`instance:${instance}`]),
    ...(campaign === undefined ? [] : [`campaign:${campaign.id}`]),
  ];
}

async function capsOn(db: Db, scopes: readonly string[], nowMs: number): Promise<CapRow[]> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<CapRow>`
    select scope, posted, reached_at from daily_caps
    where scope = any(${[...new Set(scopes)]}::text[]) and day_starts_at <= ${now} and day_ends_at > ${now}`.execute(
    db,
  );
  return rows;
}

function closedBy(
  rules: SendingRules,
  caps: readonly CapRow[],
  closedSince: Date | undefined,
  nowMs: number,
): Closed | undefined {
  const reached = reachedCap(rules, caps, nowMs);
  const now = openTimes(rules, nowMs);
  if (now.opensAtMs <= nowMs && reached === undefined) return undefined;
  const { opensAtMs } = reached === undefined ? now : openTimes(rules, reached.day.endMs);
  const until = opensAtMs === Infinity ? undefined : new Date(opensAtMs).toISOString();
  if (reached !== undefined) {
    const { scope, posted, cap, reached_at } = reached;
    const text = `${posted} of ${cap} messages posted today by the ${scope.startsWith('campaign:') ? 'campaign' : 'instance'}`;
    return { code: 'DAILY_LIMIT_REACHED', text, ...present({ since: reached_at?.toISOString(), until }) };
  }
  const { closedBy: code = 'SENDING_WINDOW_CLOSED', problem: text } = now;
  return { code, ...present({ text, since: closedSince?.toISOString(), until }) };
}

/** By the current cap, also if no tick has reached it yet. */
function reachedCap(rules: SendingRules, rows: readonly CapRow[], nowMs: number) {
  const scopes = scopesOf(rules);
  return dailyCaps(rules, nowMs)
    .filter(({ scope }) => scopes.includes(scope))
    .flatMap((cap) => {
      const row = rows.find(({ scope }) => scope === cap.scope);
      return row !== undefined && row.posted >= cap.cap ? [{ ...row, ...cap }] : [];
    })[0];
}

function opensAt(closed: Closed | undefined): number {
  return closed?.until === undefined ? Infinity : Date.parse(closed.until);
}
