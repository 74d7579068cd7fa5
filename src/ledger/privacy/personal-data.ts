/**
 * Where the ledger may contain a number, a name or a text. Every column of text, JSON or bytes is listed; the test
 * test/ledger/privacy/personal-data.test.ts fails for a new column.
 *
 * - `words`  text of an operator or a program: an erasure removes the number and keeps the rest.
 * - `data`   JSON about recipients: an erasure blanks each object in it that contains the number.
 * - `row`    JSON about the recipient that its row names: emptied if any column of the row contains the number.
 * - `whole`  belongs to one recipient: an erasure empties it, in the rows of that recipient.
 * - `chat`   a chat id: an erasure replaces it by an alias.
 * - `copy`   repeats another row: an erasure deletes the row, and for an event its deliveries.
 * - `bytes`  the raw bytes of a copy.
 * - `hash`   derived from private data; emptied together with it if it covers nothing else.
 */
import type { Schema } from '../schema.js';

export type Holds = 'words' | 'data' | 'row' | 'whole' | 'chat' | 'copy' | 'bytes' | 'hash';

type Columns = { readonly [Table in keyof Schema]?: { readonly [Column in keyof Schema[Table]]?: Holds } };

export const PERSONAL_DATA = {
  amendments: { content: 'words', content_before: 'words' },
  attempts: { content: 'whole', body_hash: 'whole', text: 'whole', identical_hash: 'hash' },
  audiences: { source_hash: 'hash', additions: 'hash' },
  campaigns: {
    definition: 'words',
    content: 'words',
    reference: 'words',
    name: 'words',
    pause_text: 'words',
    request_hash: 'hash',
  },
  commands: { result: 'data', request_hash: 'hash' },
  due_messages: { recipient_key: 'chat' },
  edits: { text: 'whole' },
  erased_chats: { chat_hash: 'hash' },
  erasures: { chat_id: 'chat' },
  event_deliveries: { ordering_key: 'words', target: 'words', problem: 'words' },
  event_endpoints: { url: 'words', description: 'words', request_hash: 'hash' },
  events: { data: 'copy', raw: 'bytes', ordering_key: 'copy', callback_url: 'copy' },
  evidence: { detail: 'whole' },
  failed_notifications: { problem: 'words' },
  file_links: { url: 'words' },
  files: { sha256: 'hash' },
  group_snapshots: { data: 'data', data_hash: 'hash' },
  known_lids: { lid: 'chat', recipient_key: 'chat', chat_id: 'chat' },
  messages: {
    chat_id: 'chat',
    recipient_key: 'chat',
    content: 'whole',
    body_hash: 'whole',
    request_hash: 'whole',
    reference: 'whole',
    status_callback: 'whole',
    reason_text: 'whole',
    workflow_id: 'words',
  },
  notifications: { body: 'data', hash: 'hash' },
  observations: { notification: 'data' },
  operations: { request: 'data', result: 'data', text: 'words', request_hash: 'hash' },
  parked_receipts: { receipt: 'data', receipt_hash: 'hash' },
  pending_signals: { problem: 'words' },
  possible_opt_outs: { chat_id: 'chat', recipient_key: 'chat', text: 'whole', text_hash: 'hash' },
  queue_readings: { items: 'data' },
  recipient_rejects: { value: 'words', columns: 'row', chat_id: 'chat' },
  recipients: { chat_id: 'chat', key: 'chat', values: 'whole' },
  recurring_jobs: { problem: 'words' },
  schedule_runs: { text: 'words' },
  schedules: { definition: 'words', note: 'words', problem: 'words', request_hash: 'hash' },
  start_words: { chat_id: 'chat', word: 'whole' },
  stories: { story: 'data' },
  suppressed_chats: { chat_id: 'chat' },
  suppressions: { chat_id: 'chat', word: 'whole', note: 'whole', removed_word: 'whole' },
  template_changes: { reason: 'words', detail: 'words' },
  templates: {
    definition: 'words',
    reason: 'words',
    last_reading: 'words',
    check_text: 'words',
    definition_hash: 'hash',
  },
} as const satisfies Columns;
