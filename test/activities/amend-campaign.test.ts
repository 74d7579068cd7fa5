/** An amendment's edits when the gateway or the ledger fails: client, simulator and ledger are real. */
import { describe, expect, it } from 'vitest';
import { amendCampaignActivity } from '../../src/activities/amend-campaign.js';
import { messageActivities } from '../../src/activities/message-activities.js';
import { postEdit } from '../../src/activities/edit-message.js';
import { AppError, type AmendmentCounts, type EditId, type MessageId } from '../../src/contract/index.js';
import { createRateGate, type RateGate } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { CampaignCast } from '../ledger/campaigns/campaign-life-cast.js';
import { MINUTE, SECOND, WINDOW } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/ledger/ledger.js';
import { perTest } from '../support/per-test.js';
import { editDependencies, useGatewayScene } from './gateway-scene.js';

/** The journal confirms a posted edit at once, since nothing receives notifications here. */
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 1_000, settleTimeMs: 1_000, editConfirmTimeoutMs: 0 };
const NEW = 'Dear {{name}}';

const ledger = useLedger();
const c = perTest(() => new CampaignCast(ledger));
const the = useGatewayScene(() => c.instance, TIMES.gatewayTimeoutMs);

/** A campaign whose messages are all on the phones. */
async function sentCampaign(recipients: number): Promise<void> {
  await c.running(recipients);
  const ids: string[] = [];
  for (const { token, chatId, content } of await c.claim(recipients)) {
    const message = content.kind === 'text' ? content.text : '';
    const { response } = await the.gateway.call(c.instance, 'sendMessage', { chatId: chatId ?? '', message });
    const { idMessage } = response;
    await ledger.messages.recordOutcome(token, { kind: 'accepted', idMessage, httpStatus: 200 }, the.nowMs);
    ids.push(idMessage);
  }
  the.nowMs += MINUTE;
  await the.simulator.idle();
  expect(the.simulator.delivered()).toHaveLength(recipients);
  for (const idMessage of ids) {
    await ledger.receipts.apply(c.instance, { kind: 'status', idMessage, status: 'sent', atMs: the.nowMs }, the.nowMs);
  }
}

async function amend(): Promise<void> {
  await ledger.amendments.begin(c.id, { text: NEW }, { nowMs: the.nowMs, spacingMs: SECOND });
}

function run(edits: Partial<Ledger['edits']> = {}, signal = new AbortController().signal): Promise<void> {
  // A poll by real time, however short, finds what this gateway has already answered.
  const deps = { ...editDependencies(the, ledger, TIMES, edits), pollMs: 1 };
  return amendCampaignActivity(deps, messageActivities(deps))({ campaignId: c.id }, signal);
}

async function counts(): Promise<Partial<AmendmentCounts>> {
  const [newest] = await ledger.amendments.list(c.id);
  return Object.fromEntries(Object.entries(newest?.counts ?? {}).filter(([, recipients]) => recipients > 0));
}

const posts = () => the.posts('editMessage');
const onPhones = () => the.simulator.delivered().map(({ text }) => text);

describe('the edits of an amendment', () => {
  it('are all posted once, and confirmed', async () => {
    await sentCampaign(3);
    await amend();
    await run();

    expect(await counts()).toEqual({ edited: 3 });
    expect(onPhones()).toEqual(['Dear P2', 'Dear P3', 'Dear P4']);
    expect(posts()).toBe(3);
  });

  it('AMENDRUN-1 continue after a death between the response and its record', async () => {
    await sentCampaign(3);
    await amend();
    const dying = run({ recordPosted: () => Promise.reject(new Error('the worker died')) });
    await expect(dying).rejects.toThrow('the worker died');
    await run();

    expect(await counts()).toEqual({ edited: 3 });
    expect(onPhones()).toEqual(['Dear P2', 'Dear P3', 'Dear P4']);
    // AMENDRUN-5: no recipient got the text twice.
    expect(posts()).toBe(3);
  });

  it('are rejected one by one, with the reason', async () => {
    await sentCampaign(2);
    await amend();
    await the.fault({ kind: 'status', status: 400 });
    await run();

    expect(await counts()).toEqual({ edited: 1, refused: 1 });
  });

  it('AMENDRUN-3 are posted again after a lost response, behind the waiting ones', async () => {
    await sentCampaign(2);
    await amend();
    await the.fault({ kind: 'lose-answer', accepted: false });
    await run();

    expect(await counts()).toEqual({ edited: 2 });
    expect(posts()).toBe(3);
  });

  it('AMENDRUN-5 are not posted again after a lost response when the phone shows the text', async () => {
    await sentCampaign(2);
    await amend();
    await the.fault({ kind: 'lose-answer', accepted: true });
    await run();

    expect(await counts()).toEqual({ edited: 2 });
    expect(onPhones()).toEqual(['Dear P2', 'Dear P3']);
    expect(posts()).toBe(2);
  });

  it('are unconfirmed when the journal does not show them', async () => {
    await sentCampaign(1);
    await amend();
    await the.fault({ method: 'getMessage', kind: 'status', status: 404 });
    await run();

    expect(await counts()).toEqual({ unconfirmed: 1 });
  });

  it('are too late after the window has closed, without a request', async () => {
    await sentCampaign(2);
    await amend();
    await ledger.amendments.openEdits(c.id, the.nowMs);
    the.nowMs += WINDOW;
    await run();

    expect(await counts()).toEqual({ tooLate: 2 });
    expect(posts()).toBe(0);
  });

  it('AMENDRUN-4 wait while the gateway accepts none, and its reason ends the try', async () => {
    await sentCampaign(2);
    await amend();
    await the.fault({ kind: 'status', status: 466 });
    await expect(run()).rejects.toMatchObject({ code: 'GATEWAY_PLAN_LIMIT' });
    expect(await counts()).toEqual({ pending: 2 });
    await run();

    expect(await counts()).toEqual({ edited: 2 });
  });

  it('are handed over by a worker that ends', async () => {
    await sentCampaign(1);
    await amend();
    const ending = new AbortController();
    ending.abort();
    await expect(run({}, ending.signal)).rejects.toMatchObject({ type: 'WORKER_STOPPING' });
    expect(await counts()).toEqual({ pending: 1 });
  });

  it('AMENDRUN-2 let an edit of a single message pass', async () => {
    await sentCampaign(5);
    await amend();
    const order: string[] = [];
    let mayLeave: () => void = () => undefined;
    const gate = createRateGate();
    const counted: RateGate = {
      ...gate,
      async acquire(_, operation) {
        if (operation !== 'editMessage') return;
        order.push('asked');
        await new Promise<void>((leave) => (mayLeave = leave));
      },
    };
    await the.gateway.close();
    the.gateway = the.connect(counted);
    const amending = run();
    await eventually(() => expect(order).toHaveLength(1));

    const waiting = (await ledger.amendments.edits(c.id)).find(({ state }) => state === 'pending');
    const messageId = waiting?.messageId as MessageId;
    const own = { editId: 'edt_own0000000000000' as EditId, messageId, text: 'Only for you', nowMs: the.nowMs };
    await ledger.edits.open(own);
    const leaveFirst = mayLeave;
    const single = postEdit(editDependencies(the, ledger, TIMES), own.editId);
    await eventually(() => expect(order).toHaveLength(2));
    mayLeave();
    await single;
    expect(posts()).toBe(1);

    leaveFirst();
    await eventually(() => {
      mayLeave();
      expect(posts()).toBe(5);
    });
    await amending;
    expect(await counts()).toEqual({ edited: 4, ownText: 1 });
  });
});

describe('an error of an amendment', () => {
  it('names an unknown campaign', async () => {
    await expect(run()).rejects.toBeInstanceOf(AppError);
  });
});
