/**
 * The tables as Kysely sees them; `migrations/` makes them and `schema.sql` shows them. Rows are written in
 * milliseconds' precision. JSON is stored as `json`, not `jsonb`, since nothing here searches inside. What operators
 * and gateways write may hold U+0000 or half a surrogate pair: see `storable.ts`.
 */
import type { ColumnType, Generated } from 'kysely';
import type {
  AttemptOutcome,
  PauseReason,
  CampaignDefinition,
  CampaignId,
  CampaignState,
  ContentTemplate,
  EditId,
  EditState,
  MessageContent,
  MessageId,
  MessageKind,
  MessageState,
  RecipientValues,
  SuppressionScope,
  SuppressionSource,
  TemplateDefinition,
  TemplateState,
} from '../contract/index.js';
import type { ListedItem } from '../domain/index.js';
import type { OperationState, RunState } from './ledger.js';
import type { Oddity } from './notifications/notification-ledger.js';

/** Read as its parsed value, written as JSON text. */
type Json<Value = unknown> = ColumnType<Value, string, string>;
type OptionalJson = ColumnType<unknown, string | null | undefined, string | null>;
/** bigint, which one driver reads as text and the other as a number. */
type Big = string | number | bigint;
/** Filled by `ledger_seq`; never written by hand. */
type Sequence = ColumnType<Big, never, never>;

export interface Schema {
  messages: MessagesTable;
  attempts: AttemptsTable;
  evidence: EvidenceTable;
  message_ids: MessageIdsTable;
  parked_receipts: ParkedReceiptsTable;
  notifications: NotificationsTable;
  pending_notifications: PendingNotificationsTable;
  failed_notifications: FailedNotificationsTable;
  replays: ReplaysTable;
  callbacks: CallbacksTable;
  pending_signals: PendingSignalsTable;
  edits: EditsTable;
  operations: OperationsTable;
  gateway_clocks: GatewayClocksTable;
  rate_limit_buckets: RateLimitBucketsTable;
  observations: ObservationsTable;
  instance_states: InstanceStatesTable;
  instance_pauses: InstancePausesTable;
  instance_connections: InstanceConnectionsTable;
  leases: LeasesTable;
  campaigns: CampaignsTable;
  audiences: AudiencesTable;
  recipients: RecipientsTable;
  recipient_rejects: RecipientRejectsTable;
  queue_readings: QueueReadingsTable;
  templates: TemplatesTable;
  template_changes: TemplateChangesTable;
  suppressions: SuppressionsTable;
  suppressed_chats: SuppressedChatsTable;
  start_words: StartWordsTable;
  commands: CommandsTable;
  campaign_counts: CampaignCountsTable;
  dispatchers: DispatchersTable;
  streams: StreamsTable;
  due_messages: DueMessagesTable;
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
  /** By the gateway's clock, as are the next two. */
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  /** By our clock: when the first receipt that implies `sent` was seen. */
  sent_seen_at: Date | null;
  /** By our clock, as is the next: when the first receipt that implies it was seen. */
  delivered_seen_at: Generated<Date | null>;
  read_seen_at: Generated<Date | null>;
  ended_at: Date | null;
  /** Of Temporal, where the message's runs live; null when no run has said so yet. */
  namespace: string | null;
  /** The workflow that sends it; null stands for `message:<id>`. */
  workflow_id: Generated<string | null>;
  /** Of a recipient of a campaign: the campaign, and the recipient's line. */
  campaign_id: Generated<CampaignId | null>;
  line: Generated<number | null>;
  /** Of the campaign's content that this content was made from; null once the message was edited by itself. */
  content_version: Generated<number | null>;
  /** The stream that dispatches it; null for one that is sent without the dispatcher, as are the next two. */
  stream_id: Generated<Big | null>;
  /** When it is, or was, due next. */
  due_at: Generated<Date | null>;
  /** Its place in the order of intake. */
  place: Generated<Big | null>;
  /** Whether a workflow waits for it: none does, one is to be started, one was started. */
  run: Generated<RunState>;
  /** Its workflow also waits for delivery or reading. */
  run_waits: Generated<boolean>;
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
  /** By when the end of the request's connection had been seen; null where it was not. */
  loss_seen_at: Date | null;
  outcome: AttemptOutcome['kind'] | null;
  outcome_seq: Big | null;
  outcome_at: Date | null;
  id_message: string | null;
  code: string | null;
  text: string | null;
  http_status: number | null;
  /** Where it was surely not accepted: when the next one is due. */
  retry_at: Date | null;
  /** Of an attempt that a dispatcher made, as are the next two. */
  instance: Generated<string | null>;
  /** Of the shift that made it. */
  epoch: Generated<Big | null>;
  /** Of chat, kind and body; null once an identical message may be claimed. */
  identical_hash: Generated<Uint8Array | null>;
}

/** Changes of the number of recipients in a state; their sum is how many there are. */
export interface CampaignCountsTable {
  campaign_id: CampaignId;
  state: MessageState;
  /** Not ended. */
  is_open: boolean;
  /** Of expired ones only. */
  reason: string | null;
  recipients: Big;
}

export interface DispatchersTable {
  instance: string;
  epoch: Big;
  worker: string;
  begun_at: Date;
  /** When its shift was last at work, to within seconds. */
  seen_at: Date;
  ended_at: Date | null;
  /** Of the gateway's queue, as the shift worked it out. */
  queue_depth: number | null;
  depth_read_at: Date | null;
  release_interval_ms: number | null;
  in_flight: Generated<number>;
  post_window: number | null;
}

export interface StreamsTable {
  id: ColumnType<Big, never, never>;
  instance: string;
  class: number;
  campaign_id: CampaignId | null;
  /** The template that its messages name, by its name or by the gateway's id. */
  element_name: string | null;
  template_id: string | null;
  /** Not selected while the account is away: campaigns, and messages that live for less than a day. */
  needs_phone: boolean;
  /** Of its messages: a gateway operation that answered 429 is left out by it. */
  kind: MessageKind;
  /** How much the campaign's own water mark is above that of its class. */
  extra_room: Generated<number>;
  /** Grows; the stream with the smaller number was served longer ago. */
  served: Generated<Big>;
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
}

export interface EvidenceTable {
  seq: Sequence;
  message_id: MessageId;
  /** Names the fact within its message, so that telling it again adds nothing. */
  fact: string;
  at: Date;
  witness: string;
  what: string;
  detail: OptionalJson;
}

export interface MessageIdsTable {
  instance: string;
  id_message: string;
  message_id: MessageId;
  role: 'message' | 'edit';
  stored_at: Date;
  /** When its outgoingAPIMessageReceived came, and when it left the queue by that. */
  notified_at: Date | null;
  left_at: Date | null;
}

export interface ParkedReceiptsTable {
  seq: Sequence;
  instance: string;
  id_message: string;
  receipt: Json;
  receipt_hash: string;
  parked_at: Date;
}

export interface NotificationsTable {
  id: ColumnType<Big, never, never>;
  /** Of instance and body. */
  hash: string;
  received_at: Date;
  /** How often the same came again. */
  repeats: Generated<number>;
  instance: string;
  /** Its `typeWebhook`; null where it names none. */
  kind: Generated<string | null>;
  oddity: Generated<Oddity | null>;
  body: Json;
}

/** Notifications that are not applied yet. */
export interface PendingNotificationsTable {
  notification_id: Big;
}

/** Notifications that could not be applied; a replay that applies one deletes its row. */
export interface FailedNotificationsTable {
  notification_id: Big;
  outcome: string;
  problem: string | null;
}

/** Messages whose runs are still to be signalled. */
export interface PendingSignalsTable {
  message_id: MessageId;
  /** The newest version that the run has not been told of. */
  version: number;
  since: Date;
  next_try_at: Date;
  tries: Generated<number>;
  /** Why the last try failed. */
  problem: Generated<string | null>;
}

/** Stored notifications applied again, in the order of their ids. */
export interface ReplaysTable {
  id: string;
  /** Null: of all instances. */
  instance: string | null;
  since: Date;
  /** All up to this one are done. */
  after_id: ColumnType<Big, Big, Big>;
  /** The last one that it takes. */
  until_id: ColumnType<Big, Big, never>;
  total: number;
  done: Generated<number>;
  /** How many had which outcome. */
  outcomes: ColumnType<Readonly<Record<string, number>>, string | undefined, string>;
  begun_at: Date;
  ended_at: Date | null;
}

/** Written by triggers: a row for each change of state of a message that names a callback. */
export interface CallbacksTable {
  seq: Sequence;
  message_id: MessageId;
  url: string;
  /** Scheme, host and port of the URL. */
  origin: string;
  version: number;
  state: MessageState;
  reason: string | null;
  id_message: string | null;
  at: Date;
  /** By the database's clock, as is the first `next_try_at`. */
  created_at: Generated<Date>;
  next_try_at: Generated<Date>;
  tries: Generated<number>;
  /** What the last try failed of. */
  problem: string | null;
  ended_at: Date | null;
  /** Ended without: given up. */
  delivered: Generated<boolean>;
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
  try_token: Generated<string | null>;
  /** An earlier try had this right too, and what became of its request is not known. */
  may_have_arrived: Generated<boolean>;
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

export interface GatewayClocksTable {
  instance: string;
  lowest_offset_ms: ColumnType<Big, number, number>;
  highest_offset_ms: ColumnType<Big, number, number>;
  measured_at: Date;
}

export interface ObservationsTable {
  seq: Sequence;
  instance: string;
  id_message: string;
  notification: Json;
  seen_at: Date;
}

export interface InstanceStatesTable {
  seq: Sequence;
  instance: string;
  state: string;
  since: Date;
  seen_until: Date;
}

export interface InstancePausesTable {
  seq: Sequence;
  instance: string;
  reason: PauseReason;
  since: Date;
  witness: string;
  resumed_at: Date | null;
  resumed_by: 'operator' | 'authorized' | null;
}

export interface InstanceConnectionsTable {
  instance: string;
  status: string;
  since: Date;
}

export interface RateLimitBucketsTable {
  instance: string;
  operation: string;
  next_turn: Date;
  blocked_until: Date;
  /** The turns granted last. */
  granted_from: Date;
  granted: number;
}

export interface LeasesTable {
  name: string;
  holder: string;
  held_until: Date;
}

export interface CampaignsTable {
  id: CampaignId;
  /** Ten characters, made from the id; its messages' ids end with it. */
  key: string;
  instance: string;
  request_hash: string;
  definition: Json<CampaignDefinition>;
  /** Its display name now; the definition has the first one. */
  name: string | null;
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
  audience_no: ColumnType<Big | null, Big | null | undefined, Big | null>;
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
  pause_text: Generated<string | null>;
  namespace: string | null;
  /** Outcomes from here on count for its automatic pause; null: all since its start. */
  auto_pause_from: Generated<Date | null>;
  /** Not null: only made for a plan, and removed at the latest then. */
  plan_until: Generated<Date | null>;
  /** When, in the ledger's sequence, the newest command that took effect was asked for. */
  command_asked: ColumnType<Big, Big | undefined, Big>;
}

/** Commands of operators; see commands.ts. */
export interface CommandsTable {
  subject: string;
  id: string;
  kind: string;
  /** Null for one that came without an API request. */
  request_hash: string | null;
  asked: ColumnType<Big, never, never>;
  asked_at: Date;
  /** When it took effect; null until then, and for one that was refused. */
  begun_at: Date | null;
  /** Of a retry: how many recipients it has taken up so far. */
  retried: Generated<number>;
  result: OptionalJson;
}

export interface AudiencesTable {
  no: ColumnType<Big, never, never>;
  campaign_id: CampaignId;
  source_hash: string | null;
  /** Read so far; of an import under way this is its progress. */
  lines: Generated<number>;
  verdicts: OptionalJson;
  columns: OptionalJson;
  begun_at: Date;
  finished_at: Date | null;
  /** No campaign uses it any more: nothing is added, and its rows are being removed. */
  discarded: Generated<boolean>;
}

export interface RecipientsTable {
  audience_no: Big;
  line: number;
  chat_id: string;
  values: Json<RecipientValues>;
}

export interface RecipientRejectsTable {
  audience_no: Big;
  line: number;
  reason: string;
  value: string;
}

/** Readings of a gateway's queue: the last one, and those that may decide about an attempt in doubt. */
export interface QueueReadingsTable {
  seq: Sequence;
  instance: string;
  /** By the clock of the worker that read. */
  begun_at: Date;
  ended_at: Date;
  /** Of `items`. */
  length: number;
  items: Json<readonly ListedItem[]>;
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
  /** A request for it may have been accepted without our knowing. */
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
  /** Of Temporal, where its run lives; null when no run has said so yet. */
  namespace: string | null;
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

export interface SuppressionsTable {
  id: string;
  /** Null: for all. */
  instance: string | null;
  chat_id: string;
  scope: SuppressionScope;
  source: SuppressionSource;
  /** By the gateway's clock where a word said it. */
  since: Date;
  recorded_at: Date;
  word: Generated<string | null>;
  id_message: Generated<string | null>;
  note: Generated<string | null>;
  /** By the gateway's clock where a word said it. */
  removed_at: Generated<Date | null>;
  removed_by: Generated<'start_word' | 'operator' | null>;
  removed_word: Generated<string | null>;
  removed_id_message: Generated<string | null>;
}

/** Every id of the recipient of an entry. */
export interface SuppressedChatsTable {
  chat_id: string;
  suppression_id: string;
}

/** Kept, since the STOP that was said before may come later. */
export interface StartWordsTable {
  instance: string;
  id_message: string;
  chat_id: string;
  word: string;
  at: Date;
}
