import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { PERSONAL_DATA } from '../../../src/ledger/privacy/personal-data.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { UNKNOWN } from '../../support/ledger/newer-ledger.js';

it('each column that may contain a text is classified as personal or not; list a new one in personal-data.ts', async () => {
  const { db, close } = await aDatabase();
  try {
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'json', 'jsonb', 'bytea', 'uuid', 'ARRAY', 'character varying')
        and table_name not like 'kysely_%' and ${UNKNOWN} not in (table_name, column_name)`.execute(db);
    const decided = [
      ...Object.entries<object>(PERSONAL_DATA).flatMap(([table, columns]) =>
        Object.keys(columns).map((column) => `${table}.${column}`),
      ),
      ...Object.entries(NOT_PERSONAL).flatMap(([table, columns]) =>
        columns.split(' ').map((column) => `${table}.${column}`),
      ),
    ];
    expect(decided.toSorted()).toEqual(rows.map(({ column }) => column).toSorted());
  } finally {
    await close();
  }
});

/** Columns of text, JSON or bytes without personal data: ids, names of an operator's objects, states and codes. */
const NOT_PERSONAL: Readonly<Record<string, string>> = {
  amendments: 'campaign_id counts_before counts_after',
  api_keys: 'id name hash previous_hash scopes instances created_by',
  attempts: 'token message_id worker outcome id_message code instance',
  audiences: 'campaign_id verdicts columns reject_columns likely_country',
  // The address is that of a program that uses the API.
  audit: 'witness route instance code address',
  campaign_accounts: 'campaign_id instance out_why',
  campaign_counts: 'campaign_id instance variant state reason',
  campaign_response_counts: 'campaign_id instance variant',
  campaign_responses: 'message_id campaign_id instance replied_id opted_out_id',
  campaign_timezones: 'campaign_id timezone',
  campaigns:
    'key instance priority category on_unknown state state_without_message namespace sending_windows limits winner',
  commands: 'subject id kind requested_by what',
  conversations: 'instance',
  daily_caps: 'scope',
  dispatchers: 'instance run former_runs worker process task_token delays',
  due_messages: 'message_id behind',
  edits: 'id message_id state via id_message_given id_message_returned reason try_token campaign_id instance step',
  erased_chats: 'erasure_id',
  erasures: 'id requested_by rows waiting kept',
  event_deliveries: 'endpoint_id',
  event_endpoints: 'id instance events auth_header secrets disabled_reason',
  events: 'instance type content_type message_id endpoint_id',
  evidence: 'message_id witness what',
  failed_notifications: 'outcome',
  file_links: 'instance file_id',
  // A caller's file for many recipients: it is deleted when it expires.
  file_parts: 'file_id bytes',
  files: 'content_type stored_by',
  gateway_clocks: 'instance',
  group_snapshots: 'instance group_id',
  instance_connections: 'instance status',
  instance_pauses: 'instance reason witness resumed_by',
  instance_settings: 'instance settings',
  instance_states: 'instance state',
  known_lids: 'source',
  leases: 'name holder',
  ledger_identity: 'id hash_key text_key origin',
  message_counts: 'instance from_state state',
  message_ids: 'instance id_message message_id role',
  messages:
    'id instance kind state priority category on_unknown attempt_token id_message reason namespace campaign_id run requested_by test_of variant trace_context',
  notifications: 'instance kind oddity odd_type about',
  observations: 'instance id_message about',
  operations: 'queue_before id method instance state code',
  outbox: 'message_id campaign_id edit_id run_id activity_id until',
  parked_receipts: 'instance id_message',
  possible_opt_outs: 'id instance id_message word language state first_id decided_by suppression_id',
  queue_readings: 'instance',
  rate_limit_buckets: 'instance operation',
  recipient_rejects: 'reason',
  recipients: 'timezone',
  recurring_jobs: 'id kind instance group_id',
  replays: 'id instance outcomes',
  restores: 'found_by',
  schedule_runs: 'schedule_id kind key campaign_id message_id state reason',
  schedules: 'state namespace',
  start_words: 'instance id_message',
  stories: 'instance id_message',
  streams: 'instance campaign_id element_name template_id kind category timezone closed_by',
  suppressed_chats: 'suppression_id',
  suppressions: 'id instance scope source id_message removed_by removed_id_message',
  template_changes: 'instance element_name witness what status',
  templates: 'instance state template_id category status attempt_token check_code namespace',
  worker_processes: 'process',
};
