import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

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

onSent('status.background-default-black', 'sendTextStatus', STATUS);
onSent('status.participants', 'sendTextStatus', { ...STATUS, participants: [CHAT] });
onSent('status.participants-empty-means-all', 'sendTextStatus', { ...STATUS, participants: [] });

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

for (const [rowId, typingTime, words] of [
  ['errors.typing.not-a-number', '1000', "'typingTime' must be a number"],
  ['errors.typing.too-small', 999, "'typingTime' must be larger than or equal to 1000"],
  ['errors.typing.too-large', 20_001, "'typingTime' must be less than or equal to 20000"],
] as const) {
  onClient(rowId, (client) => expectRefused(client, 'sendTyping', { ...TYPING, typingTime }, words));
}

for (const [rowId, typingTime, beyond] of [
  ['limits.typing-min-1000', 1000, 999],
  ['limits.typing-max-20000', 20_000, 20_001],
] as const) {
  onClient(rowId, async (client) => {
    client.responses('');
    expect(await expectSent(client, 'sendTyping', { ...TYPING, typingTime })).toMatchObject({ typingTime });
    await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: beyond });
  });
}
