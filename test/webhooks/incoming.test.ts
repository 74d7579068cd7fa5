/** STOP, START and replies from the notification to the ledger, through the receiver. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OptOutConfig, Suppression } from '../../src/contract/index.js';
import { createIncoming, type Receiver } from '../../src/webhooks/index.js';
import { aDirectory, anInstance } from '../api/api-parts.js';
import { runs } from '../support/runs.js';
import type { ReportRow } from '../../src/ledger/index.js';
import { CampaignCast } from '../ledger/campaigns/campaign-life-cast.js';
import { MINUTE, NOW } from '../ledger/cast.js';
import { useOwnWorld } from './world.js';
import { eventually } from '../support/eventually.js';

const AT_SECONDS = 1_780_000_000;

const the = useOwnWorld();
let recipient: string;
let receiver: Receiver;

function listen(instance: { optOut?: OptOutConfig } = {}): void {
  const instances = aDirectory(anInstance({ name: the.instance, ...instance }));
  const log = (entry: { message: string }): void => void the.logged.push(entry);
  const incoming = createIncoming({ ledger: the.ledger, instances, clock: { nowMs: () => the.nowMs }, log });
  receiver = the.receiver({ incoming });
}

beforeEach(() => {
  recipient = `1555${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}@c.us`;
  listen();
});

interface Said {
  readonly messageData: object;
  readonly chatId?: string;
  readonly sender?: string;
  readonly timestamp?: number;
  readonly idMessage?: string;
}

async function hear({ messageData, chatId = recipient, sender = recipient, timestamp = AT_SECONDS, ...said }: Said) {
  const senderData = { chatId, sender, senderName: 'Ann' };
  const fields = { idMessage: randomUUID(), senderData, messageData, ...said };
  await the.post(receiver, { ...the.notification('incomingMessageReceived', fields), timestamp });
}

function text(words: string) {
  return { typeMessage: 'textMessage', textMessageData: { textMessage: words } };
}

async function entries(chatId = recipient): Promise<Suppression[]> {
  return (await the.ledger.suppressions.list({ chatId, instance: the.instance, withRemoved: true })).items;
}

describe('a STOP', () => {
  it('suppresses its sender, with the word, the message and the gateway’s time', async () => {
    await hear({ messageData: text(' Stop! 🛑'), idMessage: 'A1' });
    expect(await entries()).toMatchObject([
      {
        chatId: recipient,
        instance: the.instance,
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
    ['of a status', { messageData: text('STOP'), chatId: 'status@broadcast' }],
    ['that was edited', { messageData: { typeMessage: 'editedMessage', editedMessageData: { textMessage: 'STOP' } } }],
    ['without words', { messageData: { typeMessage: 'textMessage' } }],
  ])('has no effect %s', async (_, said) => {
    await hear(said);
    expect(await entries()).toEqual([]);
    expect(await entries('120363043968066561@g.us')).toEqual([]);
  });

  it('counts below a picture', async () => {
    await hear({ messageData: { typeMessage: 'imageMessage', fileMessageData: { caption: 'STOP' } } });
    expect(await entries()).toHaveLength(1);
  });

  it('suppresses the same recipient in every spelling of the sender', async () => {
    const digits = recipient.replace('@c.us', '');
    const spelling = fc.constantFrom(
      recipient,
      `${digits}:3@c.us`,
      `${digits}@s.whatsapp.net`,
      digits,
      `${digits}@C.US`,
    );
    await fc.assert(
      fc.asyncProperty(spelling, spelling, async (chatId, sender) => {
        const idMessage = randomUUID();
        await hear({ messageData: text('STOP'), chatId, sender, idMessage });
        expect(await entries()).toContainEqual(expect.objectContaining({ chatId: recipient, idMessage }));
      }),
      { numRuns: runs(10) },
    );
  });

  it.each([
    ['the lid', 'the number'],
    ['the number', 'the lid'],
  ])('from %s suppresses %s, if an earlier notification showed both', async (from) => {
    const lid = `${recipient.slice(0, 13)}7@lid`;
    await hear({ messageData: text('Hello'), chatId: lid, sender: recipient });
    const sender = from === 'the lid' ? lid : recipient;
    await hear({ messageData: text('STOP'), chatId: sender, sender });
    expect(await entries(lid)).toEqual(await entries(recipient));
    expect(await entries(lid)).toHaveLength(1);
  });

  it('in an unknown type of message has effect, and the type is counted', async () => {
    await hear({ messageData: { typeMessage: 'newReply', newReply: { title: 'STOP' } } });
    await hear({ messageData: text('STOP'), chatId: 'Ann', sender: 'Ann' });
    expect(await entries()).toHaveLength(1);
    expect(await the.summary()).toMatchObject({
      oddities: { unknown_message_type: 1, unreadable_chat: 1 },
      unknownTypes: { newReply: 1 },
    });
  });

  it('logs no number', async () => {
    await hear({ messageData: text('STOP') });
    await hear({ messageData: text('START'), timestamp: AT_SECONDS + 1 });
    expect(the.logged).toMatchObject([
      { message: 'STOP received: its sender is on the suppression list', instance: the.instance },
      { message: 'START received', removed: 1 },
    ]);
    expect(JSON.stringify(the.logged)).not.toContain(recipient.slice(0, 14));
  });
});

describe('a message that may mean STOP', () => {
  it('is recorded once and suppresses nothing, also after a replay', async () => {
    const said = { messageData: text('Bitte abmelden'), idMessage: 'P1' };
    await hear(said);
    await hear({ ...said, timestamp: AT_SECONDS });
    await hear({ messageData: text('When does the shop close?') });
    expect(await entries()).toEqual([]);
    const { items } = await the.ledger.possibleOptOuts.list({ instance: the.instance });
    expect(items).toMatchObject([{ text: 'Bitte abmelden', word: 'abmelden', language: 'de', idMessage: 'P1' }]);
    expect(JSON.stringify(the.logged)).not.toContain('Bitte');
  });

  it('is recorded with one event', async () => {
    const endpoint = {
      id: `evp_${the.instance}`,
      instance: the.instance,
      events: ['suppression.possible'],
      raw: false,
    };
    await the.ledger.eventEndpoints.create({ ...endpoint, requestHash: 'h' }, the.nowMs);
    await hear({ messageData: text('stop please'), idMessage: 'P1' });
    await hear({ messageData: text('stop please'), idMessage: 'P1', timestamp: AT_SECONDS + 1 });
    // The list of events waits for transactions of other tests on the same server.
    await eventually(async () => {
      const type = 'suppression.possible';
      const { items } = await the.ledger.events.list({ instance: the.instance, type, limit: 9 });
      expect(items).toMatchObject([{ data: { idMessage: 'P1', word: 'stop', language: 'en' } }]);
      expect(JSON.stringify(items)).not.toContain(recipient.slice(0, 14));
    });
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
    const { entry } = await the.ledger.suppressions.add({
      chatId: recipient,
      instance: the.instance,
      scope: 'all',
      nowMs: AT_SECONDS,
    });
    await hear({ messageData: text('START') });
    expect(await entries()).toMatchObject([{ id: entry.id, startWordAt: new Date(AT_SECONDS * 1_000).toISOString() }]);
    expect(the.logged).toMatchObject([{ message: 'START received', removed: 0, stillSuppressedBy: [entry.id] }]);
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
    await the.ledger.gatewayClocks.narrow(the.instance, { lowestMs: aheadMs, highestMs: aheadMs + 1_000 }, Date.now());

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

describe('a reply to a campaign', () => {
  const SENT_SECONDS = Math.floor(NOW / 1_000);

  async function aCampaign() {
    const campaign = await new CampaignCast(the.ledger, the.instance).running(1);
    await campaign.receive(await campaign.dispatched(1), 'sent');
    the.nowMs = NOW + MINUTE;
    const [{ chatId, idMessage }] = (await campaign.report()) as [ReportRow];
    const wrote = (messageData: object, said: Partial<Said> = {}) =>
      hear({ messageData, chatId, sender: chatId, timestamp: SENT_SECONDS + 10, ...said });
    const counts = async () => {
      const { replied, optedOut } = (await the.ledger.campaigns.progress(campaign.id, the.nowMs))!;
      return { replied, optedOut };
    };
    return { wrote, counts, idMessage, chatId };
  }

  const quote = (stanzaId: string | undefined) => ({
    typeMessage: 'quotedMessage',
    extendedTextMessageData: { text: 'Yes', stanzaId },
    quotedMessage: { stanzaId, typeMessage: 'textMessage' },
  });

  it.each([
    ['a text', () => text('Yes')],
    ['a picture without a text', () => ({ typeMessage: 'imageMessage', fileMessageData: {} })],
    ['a START word', () => text('START')],
    ['a quote of its message', quote],
    [
      'a pressed button',
      (id?: string) => ({ typeMessage: 'templateButtonsReplyMessage', templateButtonReplyMessage: { stanzaId: id } }),
    ],
  ])('is %s, once however often it arrives (RESPONSE-1, RESPONSE-3)', async (_, data) => {
    const { wrote, counts, idMessage } = await aCampaign();
    await wrote(data(idMessage), { idMessage: 'R1' });
    await wrote(data(idMessage), { idMessage: 'R1' });
    await wrote(data(idMessage));
    expect(await counts()).toEqual({ replied: 1, optedOut: 0 });
  });

  it.each([
    ['a reaction', { messageData: { typeMessage: 'reactionMessage', extendedTextMessageData: { text: '👍' } } }],
    ['a message in a group', { chatId: '120363043968066561@g.us' }],
    ['a quote of another message', { messageData: quote('another') }],
    ['an edit', { messageData: { typeMessage: 'editedMessage', editedMessageData: { textMessage: 'Yes' } } }],
  ])('is not %s', async (_, said) => {
    const { wrote, counts } = await aCampaign();
    await wrote(text('Yes'), said);
    expect(await counts()).toEqual({ replied: 0, optedOut: 0 });
  });

  it.each([
    ['a STOP', 'Stop!'],
    ['what may be a STOP', 'stop please'],
  ])('is not %s: that is an opt-out (RESPONSE-2)', async (_, words) => {
    const { wrote, counts } = await aCampaign();
    await wrote(text(words), { idMessage: 'S1' });
    await wrote(text(words), { idMessage: 'S1' });
    await wrote(text(words));
    expect(await counts()).toEqual({ replied: 0, optedOut: 1 });
  });
});
