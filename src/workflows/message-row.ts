/**
 * A run has a snapshot of its message's row. The snapshot with the highest version is current. A late or repeated
 * snapshot changes nothing.
 */
import {
  present,
  type MessageChanged,
  type MessageId,
  type MessageInput,
  type MessageResult,
  type MessageSnapshot,
  type MessageStatus,
  type OpenedMessage,
  RECEIPT_WAIT_MS,
  endedUnsent,
  isEditOutcome,
  isInPhase,
  type EditSnapshot,
} from '../contract/index.js';
import { CancellationScope, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { opening } from './activity-proxies.js';
import { Opening, checkDepth, refusal, refuse } from './refusals.js';
import { instanceAttribute, kindAttribute, messageDetails, stateAttribute } from './web-ui.js';

export class MessageRow {
  readonly #input: MessageInput;
  readonly #opening = new Opening();
  #opened: OpenedMessage | undefined;
  #snapshot: MessageSnapshot | undefined;
  /** A signal that arrived before the row was open. */
  #early: MessageSnapshot | undefined;
  /** The state in the search attributes, which lists of runs show. */
  #shownState: MessageSnapshot['state'] | undefined;

  constructor(input: MessageInput) {
    this.#input = input;
  }

  get isOpen(): boolean {
    return this.#snapshot !== undefined;
  }

  get known(): MessageSnapshot {
    if (this.#snapshot === undefined) throw new Error('A row is read before it is opened.');
    return this.#snapshot;
  }

  get id(): MessageId {
    return this.known.id;
  }

  /** The instance and the kind of the message. */
  get opened(): OpenedMessage {
    if (this.#opened === undefined) throw new Error('A message is read before it is opened.');
    return this.#opened;
  }

  status(): MessageStatus {
    if (this.#opened === undefined) return {};
    const { instance, kind } = this.#opened;
    return { instance, kind, snapshot: this.known };
  }

  result(): MessageResult {
    const { id, state, idMessage, reason } = this.known;
    return { id, state, ...present({ idMessage, reason }) };
  }

  /**
   * Validates the input and creates the row, or finds it.
   * @throws ApplicationFailure or ActivityFailure with INPUT_INVALID, IDEMPOTENCY_MISMATCH, MESSAGE_NOT_FOUND or
   * MESSAGE_ALREADY_STARTED
   */
  async open(): Promise<void> {
    try {
      refuse('The message', checkDepth(this.#input));
      const { startTime, firstExecutionRunId: firstRunId } = workflowInfo();
      const start = { input: this.#input, requestedAt: startTime.toISOString(), firstRunId };
      const found = await opening.openMessage(start);
      refuseSecondRun(found);
      this.#opened = found;
      this.learn(found.snapshot);
      if (this.#early?.id === this.id) this.learn(this.#early);
    } catch (error) {
      // A cancelled run opens its row again to cancel the message.
      if (CancellationScope.current().consideredCancelled) throw error;
      throw await this.#opening.failed(error);
    }
  }

  untilOpen(): Promise<void> {
    return this.#opening.until(() => this.isOpen);
  }

  /** A signal may arrive before the row is open. Any client may send one, so only signals about this message count. */
  receive(snapshot: MessageChanged): void {
    if (typeof snapshot?.version !== 'number' || !Array.isArray(snapshot.edits)) return;
    if (this.#snapshot === undefined) {
      if (snapshot.version > (this.#early?.version ?? -1)) this.#early = snapshot;
    } else if (snapshot.id === this.id) {
      this.learn(snapshot);
    }
  }

  learn(snapshot: MessageSnapshot): void {
    if (this.#snapshot !== undefined && snapshot.version <= this.#snapshot.version) return;
    this.#snapshot = snapshot;
    this.#showState();
    setCurrentDetails(messageDetails(this.opened, snapshot));
  }

  /** Shows the first state, a need for an operator, and the end state in lists. Each change costs an action. */
  #showState(): void {
    const { state } = this.known;
    const isWorthIt = this.#shownState === undefined || state === 'unresolved' || hasEnded(this.known);
    if (!isWorthIt || state === this.#shownState) return;
    const isFirst = this.#shownState === undefined;
    this.#shownState = state;
    const shown = { key: stateAttribute, value: state };
    if (!isFirst) upsertSearchAttributes([shown]);
    else if (!('id' in this.#input)) {
      // Only a start by everpost names the row and has search attributes.
      const { instance, kind } = this.opened;
      upsertSearchAttributes([{ key: instanceAttribute, value: instance }, shown, { key: kindAttribute, value: kind }]);
    }
  }
}

/** Two workflows with the same key are one message, which only one of them sends. */
function refuseSecondRun({ snapshot, sentBy }: OpenedMessage): void {
  if (sentBy === undefined || openUntilMs(snapshot) <= Date.now()) return;
  const { id: messageId } = snapshot;
  const ask = `temporal workflow update execute --workflow-id ${sentBy} --name waitFor --input '{"state":"delivered"}'`;
  throw refusal(
    'MESSAGE_ALREADY_STARTED',
    `Message ${messageId} was started before with the same key, by the workflow ${sentBy}, which sends it. Ask that one: ${ask}`,
    { messageId, workflowId: sentBy },
  );
}

// Rules for how long a message's workflow stays open: pure functions of the snapshot, by the workflow's clock.

/** Whether receipts, late evidence or an operator may still change the row. */
export function isAwaited(row: MessageSnapshot): boolean {
  return !hasEnded(row) && !wasSent(row) && !endedWithoutReceipt(row);
}

/** Whether the message is accepted and receipts are no longer expected. It stays accepted, with a reason. */
function endedWithoutReceipt(row: MessageSnapshot): boolean {
  return row.state === 'accepted' && row.reason !== undefined;
}

/** Whether the network has accepted the message, so that it can be edited. */
export function wasSent(row: MessageSnapshot): boolean {
  return isInPhase(row.state, 'taken');
}

/** Whether the message has ended: only late evidence may still change its state. */
export function hasEnded(row: MessageSnapshot): boolean {
  return endedUnsent(row.state);
}

/**
 * When the workflow stops waiting for receipts, late evidence and edits, in milliseconds since the epoch.
 *
 * - sent: when the edit window closes
 * - accepted: when the gateway's queue no longer retains the message
 * - unknown, unresolved: a queue retention after the expiry, since late evidence may still arrive
 * - ended: at once
 */
export function openUntilMs(row: MessageSnapshot): number {
  if (hasEnded(row) || endedWithoutReceipt(row)) return 0;
  if (wasSent(row)) return row.editableUntil === undefined ? 0 : Date.parse(row.editableUntil);
  return Date.parse(row.acceptedAt ?? row.expiresAt) + RECEIPT_WAIT_MS;
}

export function editHasEnded(edit: EditSnapshot): boolean {
  return isEditOutcome(edit.state);
}
