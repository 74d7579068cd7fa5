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
  MESSAGE_EDIT_UPDATE,
  messageWorkflowId,
  SEND_ACTIVITY_ID,
  WORKFLOW,
  type EditId,
  type MessageId,
  type SendInput,
  type ShownMessage,
} from '../../src/contract/index.js';
import type { OutboxEntry } from '../../src/ledger/index.js';
import { createOutboxSender, messageRuns } from '../../src/starter/index.js';
import { searchAttributes } from '../../src/starter/temporal/temporal-call.js';
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
  edits = 0;
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

  /** As a client of another SDK starts it. */
  async startByCaller(attributes: Parameters<typeof searchAttributes>[0]): Promise<void> {
    const { client } = this.#place.temporal;
    const { firstExecutionRunId } = await client.workflow.start(WORKFLOW.message, {
      workflowId: messageWorkflowId(this.id),
      taskQueue: this.#place.taskQueue,
      args: [{ instance: 'main', to: '15550000001', content: { kind: 'text', text: 'nine' } }],
      typedSearchAttributes: searchAttributes(attributes),
    });
    this.runId = firstExecutionRunId;
  }

  /** What a worker does with its row; a send waits until the row is there. */
  readonly activities = {
    sendMessage: async (input: SendInput): Promise<ShownMessage> => {
      this.sends.push(input);
      if (this.isThere(input)) return this.row;
      throw new CompleteAsyncError();
    },
    readMessage: async (): Promise<ShownMessage> => this.row,
    editMessage: async (): Promise<never> => {
      this.edits += 1;
      throw new CompleteAsyncError();
    },
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

  /** The gateway confirmed the edit. */
  async edited(): Promise<void> {
    await eventually(() => expect(this.edits).toBe(1));
    const edit = { id: TEN, state: 'edited', via: 'gateway' } as const;
    await this.give({ edit, activity: { runId: this.runId, activityId: editActivityId(TEN) } });
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

const TEN = 'edt_ten' as EditId;
/** How long the tests' messages can be edited. */
const EDITABLE_MS = 2_000;
const SHOWN_AT_START = { EverpostInstance: ['main'], EverpostKind: 'text', EverpostState: 'pending' } as const;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

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

  test.for([
    ['earlier', -1_000],
    ['later', 1_000],
  ] as const)(
    'has 30 events with an edit by HTTP, also if its window closes %s then',
    async ([, moveMs], { temporal, taskQueue }) => {
      const run = await new Run({ temporal, taskQueue }).start();
      const worker = await run.worker();
      await worker.runUntil(async () => {
        await run.isWaiting(1);
        run.becomes('sent', { ...SENT, editableUntil: inMs(EDITABLE_MS) });
        await run.complete();
        await eventually(async () => expect(await run.shownState()).toEqual(['sent']));
        const pending = { id: TEN, state: 'pending' } as const;
        await run.give({ edit: pending });
        // A repeated request is the same update.
        await run.give({ edit: pending });
        // The gateway's clock was measured meanwhile.
        const editableUntil = new Date(Date.parse(run.row.editableUntil ?? '') + moveMs).toISOString();
        run.becomes('delivered', { editableUntil });
        await run.edited();
        expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
      });
      const { events } = await run.handle.fetchHistory();
      expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toHaveLength(1);
      expect(events).toHaveLength(30);
      expect(await run.shownState()).toEqual(['delivered']);
    },
  );

  test.for([
    ['21 events if a caller starts it', {}, 21],
    ['20 events if that start also sets its search attributes', SHOWN_AT_START, 20],
  ] as const)('has %s, and 12 more with an own edit', async ([, attributes, most], { temporal, taskQueue }) => {
    const run = new Run({ temporal, taskQueue });
    await run.startByCaller(attributes);
    const activities = {
      ...run.activities,
      openMessage: async () => ({ message: run.row, instance: 'main', kind: 'text' }),
      openEdit: async () => ({ edit: { id: TEN, state: 'pending' }, message: run.row }),
    };
    const worker = await run.worker(activities);
    await worker.runUntil(async () => {
      await run.isWaiting(1);
      expect(await run.shownState()).toEqual(['pending']);
      run.becomes('sent', { ...SENT, editableUntil: inMs(EDITABLE_MS) });
      await run.complete();
      await eventually(async () => expect(await run.shownState()).toEqual(['sent']));
      const edit = await run.handle.startUpdate(MESSAGE_EDIT_UPDATE, {
        args: [{ text: 'ten' }],
        waitForStage: 'ACCEPTED',
      });
      run.becomes('delivered');
      await run.edited();
      expect(await edit.result()).toMatchObject({ outcome: 'edited' });
      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
    });
    const { events } = await run.handle.fetchHistory();
    expect(events).toHaveLength(most + 12);
  });
});
