import { sql, type Selectable } from 'kysely';
import {
  AppError,
  groupBy,
  statesIn,
  type Amendment,
  type AmendmentCounts,
  type AmendmentPlan,
  type EditState,
} from '../../../contract/index.js';
import { orderEdits } from '../../../domain/index.js';
import { countedTally } from '../campaign-tally.js';
import { EDIT_LIMITS, editableUntilOf, type EditTimes } from '../../messages/message-row.js';
import type { AmendmentsTable } from '../../storage/schema.js';
import { stateList } from '../../storage/state-lists.js';
import type { Db } from '../../storage/store.js';
import { closedBy, EFFECTIVE, MAY_BE_SENT } from './amendment-edits.js';
import type { CampaignRow } from '../campaign-row.js';

type AmendmentRow = Selectable<AmendmentsTable>;

/** The result of an amendment for a recipient who needs no edit, or the state of the recipient's edit. */
type Standing =
  | 'unsent'
  | 'notSent'
  | 'ownText'
  | 'newText'
  | 'newer'
  | 'underWay'
  | 'unresolved'
  | 'tooLate'
  | 'editable'
  | EditState;

/** Each message of a campaign with its standing for a version of the text. */
function standings(row: CampaignRow, version: number, begunAtMs: number) {
  return sql`
    with newest as (
      select distinct on (e.message_id) e.message_id, e.state, e.via, e.campaign_id, e.content_version
      from edits e join messages m on m.id = e.message_id
      where m.campaign_id = ${row.id} and e.state <> 'superseded' and (e.campaign_id is not null or e.state in ${EFFECTIVE})
      order by e.message_id, e.seq desc
    ), standing as (
      select m.sent_at, m.sent_seen_at, m.instance, case
        when m.state = 'pending' then 'unsent'
        when m.state in ${stateList('undeliverable', 'unsent')} then 'notSent'
        when n.message_id is not null and n.campaign_id is null then 'ownText'
        when n.content_version = ${version} and n.via is distinct from 'before_send' then n.state
        when n.content_version > ${version} then 'newer'
        when m.content_version is null then 'ownText'
        when m.content_version >= ${version} then 'newText'
        when ${MAY_BE_SENT} then 'underWay'
        when m.state in ('unresolved', 'accepted') then 'unresolved'
        when m.sent_seen_at <= ${closedBy(new Date(begunAtMs))} then 'tooLate'
        else 'editable' end as standing
      from messages m left join newest n on n.message_id = m.id
      where m.campaign_id = ${row.id}
    )`;
}

type Counts = readonly { readonly standing: Standing; readonly recipients: number }[];

async function countStandings(db: Db, row: CampaignRow, version: number, begunAtMs: number): Promise<Counts> {
  const { rows } = await sql<Counts[number]>`/* amendment_standings */
    ${standings(row, version, begunAtMs)}
    select standing, count(*)::integer as recipients from standing group by standing`.execute(db);
  const withRow = rows.reduce((total, { recipients }) => total + recipients, 0);
  const withoutRow = row.state_without_message === 'pending' ? 'unsent' : 'notSent';
  return [...rows, { standing: withoutRow, recipients: row.audience - withRow }];
}

/** Adds up each count of a table of standings. */
function countBy<Name extends string>(
  table: Readonly<Record<Name, readonly Standing[]>>,
  counts: Counts,
): Readonly<Record<Name, number>> {
  const countOf = (wanted: readonly Standing[]) =>
    counts.reduce((total, { standing, recipients }) => total + (wanted.includes(standing) ? recipients : 0), 0);
  const names = Object.keys(table) as Name[];
  return Object.fromEntries(names.map((name) => [name, countOf(table[name])])) as Record<Name, number>;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, recipients) => total + recipients, 0);
}

const EITHER_WAY = {
  unsent: ['unsent'],
  ownText: ['ownText'],
  notSent: ['notSent'],
  unresolved: ['unresolved'],
} as const satisfies Record<string, readonly Standing[]>;

const BEFORE = {
  ...EITHER_WAY,
  underWay: ['underWay'],
  // After an earlier amendment to the same version: edited recipients have the text, the others keep theirs.
  tooLate: ['tooLate', 'editable', 'too_late', 'refused', 'not_possible', 'unconfirmed'],
  newText: ['newText', 'edited', 'pending', 'sending', 'posted'],
} as const satisfies Record<string, readonly Standing[]>;

const AFTER = {
  ...EITHER_WAY,
  edited: ['edited'],
  pending: ['pending', 'sending', 'posted'],
  unconfirmed: ['unconfirmed'],
  refused: ['refused'],
  // A message that arrived unexpectedly has no edit.
  tooLate: ['tooLate', 'too_late', 'editable', 'underWay'],
  notPossible: ['not_possible'],
  superseded: ['newer', 'superseded'],
  newText: ['newText'],
} as const satisfies Record<keyof AmendmentCounts, readonly Standing[]>;

interface EditOf {
  readonly instance: string;
  readonly untilMs: number;
}

/**
 * How many edits can be posted in time, and how long that takes: each account posts those of its messages at its own
 * rate, which all campaigns with unfinished amendments share that have the account.
 */
async function turnsOf(db: Db, { id }: CampaignRow, edits: readonly EditOf[], { nowMs, spacingMs }: Rate) {
  const { rows } = await sql<{ instance: string; others: number }>`
    select own.instance, count(distinct a.campaign_id)::integer as others
    from amendments a join campaign_accounts other on other.campaign_id = a.campaign_id
    join campaign_accounts own on own.instance = other.instance
    where a.ended_at is null and a.campaign_id <> ${id} and own.campaign_id = ${id} group by own.instance`.execute(db);
  const others = new Map(rows.map((row) => [row.instance, row.others]));
  let [reachable, lastsMs] = [0, 0];
  for (const [instance, own] of groupBy(edits, (edit) => edit.instance)) {
    const alone = spacingMs(instance);
    if (alone === undefined) continue;
    const eachMs = alone * ((others.get(instance) ?? 0) + 1);
    const turns = orderEdits(own, { nowMs, spacingMs: eachMs }).reachable;
    reachable += turns;
    lastsMs = Math.max(lastsMs, turns * eachMs);
  }
  return { reachable, seconds: Math.ceil(lastsMs / 1_000) };
}

/** The result of an amendment to this version that began now. */
export async function planAmendment(db: Db, row: CampaignRow, version: number, rate: Rate): Promise<AmendmentPlan> {
  const { nowMs } = rate;
  const before = countBy(BEFORE, await countStandings(db, row, version, nowMs));
  const { rows } = await sql<EditTimes & { readonly instance: string }>`/* amendment_windows */
    ${standings(row, version, nowMs)}
    select m.instance, m.sent_at, m.sent_seen_at, ${EDIT_LIMITS}
    from standing m left join gateway_clocks c on c.instance = m.instance where m.standing = 'editable'`.execute(db);
  const edits = rows.map((one) => ({ instance: one.instance, untilMs: editableUntilOf(one)?.getTime() ?? 0 }));
  const editable = edits.filter(({ untilMs }) => untilMs > nowMs).length;
  const turns = await turnsOf(db, row, edits, rate);
  return {
    ...before,
    audience: row.audience,
    editable,
    ...turns,
    tooLate: before.tooLate - editable,
  };
}

interface Rate {
  readonly nowMs: number;
  /** Between two edits of an instance; undefined if it is not configured. */
  readonly spacingMs: (instance: string) => number | undefined;
}

/** AMEND-7. The edit of a message that is not sent yet has its whole window to come. */
export async function expectedEdits(
  db: Db,
  row: CampaignRow,
  { content_version, counts_before }: AmendmentRow,
  { counts, ...rate }: Rate & { readonly counts: AmendmentCounts },
): Promise<Amendment['expected']> {
  const { reachable: promised, underWay } = counts_before as AmendmentPlan;
  const { rows } = await sql<EditOf>`/* amendment_edits_left */
    select instance, extract(epoch from closes_at)::float8 * 1000 as "untilMs" from edits
    where campaign_id = ${row.id} and content_version = ${content_version} and state = 'pending' and closes_at is not null`.execute(
    db,
  );
  const missed = rows.length - (await turnsOf(db, row, rows, rate)).reachable;
  return { edited: counts.edited + counts.pending - missed, missed, promised: promised + underWay };
}

/** AMEND-5. @throws AppError INTERNAL if the counts do not add up */
export async function countsAfter(db: Db, row: CampaignRow, amendment: AmendmentRow): Promise<AmendmentCounts> {
  const counts = countBy(AFTER, await countStandings(db, row, amendment.content_version, amendment.begun_at.getTime()));
  if (sum(counts) === row.audience) return counts;
  throw new AppError(
    'INTERNAL',
    `The amendment of campaign ${row.id} cannot end: its audience is ${row.audience}, but its counts add up to ${sum(counts)}. Report this bug.`,
  );
}

/**
 * The counts of a running amendment, from the counts at its start, its edits and the campaign's counts. Reads no
 * recipients. All other recipients were sent only the new text.
 */
export async function countsNow(db: Db, row: CampaignRow, amendment: AmendmentRow): Promise<AmendmentCounts> {
  const before = amendment.counts_before as AmendmentPlan;
  const { rows } = await sql<{ standing: EditState; recipients: number }>`/* amendment_progress */
    select e.state as standing, count(*)::integer as recipients from edits e join messages m on m.id = e.message_id
    where e.campaign_id = ${row.id} and e.content_version = ${amendment.content_version} and e.via is distinct from 'before_send'
      and m.state not in ${stateList('pending', 'undeliverable', 'unsent')}
    group by e.state`.execute(db);
  const edits = countBy(AFTER, rows);
  const { counts: states } = await countedTally(db, row);
  const ended = sum(edits) - edits.pending;
  const isOpened = amendment.opened_at !== null;
  const known = {
    ...edits,
    pending: isOpened ? edits.pending : Math.max(0, before.editable + before.underWay - ended),
    tooLate: before.tooLate + edits.tooLate,
    unsent: states.pending,
    ownText: before.ownText,
    notSent: statesIn('undeliverable', 'unsent').reduce((total, state) => total + states[state], 0),
    unresolved: before.unresolved,
  };
  return { ...known, newText: Math.max(0, row.audience - sum(known)) };
}
