/** STOP and START from the notification to the suppression list, through the receiver. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret, type InstanceConfig, type Suppression } from '../../src/contract/index.js';
import { createOptOuts, createReceiver, type Receiver } from '../../src/webhooks/index.js';
import { aDirectory, anInstance } from '../starter/api-parts.js';
import { useLedger } from '../support/ledger/ledger.js';

const TOKEN = new Secret('hook-token');
const AT_SECONDS = 1_780_000_000;

const ledger = useLedger();

/** Each test has an account and a recipient of its own. */
let name: string;
let recipient: string;
let logged: unknown[];
let receiver: Receiver;

function listen(over: Partial<InstanceConfig> = {}): void {
  const instances = aDirectory(anInstance({ name, webhookTokens: [TOKEN], ...over }));
  const clock = { nowMs: () => Date.now() };
  const log = (entry: unknown): void => void logged.push(entry);
  const incoming = createOptOuts({ ledger, instances, clock, log });
  receiver = createReceiver({ ledger, instances, clock, log, notify: () => Promise.resolve('signalled'), incoming });
}

beforeEach(() => {
  name = `i-${randomUUID().slice(0, 8)}`;
  recipient = `1555${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}@c.us`;
  logged = [];
  listen();
});
afterEach(() => receiver.close());

interface Said {
  readonly messageData: object;
  readonly chatId?: string;
  readonly sender?: string;
  readonly timestamp?: number;
  readonly idMessage?: string;
}

async function hear({ messageData, chatId = recipient, sender = recipient, timestamp = AT_SECONDS, idMessage }: Said) {
  const notification = {
    typeWebhook: 'incomingMessageReceived',
    instanceData: { idInstance: 1101000001, wid: '15550009999@c.us', typeInstance: 'whatsapp' },
    timestamp,
    idMessage: idMessage ?? randomUUID(),
    senderData: { chatId, sender, senderName: 'Ann' },
    messageData,
  };
  await receiver.receive(name, 'Bearer hook-token', Buffer.from(JSON.stringify(notification)));
  await receiver.idle();
}

function text(words: string) {
  return { typeMessage: 'textMessage', textMessageData: { textMessage: words } };
}

async function entries(chatId = recipient): Promise<Suppression[]> {
  return (await ledger.suppressions.list({ chatId, instance: name, withRemoved: true })).items;
}

describe('a STOP', () => {
  it('suppresses its sender, with the word, the message and the gateway’s time', async () => {
    await hear({ messageData: text(' Stop! 🛑'), idMessage: 'A1' });
    expect(await entries()).toMatchObject([
      {
        chatId: recipient,
        instance: name,
        scope: 'marketing',
        source: 'stop_word',
        word: 'Stop! 🛑',
        idMessage: 'A1',
        since: new Date(AT_SECONDS * 1_000).toISOString(),
      },
    ]);
  });

  it.each([
    ['in a group', { messageData: text('STOP'), chatId: '120363043968066561@g.us' }],
    ['inside a sentence', { messageData: text('please stop') }],
    ['below a picture', { messageData: { typeMessage: 'imageMessage', fileMessageData: { caption: 'STOP' } } }],
    ['that was edited', { messageData: { typeMessage: 'editedMessage', editedMessageData: { textMessage: 'STOP' } } }],
    ['without words', { messageData: { typeMessage: 'textMessage' } }],
  ])('has no effect %s', async (_, said) => {
    await hear(said);
    expect(await entries()).toEqual([]);
    expect(await entries('120363043968066561@g.us')).toEqual([]);
  });

  it('applies to both ids when it comes from an alternate id', async () => {
    const lid = `${recipient.slice(0, 10)}7@lid`;
    await hear({ messageData: text('STOP'), chatId: lid, sender: recipient });
    expect(await entries(lid)).toEqual(await entries(recipient));
    expect(await entries(lid)).toHaveLength(1);
  });

  it('logs no number', async () => {
    await hear({ messageData: text('STOP') });
    await hear({ messageData: text('START'), timestamp: AT_SECONDS + 1 });
    expect(logged).toMatchObject([
      { message: 'STOP received: its sender is on the suppression list', instance: name },
      { message: 'START received', removed: 1 },
    ]);
    expect(JSON.stringify(logged)).not.toContain(recipient.slice(0, 14));
  });
});

describe('a START', () => {
  it('removes its sender from the list, also when an earlier STOP arrives later, and twice', async () => {
    const stop = { messageData: text('STOP'), idMessage: 'A1' };
    await hear({ messageData: text('Start'), timestamp: AT_SECONDS + 60 });
    await hear(stop);
    await hear({ ...stop, timestamp: AT_SECONDS });
    expect(await entries()).toMatchObject([{ idMessage: 'A1', removedBy: 'start_word', removedWord: 'Start' }]);
  });

  it("keeps an operator's entry, and records that", async () => {
    const { entry } = await ledger.suppressions.add({
      chatId: recipient,
      instance: name,
      scope: 'all',
      nowMs: AT_SECONDS,
    });
    await hear({ messageData: text('START') });
    expect(await entries()).toMatchObject([{ id: entry.id, startWordAt: new Date(AT_SECONDS * 1_000).toISOString() }]);
    expect(logged).toMatchObject([{ message: 'START received', removed: 0, stillSuppressedBy: [entry.id] }]);
  });
});

describe('a word with a future date', () => {
  const nextMonth = Math.floor(Date.now() / 1_000) + 30 * 24 * 60 * 60;

  it('counts from its arrival: a START does not cancel a later STOP', async () => {
    await hear({ messageData: text('START'), timestamp: nextMonth });
    await hear({ messageData: text('STOP'), timestamp: nextMonth - 60 });

    const heard = await entries();
    expect(heard).toMatchObject([{ word: 'STOP' }]);
    expect(heard[0]).not.toHaveProperty('removedAt');
  });

  it("counts from its date when the gateway's clock is known to be ahead", async () => {
    const aheadMs = 31 * 24 * 60 * 60_000;
    await ledger.gatewayClocks.narrow(name, { lowestMs: aheadMs, highestMs: aheadMs + 1_000 }, Date.now());

    await hear({ messageData: text('STOP'), timestamp: nextMonth });

    expect(await entries()).toMatchObject([{ since: new Date(nextMonth * 1_000).toISOString() }]);
  });
});

describe("an account's own words", () => {
  it('replace other words', async () => {
    await receiver.close();
    listen({ optOut: { languages: ['es'], stop: ['no gracias'], except: ['baja'] } });
    await hear({ messageData: text('baja') });
    await hear({ messageData: text('sair') });
    expect(await entries()).toEqual([]);
    await hear({ messageData: text('¡No, gracias!') });
    expect(await entries()).toMatchObject([{ word: '¡No, gracias!' }]);
  });
});
