// Generated from the migrations by `npm run generate`. Do not edit.

import type {
  AttemptOutcome,
  CampaignDefinition,
  CampaignId,
  CampaignLimits,
  CampaignState,
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
} from '../contract/index.js';
import type { Big, Json, Oddity, OperationState, OptionalJson, RunState, Sequence } from './column-types.js';
import type { ColumnType, Generated } from 'kysely';
import type { ListedItem } from '../domain/index.js';

export interface Schema {
  amendments: AmendmentsTable;
  api_keys: ApiKeysTable;
  attempts: AttemptsTable;
  audiences: AudiencesTable;
  audit: AuditTable;
  campaign_counts: CampaignCountsTable;
  campaign_timezones: CampaignTimezonesTable;
  campaigns: CampaignsTable;
  commands: CommandsTable;
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
  leases: LeasesTable;
  message_counts: MessageCountsTable;
  message_ids: MessageIdsTable;
  messages: MessagesTable;
  notifications: NotificationsTable;
  observations: ObservationsTable;
  operations: OperationsTable;
  parked_receipts: ParkedReceiptsTable;
  pending_notifications: PendingNotificationsTable;
  pending_signals: PendingSignalsTable;
  privacy_state: PrivacyStateTable;
  queue_readings: QueueReadingsTable;
  rate_limit_buckets: RateLimitBucketsTable;
  recipient_rejects: RecipientRejectsTable;
  recipients: RecipientsTable;
  recurring_jobs: RecurringJobsTable;
  replays: ReplaysTable;
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
  /** Recipients by what an amendment could do for them when it began. */
  counts_before: Json;
  /** When every recipient with an older text had an edit; no other gets one. */
  opened_at: Date | null;
  ended_at: Date | null;
  /** Recipients by what they saw when it ended; they add up to the audience. */
  counts_after: OptionalJson;
}

/** Named API keys. */
export interface ApiKeysTable {
  id: string;
  name: string;
  /** SHA-256 of the whole key, in hex. */
  hash: string;
  /** Of the key before its last rotation, which is valid until previous_until. */
  previous_hash: string | null;
  previous_until: Date | null;
  scopes: Json<readonly Scope[]>;
  /** Null: every instance. */
  instances: OptionalJson<readonly string[]>;
  /** Null: no limit. */
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
  /** When the end of the request's connection was seen at the latest; null where it was not. */
  loss_seen_at: Date | null;
  outcome: AttemptOutcome['kind'] | null;
  outcome_seq: Big | null;
  outcome_at: Date | null;
  id_message: string | null;
  code: string | null;
  text: string | null;
  http_status: number | null;
  /** When the next attempt is due, where this one was surely not accepted. */
  retry_at: Date | null;
  /** Null for an attempt that no dispatcher made. */
  instance: string | null;
  /** The shift that made it; null for an attempt that no dispatcher made. */
  epoch: Big | null;
  /** Of chat, kind and body; null once an identical message may be claimed. */
  identical_hash: Uint8Array | null;
}

export interface AudiencesTable {
  no: Sequence;
  campaign_id: CampaignId;
  source_hash: string | null;
  /** Lines read so far: the progress of an import. */
  lines: Generated<number>;
  verdicts: OptionalJson;
  columns: OptionalJson;
  begun_at: Date;
  finished_at: Date | null;
  /** Used by no campaign any more: nothing is added, and its rows are being removed. */
  discarded: Generated<boolean>;
}

/** Requests that changed something, or were refused it. */
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
}

/** Changes of the number of recipients in a state; their sum is how many there are. */
export interface CampaignCountsTable {
  campaign_id: CampaignId;
  state: MessageState;
  /** The recipients have not ended. */
  is_open: boolean;
  /** Why, for expired recipients only. */
  reason: string | null;
  recipients: Big;
}

export interface CampaignTimezonesTable {
  campaign_id: CampaignId;
  timezone: string;
  /** Recipients of the timezone up to this line were read. */
  read_ahead_line: Generated<number>;
}

export interface CampaignsTable {
  id: CampaignId;
  /** Ten characters, made from the id; its messages' ids end with it. */
  key: string;
  instance: string;
  request_hash: string;
  definition: Json<CampaignDefinition>;
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
  /** How many recipients; fixed at the start. */
  audience: Generated<number>;
  /** Recipients up to this line have a row in `messages`; some behind it may have one too. */
  read_ahead_line: Generated<number>;
  /** State of the recipients without a row in `messages`. */
  state_without_message: Generated<'pending' | 'cancelled' | 'expired'>;
  created_at: Date;
  started_at: Date | null;
  paused_at: Date | null;
  cancel_requested_at: Date | null;
  ended_at: Date | null;
  /** What its automatic pause saw; null for one that an operator paused. */
  pause_text: string | null;
  namespace: string | null;
  /** Outcomes from here on count for its automatic pause; null: all since its start. */
  auto_pause_from: Date | null;
  /** When, in the ledger's sequence, the newest command that took effect was asked for. */
  command_asked: Generated<Big>;
  /** When a campaign that was made for a plan only is removed; null for others. */
  plan_until: Date | null;
  /** Its display name now; the definition has the first one. */
  name: string | null;
  /** Once started, nothing is posted before this; null: at once. */
  start_at: Date | null;
  /** When its start was found to be later than its grace time. */
  start_missed_at: Date | null;
  sending_windows: OptionalJson<LocalHours>;
  limits: OptionalJson<CampaignLimits>;
  /** Its recipients are read by their timezones; set at its start. */
  by_timezone: Generated<boolean>;
  /** How long typing is shown before each message; null: not at all. */
  typing_ms: number | null;
  /** Since when its recipients and messages are deleted, for their age. */
  recipients_removed_at: Date | null;
}

/** Commands of operators; see commands.ts. */
export interface CommandsTable {
  subject: string;
  id: string;
  kind: string;
  /** Null for one that came without an API request. */
  request_hash: string | null;
  asked: Sequence;
  asked_at: Date;
  /** When it took effect; null before, and for one that was refused. */
  begun_at: Date | null;
  /** How many recipients a retry has taken up so far. */
  retried: Generated<number>;
  result: OptionalJson;
  /** Who asked; null for one that came through Temporal. */
  requested_by: string | null;
}

/** Messages that were posted on a day with a cap; what was surely not accepted does not count. */
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

export interface DispatchersTable {
  instance: string;
  epoch: Big;
  worker: string;
  process: string | null;
  task_token: string | null;
  begun_at: Date;
  /** When its shift was last at work, to within seconds. */
  seen_at: Date;
  ended_at: Date | null;
  /** Messages in the gateway's queue, as the shift computed them. */
  queue_depth: number | null;
  depth_read_at: Date | null;
  release_interval_ms: number | null;
  in_flight: Generated<number>;
  post_window: number | null;
}

export interface DueMessagesTable {
  stream_id: Big;
  due_at: Date;
  place: Big;
  message_id: MessageId;
  chat_id: string | null;
  expires_at: Date;
  /** The message or campaign that it waits for; then it is due at infinity. */
  behind: string | null;
  /** How long typing is still to be shown before it; null: not at all. */
  typing_ms: number | null;
  /** Not selected before this: typing is shown in its chat. */
  waits_until: Date | null;
}

export interface EditsTable {
  seq: Sequence;
  id: EditId;
  message_id: MessageId;
  text: string;
  state: EditState;
  via: 'before_send' | 'gateway' | null;
  requested_at: Date;
  posted_at: Date | null;
  ended_at: Date | null;
  id_message_given: string | null;
  id_message_returned: string | null;
  reason: string | null;
  /** Names the try that has the right to post it. */
  try_token: string | null;
  /** An earlier try had this right too, and the outcome of its request is unknown. */
  may_have_arrived: Generated<boolean>;
  /** Of an edit by an amendment of its campaign; null for any other. */
  campaign_id: CampaignId | null;
  /** The version of the campaign's content that it gives to the recipient. */
  content_version: number | null;
  /** When that try began. */
  tried_at: Date | null;
}

/** Chats that were erased, by hash: late notifications of them are erased too. */
export interface ErasedChatsTable {
  chat_hash: string;
  erasure_id: string;
}

export interface ErasuresTable {
  id: string;
  /** Null once it has ended. */
  chat_id: string | null;
  requested_by: string;
  requested_at: Date;
  ended_at: Date | null;
  /** How many rows of each table were erased. */
  rows: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  /** What it waits for: how many messages, edits and notifications. */
  waiting: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
}

/** An event for an endpoint. Those that have not ended are tried again. */
export interface EventDeliveriesTable {
  event_seq: Big;
  endpoint_id: string;
  /** The endpoint; of a status callback its URL's scheme, host and port. */
  target: string;
  ordering_key: string;
  /** By the database's clock; of a replay, when that began. */
  created_at: Generated<Date>;
  next_try_at: Generated<Date>;
  tries: Generated<number>;
  /** Why the last try failed. */
  problem: string | null;
  ended_at: Date | null;
  /** False once ended: set aside. */
  delivered: Generated<boolean>;
}

/** Where the events of an instance are delivered; without a URL they are only stored. */
export interface EventEndpointsTable {
  id: string;
  instance: string;
  url: string | null;
  /** Types of events, or `*`. */
  events: string[];
  /** Gets every notification of the gateway unchanged, and nothing else. */
  raw: boolean;
  description: string | null;
  /** Sent as the Authorization header. Secret. */
  auth_header: string | null;
  /** Keys of signatures, the newest first; older ones with the time until which they sign. Secret. */
  secrets: Json;
  enabled: Generated<boolean>;
  disabled_reason: string | null;
  disabled_at: Date | null;
  /** Nothing is delivered before: the target asked for it by Retry-After. */
  held_until: Generated<Date>;
  request_hash: string;
  created_at: Date;
}

export interface EventsTable {
  seq: Sequence;
  /** The transaction that recorded it: pages follow it, since a later commit may have a smaller number in `seq`. */
  tx: Generated<Big>;
  instance: string;
  type: EventType;
  /** Events of the same key are delivered one after the other: a chat, a campaign, a template. */
  ordering_key: string;
  at: Date;
  /** A notification's body, or what everpost reports. */
  data: Json;
  /** The bytes of a notification; null where they are those of `data`. */
  raw: Uint8Array | null;
  /** Of a notification; null for application/json. */
  content_type: string | null;
  notification_id: Big | null;
  message_id: MessageId | null;
  /** The message's statusCallback, to which it is delivered. */
  callback_url: string | null;
  /** The only endpoint that gets it; null: all that want it. */
  endpoint_id: string | null;
}

export interface EvidenceTable {
  seq: Sequence;
  message_id: MessageId;
  /** Names the fact within its message, so that recording it again adds nothing. */
  fact: string;
  at: Date;
  witness: string;
  what: string;
  detail: OptionalJson;
}

/** Notifications that could not be applied; a replay that applies one deletes its row. */
export interface FailedNotificationsTable {
  notification_id: Big;
  outcome: string;
  problem: string | null;
}

/** The gateway's links to uploaded files, of one instance each. */
export interface FileLinksTable {
  instance: string;
  file_id: string;
  url: string;
  /** The link is not used after this; by our own clock, some time before the gateway removes it. */
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
  /** When all of its parts were there; null while it comes in. */
  stored_at: Date | null;
  /** Deleted after this; a message that names it moves it on. */
  expires_at: Date;
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
  /** When the group was last seen like this. */
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
  /** Sending windows, quiet hours, limits and edit window, as the worker that serves it was configured. */
  settings: Json<InstanceSettings>;
}

export interface InstanceStatesTable {
  seq: Sequence;
  instance: string;
  state: string;
  since: Date;
  seen_until: Date;
}

export interface LeasesTable {
  name: string;
  holder: string;
  held_until: Date;
}

/** How many messages of an instance entered a state, and from which one; their sums are the metrics. */
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
  /** When its outgoingAPIMessageReceived came. */
  notified_at: Date | null;
  /** When it left the gateway's queue, by its outgoingAPIMessageReceived. */
  left_at: Date | null;
}

export interface MessagesTable {
  id: MessageId;
  instance: string;
  chat_id: string | null;
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
  /** Temporal's namespace of its runs; null until a run has named it. */
  namespace: string | null;
  /** The campaign whose recipient it addresses. */
  campaign_id: CampaignId | null;
  /** The recipient's line in the campaign's audience. */
  line: number | null;
  /** Which version of the campaign's content this was made from; null once the message was edited by itself. */
  content_version: number | null;
  /** By our clock: when the first receipt that implies it was seen. */
  delivered_seen_at: Date | null;
  /** By our clock: when the first receipt that implies it was seen. */
  read_seen_at: Date | null;
  /** The workflow that sends it; null stands for `message:<id>`. */
  workflow_id: string | null;
  /** The stream that dispatches it; null for one that is sent without the dispatcher. */
  stream_id: Big | null;
  /** When it is, or was, due next; null without a stream. */
  due_at: Date | null;
  /** Its place in the order of intake; null without a stream. */
  place: Big | null;
  /** Whether a workflow waits for it: none does, one is wanted, one was started. */
  run: Generated<RunState>;
  /** Its workflow also waits for delivery or reading. */
  run_waits: Generated<boolean>;
  /** Not posted before this; null where the request named no time. */
  send_at: Date | null;
  /** How long typing is shown before it; null: not at all. */
  typing_ms: number | null;
  /** Who asked for it; null for a recipient of a campaign. */
  requested_by: string | null;
}

export interface NotificationsTable {
  id: Sequence;
  /** Of instance and body. */
  hash: string;
  received_at: Date;
  /** How often the same came again. */
  repeats: Generated<number>;
  instance: string;
  /** Its `typeWebhook`; null where it names none. */
  kind: string | null;
  oddity: Oddity | null;
  body: Json;
}

export interface ObservationsTable {
  seq: Sequence;
  instance: string;
  id_message: string;
  notification: Json;
  seen_at: Date;
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

/** Messages whose runs are still to be signalled. */
export interface PendingSignalsTable {
  message_id: MessageId;
  /** The newest version of the message that the run was not signalled yet. */
  version: number;
  since: Date;
  next_try_at: Date;
  /** The activity that sends has not been completed with an outcome yet. */
  completes_send: boolean;
  tries: Generated<number>;
  /** Why the last try failed. */
  problem: string | null;
}

/** One row, from the first erasure on. Its key makes the hashes of chats. */
export interface PrivacyStateTable {
  hash_key: Uint8Array;
  /** The suppression list holds chats by hash: each message is compared with those too. */
  keeps_hashes: Generated<boolean>;
  /** Late notifications of erased chats were looked for up to this one. */
  notifications_checked: Generated<Big>;
}

/** Readings of a gateway's queue: the last one, and those that may decide about an attempt in doubt. */
export interface QueueReadingsTable {
  seq: Sequence;
  instance: string;
  /** By the clock of the worker that read. */
  begun_at: Date;
  ended_at: Date;
  /** The number of items. */
  length: number;
  items: Json<readonly ListedItem[]>;
}

export interface RateLimitBucketsTable {
  instance: string;
  operation: string;
  next_turn: Date;
  blocked_until: Date;
  /** The first of the turns that were granted last. */
  granted_from: Date;
  granted: number;
}

export interface RecipientRejectsTable {
  audience_no: Big;
  line: number;
  reason: string;
  value: string;
}

export interface RecipientsTable {
  audience_no: Big;
  line: number;
  chat_id: string;
  values: Json<RecipientValues>;
  timezone: string | null;
}

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

/** Stored notifications applied again, in the order of their ids. */
export interface ReplaysTable {
  id: string;
  /** Null: all instances. */
  instance: string | null;
  since: Date;
  /** All up to this one are done. */
  after_id: Big;
  /** The last one that it takes. */
  until_id: Big;
  total: number;
  done: Generated<number>;
  /** How many had which outcome. */
  outcomes: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  begun_at: Date;
  ended_at: Date | null;
}

export interface ScheduleRunsTable {
  schedule_id: ScheduleId;
  /** Which occurrence it is. */
  at: Date;
  kind: ScheduleRunKind;
  /** Of a run that an operator asked for. */
  key: string | null;
  campaign_id: CampaignId | null;
  state: ScheduleRunState;
  /** When its campaign is to start. */
  start_at: Date;
  reason: string | null;
  /** What explains the reason; the last failure while it is tried again. */
  text: string | null;
  /** How often it failed. */
  tries: Generated<number>;
  created_at: Date;
  ended_at: Date | null;
  /** When it was first decided that it goes on. */
  begun_at: Date | null;
  message_id: MessageId | null;
}

export interface SchedulesTable {
  id: ScheduleId;
  request_hash: string;
  definition: Json<ScheduleDefinition>;
  state: ScheduleState;
  note: string | null;
  /** Grows with every change that Temporal has to know. */
  version: Generated<number>;
  /** What Temporal's schedule is like. */
  synced_version: Generated<number>;
  /** Occurrences from here on that have no row are missing ones. */
  covered_from: Date;
  /** What Temporal's schedule could not be made for. */
  problem: string | null;
  namespace: string;
  created_at: Date;
}

/** Kept, since an earlier STOP may arrive later. */
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
  /** The template that its messages name, by its name or by the gateway's id. */
  element_name: string | null;
  template_id: string | null;
  /** Not selected while the account is away: campaigns, and messages that live for less than a day. */
  needs_phone: boolean;
  /** The kind of its messages: after a 429 the streams of this gateway operation are skipped. */
  kind: MessageKind;
  /** How much the campaign's own water mark is above that of its class. */
  extra_room: Generated<number>;
  /** Grows; the stream with the smaller number was served longer ago. */
  served: Generated<Big>;
  category: string;
  /** Of the recipients, where a campaign goes by their clocks. */
  timezone: string | null;
  /** Nothing is claimed before. */
  opens_at: Generated<Date>;
  /** Nothing is claimed from then on, until a tick has computed the next times. Infinity: no hours and no limits. */
  closes_at: Generated<Date>;
  /** The end of the pause after the last message of a campaign with jitter. */
  next_at: Generated<Date>;
  /** What keeps it closed until opens_at; of an open urgent stream: what it passes. */
  closed_by: string | null;
  /** When closed_by changed last. */
  closed_since: Date | null;
  /** Its messages count to a row of daily_caps. */
  is_capped: Generated<boolean>;
  is_jittered: Generated<boolean>;
  /** Of the cap on marketing messages to one recipient; null without one. */
  frequency_messages: number | null;
  frequency_days: number | null;
}

/** Every chat id of the recipient of an entry. */
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
  status: string | null;
  status_since: Date | null;
  reason: string | null;
  /** Status and reason as the gateway showed them last. */
  last_reading: string | null;
  /** A request to create it may have been accepted unnoticed. */
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
  /** Temporal's namespace of its run; null until a run has named it. */
  namespace: string | null;
}

export interface WorkerProcessesTable {
  process: string;
  alive_since: Date;
  alive_until: Date;
}
