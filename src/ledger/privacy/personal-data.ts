/**
 * Where the ledger may contain a number, a name or a text. Every column of text, JSON or bytes is listed; the test
 * test/ledger/privacy/personal-data.test.ts fails for a new column, and plays every table.
 *
 * - `sent`     a text that is sent. A row that is still to be sent is not changed at all, but listed in the receipt
 *              (still-needed.ts). Otherwise as `words`.
 * - `words`    text of an operator or a program: an erasure removes the number and keeps the rest.
 * - `data`     JSON about recipients: an erasure blanks each object in it that is about the recipient, and removes the
 *              number from the others.
 * - `row`      JSON about the recipient that its row names: emptied if another column of the row contains the number.
 * - `whole`    belongs to one recipient: an erasure empties it in the rows of that recipient. Otherwise as `words`.
 * - `chat`     a chat id: an erasure replaces it by an alias in the rows of the recipient. Others are not touched.
 * - `address`  a URL or a name that something is found by. It is never changed, but listed; in a row of the recipient it
 *              is emptied if nothing needs it any more.
 * - `copy`     repeats another row: an erasure deletes the row, and for an event its deliveries.
 * - `bytes`    the raw bytes of a copy.
 * - `hash`     derived from the other columns of its row: an erasure that changes them empties it.
 * - `keyed`    a hash with the ledger's own key (storage/keyed-hash.ts): it stays, so that a repeated request or
 *              notification is recognized.
 */
import type { Schema } from '../storage/schema.js';

export type Holds =
  'sent' | 'words' | 'data' | 'row' | 'whole' | 'chat' | 'address' | 'copy' | 'bytes' | 'hash' | 'keyed';

export const PERSONAL_DATA = {
  amendments: { content: 'sent', content_before: 'sent' },
  attempts: { content: 'sent', hidden: 'sent', body_hash: 'hash', text: 'whole', identical_hash: 'hash' },
  audiences: { source_hash: 'keyed', additions: 'keyed' },
  audit: { object_id: 'words', request_id: 'words' },
  campaign_accounts: { out_text: 'words' },
  campaigns: {
    id: 'address',
    definition: 'sent',
    content: 'sent',
    variants: 'sent',
    reference: 'words',
    name: 'words',
    pause_text: 'words',
    request_hash: 'keyed',
  },
  commands: { result: 'data', request_hash: 'keyed' },
  conversations: { recipient_key: 'chat', chat_id: 'chat' },
  due_messages: { recipient_key: 'chat' },
  edits: { text: 'sent', hidden: 'sent', body_hash: 'hash' },
  erased_chats: { chat_hash: 'keyed' },
  erasures: { chat_id: 'chat' },
  event_deliveries: { ordering_key: 'words', target: 'address', problem: 'words' },
  event_endpoints: { url: 'address', description: 'words', request_hash: 'keyed' },
  events: { data: 'copy', raw: 'bytes', ordering_key: 'copy', callback_url: 'address' },
  evidence: { fact: 'keyed', detail: 'whole' },
  failed_notifications: { problem: 'words' },
  file_links: { url: 'address' },
  files: { id: 'keyed', sha256: 'hash' },
  group_snapshots: { data: 'data', data_hash: 'keyed' },
  known_lids: { lid: 'chat', recipient_key: 'chat', chat_id: 'chat' },
  messages: {
    chat_id: 'chat',
    recipient_key: 'chat',
    content: 'sent',
    hidden: 'sent',
    body_hash: 'hash',
    request_hash: 'keyed',
    reference: 'whole',
    status_callback: 'address',
    reason_text: 'whole',
    workflow_id: 'address',
  },
  notifications: { body: 'data', chat_id: 'words', hash: 'keyed', hidden: 'hash' },
  observations: { notification: 'data', hidden: 'hash' },
  operations: { request: 'data', result: 'data', text: 'words', request_hash: 'keyed' },
  outbox: { workflow_id: 'address', problem: 'words' },
  parked_receipts: { receipt: 'data', receipt_hash: 'keyed' },
  possible_opt_outs: { chat_id: 'chat', recipient_key: 'chat', text: 'whole', text_hash: 'keyed' },
  queue_readings: { items: 'data' },
  recipient_rejects: { value: 'words', columns: 'row', chat_id: 'chat' },
  recipients: { chat_id: 'chat', key: 'chat', values: 'sent' },
  recurring_jobs: { problem: 'words' },
  schedule_runs: { text: 'words' },
  schedules: { id: 'address', definition: 'sent', note: 'words', problem: 'words', request_hash: 'keyed' },
  start_words: { chat_id: 'chat', word: 'whole' },
  stories: { story: 'data' },
  suppressed_chats: { chat_id: 'chat' },
  suppressions: { chat_id: 'chat', word: 'whole', note: 'whole', removed_word: 'whole' },
  template_changes: { reason: 'words', detail: 'words' },
  templates: {
    element_name: 'address',
    definition: 'sent',
    reason: 'words',
    last_reading: 'words',
    check_text: 'words',
    definition_hash: 'hash',
  },
} as const satisfies { readonly [Table in keyof Schema]?: { readonly [Column in keyof Schema[Table]]?: Holds } };
