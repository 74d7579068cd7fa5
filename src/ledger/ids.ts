import { type RawBuilder, sql } from 'kysely';
import type { MessageId } from '../contract/index.js';
import { readMessage } from './messages/message-row.js';
import { isOfInstances, scheduleInstance } from './storage/pages.js';
import { LedgerPart } from './storage/store.js';

/** The kinds of ids that can be searched. */
export type IdSource =
  | { readonly kind: 'message' }
  /** Without campaigns that exist only for a plan. */
  | { readonly kind: 'campaign' }
  | { readonly kind: 'operation'; readonly method: string }
  /** By element name. */
  | { readonly kind: 'template'; readonly instance: string };

/** Objects with an id that belong to one instance. */
type OwnedKind =
  'message' | 'edit' | 'campaign' | 'schedule' | 'operation' | 'job' | 'replay' | 'eventEndpoint' | 'possibleOptOut';

/** Sorts after every character of an id: ids are ASCII and are ordered by bytes. */
const AFTER_ALL = '~';

export class Ids extends LedgerPart {
  /**
   * The first ids with this beginning, in the order of their bytes.
   * @param instances  only ids of these instances. @default all
   */
  async beginningWith(
    source: IdSource,
    beginning: string,
    limit: number,
    instances?: readonly string[],
  ): Promise<string[]> {
    const { table, column, where } = sourceOf(source);
    const id = sql.ref(column);
    // A range of the primary key.
    const rows = await this.database.rows(sql<{ id: string }>`
      select ${id} as id from ${sql.table(table)}
      where ${id} >= ${beginning} and ${id} < ${beginning + AFTER_ALL} and ${where}
        and ${instances === undefined ? sql`true` : isOfInstances('instance', instances)}
      order by ${id} limit ${limit}`);
    return rows.map((row) => row.id);
  }

  /** The accounts of a campaign; none if it does not exist. */
  async instancesOfCampaign(id: string): Promise<string[]> {
    const rows = await this.database.rows(sql<{ instance: string }>`
      select instance from campaign_accounts where campaign_id = ${id} order by place, instance`);
    return rows.map(({ instance }) => instance);
  }

  /** The instance that an object belongs to. Undefined if the object does not exist or concerns all instances. */
  async instanceOf(kind: OwnedKind, id: string): Promise<string | undefined> {
    const rows = await this.database.rows(sql<{ instance: string | null }>`select ${OWNED[kind]} where id = ${id}`);
    const [row] = rows;
    if (row !== undefined || kind !== 'message') return row?.instance ?? undefined;
    // A campaign's recipient may have no row yet.
    return (await this.database.run((db) => readMessage(db, id as MessageId)))?.instance;
  }
}

/** The instance of an object, and its table. */
const OWNED: Readonly<Record<OwnedKind, RawBuilder<unknown>>> = {
  message: sql`instance from messages`,
  edit: sql`(select m.instance from messages m where m.id = edits.message_id) as instance from edits`,
  campaign: sql`instance from campaigns`,
  schedule: sql`${scheduleInstance('schedules')} as instance from schedules`,
  operation: sql`instance from operations`,
  job: sql`instance from recurring_jobs`,
  replay: sql`instance from replays`,
  eventEndpoint: sql`instance from event_endpoints`,
  possibleOptOut: sql`instance from possible_opt_outs`,
};

function sourceOf(source: IdSource): { table: string; column: string; where: RawBuilder<unknown> } {
  switch (source.kind) {
    case 'message':
      return { table: 'messages', column: 'id', where: sql`true` };
    case 'campaign':
      return { table: 'campaigns', column: 'id', where: sql`plan_until is null` };
    case 'operation':
      return { table: 'operations', column: 'id', where: sql`method = ${source.method}` };
    case 'template':
      return { table: 'templates', column: 'element_name', where: sql`instance = ${source.instance}` };
  }
}
