/** What becomes of an amendment's edits when the gateway or the ledger fails: client, simulator and ledger are real. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amendCampaignActivity } from '../../src/activities/amend-campaign.js';
import { messageActivities } from '../../src/activities/message-activities.js';
import { postEdit } from '../../src/activities/edit-message.js';
import {
  AppError,
  Secret,
  type AmendmentCounts,
  type EditId,
  type InstanceDirectory,
  type MessageId,
} from '../../src/contract/index.js';
import { createGateway, createRateGate, type Gateway, type RateGate } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { createWorkflowInputs } from '../../src/starter/index.js';
import { CampaignCast } from '../ledger/campaign-life-cast.js';
import { MINUTE, NOW, SECOND, WINDOW } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/ledger.js';

const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };
/** A posted edit is confirmed at once, by the journal: nothing receives notifications here. */
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 1_000, settleTimeMs: 1_000, editConfirmTimeoutMs: 0 };
const NEW = 'Dear {{name}}';

const ledger = useLedger();
let nowMs: number;
let c: CampaignCast;
let simulator: Simulator;
let gateway: Gateway;

beforeEach(async () => {
  nowMs = NOW;
  c = new CampaignCast(ledger);
  simulator = await startSimulator({ clock: { nowMs: () => nowMs }, rateLimits: false });
  gateway = gatewayWith(OPEN_GATE);
});
afterEach(async () => {
  await gateway.close();
  await simulator.close();
});

const instances: InstanceDirectory = {
  names: () => [c.instance],
  get: (name) => ({
    name,
    baseUrl: simulator.url,
    idInstance: '1101000001',
    apiTokenInstance: new Secret('simulator-token'),
  }),
};

function gatewayWith(gate: RateGate): Gateway {
  return createGateway({ instances, clock: { nowMs: () => nowMs }, gate, gatewayTimeoutMs: TIMES.gatewayTimeoutMs });
}

/** A campaign all of whose messages are on the phones. */
async function sentCampaign(recipients: number): Promise<void> {
  await c.running(recipients);
  const ids: string[] = [];
  for (const { token, chatId, content } of await c.claim(recipients)) {
    const message = content.kind === 'text' ? content.text : '';
    const { response } = await gateway.call(c.instance, 'sendMessage', { chatId: chatId ?? '', message });
    const { idMessage } = response;
    await ledger.messages.recordOutcome(token, { kind: 'accepted', idMessage, httpStatus: 200 }, nowMs);
    ids.push(idMessage);
  }
  nowMs += MINUTE;
  await simulator.idle();
  expect(simulator.delivered()).toHaveLength(recipients);
  for (const idMessage of ids) {
    await ledger.receipts.apply(c.instance, { kind: 'status', idMessage, status: 'sent', atMs: nowMs }, nowMs);
  }
}

async function amend(): Promise<void> {
  await ledger.amendments.begin(c.id, { text: NEW }, { nowMs, spacingMs: SECOND });
}

function run(edits: Partial<Ledger['edits']> = {}, signal = new AbortController().signal): Promise<void> {
  const whole = ledger.edits;
  const bound: Ledger['edits'] = {
    open: (input) => whole.open(input),
    view: (id) => whole.view(id),
    claim: (...given) => whole.claim(...given),
    giveBack: (...given) => whole.giveBack(...given),
    refuse: (...given) => whole.refuse(...given),
    recordPosted: (...given) => whole.recordPosted(...given),
    settle: (...given) => whole.settle(...given),
  };
  const deps = {
    inputs: createWorkflowInputs({ ledger, instances, checkOperation: gateway.check.bind(gateway) }),
    ledger: { ...ledger, edits: { ...bound, ...edits } },
    gateway,
    instances,
    clock: { nowMs: () => nowMs },
    times: TIMES,
    worker: 'worker-under-test',
    processId: 'process-under-test',
    wake: () => undefined,
    runSchedule: () => Promise.reject(new Error('no schedule runs here')),
    log: () => undefined,
  };
  return amendCampaignActivity(deps, messageActivities(deps))({ campaignId: c.id }, signal);
}

async function counts(): Promise<Partial<AmendmentCounts>> {
  const [newest] = await ledger.amendments.list(c.id);
  return Object.fromEntries(Object.entries(newest?.counts ?? {}).filter(([, recipients]) => recipients > 0));
}

const fault = (more: object) =>
  fetch(`${simulator.url}/_sim/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'editMessage', times: 1, ...more }),
  });
const posts = () => simulator.requests().filter(({ method }) => method === 'editMessage').length;
const onPhones = () => simulator.delivered().map(({ text }) => text);

describe('the edits of an amendment', () => {
  it('are all posted once, and confirmed', async () => {
    await sentCampaign(3);
    await amend();
    await run();

    expect(await counts()).toEqual({ edited: 3 });
    expect(onPhones()).toEqual(['Dear P2', 'Dear P3', 'Dear P4']);
    expect(posts()).toBe(3);
  });

  it('AMENDRUN-1 go on after a death between the response and its record', async () => {
    await sentCampaign(3);
    await amend();
    const dying = run({ recordPosted: () => Promise.reject(new Error('the worker died')) });
    await expect(dying).rejects.toThrow('the worker died');
    await run();

    expect(await counts()).toEqual({ edited: 3 });
    expect(onPhones()).toEqual(['Dear P2', 'Dear P3', 'Dear P4']);
    // AMENDRUN-5: none got its text twice.
    expect(posts()).toBe(3);
  });

  it('are refused one by one, and say so', async () => {
    await sentCampaign(2);
    await amend();
    await fault({ kind: 'status', status: 400 });
    await run();

    expect(await counts()).toEqual({ edited: 1, refused: 1 });
  });

  it('AMENDRUN-3 are posted again when the response was lost, after those that wait', async () => {
    await sentCampaign(2);
    await amend();
    await fault({ kind: 'lose-answer', accepted: false });
    await run();

    expect(await counts()).toEqual({ edited: 2 });
    expect(posts()).toBe(3);
  });

  it('AMENDRUN-5 are not posted again where the response was lost, and the phone shows the text', async () => {
    await sentCampaign(2);
    await amend();
    await fault({ kind: 'lose-answer', accepted: true });
    await run();

    expect(await counts()).toEqual({ edited: 2 });
    expect(onPhones()).toEqual(['Dear P2', 'Dear P3']);
    expect(posts()).toBe(2);
  });

  it('are unconfirmed when the journal does not show them', async () => {
    await sentCampaign(1);
    await amend();
    await fault({ method: 'getMessage', kind: 'status', status: 404 });
    await run();

    expect(await counts()).toEqual({ unconfirmed: 1 });
  });

  it('are too late once the window has closed, and cost no request', async () => {
    await sentCampaign(2);
    await amend();
    await ledger.amendments.openEdits(c.id, nowMs);
    nowMs += WINDOW;
    await run();

    expect(await counts()).toEqual({ tooLate: 2 });
    expect(posts()).toBe(0);
  });

  it('AMENDRUN-4 wait while the gateway takes nothing, and its reason ends the try', async () => {
    await sentCampaign(2);
    await amend();
    await fault({ kind: 'status', status: 466 });
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

  it('AMENDRUN-2 let an edit of a single message go before them', async () => {
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
    await gateway.close();
    gateway = gatewayWith(counted);
    const amending = run();
    await eventually(() => expect(order).toHaveLength(1));

    const waiting = (await ledger.amendments.edits(c.id)).find(({ state }) => state === 'pending');
    const messageId = waiting?.messageId as MessageId;
    const own = { editId: 'edt_own0000000000000' as EditId, messageId, text: 'Only for you', nowMs };
    await ledger.edits.open(own);
    const leaveFirst = mayLeave;
    const single = postEdit({ ledger, gateway, clock: { nowMs: () => nowMs }, log: () => undefined }, own.editId);
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

describe('the error of an amendment', () => {
  it('names a campaign that is not there', async () => {
    await expect(run()).rejects.toBeInstanceOf(AppError);
  });
});
