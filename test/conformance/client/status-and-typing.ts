import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient } from './assertions.js';

const STATUS: Json = GOOD.sendTextStatus.request;
const TYPING: Json = GOOD.sendTyping.request;
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

onClient('status.background-default-black', async (client) => {
  expect(await expectSent(client, 'sendTextStatus', STATUS)).toEqual(STATUS);
});

onClient('status.background-not-white', async (client) => {
  for (const backgroundColor of ['#FFFFFF', '#ffffff', '#fff']) {
    await expectRefused(client, 'sendTextStatus', { ...STATUS, backgroundColor }, 'backgroundColor', 'white');
  }
});

onClient('status.font', async (client) => {
  for (const font of ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY']) {
    expect(await expectSent(client, 'sendTextStatus', { ...STATUS, font })).toMatchObject({ font });
  }
  await expectRefused(client, 'sendTextStatus', { ...STATUS, font: 'COMIC_SANS' }, 'font');
});

onClient('status.participants', async (client) => {
  const some = { ...STATUS, participants: [CHAT] };
  expect(await expectSent(client, 'sendTextStatus', some)).toEqual(some);
});

onClient('status.participants-empty-means-all', async (client) => {
  const all = { ...STATUS, participants: [] };
  expect(await expectSent(client, 'sendTextStatus', all)).toEqual(all);
});

onClient('typing.typingTime-milliseconds', async (client) => {
  client.responses('');
  expect(await expectSent(client, 'sendTyping', { chatId: CHAT, typingTime: 5000 })).toMatchObject({
    typingTime: 5000,
  });
  expect(await expectSent(client, 'sendTyping', { chatId: CHAT })).toEqual({ chatId: CHAT });
});

onClient('typing.typingType', async (client) => {
  client.responses('');
  const recording = { chatId: CHAT, typingType: 'recording' };
  expect(await expectSent(client, 'sendTyping', recording)).toEqual(recording);
  await expectRefused(client, 'sendTyping', { chatId: CHAT, typingType: 'singing' }, 'typingType');
});

onClient('errors.typing.not-a-number', async (client) => {
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: '1000' }, "'typingTime' must be a number");
});

const TOO_SMALL = "'typingTime' must be larger than or equal to 1000";
const TOO_LARGE = "'typingTime' must be less than or equal to 20000";

onClient('errors.typing.too-small', async (client) => {
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 999 }, TOO_SMALL);
});

onClient('errors.typing.too-large', async (client) => {
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 20_001 }, TOO_LARGE);
});

onClient('limits.typing-min-1000', async (client) => {
  client.responses('');
  expect(await expectSent(client, 'sendTyping', { ...TYPING, typingTime: 1000 })).toMatchObject({ typingTime: 1000 });
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 999 });
});

onClient('limits.typing-max-20000', async (client) => {
  client.responses('');
  expect(await expectSent(client, 'sendTyping', { ...TYPING, typingTime: 20_000 })).toMatchObject({
    typingTime: 20_000,
  });
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 20_001 });
});
