import { createHash } from 'node:crypto';
import {
  SHORT_ID_PATTERN,
  canonicalJson,
  shortId,
  type CampaignId,
  type EditId,
  type MessageId,
  type ScheduleId,
} from '../contract/index.js';

const MESSAGE_ID = new RegExp(`^msg_${SHORT_ID_PATTERN}$`);
const EDIT_ID = new RegExp(`^edt_${SHORT_ID_PATTERN}$`);
const OPERATION_ID = new RegExp(`^op_(${SHORT_ID_PATTERN})$`);

/**
 * The same instance and key always give the same id, which does not show the key. If two keys give the same id (80 bits
 * of SHA-256), the second request is refused as IDEMPOTENCY_MISMATCH: no message is lost without an error.
 */
export function messageId(instance: string, key: string): MessageId {
  return `msg_${digest(instance, key)}` as MessageId;
}

/**
 * An Idempotency-Key belongs to the API key that it is sent with: two API keys with the same text begin different work.
 * @param apiKey  its permanent identity. Absent: the text itself is the key, as in a start through Temporal
 */
export function ownKey(apiKey: string | undefined, key: string): string {
  return apiKey === undefined ? key : `key_${digest('API key', apiKey, key)}`;
}

export function editId(message: MessageId, key: string): EditId {
  return `edt_${digest(message, key)}` as EditId;
}

/** The id of a test of a campaign, whichever instance sends it. */
export function testMessageId(campaign: CampaignId, key: string): MessageId {
  return `msg_${digest('test', campaign, key)}` as MessageId;
}

/** The id of a campaign without a chosen name. */
export function campaignId(instance: string, key: string): CampaignId {
  return `cmp_${digest('campaign', instance, key)}` as CampaignId;
}

/** The id of a command for a campaign. The same key gives the same command, which runs once. */
export function campaignUpdateId(id: CampaignId, update: string, key: string): string {
  return `upd_${digest(id, update, key)}`;
}

/** The id of a command for another object. The same key gives the same command. */
export function commandId(
  kind: 'instance' | 'schedule' | 'event endpoint',
  id: string,
  command: string,
  key: string,
): string {
  return `cmd_${digest(kind, id, command, key)}`;
}

/** One id for each kind of account data that is read repeatedly. */
export function jobId(instance: string, kind: string, groupId = ''): string {
  return `job_${digest('job', instance, kind, groupId)}`;
}

/** The id of a schedule without a chosen name. */
export function scheduleId(instance: string, key: string): ScheduleId {
  return `sch_${digest('schedule', instance, key)}` as ScheduleId;
}

export function eventEndpointId(instance: string, key: string): string {
  return `evp_${digest('event endpoint', instance, key)}`;
}

/** @param instance  absent: all instances */
export function replayId(instance: string | undefined, key: string): string {
  return `rpl_${digest('replay', instance ?? '', key)}`;
}

/** The part of an operation's id that is derived from its key, see {@link operationId}. */
export function operationKeyHash(method: string, instance: string, key: string): string {
  return digest(method, instance, key);
}

export function operationId(keyHash: string): string {
  return `op_${keyHash}`;
}

/** The inverse of {@link operationId}; undefined for anything else. */
export function keyHashOfOperation(id: string): string | undefined {
  return OPERATION_ID.exec(id)?.[1];
}

export function isMessageId(word: string): word is MessageId {
  return MESSAGE_ID.test(word);
}

export function isEditId(word: string): word is EditId {
  return EDIT_ID.test(word);
}

/** Detects a second request with the same key and another body. The order of keys and absent fields have no effect. */
export function requestHash(request: unknown): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

/** The length precedes each part, so that ("ab", "c") and ("a", "bc") differ. */
function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return shortId(hash.digest());
}
