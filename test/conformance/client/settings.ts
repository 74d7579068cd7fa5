import { expect } from 'vitest';
import type { Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

/** A setting is sent under its own name, and alone. */
const onSetting = (rowId: string, setting: Json): void => onSent(rowId, 'setSettings', setting, { saveSettings: true });

onSetting('webhook.pushes-to-settings-address', { webhookUrl: 'https://customer.example/notifications' });
for (const flag of ['incomingWebhook', 'outgoingWebhook', 'stateWebhook', 'deviceWebhook']) {
  onSetting(`events.${flag}`, { [flag]: 'yes' });
}

onClient('webhook.authorization.bare-or-full', async (client) => {
  client.responses({ saveSettings: true });
  for (const webhookUrlToken of ['abc', 'Bearer abc']) {
    expect(await expectSent(client, 'setSettings', { webhookUrlToken })).toEqual({ webhookUrlToken });
  }
});

onClient('webhook.settings-fields', async (client) => {
  client.responses({ saveSettings: true });
  const settings = {
    webhookUrl: 'https://customer.example/notifications',
    webhookUrlToken: 'abc',
    outgoingWebhook: 'yes',
    stateWebhook: 'no',
    incomingWebhook: 'yes',
    deviceWebhook: 'no',
  };
  expect(await expectSent(client, 'setSettings', settings)).toEqual(settings);
  await expectRefused(client, 'setSettings', { stateWebhook: 'maybe' }, 'stateWebhook');
});

onClient('settings.write', async (client) => {
  client.responses({ saveSettings: true });
  const response = await client.call('setSettings', { delaySendMessagesMilliseconds: 1500 });
  expect(client.lastBody()).toEqual({ delaySendMessagesMilliseconds: 1500 });
  expect(response).toMatchObject({ saveSettings: true });
});

onClient('settings.at-least-one', async (client) => {
  await expectRefused(client, 'setSettings', {});
});
