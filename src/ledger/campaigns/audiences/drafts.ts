/** A campaign before its start, as it was defined. */
import { createHash } from 'node:crypto';
import {
  CAMPAIGN_KEY_CHARACTERS,
  accountsOf,
  DEFAULT_HIGH_WATER,
  DEFAULT_REPLIES_FOR,
  firstAccountOf,
  RECIPIENT_TIMEZONE,
  parseDurationMs,
  shortId,
  type CampaignDefinition,
  type CampaignId,
} from '../../../contract/index.js';
import { sentContents } from '../../../domain/index.js';
import { keyedHash, keyedHashOf } from '../../storage/keyed-hash.js';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import { listAccounts } from '../campaign-accounts.js';
import { changeCampaign, readCampaign, type CampaignRow } from '../campaign-row.js';
import { discardAudiences } from './audience-rows.js';

export interface OpenCampaign {
  readonly id: CampaignId;
  readonly requestHash: string;
  readonly definition: CampaignDefinition;
  readonly nowMs: number;
  /** Exists only for a plan: it cannot be started, is not listed, and is removed by this time. */
  readonly planUntilMs?: number;
}

/** @returns false when the id is taken */
export async function insertCampaign(
  tx: Tx,
  { id, requestHash, definition, nowMs, planUntilMs }: OpenCampaign,
): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    // The last part of its message ids: 50 bits of the hash of its id, or the next bits if another campaign has those.
    const hash = createHash('sha256').update(tries === 0 ? id : `${id} ${tries}`);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('campaigns')
      .values({
        id,
        key: shortId(hash.digest()).slice(0, CAMPAIGN_KEY_CHARACTERS),
        request_hash: keyedHash(requestHash),
        state: 'draft',
        created_at: new Date(nowMs),
        plan_until: planUntilMs === undefined ? null : new Date(planUntilMs),
        ...columnsOf(definition),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) {
      await listAccounts(tx, id, accountsOf(definition), nowMs);
      return true;
    }
    if ((await readCampaign(tx, id)) !== undefined) return false;
  }
}

function columnsOf(definition: CampaignDefinition) {
  const { priority = 'normal', category = 'marketing', onUnknown = 'manual' } = definition;
  const { content, variants } = sentContents(definition);
  return {
    instance: firstAccountOf(definition),
    definition: jsonText(definition),
    content: jsonText(content),
    variants: variants && jsonText(variants),
    winner: null,
    priority,
    category,
    on_unknown: onUnknown,
    high_water: definition.highWater ?? DEFAULT_HIGH_WATER[priority],
    reference: definition.reference ?? null,
    name: definition.name ?? null,
    sending_windows: definition.sendingWindows === undefined ? null : jsonText(definition.sendingWindows),
    limits: definition.limits === undefined ? null : jsonText(definition.limits),
    deadline_at: definition.deadline === undefined ? null : new Date(definition.deadline),
    start_at: definition.startAt === undefined ? null : new Date(definition.startAt),
    replies_for_seconds: secondsOf(definition.repliesFor ?? DEFAULT_REPLIES_FOR),
  };
}

/** Whole ones, as the gateway's times. */
export function secondsOf(duration: string): number {
  return Math.ceil(parseDurationMs(duration) / 1_000);
}

/** The fields that verdicts on recipients depend on: allowed recipients, the country of numbers, and the timezone. */
function verdictsDependOn(definition: CampaignDefinition): string {
  const { defaultCountry, defaultTimezone, sendingWindows } = definition;
  const isByTimezone = sendingWindows?.timezone === RECIPIENT_TIMEZONE;
  return jsonText([accountsOf(definition), defaultCountry, isByTimezone, isByTimezone ? defaultTimezone : undefined]);
}

/** Recipients have to be imported again if verdicts may have changed. */
export async function redefine(
  tx: Tx,
  row: CampaignRow,
  { id, requestHash, definition, nowMs }: OpenCampaign,
): Promise<void> {
  const keepsAudience = verdictsDependOn(row.definition) === verdictsDependOn(definition);
  await changeCampaign(tx, id, {
    ...columnsOf(definition),
    request_hash: await keyedHashOf(tx, requestHash),
    ...(keepsAudience ? {} : { audience_no: null, audience: 0 }),
  });
  await listAccounts(tx, id, accountsOf(definition), nowMs);
  if (!keepsAudience) await discardAudiences(tx, id, null);
}
