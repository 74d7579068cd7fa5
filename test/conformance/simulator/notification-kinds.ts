import { expect } from 'vitest';
import { CHAT, SECOND_MS, START_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { onSimulator } from './assertions.js';
import { expectFlag } from './webhooks.js';

const SENDER = { idInstance: expect.any(Number), wid: expect.stringMatching(/^\d+@c\.us$/), typeInstance: 'whatsapp' };

function aNotification(typeWebhook: string, fields: Json): Json {
  return { typeWebhook, instanceData: SENDER, timestamp: START_MS / 1000, ...fields };
}

/** All notifications of one action, with these settings on. */
async function notificationsOf(
  sim: SimulatorDriver,
  settings: Json,
  act: () => Promise<unknown>,
): Promise<readonly Json[]> {
  const webhook = await sim.webhook(settings);
  await act();
  await sim.advance(SECOND_MS);
  return webhook.received.map(({ body }) => body);
}

onSimulator('notifications.deleted', async (sim) => {
  const stanzaId = await sim.incoming('oops');
  const settings = { incomingWebhook: 'yes', deletedMessageWebhook: 'yes' };
  const deletion = (idMessage: string) => sim.happens('deletions', { idMessage });
  expect(await notificationsOf(sim, settings, () => deletion(stanzaId))).toMatchObject([
    {
      typeWebhook: 'incomingMessageReceived',
      senderData: { chatId: CHAT, sender: CHAT },
      messageData: { typeMessage: 'deletedMessage', deletedMessageData: { stanzaId } },
    },
  ]);
  const sent = await sim.text('oops as well');
  await sim.advance(SECOND_MS);
  const ofApi = { incomingWebhook: 'no', outgoingAPIMessageWebhook: 'yes' };
  expect(await notificationsOf(sim, ofApi, () => deletion(sent))).toMatchObject([
    { typeWebhook: 'outgoingAPIMessageReceived', messageData: { deletedMessageData: { stanzaId: sent } } },
  ]);
  expect(await notificationsOf(sim, { deletedMessageWebhook: 'no' }, () => deletion(sent))).toEqual([]);
});

onSimulator('notifications.edited-by-recipient', async (sim) => {
  const [incoming, phoneSent] = [await sim.incoming('come at four'), await sim.phoneSent('I will')];
  const settings = { incomingWebhook: 'yes', outgoingMessageWebhook: 'yes', editedMessageWebhook: 'yes' };
  const edited = (stanzaId: string, textMessage: string) => ({
    messageData: { typeMessage: 'editedMessage', editedMessageData: { textMessage, stanzaId } },
  });
  const edit = (idMessage: string, textMessage: string) => sim.happens('edits', { idMessage, textMessage });
  expect(
    await notificationsOf(sim, settings, async () => {
      await edit(incoming, 'come at five');
      await edit(phoneSent, 'I will not');
    }),
  ).toMatchObject([
    { typeWebhook: 'incomingMessageReceived', ...edited(incoming, 'come at five') },
    { typeWebhook: 'outgoingMessageReceived', ...edited(phoneSent, 'I will not') },
  ]);
});

onSimulator('notifications.state-changed', async (sim) => {
  const received = await notificationsOf(sim, { stateWebhook: 'yes' }, async () => {
    await sim.instance({ state: 'notAuthorized' });
    await sim.instance({ state: 'authorized' });
  });
  expect(received.filter(({ typeWebhook }) => typeWebhook === 'stateInstanceChanged')).toEqual([
    aNotification('stateInstanceChanged', {
      instanceData: { ...SENDER, wid: '' },
      stateInstance: 'notAuthorized',
    }),
    aNotification('stateInstanceChanged', { stateInstance: 'authorized' }),
  ]);
});

onSimulator('notifications.incoming-call', async (sim) => {
  const from = CHAT;
  expect(
    await notificationsOf(sim, { incomingCallWebhook: 'yes' }, async () => {
      const call = await sim.happens('calls', { from });
      await sim.happens('calls', { from, status: 'missed', idMessage: call?.['idMessage'] });
    }),
  ).toEqual([
    aNotification('incomingCall', { idMessage: expect.any(String), from, status: 'offer' }),
    aNotification('incomingCall', { idMessage: expect.any(String), from, status: 'missed' }),
  ]);
  await expectFlag(sim, 'incomingCallWebhook', 'incomingCall', () => sim.happens('calls', { from }));
});

onSimulator('notifications.incoming-block', async (sim) => {
  const block = () => sim.happens('blocks', { chatId: CHAT, chatState: 'block' });
  expect(await notificationsOf(sim, { incomingBlockWebhook: 'yes' }, block)).toEqual([
    aNotification('incomingBlock', { chatId: CHAT, chatState: 'block' }),
  ]);
  await expectFlag(sim, 'incomingBlockWebhook', 'incomingBlock', block);
});

onSimulator('notifications.quota-exceeded', async (sim) => {
  expect(await notificationsOf(sim, {}, () => sim.happens('quota', { used: 100, total: 100 }))).toEqual([
    {
      typeWebhook: 'quotaExceeded',
      instanceData: SENDER,
      quotaData: {
        method: expect.any(String),
        used: 100,
        total: 100,
        status: 'CORRESPONDENTS_QUOTA_EXCEEDED',
        description: expect.any(String),
      },
    },
  ]);
});

onSimulator('notifications.device-info', async (sim) => {
  expect(
    await notificationsOf(sim, { deviceWebhook: 'yes' }, () =>
      sim.happens('device', { platform: 'iphone', battery: 7 }),
    ),
  ).toEqual([
    aNotification('deviceInfo', {
      deviceData: {
        platform: 'iphone',
        deviceManufacturer: expect.any(String),
        deviceModel: expect.any(String),
        osVersion: expect.any(String),
        waVersion: expect.any(String),
        battery: 7,
      },
    }),
  ]);
});
