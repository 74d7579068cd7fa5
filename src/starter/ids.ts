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
 * The same instance and key always give the same id, which does not show the key. Two keys with one id (80 bits of
 * SHA-256) would be refused as IDEMPOTENCY_MISMATCH: nothing is lost without an error.
 */
export function messageId(instance: string, key: string): MessageId {
  return `msg_${digest(instance, key)}` as MessageId;
}

export function editId(message: MessageId, key: string): EditId {
  return `edt_${digest(message, key)}` as EditId;
}

/** For a campaign that was not given a name of its own. */
export function campaignId(instance: string, key: string): CampaignId {
  return `cmp_${digest('campaign', instance, key)}` as CampaignId;
}

/** One wish about a campaign: the same key is the same wish, and runs once. */
export function campaignUpdateId(id: CampaignId, update: string, key: string): string {
  return `upd_${digest(id, update, key)}`;
}

export function instanceCommandId(instance: string, command: string, key: string): string {
  return `cmd_${digest('instance', instance, command, key)}`;
}

/** One for each thing of an account that is read again and again. */
export function jobId(instance: string, kind: string, groupId = ''): string {
  return `job_${digest('job', instance, kind, groupId)}`;
}

/** For a schedule that was not given a name of its own. */
export function scheduleId(instance: string, key: string): ScheduleId {
  return `sch_${digest('schedule', instance, key)}` as ScheduleId;
}

/** One wish about a schedule: the same key is the same wish. */
export function scheduleCommandId(id: ScheduleId, command: string, key: string): string {
  return `cmd_${digest('schedule', id, command, key)}`;
}

/** @param instance  absent: of all */
export function replayId(instance: string | undefined, key: string): string {
  return `rpl_${digest('replay', instance ?? '', key)}`;
}

/** The part of an operation's id that its key decides, see {@link operationId}. */
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

/**
 * By this a second request with the same key but another body is recognised. Key order and absent fields do not matter.
 */
export function requestHash(request: unknown): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

/** Each part is preceded by its length, so that ("ab", "c") and ("a", "bc") differ. */
function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return shortId(hash.digest());
}
