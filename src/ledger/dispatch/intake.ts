import { sql } from 'kysely';
import { MessageCategory, type MessageId, Priority, type MessageSnapshot, present } from '../../contract/index.js';
import { recipientKey, withTyping } from '../../domain/index.js';
import { noSuchMessage, readMessage, snapshotOf, type OpenMessage } from '../messages/message-row.js';
import { runTakesOver } from '../messages/runs.js';
import { keyOfRow } from '../messages/recipient-key.js';
import { columnsIn, DUE_OF_WRITTEN, inserting } from '../messages/writer/new-messages.js';
import { assertSameRequest, isSameHash } from '../storage/commands.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { jsonText } from '../storage/statements.js';
import { TextPart, type Texts } from '../sensitive/texts.js';
import { suppressWritten } from '../recipients/suppression-row.js';
import { templateVerdicts, type TemplateVerdict, withCategories } from '../templates/template-messages.js';
import { classOf, ensureStreams, needsPhone, templateOf, type StreamKey } from '../streams/streams.js';

/**
 * Writes single messages: the row and its due row in one statement. Requests that arrive during a statement share the
 * next one.
 */
export class Intake extends TextPart {
  readonly #streams = new Map<string, string>();
  readonly #write = groupedWrites((messages: readonly OpenMessage[]) => this.#writeTogether(messages));

  /**
   * Writes the row unless it exists: `pending` and due, or `rejected` if its template can never be sent. A repeated
   * request gives the same message. If its own workflow opens it, that workflow waits for it from now on.
   * @returns `isNew`: true only for the request that wrote the row
   * @throws AppError IDEMPOTENCY_MISMATCH if another request created the row of this id
   */
  async begin(message: OpenMessage): Promise<{ readonly snapshot: MessageSnapshot; readonly isNew: boolean }> {
    // Once more, in case a response was lost: what was written is then found. By itself, so that no other message can
    // make it fail.
    const writeAlone = async () => (await this.#writeTogether([message]))[0]!;
    const written = await this.#write(message).catch(writeAlone);
    if (written.snapshot !== undefined) return written;
    const known = await this.#existing(message);
    if (known !== undefined) return { isNew: written.isNew, snapshot: known };
    // Its stream is not in the ledger any more: an older copy was restored.
    this.#streams.clear();
    const { isNew, snapshot } = await writeAlone();
    return { isNew, snapshot: snapshot ?? (await this.#existing(message)) ?? noSuchMessage(message.id) };
  }

  /** Like {@link begin}, if it does not matter which of several requests wrote the row. */
  async open(message: OpenMessage): Promise<MessageSnapshot> {
    return (await this.begin(message)).snapshot;
  }

  /** @returns for each message, its snapshot if it was written and its recipient is not suppressed */
  async #writeTogether(asked: readonly OpenMessage[]) {
    const messages = await this.database.run((db) => withCategories(db, asked));
    const keys = messages.map(({ request, expiresAtMs, sendAtMs = 0, nowMs }): StreamKey => {
      const { instance, content, priority = Priority.normal, category = MessageCategory.transactional } = request;
      const waits = needsPhone(Math.max(nowMs, sendAtMs), expiresAtMs);
      const own = { instance, class: classOf(priority), kind: content.kind, category, needsPhone: waits };
      return { ...own, ...templateOf(content) };
    });
    const streams = await this.#streamsOf(keys);
    const requests = messages.map(({ request }) => request);
    const verdicts = await this.database.run((db) => templateVerdicts(db, requests));
    const entries = messages.map((message, at) =>
      entryOf(message, this.texts, { key: keys[at]!, id: streams[at] ?? '' }, verdicts[at]),
    );
    const { rows } = await this.database.run((db) => insertDue(entries).execute(db));
    const written = new Set(rows.map(({ id }) => id as MessageId));
    const suppressed = new Set(await suppressWritten(this.database, [...written], messages[0]?.nowMs ?? 0));
    return messages.map((message, at) => {
      // The second of two messages with the same id finds the first.
      const isNew = written.delete(message.id);
      if (!isNew || suppressed.has(message.id)) return { isNew, snapshot: undefined };
      const { id, expiresAtMs, workflowId } = message;
      const expiresAt = new Date(expiresAtMs).toISOString();
      const verdict = verdicts[at];
      const state = verdict === undefined ? 'pending' : 'rejected';
      const more = present({ workflowId, reason: verdict?.reason });
      return { isNew, snapshot: { id, version: 1, state, expiresAt, ...more, edits: [] } as const };
    });
  }

  async #existing(message: OpenMessage): Promise<MessageSnapshot | undefined> {
    const { id, run, namespace, workflowId } = message;
    const row = await this.database.run((db) => readMessage(db, id));
    if (row === undefined) return undefined;
    const hash = requestHashOf(message, this.texts);
    assertSameRequest(
      await this.database.run((db) => isSameHash(db, row.request_hash, hash)),
      `Message ${id} was created by another request with the same key. Use a new Idempotency-Key for a new message.`,
    );
    const isOwn = (row.workflow_id ?? undefined) === workflowId;
    const isKnown = row.run === 'started' && (namespace === undefined || row.namespace === namespace);
    if (run === 'started' && isOwn && !isKnown) {
      await this.database.run((db) => runTakesOver(db, id, present({ namespace })));
    }
    return snapshotOf(row);
  }

  /** Streams of single messages are removed only by the restore of an older copy, so their ids are cached. */
  async #streamsOf(keys: readonly StreamKey[]): Promise<string[]> {
    const names = keys.map((key) => jsonText(key));
    const missing = keys.filter((_, at) => !this.#streams.has(names[at] ?? ''));
    if (missing.length > 0) {
      const ids = await this.database.run((db) => ensureStreams(db, missing));
      for (const [at, key] of missing.entries()) this.#streams.set(jsonText(key), ids[at] ?? '');
    }
    return names.map((name) => this.#streams.get(name) ?? '');
  }
}

/** SECRET-2: a guessed text could be compared with the hash of its request. */
function requestHashOf({ request, requestHash }: OpenMessage, texts: Texts): string {
  return request.sensitive === true ? texts.hash(requestHash) : requestHash;
}

/** Its fields are written one by one: a spread of the stream's costs more than all else in here. */
function entryOf(
  message: OpenMessage,
  texts: Texts,
  stream: { readonly key: StreamKey; readonly id: string },
  verdict: TemplateVerdict | undefined,
) {
  const { id, request, expiresAtMs, namespace, workflowId, sendAtMs, run = 'none', nowMs } = message;
  const { requestedBy, test, trace } = message;
  const { instance, chatId } = request;
  const { key } = stream;
  const content = withTyping(request.content, request.typing);
  return {
    id,
    instance,
    chat_id: chatId,
    recipient_key: chatId === undefined ? undefined : recipientKey(chatId),
    kind: content.kind,
    ...texts.columnsOf(id, content, request.sensitive === true),
    body_hash: texts.bodyHash(content),
    request_hash: requestHashOf(message, texts),
    priority: request.priority ?? 'normal',
    category: key.category,
    class: key.class,
    elementName: key.elementName,
    templateId: key.templateId,
    needsPhone: key.needsPhone,
    on_unknown: request.onUnknown ?? 'manual',
    reference: request.reference,
    status_callback: request.statusCallback,
    created_at: new Date(nowMs),
    expires_at: new Date(expiresAtMs),
    namespace,
    workflow_id: workflowId,
    run,
    stream_id: stream.id,
    due_at: new Date(Math.max(nowMs, sendAtMs ?? nowMs)),
    requested_by: requestedBy ?? 'temporal',
    test_of: test?.campaignId,
    line: test?.line,
    variant: test?.variant,
    trace_context: trace,
    send_at: sendAtMs === undefined ? undefined : new Date(sendAtMs),
    state: verdict === undefined ? 'pending' : 'rejected',
    reason: verdict?.reason,
    reason_text: verdict?.text,
    ended_at: verdict === undefined ? undefined : new Date(nowMs),
  };
}

/** The columns of an entry that are the message's, by their types. */
const COLUMNS = {
  text: [
    ...(['id', 'instance', 'chat_id', 'recipient_key', 'kind', 'hidden', 'body_hash', 'request_hash'] as const),
    ...(['state', 'reason', 'reason_text', 'priority', 'category', 'on_unknown', 'reference'] as const),
    ...(['status_callback', 'namespace', 'workflow_id', 'run', 'requested_by', 'test_of', 'variant'] as const),
  ],
  timestamptz: ['created_at', 'expires_at', 'due_at', 'send_at', 'ended_at'],
  json: ['content', 'trace_context'],
  integer: ['text_length', 'line'],
  bigint: ['stream_id'],
} as const;

const WRITTEN_COLUMNS = {
  ...columnsIn('e', Object.values(COLUMNS).flat()),
  recipient_key: keyOfRow('e'),
  request_hash: keyedHash(sql`e.request_hash`),
  place: sql`nextval('ledger_seq')`,
};
const TYPES = sql.raw(
  Object.entries(COLUMNS)
    .flatMap(([type, names]) => names.map((name) => `${name} ${type}`))
    .join(', '),
);

/** `place` increases in the order of the entries. An entry whose stream does not exist is not written. */
function insertDue(entries: readonly object[]) {
  const from = sql`from json_to_recordset(${jsonText(entries)}::json) as e(${TYPES},
        class smallint, "elementName" text, "templateId" text, "needsPhone" boolean)
      where (select s.id from streams s where s.id = e.stream_id and s.instance = e.instance and s.class = e.class
        and s.kind = e.kind and s.category = e.category and s.needs_phone = e."needsPhone" and s.campaign_id is null
        and s.element_name is not distinct from e."elementName" and s.template_id is not distinct from e."templateId"
        and s.timezone is null) is not null`;
  return sql<{ id: string }>`/* dispatch_intake */
    with written as (
      ${inserting(WRITTEN_COLUMNS, from)}
      returning id, state, stream_id, due_at, place, recipient_key, expires_at, reason, reason_text, created_at
    ), ${DUE_OF_WRITTEN}, recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select id, 'rejected', created_at, 'ledger', reason,
        case when reason_text is not null then json_build_object('text', reason_text) end
      from written where state = 'rejected'
    )
    select id from written`;
}
