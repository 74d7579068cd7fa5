/**
 * The ledger holds all state in tables (schema.sql), and each part of it is a class of statements (open-ledger.ts).
 *
 * - `messages`       rows of messages and their edits: states, evidence, the one writer, what their workflows have to get
 * - `streams`        which pending messages may be posted: hours, limits, and what blocks a message
 * - `dispatch`       intake, shifts, claims and outcomes
 * - `reconciling`    attempts without a response: the evidence of the queue, the notifications and operators
 * - `notifications`  the inbox of what the gateway pushes, and the receipts in it
 * - `campaigns`, `schedules`, `templates`, `suppressions`, `events`, `keys`: one resource each
 * - `instances`      accounts: their states, pauses, clocks, rate limits, operations and recurring jobs
 * - `views`          what operators see that several of these know together
 * - `recipients`     the ids of recipients that belong together
 * - `privacy`        erasing a recipient from every table
 * - `storage`        the database: connections, dialect, transactions, pages of lists, views of rows
 * - `migrations`     the tables
 */
export { backupLedger, restoreLedger } from './backup.js';
export type { CampaignView, UpdateCampaign, VerdictCounts } from '../contract/index.js';
export type { BegunAddition, CorrectedLine } from './campaigns/audiences/additions.js';
export { campaignEmpty, type ReadLines } from './campaigns/audiences/audience-rows.js';
export { variableProblems, type MissingValue } from './campaigns/audiences/variables.js';
export type { ImportedSource } from './campaigns/audiences/audiences.js';
export { REPORT_FIELDS, REPORT_TIMES, type ReportRow } from './campaigns/campaign-report.js';
export { SUMMARY_EVENTS, type ReasonCount, type SummaryEvent } from './campaigns/campaign-summary.js';
export { FORECAST_IN_RESPONSE } from './campaigns/forecasts.js';
export type { Oddity } from './storage/column-types.js';
export type { AskedCommand, CommandKind } from './storage/commands.js';
export type * from './dispatch/dispatch-ledger.js';
export { fillsWindow } from './dispatch/dispatch-ledger.js';
export type { CampaignToRead, Composed, ReadRecipient } from './dispatch/read-ahead/read-recipients.js';
export type { DeliveryOutcome, DueDelivery } from './events/deliveries.js';
export {
  eventEndpointUnknown,
  isCallbacksEndpoint,
  type EndpointView,
  type NewEndpoint,
} from './events/event-endpoints.js';
export { MAX_INTEGER, cursorsOf, digitsPart, textPart } from './storage/cursors.js';
export {
  DELIVERY_STATES,
  eventUnknown,
  sequenceOf,
  type CallbackView,
  type EventView,
} from './events/stored-events.js';
export type { IdSource } from './ids.js';
export { commonOffset, widenedOffset } from './instances/gateway-clocks.js';
export type { OperationEnd, OperationView } from './instances/operations.js';
export type { ListedQueue } from './messages/queue-clears.js';
export type { InstancePause } from './instances/pauses.js';
export type { GrantedTurns, ReserveTurns } from './instances/rate-limit-buckets.js';
export { isValidKey, type KnownApiKey } from './keys/keys.js';
export { heldLease } from './leases.js';
export { bodyHash, jsonHash } from './storage/hashes.js';
export type { EditView } from './messages/edits/edit-row.js';
export type { EditReading } from './messages/receipts/record-edit.js';
export type { ClaimedAttempt, OpenMessage, TestOf } from './messages/message-row.js';
export { assertSameRequest } from './storage/commands.js';
export type { MessageListItem } from './streams/message-waiting.js';
export type { AttemptView, Evidence, MessageView } from './views/message-view.js';
export type { TracedMessage, TracedReceipt } from './views/traces.js';
export type { UnfinishedMessage } from './messages/messages.js';
export type { StartedRun, WantedRun } from './messages/runs.js';
export type { CampaignWaitRow, UnfinishedCampaign } from './campaigns/steering/campaign-life.js';
export type { RunningCounts } from './campaigns/campaign-tally.js';
export type { OutboxEntry, WaitingActivity } from './messages/outbox.js';
export type { LedgerReadings } from './metrics.js';
export { subjectOf, type Receipt, type StoredReceipt } from './messages/receipts/apply-receipt.js';
export type { AppliedTogether } from './messages/receipts/apply-together.js';
export type { Applied, StoredNotification, NotificationSummary } from './notifications/notifications.js';
export type { NotificationEvent, NotificationFacts } from './notifications/receipts.js';
export type { ReplayView } from './notifications/replays.js';
export { migrateLedger } from './storage/migrate.js';
export { openLedger, type Ledger, type LedgerLocation, type LedgerOptions } from './open-ledger.js';
export type { Subject as ErasureSubject } from './privacy/erase-own-rows.js';
export type { ErasureReceipt } from './privacy/erasures.js';
export type { KnownLid, LidSource } from './recipients/known-lids.js';
export type { AttemptToReconcile } from './reconciling/reconciling.js';
export type { Resolution } from './reconciling/resolution.js';
export type { RunDecision, RunReason } from './schedules/schedule-runs.js';
export { refuseEnded, scheduleUnknown } from './schedules/schedules.js';
export type { ScheduleObservation, ScheduleView } from './schedules/schedules.js';
export { closeDataDir, lockDataDir, makeDataDir, type DataDirLock } from './storage/data-dir.js';
export { type NewPossibleOptOut, possibleOptOutUnknown } from './recipients/possible-opt-outs.js';
export type { IncomingResponse } from './recipients/responses.js';
export type { KnownRecipient } from './campaigns/audiences/audiences.js';
export type { OptOutMessage } from './recipients/suppressions.js';
export { type TemplateListItem, type TemplateReading, type TemplateView } from './templates/template-row.js';
export type { TemplateOutcome } from './templates/templates.js';
export { EVENTS_WAKE, type WakeLedger } from './wakes.js';
