import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

const STATUS: Json = GOOD.sendTextStatus.request;
const BOM = '\uFEFF';

onClient('status.message', async (client) => {
  await expectRefused(client, 'sendTextStatus', {}, 'message');
  await expectRefused(client, 'sendTextStatus', { message: `${BOM}status` }, 'message', 'BOM');
  expect(await expectSent(client, 'sendTextStatus', { message: 'status 🌞' })).toEqual({ message: 'status 🌞' });
});

onClient('status.background-hex', async (client) => {
  const coloured = { ...STATUS, backgroundColor: '#228B22' };
  expect(await expectSent(client, 'sendTextStatus', coloured)).toEqual(coloured);
  await expectRefused(client, 'sendTextStatus', { ...STATUS, backgroundColor: 'blue' }, 'backgroundColor');
});

onSent('status.background-default-black', 'sendTextStatus', STATUS);
onSent('status.participants', 'sendTextStatus', { ...STATUS, participants: [CHAT] });
onSent('status.participants-empty-means-all', 'sendTextStatus', { ...STATUS, participants: [] });

onClient('status.background-not-white', async (client) => {
  for (const backgroundColor of ['#FFFFFF', '#ffffff', '#fff']) {
    await expectRefused(client, 'sendTextStatus', { ...STATUS, backgroundColor }, 'backgroundColor', 'white');
  }
});

onClient('typing.typingTime-milliseconds', async (client) => {
  client.responses('');
  expect(await expectSent(client, 'sendTyping', { chatId: CHAT, typingTime: 5000 })).toMatchObject({
    typingTime: 5000,
  });
  expect(await expectSent(client, 'sendTyping', { chatId: CHAT })).toEqual({ chatId: CHAT });
});
