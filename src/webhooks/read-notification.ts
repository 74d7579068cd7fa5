import type { Receipt } from '../ledger/index.js';

/** What a notification says, or why it moves no message. */
export type Reading =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** What somebody wrote to the account. */
  | { readonly kind: 'incoming'; readonly atMs: number }
  /** Of use later, as evidence or as the state of an instance. */
  | { readonly kind: 'noted'; readonly what: string }
  | { readonly kind: 'ignored'; readonly why: string };

/**
 * Statuses of outgoingMessageStatus that end or advance a message. Those left out on purpose:
 * `yellowCard` is about the account, not the end of a message; an empty status is seen in the wild and says nothing.
 */
const STATUS: ReadonlyMap<string, 'sent' | 'delivered' | 'read' | 'failed' | 'noAccount'> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
  ['noAccount', 'noAccount'],
  ['notInGroup', 'failed'],
  // The official business API: the customer's 24-hour window is closed.
  ['noActiveSession', 'failed'],
]);

/** Kinds that say something of our own messages or of the instance, though they move no message by themselves. */
const NOTED: ReadonlySet<string> = new Set([
  'outgoingAPIMessageReceived',
  'outgoingMessageReceived',
  'outgoingMessageStatus',
  'stateInstanceChanged',
  'statusInstanceChanged',
]);

/**
 * Reads a notification leniently: unknown fields are passed over, missing ones make it say less, nothing makes it fail.
 * @param body the parsed JSON, or a string where it was none
 * @param receivedAtMs stands in for a missing timestamp
 * @param idInstance of the configured instance, where there is one; a notification of another was sent to a wrong address
 */
export function readNotification(body: unknown, receivedAtMs: number, idInstance: string | undefined): Reading {
  if (!isRecord(body)) return { kind: 'ignored', why: 'malformed' };
  if (idInstance !== undefined && !isFrom(idInstance, body)) return { kind: 'ignored', why: 'another instance' };
  const typeWebhook = textIn(body, 'typeWebhook') ?? '';
  const atMs = timeIn(body) ?? receivedAtMs;
  if (typeWebhook === 'incomingMessageReceived') return { kind: 'incoming', atMs };
  const receipt = typeWebhook === 'outgoingMessageStatus' ? readStatus(body, atMs) : readEdit(typeWebhook, body, atMs);
  if (receipt !== undefined) return { kind: 'receipt', receipt };
  return NOTED.has(typeWebhook) ? { kind: 'noted', what: typeWebhook } : { kind: 'ignored', why: 'kind not used' };
}

/** The id comes as a number or as a string; a notification without one is taken at its address's word. */
function isFrom(idInstance: string, body: Record<string, unknown>): boolean {
  const sender = recordIn(body, 'instanceData')['idInstance'];
  return (typeof sender !== 'number' && typeof sender !== 'string') || String(sender) === idInstance;
}

function readStatus(body: Record<string, unknown>, atMs: number): Receipt | undefined {
  const idMessage = textIn(body, 'idMessage');
  const word = textIn(body, 'status') ?? '';
  const status = STATUS.get(word);
  if (idMessage === undefined || status === undefined) return undefined;
  const given = textIn(body, 'description');
  const description = word === status ? given : given === undefined ? word : `${word}: ${given}`;
  return { kind: 'status', idMessage, status, atMs, ...(description === undefined ? {} : { description }) };
}

function readEdit(typeWebhook: string, body: Record<string, unknown>, atMs: number): Receipt | undefined {
  if (typeWebhook !== 'outgoingAPIMessageReceived' && typeWebhook !== 'outgoingMessageReceived') return undefined;
  const messageData = recordIn(body, 'messageData');
  if (messageData['typeMessage'] !== 'editedMessage') return undefined;
  const edited = recordIn(messageData, 'editedMessageData');
  const idMessage = textIn(body, 'idMessage');
  const originalIdMessage = textIn(edited, 'stanzaId');
  const text = textIn(edited, 'textMessage') ?? textIn(edited, 'caption');
  if (idMessage === undefined || originalIdMessage === undefined || text === undefined) return undefined;
  return { kind: 'edited', originalIdMessage, idMessage, text, atMs };
}

/** Unix seconds by the document; a number this large can only be milliseconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

function timeIn(body: Record<string, unknown>): number | undefined {
  const timestamp = Number(body['timestamp']);
  if (!Number.isFinite(timestamp) || timestamp <= 0) return undefined;
  return timestamp < FIRST_MILLISECONDS ? timestamp * 1_000 : timestamp;
}

function textIn(record: Record<string, unknown>, field: string): string | undefined {
  const value = record[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function recordIn(record: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = record[field];
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
