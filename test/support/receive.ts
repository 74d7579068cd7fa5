/** Notifications of the instance `main`, through a receiver to a ledger. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { createIncoming, createReceiver } from '../../src/webhooks/index.js';
import { aDirectory, anInstance } from '../api/api-parts.js';

export const CONTACT = '15557770001@c.us';

/** What a contact writes. */
export function aReceivedText(text: string, more: object = {}) {
  return aNotification('incomingMessageReceived', {
    idMessage: randomUUID(),
    senderData: { chatId: CONTACT, sender: CONTACT, senderName: 'Ann' },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: text } },
    ...more,
  });
}

export function aNotification(typeWebhook: string, fields: object) {
  const instanceData = { idInstance: 1101000001, wid: '15559990000@c.us', typeInstance: 'whatsapp' };
  return { typeWebhook, instanceData, timestamp: 1_780_000_000, ...fields };
}

/** Resolves once all of them are applied. */
export async function receive({ ledger, clock }: { ledger: Ledger; clock: Clock }, ...bodies: readonly object[]) {
  const instances = aDirectory(anInstance());
  const log = () => undefined;
  const incoming = createIncoming({ ledger, instances, clock, log });
  const receiver = createReceiver({ ledger, instances, clock, incoming, log });
  for (const body of bodies) await receiver.receive('main', 'Bearer hook-token', Buffer.from(JSON.stringify(body)));
  await receiver.idle();
  await receiver.close();
}
