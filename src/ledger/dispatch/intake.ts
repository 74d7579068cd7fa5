import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { AppError, Priority, type MessageSnapshot } from '../../contract/index.js';
import { bodyHash } from '../body-hash.js';
import type { OpenMessage } from '../ledger.js';
import { existingMessage, snapshotOf } from '../message-row.js';
import { present } from '../present.js';
import { jsonText } from '../storable.js';
import type { Store } from '../store.js';
import { classOf, ensureStreams, needsPhone, templateOf, type StreamKey } from './streams.js';

export interface DueMessage extends OpenMessage {
  /** When it may be posted. @default now */
  readonly sendAtMs?: number;
}

interface Asking {
  readonly message: DueMessage;
  resolve(snapshot: MessageSnapshot): void;
  reject(error: unknown): void;
}

/** So many in one statement; what comes meanwhile goes into the next. */
const MOST_TOGETHER = 200;

/** Takes single messages in: the row and its due row in one statement, those that come while another is being written together. */
export class Intake {
  readonly #store: Store;
  readonly #streams = new Map<string, string>();
  #asking: Asking[] = [];
  #isWriting = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Written once: the same id again is the same message.
   * @throws AppError IDEMPOTENCY_MISMATCH when a row of this id was made from another request
   */
  open(message: DueMessage): Promise<MessageSnapshot> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ message, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#asking.length > 0) {
      await setImmediate();
      const together = this.#asking.slice(0, MOST_TOGETHER);
      this.#asking = this.#asking.slice(MOST_TOGETHER);
      try {
        await this.#writeThese(together);
      } catch {
        // Nothing of it was done. Whose fault it was shows when each is written by itself, in the same order.
        for (const one of together) await this.#writeThese([one]).catch((error: unknown) => one.reject(error));
      }
    }
    this.#isWriting = false;
  }

  async #writeThese(together: readonly Asking[]): Promise<void> {
    const streams = await this.#streamsOf(together.map(({ message }) => streamKey(message)));
    const entries = together.map(({ message }, at) => entryOf(message, streams[at] ?? ''));
    const { rows } = await this.#store.run((db) => insertDue(entries).execute(db));
    const written = new Set(rows.map(({ id }) => id));
    for (const { message, resolve, reject } of together) {
      // Of two that came with one id the second finds the first.
      if (!written.delete(message.id)) await this.#existing(message).then(resolve, reject);
      else resolve(pendingSnapshot(message));
    }
  }

  async #existing({ id, requestHash }: DueMessage): Promise<MessageSnapshot> {
    const row = await this.#store.run((db) => existingMessage(db, id));
    if (row.request_hash === requestHash) return snapshotOf(row);
    throw new AppError(
      'IDEMPOTENCY_MISMATCH',
      `Message ${id} was made from another request with the same key. Use a new key for a new message.`,
    );
  }

  /** Streams of single messages stay for ever, so their ids are known by heart. */
  async #streamsOf(keys: readonly StreamKey[]): Promise<string[]> {
    const names = keys.map((key) => jsonText(key));
    const missing = keys.filter((_, at) => !this.#streams.has(names[at] ?? ''));
    if (missing.length > 0) {
      const ids = await this.#store.run((db) => ensureStreams(db, missing));
      for (const [at, key] of missing.entries()) this.#streams.set(jsonText(key), ids[at] ?? '');
    }
    return names.map((name) => this.#streams.get(name) ?? '');
  }
}

function streamKey({ request, expiresAtMs, nowMs }: DueMessage): StreamKey {
  const { instance, content, priority = Priority.normal } = request;
  return { instance, class: classOf(priority), ...templateOf(content), needsPhone: needsPhone(nowMs, expiresAtMs) };
}

/** Of a row that was written just now. */
function pendingSnapshot({ id, expiresAtMs, workflowId }: DueMessage): MessageSnapshot {
  const expiresAt = new Date(expiresAtMs).toISOString();
  return { id, version: 1, state: 'pending', expiresAt, ...present({ workflowId }), edits: [] };
}

function entryOf(message: DueMessage, streamId: string) {
  const { id, requestHash, request, expiresAtMs, namespace, workflowId, sendAtMs, nowMs } = message;
  const { instance, chatId, content } = request;
  return {
    id,
    instance,
    chat_id: chatId,
    kind: content.kind,
    content,
    body_hash: bodyHash(content),
    request_hash: requestHash,
    priority: request.priority ?? 'normal',
    category: request.category ?? 'transactional',
    on_unknown: request.onUnknown ?? 'manual',
    reference: request.reference,
    status_callback: request.statusCallback,
    created_at: new Date(nowMs),
    expires_at: new Date(expiresAtMs),
    namespace,
    workflow_id: workflowId,
    stream_id: streamId,
    due_at: new Date(Math.max(nowMs, sendAtMs ?? nowMs)),
  };
}

/** Places are given in the order of the entries. */
function insertDue(entries: readonly object[]) {
  return sql<{ id: string }>`/* dispatch_intake */
    with written as (
      insert into messages (id, instance, chat_id, kind, content, body_hash, request_hash, state, priority, category,
        on_unknown, reference, status_callback, created_at, expires_at, namespace, workflow_id, stream_id, due_at, place)
      select e.id, e.instance, e.chat_id, e.kind, e.content, e.body_hash, e.request_hash, 'pending', e.priority, e.category,
        e.on_unknown, e.reference, e.status_callback, e.created_at, e.expires_at, e.namespace, e.workflow_id, e.stream_id,
        e.due_at, nextval('ledger_seq')
      from json_to_recordset(${jsonText(entries)}::json) as e(
        id text, instance text, chat_id text, kind text, content json, body_hash text, request_hash text, priority text,
        category text, on_unknown text, reference text, status_callback text, created_at timestamptz,
        expires_at timestamptz, namespace text, workflow_id text, stream_id bigint, due_at timestamptz)
      on conflict (id) do nothing
      returning id, stream_id, due_at, place, chat_id, expires_at
    ), due as (
      insert into due_messages (stream_id, due_at, place, message_id, chat_id, expires_at)
      select stream_id, due_at, place, id, chat_id, expires_at from written
    )
    select id from written`;
}
