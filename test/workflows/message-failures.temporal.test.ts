/**
 * Proves RUN-1 to RUN-3: what the run of a message shows after each failure of decision 0034. The activities are the test's own; the workflow,
 * the server and the outbox's requests are real.
 */
import { CompleteAsyncError } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import {
  editActivityId,
  EDIT_WINDOW_MS,
  messageWorkflowId,
  SEND_ACTIVITY_ID,
  type EditId,
  type MessageId,
  type SendInput,
  type ShownMessage,
} from '../../src/contract/index.js';
import type { OutboxEntry } from '../../src/ledger/index.js';
import { createOutboxSender, messageRuns } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { test, type TemporalForTests } from '../support/temporal/temporal.js';

interface Place {
  readonly temporal: TemporalForTests;
  readonly taskQueue: string;
}

const never = () => new Promise<never>(() => undefined);

/** The run of one message, whose row is in the test's hands. */
class Run {
  readonly id: MessageId;
  readonly #place: Place;
  row: ShownMessage;
  readonly sends: SendInput[] = [];
  runId = '';

  constructor(place: Place, name = 'a') {
    this.#place = place;
    this.id = `msg_${name}_${place.taskQueue}` as MessageId;
    this.row = { id: this.id, state: 'pending', expiresAt: new Date().toISOString(), hasEnded: false };
  }

  get handle(): WorkflowHandle {
    return this.#place.temporal.client.workflow.getHandle(messageWorkflowId(this.id));
  }

  async start(): Promise<this> {
    const runs = messageRuns({ client: this.#place.temporal.client, taskQueue: this.#place.taskQueue });
    this.runId = (await runs.start({ id: this.id, instance: 'main', kind: 'text' })).runId ?? '';
    return this;
  }

  /** What a worker does with its row; a send waits until the row is there. */
  readonly activities = {
    sendMessage: async (input: SendInput): Promise<ShownMessage> => {
      this.sends.push(input);
      if (this.isThere(input)) return this.row;
      throw new CompleteAsyncError();
    },
    readMessage: async (): Promise<ShownMessage> => this.row,
  };

  isThere({ after }: SendInput): boolean {
    return after === undefined ? this.row.hasEnded || this.row.state !== 'pending' : this.row.state !== after;
  }

  becomes(state: ShownMessage['state'], more: Partial<ShownMessage> = {}): void {
    this.row = { ...this.row, state, ...more };
  }

  ends(state: ShownMessage['state'], reason: string): void {
    this.becomes(state, { reason, hasEnded: true });
  }

  /** The outbox gives the run the row's present state. */
  async give(what: Pick<OutboxEntry, 'activity' | 'edit'>): Promise<void> {
    const { id: messageId, row: message } = this;
    const entry = { seq: '1', messageId, workflowId: messageWorkflowId(messageId), message, tries: 0, ...what };
    await createOutboxSender({ client: this.#place.temporal.client }, () => Promise.resolve(undefined))(entry);
  }

  complete(runId = this.runId): Promise<void> {
    return this.give({ activity: { runId, activityId: SEND_ACTIVITY_ID } });
  }

  async isWaiting(sends: number): Promise<void> {
    await eventually(async () => {
      expect(this.sends).toHaveLength(sends);
      const { raw } = await this.handle.describe();
      expect(raw.pendingActivities).toMatchObject([{ activityType: { name: 'sendMessage' } }]);
    });
  }

  async worker(activities: object = this.activities) {
    const { temporal, taskQueue } = this.#place;
    return temporal.createWorker({ taskQueue, activities, shutdownGraceTime: '100 milliseconds' });
  }

  async shownState(): Promise<unknown> {
    return (await this.handle.describe()).searchAttributes['EverpostState'];
  }
}

const SENT = { sentAt: new Date().toISOString(), idMessage: 'G-1' };

describe('the run of a message', () => {
  test('is completed though the worker died inside its activity', async ({ temporal, taskQueue }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    let begun = false;
    let bury = (): void => undefined;
    const buried = new Promise<never>((_, reject) => (bury = () => reject(new Error('killed'))));
    buried.catch(() => undefined);
    const sendMessage = () => {
      begun = true;
      return buried;
    };
    const dying = await run.worker({ ...run.activities, sendMessage });
    await dying.runUntil(async () => {
      await eventually(() => expect(begun).toBe(true));
      // The row ends meanwhile, and another worker sends the outbox.
      run.ends('rejected', 'GATEWAY_REJECTED');
      await run.complete();
      expect(await run.handle.result()).toEqual({ id: run.id, state: 'rejected', reason: 'GATEWAY_REJECTED' });
      bury();
    });
    expect(await run.shownState()).toEqual(['rejected']);
  });

  test('waits for a worker that has the code of its activity', async ({ temporal, taskQueue }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    const old = await run.worker({ somethingElse: never });
    await old.runUntil(async () => {
      await eventually(async () => {
        const { raw } = await run.handle.describe();
        expect(raw.pendingActivities).toMatchObject([
          { lastFailure: { message: expect.stringContaining('sendMessage') } },
        ]);
      });
    });
    run.ends('expired', 'expired');
    const worker = await run.worker();
    await worker.runUntil(async () => expect(await run.handle.result()).toMatchObject({ state: 'expired' }));
  });

  test('takes a completion once; a repeated one, and one after its end, change nothing', async ({
    temporal,
    taskQueue,
  }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    const worker = await run.worker();
    await worker.runUntil(async () => {
      await run.isWaiting(1);
      run.ends('cancelled', 'cancelled');
      await run.complete();
      await run.complete();
      expect(await run.handle.result()).toMatchObject({ state: 'cancelled' });
      await run.complete();
    });
    expect(run.sends).toHaveLength(1);
  });

  test('does not end by the late completion of an earlier run of the same id', async ({ temporal, taskQueue }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    const { runId: earlier } = run;
    const worker = await run.worker();
    await worker.runUntil(async () => {
      await run.isWaiting(1);
      await run.handle.terminate('by an operator');
      await run.start();
      expect(run.runId).not.toBe(earlier);
      await run.isWaiting(2);
      run.ends('expired', 'expired');
      await run.complete(earlier);
      expect((await run.handle.describe()).status.name).toBe('RUNNING');
      await run.complete();
      expect(await run.handle.result()).toMatchObject({ state: 'expired' });
    });
  });

  test('shows what happened before it began: the activity that sent it completes at once', async ({
    temporal,
    taskQueue,
  }) => {
    const run = new Run({ temporal, taskQueue });
    run.ends('no_account', 'no_account');
    await run.start();
    const worker = await run.worker();
    await worker.runUntil(async () => expect(await run.handle.result()).toMatchObject({ state: 'no_account' }));
    const { events } = await run.handle.fetchHistory();
    const scheduled = events?.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
    expect(scheduled).toEqual(['sendMessage']);
    expect(await run.shownState()).toEqual(['no_account']);
  });

  test('fails with MESSAGE_NOT_FOUND when its row was erased, or is not in a restored ledger', async ({
    temporal,
    taskQueue,
  }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    const sendMessage = () =>
      Promise.reject(ApplicationFailure.nonRetryable('not in the ledger', 'MESSAGE_NOT_FOUND', { next: 'stop' }));
    const worker = await run.worker({ ...run.activities, sendMessage });
    await worker.runUntil(async () => {
      await expect(run.handle.result()).rejects.toMatchObject({ cause: { type: 'MESSAGE_NOT_FOUND' } });
    });
  });

  test('shows that it is unresolved, waits again, and ends when an operator has decided', async ({
    temporal,
    taskQueue,
  }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    const worker = await run.worker();
    await worker.runUntil(async () => {
      await run.isWaiting(1);
      run.becomes('unresolved', { reason: 'no_witness' });
      await run.complete();
      await run.isWaiting(2);
      expect(run.sends).toMatchObject([{ messageId: run.id }, { messageId: run.id, after: 'unresolved' }]);
      await eventually(async () => expect(await run.shownState()).toEqual(['unresolved']));
      // Not accepted: it is pending again, and the run waits for it as at first.
      run.becomes('pending');
      await run.complete();
      await run.isWaiting(3);
      expect(run.sends[2]).not.toHaveProperty('after');
      run.becomes('sent', SENT);
      await run.complete();
      expect(await run.handle.result()).toMatchObject({ state: 'sent', idMessage: 'G-1' });
    });
  });

  test('has at most 30 events with an edit that came by HTTP', async ({ temporal, taskQueue }) => {
    const run = await new Run({ temporal, taskQueue }).start();
    const editId = 'edt_ten' as EditId;
    const editMessage = () => Promise.reject(new CompleteAsyncError());
    const worker = await run.worker({ ...run.activities, editMessage });
    await worker.runUntil(async () => {
      await run.isWaiting(1);
      run.becomes('sent', { ...SENT, editableUntil: new Date(Date.now() + EDIT_WINDOW_MS).toISOString() });
      await run.complete();
      await eventually(async () => expect(await run.shownState()).toEqual(['sent']));
      const pending = { id: editId, state: 'pending' } as const;
      await run.give({ edit: pending });
      // A repeated request is the same update.
      await run.give({ edit: pending });
      run.becomes('delivered', { editableUntil: new Date(Date.now() + 500).toISOString() });
      const edited = { id: editId, state: 'edited', via: 'gateway' } as const;
      await run.give({ edit: edited, activity: { runId: run.runId, activityId: editActivityId(editId) } });
      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
    });
    const { events } = await run.handle.fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toHaveLength(1);
    // Besides the 30: the window was closed early, so its timer was cancelled and started again, and a read is omitted.
    expect(events?.length).toBeLessThanOrEqual(32);
    expect(await run.shownState()).toEqual(['delivered']);
  });
});
