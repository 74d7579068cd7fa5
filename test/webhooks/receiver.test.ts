import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AppError,
  Secret,
  type InstanceDirectory,
  type MessageId,
  type MessageSnapshot,
} from '../../src/contract/index.js';
import { createReceiver, type Receiver } from '../../src/webhooks/index.js';
import { useLedger } from '../support/ledger.js';
import { anAcceptedMessage } from './accepted.js';
import { eventually } from '../support/eventually.js';

const TOKEN = 'Bearer hook-token';
const CHAT = '15550000001@c.us';

const instances: InstanceDirectory = {
  names: () => ['main', 'open'],
  get: (name) => {
    const instance = {
      name,
      baseUrl: 'http://127.0.0.1:9',
      idInstance: '1101000001',
      apiTokenInstance: new Secret('instance-token'),
    };
    if (name === 'main') return { ...instance, webhookTokens: [new Secret('hook-token')] };
    if (name === 'open') return instance;
    throw new AppError('INSTANCE_NOT_FOUND', `There is no instance ${name}. Known: main, open.`);
  },
};

const ledger = useLedger();
let receiver: Receiver;
/** The gateway's id of this test's message. */
let A1: string;
let told: MessageSnapshot[];
let logged: { message: string }[];
let notify: (snapshot: MessageSnapshot) => Promise<void>;

function start(): Receiver {
  return createReceiver({
    ledger,
    instances,
    clock: { nowMs: () => Date.now() },
    notify: async ({ snapshot }) => {
      await notify(snapshot);
      return 'signalled';
    },
    log: (entry) => void logged.push(entry),
  });
}

beforeEach((context) => {
  A1 = `A1 of ${context.task.id}`;
  told = [];
  logged = [];
  notify = (snapshot) => {
    told.push(snapshot);
    return Promise.resolve();
  };
  receiver = start();
});

afterEach(() => receiver.close());

async function accepted(idMessage: string): Promise<MessageId> {
  const id = `msg_of_${idMessage}` as MessageId;
  const request = { instance: 'main', chatId: CHAT, content: { kind: 'text', text: `Text of ${idMessage}` } } as const;
  await anAcceptedMessage(ledger, { id, request, idMessage, nowMs: Date.now() });
  return id;
}

function aStatus(idMessage: string, status: string): Uint8Array {
  return bytes({
    typeWebhook: 'outgoingMessageStatus',
    instanceData: { idInstance: 1101000001 },
    timestamp: Math.floor(Date.now() / 1_000),
    idMessage,
    status,
  });
}

function bytes(body: unknown): Uint8Array {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function stateOf(id: MessageId): Promise<string | undefined> {
  return (await ledger.messages.snapshot(id))?.state;
}

describe('a notification', () => {
  it('is stored before it is answered, then applied, and its run is signalled', async () => {
    const id = await accepted(A1);

    expect(await receiver.receive('main', TOKEN, aStatus(A1, 'sent'))).toEqual({ status: 200 });
    await receiver.idle();

    expect(await stateOf(id)).toBe('sent');
    expect(told).toMatchObject([{ id, state: 'sent' }]);
    expect(await ledger.receipts.unapplied(10)).toEqual([]);
  });

  it('that comes twice is applied once', async () => {
    const id = await accepted(A1);
    const body = aStatus(A1, 'sent');

    await receiver.receive('main', TOKEN, body);
    await receiver.receive('main', TOKEN, body);
    await receiver.idle();

    const view = await ledger.messages.view(id, Date.now());
    expect(view?.evidence.filter(({ what }) => what === 'sent')).toHaveLength(1);
  });

  it('is applied after those that came before it', async () => {
    const id = await accepted(A1);

    for (const status of ['sent', 'delivered', 'read']) await receiver.receive('main', TOKEN, aStatus(A1, status));
    await receiver.idle();

    const view = await ledger.messages.view(id, Date.now());
    expect(view?.evidence.slice(-3).map(({ what }) => what)).toEqual(['sent', 'delivered', 'read']);
    expect(view?.state).toBe('read');
  });

  it('is applied together with those that came meanwhile, and its run gets one signal for all of them', async () => {
    const A2 = `${A1}, the second`;
    const ids = [await accepted(A1), await accepted(A2)];
    const bodies = [A1, A2].flatMap((idMessage) => [aStatus(idMessage, 'sent'), aStatus(idMessage, 'delivered')]);
    for (const body of bodies) {
      await ledger.receipts.store('main', JSON.parse(Buffer.from(body).toString()), Date.now());
    }

    await receiver.idle();

    expect(told).toHaveLength(2);
    expect(new Map(told.map(({ id, state }) => [id, state]))).toEqual(new Map(ids.map((id) => [id, 'delivered'])));
    expect(await ledger.receipts.unapplied(10)).toEqual([]);
  });

  it.each([
    ['no JSON', '{"typeWebhook":'],
    ['nested deeper than anyone can walk', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['nothing', ''],
    ['JSON of another kind', '[1]'],
    ['a NUL inside', { typeWebhook: 'incomingMessageReceived', text: 'a\u0000b' }],
    ['half of a surrogate pair inside', '{"text":"\\ud800"}'],
    ['an unknown kind', { typeWebhook: 'somethingNew' }],
  ])('that is %s is stored, answered, and holds up nothing', async (_, body) => {
    const id = await accepted(A1);

    expect(await receiver.receive('main', TOKEN, bytes(body))).toEqual({ status: 200 });
    await receiver.receive('main', TOKEN, aStatus(A1, 'sent'));
    await receiver.idle();

    expect(await stateOf(id)).toBe('sent');
    expect(await ledger.receipts.unapplied(10)).toEqual([]);
  });

  it('is refused while the ledger is away, so that the gateway sends it again', async () => {
    const away = new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.');
    vi.spyOn(ledger.receipts, 'store').mockRejectedValueOnce(away);

    await expect(receiver.receive('main', TOKEN, bytes({}))).rejects.toBe(away);
  });
});

describe('what could not be done at once', () => {
  it('is retried automatically when the ledger is back', async () => {
    const id = await accepted(A1);
    const away = new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.');
    vi.spyOn(ledger.receipts, 'applyTogether').mockRejectedValueOnce(away);

    await receiver.receive('main', TOKEN, aStatus(A1, 'sent'));
    await expect.poll(() => stateOf(id)).toBe('sent');
    await receiver.idle();

    expect(told).toMatchObject([{ id, state: 'sent' }]);
    expect(await ledger.receipts.unapplied(10)).toEqual([]);
    expect(logged.map(({ message }) => message)).toContain(
      'Notifications wait to be applied until the ledger answers; retried automatically',
    );
  });

  it('is done after the next start', async () => {
    const id = await accepted(A1);
    await receiver.close();
    await ledger.receipts.store('main', JSON.parse(Buffer.from(aStatus(A1, 'sent')).toString()), Date.now());

    receiver = start();
    await receiver.idle();

    expect(await stateOf(id)).toBe('sent');
  });

  it('for one notification alone does not hold up the others', async () => {
    const id = await accepted(A1);
    vi.spyOn(ledger.receipts, 'apply').mockRejectedValueOnce(new AppError('INTERNAL', 'A bug.'));

    await receiver.receive('main', TOKEN, aStatus(`not ${A1}`, 'yellowCard'));
    await receiver.receive('main', TOKEN, aStatus(A1, 'sent'));
    await receiver.idle();

    expect(await stateOf(id)).toBe('sent');
    expect(logged).toMatchObject([{ message: expect.stringContaining('was set aside') as string, code: 'INTERNAL' }]);
  });
});

describe('what is applied one by one', () => {
  it('holds up neither other messages nor other instances, but what is about the same message (RECEIPT-3)', async () => {
    const [stuck, other] = [await accepted(A1), await accepted(`${A1}, the second`)];
    const { release, isReached } = holdOnce('apply');

    await receiver.receive('main', TOKEN, aStatus(A1, 'yellowCard'));
    await eventually(() => expect(isReached()).toBe(true));
    await receiver.receive('main', TOKEN, aStatus(A1, 'sent'));
    await receiver.receive('main', TOKEN, aStatus(`${A1}, the second`, 'sent'));
    await eventually(async () => expect(await stateOf(other)).toBe('sent'));
    expect(await stateOf(stuck)).toBe('accepted');

    release();
    await receiver.idle();
    const view = await ledger.messages.view(stuck, Date.now());
    expect(view?.evidence.slice(-2).map(({ what }) => what)).toEqual(['yellowCard', 'sent']);
  });

  it('is read again, in order, when the ledger was away meanwhile', async () => {
    const id = await accepted(A1);
    vi.spyOn(ledger.receipts, 'apply').mockRejectedValueOnce(new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.'));

    await receiver.receive('main', TOKEN, aStatus(A1, 'yellowCard'));
    await receiver.receive('main', TOKEN, aStatus(A1, 'sent'));
    await eventually(async () => expect(await stateOf(id)).toBe('sent'));
    await eventually(async () => expect(await ledger.receipts.unapplied(10)).toEqual([]));

    const evidence = (await ledger.messages.view(id, Date.now()))?.evidence ?? [];
    expect(evidence.map(({ what }) => what)).toEqual(expect.arrayContaining(['yellowCard', 'sent']));
    expect(logged.map(({ message }) => message)).toContain(
      'Notifications wait to be applied until the ledger answers; retried automatically',
    );
  });

  it('takes what was busy twice, so that it waits for its turn', async () => {
    const id = await accepted(A1);
    const busy = vi
      .spyOn(ledger.receipts, 'applyTogether')
      .mockImplementation((receipts) =>
        Promise.resolve({ outcomes: new Map(receipts.map((one) => [one.id, 'busy'])), changed: [] }),
      );

    await receiver.receive('main', TOKEN, aStatus(A1, 'sent'));
    await receiver.idle();
    busy.mockRestore();

    expect(await stateOf(id)).toBe('sent');
    expect(await ledger.receipts.unapplied(10)).toEqual([]);
  });
});

/** The next call of this method begins, and ends when it is released. */
function holdOnce(method: 'apply' | 'applyTogether'): { release(): void; isReached(): boolean } {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isReached = false;
  const given = ledger.receipts[method].bind(ledger.receipts) as (...args: unknown[]) => Promise<never>;
  vi.spyOn(ledger.receipts, method).mockImplementationOnce(async (...args: unknown[]) => {
    isReached = true;
    await held;
    return given(...args);
  });
  return { release: () => release?.(), isReached: () => isReached };
}

describe('closing', () => {
  it.each([
    ['together', 'applyTogether', 'sent'],
    ['one by one', 'apply', 'yellowCard'],
  ] as const)('waits for what is applied %s and leaves the rest for the next start', async (_, method, status) => {
    await accepted(A1);
    const { release, isReached } = holdOnce(method);
    await receiver.receive('main', TOKEN, aStatus(A1, status));
    await eventually(() => expect(isReached()).toBe(true));
    await receiver.receive('main', TOKEN, aStatus(A1, 'delivered'));

    const closed = receiver.close();
    release();
    await closed;

    expect(await ledger.receipts.unapplied(10)).toHaveLength(1);
  });
});
