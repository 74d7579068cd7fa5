import { sql } from 'kysely';
import {
  DEFAULT_HIGH_WATER,
  type CampaignId,
  type MessageCategory,
  type MessageContent,
  type MessageId,
  type Priority,
  present,
} from '../../../contract/index.js';
import { existingCampaign, type CampaignRow } from '../../campaigns/campaign-row.js';
import { type Db, retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { templateVerdicts } from '../../templates/template-messages.js';
import { foldCounts } from '../../campaigns/campaign-tally.js';
import { readRecipients, timezonesToRead, type Compose, type ReadPosition } from './read-recipients.js';
import { classOf, ensureStreams, templateOf } from '../streams/streams.js';
import { writeRecipients, type ComposedRecipient } from './write-recipients.js';

export interface ReadAhead {
  /** The most recipients to read. */
  readonly limit: number;
  readonly compose: Compose;
  readonly nowMs: number;
}

/** How often it reads again when the campaign changed while messages were composed. */
const TRIES = 3;

/**
 * Converts the next recipients of a running campaign to messages. If the campaign uses their local time, it reads each
 * timezone with few messages ahead. Messages are composed without a lock, and written only if the campaign still runs
 * with the same content and from the same line.
 * @returns how many were read; 0 if none are unread or the campaign does not run
 * @throws AppError CAMPAIGN_NOT_FOUND
 */
export async function readAhead(store: Store, id: CampaignId, input: ReadAhead): Promise<number> {
  const { by_timezone } = await store.run((db) => existingCampaign(db, id));
  if (!by_timezone) return readSome(store, id, undefined, input);
  let count = 0;
  for (const timezone of await store.run((db) => timezonesToRead(db, id, input.limit))) {
    count += await readSome(store, id, timezone, input);
  }
  return count;
}

async function readSome(
  store: Store,
  id: CampaignId,
  timezone: string | undefined,
  { limit, compose, nowMs }: ReadAhead,
): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const campaign = await store.run((db) => positionOf(db, id, timezone));
    if (campaign.state !== 'running') return 0;
    const recipients = await store.run((db) => readRecipients(db, campaign, limit));
    if (recipients.length === 0) return 0;
    const composed = await withVerdicts(
      store,
      campaign,
      recipients.map((recipient) => ({ recipient, ...compose(recipient, campaign.content) })),
    );
    const isWritten = await retryingTransaction(store, (tx) => write(tx, campaign, composed, nowMs));
    if (isWritten) return composed.length;
  }
  return 0;
}

/** The last line read is tracked per timezone. */
async function positionOf(db: Db, id: CampaignId, timezone: string | undefined): Promise<ReadPosition> {
  const campaign = await existingCampaign(db, id);
  if (timezone === undefined) return { ...campaign, timezone, line: campaign.read_ahead_line };
  const { read_ahead_line: line } = await db
    .selectFrom('campaign_timezones')
    .select('read_ahead_line')
    .where('campaign_id', '=', id)
    .where('timezone', '=', timezone)
    .executeTakeFirstOrThrow();
  return { ...campaign, timezone, line };
}

async function write(
  tx: Tx,
  campaign: ReadPosition,
  composed: readonly ComposedRecipient[],
  nowMs: number,
): Promise<boolean> {
  const { id, line, content_version } = campaign;
  const throughLine = Math.max(line, ...composed.map(({ recipient }) => recipient.line));
  const { rows } = await sql`
    select from campaigns
    where id = ${id} and state = 'running' and content_version = ${content_version}
      and deadline_at > ${new Date(nowMs)}::timestamptz
    for no key update`.execute(tx);
  if (rows.length === 0 || (await haveChanged(tx, composed))) return false;
  if (!(await moveLine(tx, campaign, throughLine))) return false;
  const streamId = await campaignStream(tx, campaign);
  await writeRecipients(tx, campaign, streamId, composed, nowMs);
  await foldCounts(tx, id);
  return true;
}

/** @returns false if another reader has read on meanwhile */
async function moveLine(tx: Tx, { id, timezone, line }: ReadPosition, throughLine: number): Promise<boolean> {
  const change = { read_ahead_line: throughLine };
  const { numUpdatedRows } =
    timezone === undefined
      ? await tx
          .updateTable('campaigns')
          .set(change)
          .where('id', '=', id)
          .where('read_ahead_line', '=', line)
          .executeTakeFirstOrThrow()
      : await tx
          .updateTable('campaign_timezones')
          .set(change)
          .where('campaign_id', '=', id)
          .where('timezone', '=', timezone)
          .where('read_ahead_line', '=', line)
          .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** A recipient whose template is never sent is rejected, with the reason of a single message. */
async function withVerdicts(
  store: Store,
  { instance }: CampaignRow,
  composed: readonly ComposedRecipient[],
): Promise<readonly ComposedRecipient[]> {
  const named = composed.flatMap((one) => {
    const { content, problem } = one;
    return content.kind === 'template' && problem === undefined ? [{ one, instance, content }] : [];
  });
  const verdicts = await store.run((db) => templateVerdicts(db, named));
  const verdictOn = new Map(named.map(({ one }, at) => [one, verdicts[at]]));
  return composed.map((one) => {
    const verdict = verdictOn.get(one);
    return verdict === undefined ? one : { ...one, verdict };
  });
}

/**
 * True if a request by id created a recipient's row since the recipients were read, or changed it by an edit or a
 * cancel. The campaign's row is locked, so no further row can be created; these rows are locked here.
 */
async function haveChanged(tx: Tx, composed: readonly ComposedRecipient[]): Promise<boolean> {
  const versions = new Map(composed.map(({ recipient }) => [recipient.messageId, recipient.version]));
  const rows = await tx
    .selectFrom('messages')
    .select(['id', 'version', 'stream_id'])
    .where('id', '=', sql<MessageId>`any(${[...versions.keys()]}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.some(({ id, version, stream_id }) => stream_id === null && versions.get(id) !== version);
}

/** A campaign has streams while it has messages to dispatch. Its own water mark is stored in them. */
async function campaignStream(tx: Tx, campaign: ReadPosition): Promise<string> {
  const { id, instance, priority, category, content, high_water, timezone } = campaign;
  const extraRoom = high_water - DEFAULT_HIGH_WATER[priority as Priority];
  const template = templateOf(content as MessageContent);
  const key = {
    instance,
    class: classOf(priority as Priority),
    campaignId: id,
    ...template,
    needsPhone: true,
    kind: content.kind,
    category: category as MessageCategory,
    extraRoom,
    ...present({ timezone }),
  };
  const [streamId] = await ensureStreams(tx, [key]);
  return streamId ?? '';
}
