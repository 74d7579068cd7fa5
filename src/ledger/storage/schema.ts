// Generated from the migrations by `npm run generate`. Do not edit.

import type {
  AccountOut,
  Addition,
  AttemptOutcome,
  CampaignDefinition,
  CampaignId,
  CampaignLimits,
  CampaignState,
  CampaignVariant,
  Columns,
  ContentTemplate,
  EditId,
  EditState,
  EventType,
  GroupData,
  InstanceSettings,
  JobKind,
  LocalHours,
  MessageContent,
  MessageId,
  MessageKind,
  MessageState,
  PauseReason,
  PossibleOptOutState,
  RecipientValues,
  ResumedBy,
  ScheduleDefinition,
  ScheduleId,
  ScheduleRunKind,
  ScheduleRunState,
  ScheduleState,
  Scope,
  SuppressionScope,
  SuppressionSource,
  TemplateDefinition,
  TemplateState,
  TraceContext,
  VerdictCounts,
} from '../../contract/index.js';
import type { Big, Json, Oddity, OperationState, OptionalJson, RunState, Sequence } from './column-types.js';
import type { ColumnType, Generated } from 'kysely';
import type { EditStep, ListedItem } from '../../domain/index.js';

export interface Schema {
  amendments: AmendmentsTable;
  api_keys: ApiKeysTable;
  attempts: AttemptsTable;
  audiences: AudiencesTable;
  audit: AuditTable;
  campaign_accounts: CampaignAccountsTable;
  campaign_counts: CampaignCountsTable;
  campaign_response_counts: CampaignResponseCountsTable;
  campaign_responses: CampaignResponsesTable;
  campaign_timezones: CampaignTimezonesTable;
  campaigns: CampaignsTable;
  commands: CommandsTable;
  conversations: ConversationsTable;
  daily_caps: DailyCapsTable;
  dispatchers: DispatchersTable;
  due_messages: DueMessagesTable;
  edits: EditsTable;
  erased_chats: ErasedChatsTable;
  erasures: ErasuresTable;
  event_deliveries: EventDeliveriesTable;
  event_endpoints: EventEndpointsTable;
  events: EventsTable;
  evidence: EvidenceTable;
  failed_notifications: FailedNotificationsTable;
  file_links: FileLinksTable;
  file_parts: FilePartsTable;
  files: FilesTable;
  gateway_clocks: GatewayClocksTable;
  group_snapshots: GroupSnapshotsTable;
  instance_connections: InstanceConnectionsTable;
  instance_pauses: InstancePausesTable;
  instance_settings: InstanceSettingsTable;
  instance_states: InstanceStatesTable;
  known_lids: KnownLidsTable;
  leases: LeasesTable;
  ledger_identity: LedgerIdentityTable;
  message_counts: MessageCountsTable;
  message_ids: MessageIdsTable;
  messages: MessagesTable;
  notifications: NotificationsTable;
  observations: ObservationsTable;
  operations: OperationsTable;
  outbox: OutboxTable;
  parked_receipts: ParkedReceiptsTable;
  pending_notifications: PendingNotificationsTable;
  possible_opt_outs: PossibleOptOutsTable;
  privacy_state: PrivacyStateTable;
  queue_readings: QueueReadingsTable;
  rate_limit_buckets: RateLimitBucketsTable;
  recipient_rejects: RecipientRejectsTable;
  recipients: RecipientsTable;
  recurring_jobs: RecurringJobsTable;
  replays: ReplaysTable;
  restores: RestoresTable;
  schedule_runs: ScheduleRunsTable;
  schedules: SchedulesTable;
  start_words: StartWordsTable;
  stories: StoriesTable;
  streams: StreamsTable;
  suppressed_chats: SuppressedChatsTable;
  suppressions: SuppressionsTable;
  template_changes: TemplateChangesTable;
  templates: TemplatesTable;
  worker_processes: WorkerProcessesTable;
}

export interface AmendmentsTable {
  campaign_id: CampaignId;
  content_version: number;
  content: Json<ContentTemplate>;
  content_before: Json<ContentTemplate>;
  stop: boolean;
  begun_at: Date;
  /** Recipients by what the amendment could do for them when it began. */
  counts_before: Json;
  /** When every recipient with an older text had an edit. No edit is opened after this time. */
  opened_at: Date | null;
  ended_at: Date | null;
  /** Recipients by what they saw when it ended. The counts add up to the audience. */
  counts_after: OptionalJson;
}

/** Named API keys. */
export interface ApiKeysTable {
  id: string;
  name: string;
  /** SHA-256 of the whole key, in hex. */
  hash: string;
  /** Hash of the key before its last rotation, which is valid until previous_until. */
  previous_hash: string | null;
  previous_until: Date | null;
  scopes: Json<readonly Scope[]>;
  /** Null: every instance. */
  instances: OptionalJson<readonly string[]>;
  /** Null: the rate of EVERPOST_KEY_LIMITS. */
  rate_per_second: number | null;
  created_at: Date;
  created_by: string;
  /** To the minute. */
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface AttemptsTable {
  seq: Sequence;
  token: string;
  message_id: MessageId;
  worker: string;
  content: Json<MessageContent>;
  body_hash: string;
  claimed_at: Date;
  posting_deadline_at: Date;
  reconcile_after: Date;
  /** The latest time at which the end of the request's connection was observed; null if it was not. */
  loss_seen_at: Date | null;
  outcome: AttemptOutcome['kind'] | null;
  outcome_seq: Big | null;
  outcome_at: Date | null;
  id_message: string | null;
  code: string | null;
  text: string | null;
  http_status: number | null;
  /** When the next attempt is due, if this one was surely not accepted. */
  retry_at: Date | null;
  /** Null for an attempt without a dispatcher. */
  instance: string | null;
  /** The shift that made it; null for an attempt without a dispatcher. */
  epoch: Big | null;
  /** Hash of recipient, kind and body; null once an identical message may be claimed. */
  identical_hash: Uint8Array | null;
  /** As of its message when it was claimed. */
  text_length: number | null;
  /** As of its message when it was claimed. */
  hidden: string | null;
}

export interface AudiencesTable {
  no: Sequence;
  campaign_id: CampaignId;
  source_hash: string | null;
  /** Lines read so far: the progress of an import. */
  lines: Generated<number>;
  verdicts: OptionalJson<VerdictCounts>;
  columns: OptionalJson<Columns>;
  reject_columns: OptionalJson<readonly string[]>;
  likely_country: string | null;
  adds_to: Big | null;
  after_line: Generated<number>;
  additions: ColumnType<readonly Addition[], string | undefined, string>;
  begun_at: Date;
  finished_at: Date | null;
  /** True if no campaign uses it: nothing is added, and its rows are being removed. */
  discarded: Generated<boolean>;
}

/** Requests that changed something, or were rejected. */
export interface AuditTable {
  seq: Sequence;
  at: Date;
  witness: string;
  /** The operation's id in openapi.json. */
  route: string;
  object_id: string | null;
  instance: string | null;
  status: number;
  code: string | null;
  request_id: string;
  address: string | null;
}

/** The accounts of a campaign, one or a pool. */
export interface CampaignAccountsTable {
  campaign_id: CampaignId;
  instance: string;
  /** Its place in the campaign's list, from 0. */
  place: number;
  since: Date;
  /** Since when it cannot send, as a background job found it; null while it can. */
  blocked_since: Date | null;
  /** Since when it gets none of the campaign's messages; null while it is in. */
  out_at: Date | null;
  out_why: AccountOut | null;
  out_text: string | null;
  /** Only later outcomes count for its automatic pause; null: all. */
  outcomes_from: Date | null;
}

/** Changes of the number of recipients in a state. Their sum is the current number. */
export interface CampaignCountsTable {
  campaign_id: CampaignId;
  /** The account of the recipients. */
  instance: string;
  variant: string | null;
  state: MessageState;
  /** True if the recipients have not ended. */
  is_open: boolean;
  /** Why the recipients ended; only for expired ones. */
  reason: string | null;
  recipients: Big;
}

export interface CampaignResponseCountsTable {
  campaign_id: CampaignId;
  instance: string;
  /** Empty for a campaign without variants. */
  variant: string;
  replied: Big;
  opted_out: Big;
}

export interface CampaignResponsesTable {
  /** The campaign's message to the recipient who wrote. */
  message_id: MessageId;
  campaign_id: CampaignId;
  instance: string;
  line: number;
  /** By the gateway's clock. */
  replied_at: Date | null;
  /** The gateway's id of the reply. */
  replied_id: string | null;
  /** By the gateway's clock. */
  opted_out_at: Date | null;
  /** The gateway's id of the message that is, or may be, a STOP. */
  opted_out_id: string | null;
}

export interface CampaignTimezonesTable {
  campaign_id: CampaignId;
  timezone: string;
  /** The number of recipients in the timezone, fixed at the start. */
  recipients: number;
  /** The last line that was read of the timezone's recipients. */
  read_ahead_line: Generated<number>;
  /** How many recipients of the timezone are on the lines that were read. */
  read_recipients: Generated<number>;
}

export interface CampaignsTable {
  id: CampaignId;
  /** Ten characters derived from the id. The ids of its messages end with them. */
  key: string;
  instance: string;
  request_hash: string;
  definition: Json<CampaignDefinition>;
  /** With variants, that of the winner, else of the first one. */
  content: Json<ContentTemplate>;
  content_version: Generated<number>;
  priority: string;
  category: string;
  on_unknown: string;
  high_water: number;
  reference: string | null;
  deadline_at: Date | null;
  state: CampaignState;
  version: Generated<number>;
  audience_no: Big | null;
  /** The number of recipients, fixed at the start. */
  audience: Generated<number>;
  /** Recipients up to this line have a row in `messages`; some after it may have one, too. */
  read_ahead_line: Generated<number>;
  /** How many of the next recipients to read may have been sent before a restore (RETURN-6). */
  doubtful: Generated<number>;
  /** State of the recipients without a row in `messages`. */
  state_without_message: Generated<'pending' | 'cancelled' | 'expired'>;
  created_at: Date;
  started_at: Date | null;
  paused_at: Date | null;
  cancel_requested_at: Date | null;
  ended_at: Date | null;
  /** The reason of its automatic pause; null if an operator paused it. */
  pause_text: string | null;
  namespace: string | null;
  /** Outcomes from this place on count for its automatic pause; null: all since its start. */
  auto_pause_from: Date | null;
  /** Place in the ledger's sequence at which the newest effective command was requested. */
  command_asked: Generated<Big>;
  /** When a campaign that exists only for a plan is removed; null for others. */
  plan_until: Date | null;
  /** Its current display name. The definition has the first one. */
  name: string | null;
  /** Nothing is posted before this time; null: the campaign runs at its start. */
  start_at: Date | null;
  /** When its start was found to be later than its grace time. */
  start_missed_at: Date | null;
  sending_windows: OptionalJson<LocalHours>;
  limits: OptionalJson<CampaignLimits>;
  /** True if its recipients are read by timezone. Set at its start. */
  by_timezone: Generated<boolean>;
  /** When its recipients and messages were deleted because of their age. */
  recipients_removed_at: Date | null;
  /** For how long after its message an incoming message counts as a reply. */
  replies_for_seconds: number;
  /** The contents that shares of the recipients get; null: all get `content`. */
  variants: OptionalJson<readonly CampaignVariant[]>;
  /** The variant that recipients get who are composed from now on; null: by their shares. */
  winner: string | null;
}

/** Commands of operators. A command takes effect once, and never after a later one. */
export interface CommandsTable {
  subject: string;
  id: string;
  kind: string;
  /** Null for a command without an API request. */
  request_hash: string | null;
  asked: Sequence;
  asked_at: Date;
  /** When it took effect; null until then, and for a rejected command. */
  begun_at: Date | null;
  /** How many recipients a retry has made pending so far. */
  retried: Generated<number>;
  result: OptionalJson;
  /** The requester; null if the command came through Temporal. */
  requested_by: string | null;
  /** The names of changed fields, or everpost's own reason. */
  what: string | null;
}

/** When each recipient, or a group, last wrote to each account. */
export interface ConversationsTable {
  recipient_key: string;
  instance: string;
  /** By the gateway's clock. */
  received_at: Date;
  /** The form of the recipient that the last message showed. */
  chat_id: string;
  /** When the last notification of a message arrived, by our clock. */
  arrived_at: Date;
  /** Whether an operator has not read what arrived last. */
  is_unread: Generated<boolean>;
}

/** Messages posted on a day with a cap. Messages that were surely not accepted do not count. */
export interface DailyCapsTable {
  /** `instance:<name>` or `campaign:<id>`. */
  scope: string;
  day_starts_at: Date;
  day_ends_at: Date;
  cap: number;
  posted: number;
  /** When the last message that the cap allows was claimed. */
  reached_at: Date | null;
}

/** The shift that dispatches an instance, and its data about the gateway's queue. */
export interface DispatchersTable {
  instance: string;
  epoch: Big;
  /** The run in Temporal whose shift it is; shift and attempt order the tries within it. */
  run: string;
  /** The last runs before it, whose shifts may not begin any more. */
  former_runs: Generated<string[]>;
  shift: number;
  attempt: number;
  worker: string;
  process: string | null;
  task_token: string | null;
  begun_at: Date;
  /** When its shift last worked, to within seconds. */
  seen_at: Date;
  ended_at: Date | null;
  /** Items in the gateway's queue at depth_estimated_at, as the shift estimated them. */
  queue_depth: number | null;
  depth_estimated_at: Date | null;
  release_interval_ms: number | null;
  in_flight: Generated<number>;
  post_window: number | null;
  /** By operation: until when a 429 delays its messages. Times that have passed mean nothing. */
  delays: OptionalJson<Readonly<Record<string, number>>>;
  /** Place in the ledger's sequence at which its shift last worked; Temporal knows it, too. */
  mark: Generated<Big>;
  /** The last restore after which its doubtful messages were found. */
  restore: Generated<number>;
}

/** One row for each pending message that a stream dispatches. */
export interface DueMessagesTable {
  stream_id: Big;
  due_at: Date;
  place: Big;
  message_id: MessageId;
  recipient_key: string | null;
  expires_at: Date;
  /** The message or campaign that it waits for. It is then due at infinity. */
  behind: string | null;
}

export interface EditsTable {
  seq: Sequence;
  id: EditId;
  message_id: MessageId;
  text: string;
  body_hash: string;
  state: EditState;
  via: 'before_send' | 'gateway' | null;
  requested_at: Date;
  posted_at: Date | null;
  ended_at: Date | null;
  id_message_given: string | null;
  id_message_returned: string | null;
  reason: string | null;
  /** The try that has the right to post it. */
  try_token: string | null;
  /** True if an earlier try had the right to post, and the outcome of its request is unknown. */
  may_have_arrived: Generated<boolean>;
  /** The campaign, for an edit by an amendment; null for any other. */
  campaign_id: CampaignId | null;
  /** The version of the campaign's content that it sends to the recipient. */
  content_version: number | null;
  /** When that try began. */
  tried_at: Date | null;
  /** Characters of the text, if its message is sensitive; null for any other edit. */
  text_length: number | null;
  /** The text of an edit of a sensitive message, sealed; null once it was removed. */
  hidden: string | null;
  instance: string;
  /** From when on it can no longer be posted; null until its message is sent. */
  closes_at: Date | null;
  /** What the dispatcher does next: posts it, or reads the journal. Null while it waits, and once it has ended. */
  step: EditStep | null;
  due_at: Date | null;
  /** From when on no lost request of it can still arrive. */
  settles_at: Date | null;
}

/** Hashes of erased chats, by which late notifications of them are erased. */
export interface ErasedChatsTable {
  chat_hash: string;
  erasure_id: string;
}

export interface ErasuresTable {
  id: string;
  /** Null once the erasure has ended. */
  chat_id: string | null;
  requested_by: string;
  requested_at: Date;
  ended_at: Date | null;
  /** The number of erased rows of each table. */
  rows: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  /** The numbers of messages, edits and notifications that it waits for. */
  waiting: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  /** The rows that still contain the number: their count and some of their ids, by table. */
  kept: ColumnType<Readonly<Record<string, { count: number; ids: readonly string[] }>>, string | undefined, string>;
}

/** Deliveries of events to endpoints. A delivery that has not ended is retried. */
export interface EventDeliveriesTable {
  event_seq: Big;
  endpoint_id: string;
  /** The endpoint; for a status callback scheme, host and port of its URL. */
  target: string;
  ordering_key: string;
  /** By the database's clock; for a replay, when the replay began. */
  created_at: Generated<Date>;
  next_try_at: Generated<Date>;
  tries: Generated<number>;
  /** Why the last try failed. */
  problem: string | null;
  ended_at: Date | null;
  /** False once it has ended without success: set aside. */
  delivered: Generated<boolean>;
}

/** Where the events of an instance are delivered. Without a URL they are only stored. */
export interface EventEndpointsTable {
  id: string;
  instance: string;
  url: string | null;
  /** Types of events, or `*`. */
  events: string[];
  /** True: gets every notification of the gateway unchanged, and nothing else. */
  raw: boolean;
  description: string | null;
  /** The Authorization header of each delivery. Secret: sealed where encryption keys are set. */
  auth_header: string | null;
  /** Signing keys, newest first; former ones with the time until which they sign. Secret: sealed where encryption keys are set. */
  secrets: Json;
  enabled: Generated<boolean>;
  disabled_reason: string | null;
  disabled_at: Date | null;
  /** No delivery begins before this time, which the target requested by Retry-After. */
  held_until: Generated<Date>;
  request_hash: string;
  created_at: Date;
}

export interface EventsTable {
  seq: Sequence;
  /** The transaction that recorded it. Pages are ordered by it, since a later commit may have a smaller `seq`. */
  tx: Generated<Big>;
  instance: string;
  type: EventType;
  /** Events with the same key are delivered one after the other: a chat, a campaign, a template. */
  ordering_key: string;
  at: Date;
  /** The body of a notification, or the data of everpost's own event. */
  data: Json;
  /** The bytes of a notification; null if they equal those of `data`. */
  raw: Uint8Array | null;
  /** Content type of a notification; null for application/json. */
  content_type: string | null;
  notification_id: Big | null;
  message_id: MessageId | null;
  /** The message's statusCallback, to which the event is delivered. */
  callback_url: string | null;
  /** The only endpoint that gets it; null: every endpoint that subscribes to its type. */
  endpoint_id: string | null;
}

export interface EvidenceTable {
  seq: Sequence;
  message_id: MessageId;
  /** Identifies the fact within its message, so that a repeated record adds nothing. */
  fact: string;
  at: Date;
  witness: string;
  what: string;
  detail: OptionalJson;
}

/** Notifications that could not be applied. A replay that applies one deletes its row. */
export interface FailedNotificationsTable {
  notification_id: Big;
  outcome: string;
  problem: string | null;
}

/** The gateway's links to uploaded files, each for one instance. */
export interface FileLinksTable {
  instance: string;
  file_id: string;
  url: string;
  /** The link is not used after this time. By our clock, some time before the gateway removes the file. */
  expires_at: Date;
}

export interface FilePartsTable {
  file_id: string;
  no: number;
  bytes: Uint8Array;
}

/** Files that messages name by id. Their bytes are in file_parts. */
export interface FilesTable {
  id: string;
  sha256: string;
  content_type: string;
  size_bytes: Big;
  /** When its last part was stored; null until then. */
  stored_at: Date | null;
  /** Deleted after this time, unless something still needs it. */
  expires_at: Date;
  /** Id of the API key whose limit it counts for. Null: it counts for none. */
  stored_by: string | null;
}

export interface GatewayClocksTable {
  instance: string;
  measured_at: Date;
  lowest_offset_ms: ColumnType<Big, number, number>;
  highest_offset_ms: ColumnType<Big, number, number>;
}

export interface GroupSnapshotsTable {
  seq: Sequence;
  instance: string;
  group_id: string;
  taken_at: Date;
  /** When the group was last seen with this data. */
  seen_until: Date;
  data: Json<GroupData>;
  data_hash: string;
}

export interface InstanceConnectionsTable {
  instance: string;
  status: string;
  since: Date;
}

export interface InstancePausesTable {
  seq: Sequence;
  instance: string;
  reason: PauseReason;
  since: Date;
  witness: string;
  resumed_at: Date | null;
  resumed_by: ResumedBy | null;
}

export interface InstanceSettingsTable {
  instance: string;
  /** Sending windows, quiet hours, limits and edit window, as configured in the worker that serves the instance. */
  settings: Json<InstanceSettings>;
}

export interface InstanceStatesTable {
  seq: Sequence;
  instance: string;
  state: string;
  since: Date;
  seen_until: Date;
}

/** Lids and the numbers with which they were shown last. */
export interface KnownLidsTable {
  lid: string;
  /** The key of the number. */
  recipient_key: string;
  chat_id: string;
  /** When the lid was first shown with this number. */
  learned_at: Date;
  /** When both were last shown together, to the day. */
  seen_at: Date;
  source: 'group' | 'notification';
}

export interface LeasesTable {
  name: string;
  holder: string;
  held_until: Date;
}

/** One row, which distinguishes this ledger from all others. */
export interface LedgerIdentityTable {
  id: string;
  /** The key of every stored hash of a number, a text or a request. Secret. */
  hash_key: Uint8Array;
  /** A further key of the hashes of texts, sealed. */
  text_key: string;
  /** The database in which it was last: see database_origin(). */
  origin: string | null;
}

/** How many messages of an instance entered a state, and from which one. The metrics are their sums. */
export interface MessageCountsTable {
  instance: string;
  /** Null for messages that began in the state. */
  from_state: MessageState | null;
  state: MessageState;
  messages: Big;
}

export interface MessageIdsTable {
  instance: string;
  id_message: string;
  message_id: MessageId;
  role: 'message' | 'edit';
  stored_at: Date;
  /** When its outgoingAPIMessageReceived arrived. */
  notified_at: Date | null;
  /** When it left the gateway's queue, by its outgoingAPIMessageReceived. */
  left_at: Date | null;
}

export interface MessagesTable {
  id: MessageId;
  instance: string;
  chat_id: string | null;
  recipient_key: string | null;
  kind: MessageKind;
  content: Json<MessageContent>;
  body_hash: string;
  request_hash: string;
  state: MessageState;
  version: Generated<number>;
  priority: string;
  category: string;
  on_unknown: string;
  reference: string | null;
  status_callback: string | null;
  /** The attempt whose outcome decides; null while pending. */
  attempt_token: string | null;
  cancel_requested_at: Date | null;
  id_message: string | null;
  reason: string | null;
  reason_text: string | null;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  /** By the gateway's clock. */
  sent_at: Date | null;
  /** By the gateway's clock. */
  delivered_at: Date | null;
  /** By the gateway's clock. */
  read_at: Date | null;
  /** By our clock: when the first receipt that implies `sent` was seen. */
  sent_seen_at: Date | null;
  ended_at: Date | null;
  /** Temporal's namespace of its runs; null until a run has set it. */
  namespace: string | null;
  /** The campaign whose recipient it addresses. */
  campaign_id: CampaignId | null;
  /** The line in the campaign's audience of its recipient, or whose values a test contains. */
  line: number | null;
  /** The version of the campaign's content that it was composed from; null once the message itself was edited. */
  content_version: number | null;
  /** By our clock: when the first receipt that implies `delivered` was seen. */
  delivered_seen_at: Date | null;
  /** By our clock: when the first receipt that implies `read` was seen. */
  read_seen_at: Date | null;
  /** The workflow that sends it; null stands for `message:<id>`. */
  workflow_id: string | null;
  /** The stream that dispatches it; null if it is sent without the dispatcher. */
  stream_id: Big | null;
  /** When it is, or was, due next; null without a stream. */
  due_at: Date | null;
  /** Its place in the order of intake; null without a stream. */
  place: Big | null;
  /** Whether a workflow shows it: `none`, `wanted` or `started`. */
  run: Generated<RunState>;
  /** Not posted before this time; null if the request contains no time. */
  send_at: Date | null;
  /** The requester; null for a recipient of a campaign. */
  requested_by: string | null;
  /** Characters of its texts, if it is sensitive; null for any other message. */
  text_length: number | null;
  /** The fields of `content` that are not shown, sealed; null once they were removed. */
  hidden: string | null;
  /** When the texts of a sensitive message were removed. */
  text_removed_at: Date | null;
  /** The campaign that it is a test of. */
  test_of: CampaignId | null;
  /** The variant of its campaign's content that it has; null if the campaign has none. */
  variant: string | null;
  /** The W3C context of the span that created it; null if its trace is not sampled. */
  trace_context: OptionalJson<TraceContext>;
}

export interface NotificationsTable {
  id: Sequence;
  /** Keyed hash of instance and body. */
  hash: string;
  received_at: Date;
  /** How often the same notification arrived again. */
  repeats: Generated<number>;
  instance: string;
  /** Its `typeWebhook`; null if it has none. */
  kind: string | null;
  oddity: Oddity | null;
  /** The `typeMessage` of an incoming message of an unknown type. */
  odd_type: string | null;
  body: Json;
  /** The sensitive message whose text is hidden in the body; null for any other notification. */
  about: MessageId | null;
  /** The body with the text, sealed; null once it was removed. */
  hidden: string | null;
  /** Of a message or a call of a contact, or a message written on the phone: the chat. Else null. */
  chat_id: string | null;
}

export interface ObservationsTable {
  seq: Sequence;
  instance: string;
  id_message: string;
  notification: Json;
  seen_at: Date;
  /** As of its notification. */
  about: MessageId | null;
  /** As of its notification. */
  hidden: string | null;
}

export interface OperationsTable {
  id: string;
  method: string;
  instance: string;
  request_hash: string;
  request: OptionalJson;
  state: OperationState;
  result: OptionalJson;
  code: string | null;
  text: string | null;
  created_at: Date;
  ended_at: Date | null;
  /** Place in the ledger's sequence from which on its request may have left; only of once-only ones. */
  begun_seq: Big | null;
  /** Until then nothing of the instance is posted, since its queue is being cleared. */
  stops_posts_until: Date | null;
  /** What the gateway's queue listed before the request that clears it. */
  queue_before: OptionalJson;
}

/** What runs in Temporal still have to get: completions of activities that wait for a row, and edits to show. */
export interface OutboxTable {
  seq: Sequence;
  message_id: MessageId | null;
  /** The campaign whose change ends the wait; null: a message, or its edit, is waited for. */
  campaign_id: CampaignId | null;
  edit_id: EditId | null;
  workflow_id: string;
  run_id: string | null;
  /** The activity that waits; null: the run is asked to show the edit. */
  activity_id: string | null;
  /** The states of the message that end the wait; null: it waits for the edit or the campaign. */
  until: MessageState[] | null;
  /** When the wait ends in any state; null: only a state ends it. */
  deadline_at: Date | null;
  /** When it is sent next. A wait that nothing has ended by then is removed: its try in Temporal is over. */
  due_at: Date;
  /** When the row got there; null while it has not. */
  reached_at: Date | null;
  tries: Generated<number>;
  /** Why the last try failed. */
  problem: string | null;
}

export interface ParkedReceiptsTable {
  seq: Sequence;
  instance: string;
  id_message: string;
  receipt: Json;
  receipt_hash: string;
  parked_at: Date;
}

/** Notifications that are not applied yet. */
export interface PendingNotificationsTable {
  notification_id: Big;
}

/** Incoming messages that may mean STOP, for an operator to decide. */
export interface PossibleOptOutsTable {
  id: string;
  instance: string;
  id_message: string;
  chat_id: string;
  recipient_key: string;
  /** Null for a repeated one, and once its retention has passed. */
  text: string | null;
  /** Hash of the recipient and the folded text. */
  text_hash: string;
  /** Our word or phrase that the text is similar to. */
  word: string;
  language: string;
  /** By the gateway's clock. */
  at: Date;
  recorded_at: Date;
  state: PossibleOptOutState | 'repeated';
  /** For a repeated one: the open one at which it is counted. */
  first_id: string | null;
  decided_by: string | null;
  decided_at: Date | null;
  suppression_id: string | null;
}

/** One row, from the first erasure on. */
export interface PrivacyStateTable {
  /** True if the suppression list contains hashes of chats, which each message is compared with. */
  keeps_hashes: Generated<boolean>;
  /** The last notification that was checked for erased chats. */
  notifications_checked: Generated<Big>;
}

/** Readings of a gateway's queue: the last one, and those that may decide about an attempt in doubt. */
export interface QueueReadingsTable {
  seq: Sequence;
  instance: string;
  /** By the clock of the worker that read it. */
  begun_at: Date;
  ended_at: Date;
  /** The number of items. */
  length: number;
  items: Json<readonly ListedItem[]>;
  /** By the database's clock, like unchanged_since. */
  recorded_at: Generated<Date>;
  /** Since when no item of this reading has left the queue, as far as known. */
  unchanged_since: Date;
  /** Whether nothing was released for so long that the queue stands still. */
  stands_still: boolean;
}

export interface RateLimitBucketsTable {
  instance: string;
  operation: string;
  next_turn: Date;
  blocked_until: Date;
  /** The first turn of the last grant. */
  granted_from: Date;
  granted: number;
}

export interface RecipientRejectsTable {
  audience_no: Big;
  line: number;
  reason: string;
  value: string;
  columns: Json<RecipientValues>;
  chat_id: string | null;
  duplicate_of: number | null;
}

export interface RecipientsTable {
  audience_no: Big;
  line: number;
  chat_id: string;
  key: string | null;
  values: Json<RecipientValues>;
  timezone: string | null;
}

/** Jobs that read account data repeatedly. */
export interface RecurringJobsTable {
  id: string;
  kind: JobKind;
  instance: string;
  group_id: string | null;
  every_ms: ColumnType<Big, number, number>;
  created_at: Date;
  next_at: Date;
  /** When it last succeeded. */
  last_at: Date | null;
  problem: string | null;
}

/** Replays, which apply stored notifications again in the order of their ids. */
export interface ReplaysTable {
  id: string;
  /** Null: all instances. */
  instance: string | null;
  since: Date;
  /** The last notification that was applied. */
  after_id: Big;
  /** The last notification of the replay. */
  until_id: Big;
  total: number;
  done: Generated<number>;
  /** Notifications by outcome. */
  outcomes: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  begun_at: Date;
  ended_at: Date | null;
}

/** Each time that the ledger was found to be older than it had been: see RETURN-1. */
export interface RestoresTable {
  number: number;
  found_at: Generated<Date>;
  found_by: string;
  /** When a dispatcher last worked, as this older ledger knows it. */
  known_until: Date | null;
  /** Place in the ledger's sequence that it had surely given before; see RETURN-5. */
  known_place: Big;
  /** Place in the ledger's sequence: what it gave before may have been sent in the lost time. */
  place: Generated<Big>;
}

export interface ScheduleRunsTable {
  schedule_id: ScheduleId;
  /** The time of the occurrence. */
  at: Date;
  kind: ScheduleRunKind;
  /** The idempotency key of a run that an operator requested. */
  key: string | null;
  campaign_id: CampaignId | null;
  state: ScheduleRunState;
  /** The version of the schedule that it sends. */
  schedule_version: number;
  /** The catch-up window counts from this time. */
  due_at: Date;
  reason: string | null;
  /** Explains the reason; during retries, the last failure. */
  text: string | null;
  /** How often it failed. */
  tries: Generated<number>;
  created_at: Date;
  ended_at: Date | null;
  message_id: MessageId | null;
}

export interface SchedulesTable {
  id: ScheduleId;
  request_hash: string;
  definition: Json<ScheduleDefinition>;
  state: ScheduleState;
  note: string | null;
  /** Increases with every change that Temporal's schedule has to follow. */
  version: Generated<number>;
  /** The version that Temporal's schedule matches. */
  synced_version: Generated<number>;
  /** Temporal's count of missed times when they were recorded last. It counts a time repeatedly. */
  missed_seen: Generated<number>;
  /** Up to this time, the times that Temporal missed have rows. */
  missed_until: Date;
  /** How many times Temporal skipped, since an earlier campaign had not ended. */
  overlapped: Generated<number>;
  /** Why Temporal's schedule could not be created or changed. */
  problem: string | null;
  namespace: string;
  created_at: Date;
}

/** START words, kept since an earlier STOP may arrive later. */
export interface StartWordsTable {
  instance: string;
  id_message: string;
  chat_id: string;
  word: string;
  at: Date;
}

export interface StoriesTable {
  instance: string;
  id_message: string;
  /** By the gateway's clock. */
  at: Date;
  seen_at: Date;
  story: Json<Readonly<Record<string, unknown>>>;
}

export interface StreamsTable {
  id: Sequence;
  instance: string;
  class: number;
  campaign_id: CampaignId | null;
  /** The template that its messages name, by name or by the gateway's id. */
  element_name: string | null;
  template_id: string | null;
  /** True: not selected while the account is away. For campaigns, and messages that live less than a day. */
  needs_phone: boolean;
  /** The kind of its messages. After a 429, the streams of this gateway operation are skipped. */
  kind: MessageKind;
  /** How much the campaign's own high water mark exceeds that of its class. */
  extra_room: Generated<number>;
  /** Increases. The stream with the smaller number was served longer ago. */
  served: Generated<Big>;
  category: string;
  /** Timezone of the recipients, if a campaign uses their local time. */
  timezone: string | null;
  /** The version of the campaign's content that its messages have. */
  content_version: number | null;
  /** Nothing is claimed before this time. */
  opens_at: Generated<Date>;
  /** Nothing is claimed from this time on, until a tick has computed the next times. Infinity: no hours and no limits. */
  closes_at: Generated<Date>;
  /** The end of the pause after the last message of a campaign with jitter. */
  next_at: Generated<Date>;
  /** The rule that closes it until opens_at; for an open urgent stream, the rule that it ignores. */
  closed_by: string | null;
  /** When closed_by last changed. */
  closed_since: Date | null;
  /** True if its messages count for a row of daily_caps. */
  is_capped: Generated<boolean>;
  is_jittered: Generated<boolean>;
  /** The cap on marketing messages to one recipient; null without a cap. */
  frequency_messages: number | null;
  frequency_days: number | null;
}

/** Every chat id under which the gateway may reach the recipient of an entry. */
export interface SuppressedChatsTable {
  chat_id: string;
  suppression_id: string;
}

export interface SuppressionsTable {
  id: string;
  /** Null: all instances. */
  instance: string | null;
  chat_id: string;
  scope: SuppressionScope;
  source: SuppressionSource;
  /** By the gateway's clock for a STOP word. */
  since: Date;
  recorded_at: Date;
  word: string | null;
  id_message: string | null;
  note: string | null;
  /** By the gateway's clock for a START word. */
  removed_at: Date | null;
  removed_by: 'start_word' | 'operator' | null;
  removed_word: string | null;
  removed_id_message: string | null;
}

export interface TemplateChangesTable {
  seq: Sequence;
  instance: string;
  element_name: string;
  at: Date;
  witness: string;
  what: string;
  status: string | null;
  reason: string | null;
  detail: OptionalJson;
}

export interface TemplatesTable {
  instance: string;
  element_name: string;
  definition: Json<TemplateDefinition>;
  definition_hash: string;
  state: TemplateState;
  version: Generated<number>;
  template_id: string | null;
  /** As the gateway showed it last; null: that of the definition. */
  category: string | null;
  status: string | null;
  status_since: Date | null;
  reason: string | null;
  /** Status and reason, as the gateway last showed them. */
  last_reading: string | null;
  /** True if a request to create it may have been accepted although its response was lost. */
  may_exist: Generated<boolean>;
  attempt_token: string | null;
  reconcile_after: Date | null;
  created_at: Date;
  submitted_at: Date | null;
  checked_at: Date | null;
  next_check_at: Date | null;
  check_code: string | null;
  check_text: string | null;
  unwatched_since: Date | null;
  /** Temporal's namespace of its run; null until a run has set it. */
  namespace: string | null;
}

export interface WorkerProcessesTable {
  process: string;
  alive_since: Date;
  alive_until: Date;
}
