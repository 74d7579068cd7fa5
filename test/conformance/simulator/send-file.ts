import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, MINUTE_MS, SECOND_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, expectRefused, expectValidationFailed, onSimulator } from './assertions.js';

const FILE = GOOD.sendFileByUrl.request;
const PNG_BYTES_HEX = '89504e470d0a1a0a0000000d49484452';
const STORED = 'https://files.example/stored';

/** The response of the server behind a link, as set in the simulator, which reads no links itself. */
async function storedAt(sim: SimulatorDriver, url: string, facts: Json): Promise<string> {
  await sim.control('POST', '/files', { url, ...facts });
  return url;
}

async function deliveredFile(sim: SimulatorDriver, file: Json): Promise<Json | undefined> {
  const idMessage = await sim.accepted('sendFileByUrl', { ...FILE, ...file });
  await sim.advance(MINUTE_MS);
  return (await sim.delivered(CHAT)).find((message) => message['idMessage'] === idMessage);
}

async function expectType(sim: SimulatorDriver, file: Json, typeMessage: string): Promise<void> {
  const delivered = await deliveredFile(sim, file);
  expect(delivered?.['typeMessage'], JSON.stringify(file)).toBe(typeMessage);
}

onSimulator('send-file.file-name-extension', async (sim) => {
  expectValidationFailed(await sim.post('sendFileByUrl', { ...FILE, fileName: '\uFEFFreport.pdf' }), 'fileName');
});

onSimulator('send-file.caption', async (sim) => {
  for (const fileName of ['a.jpg', 'a.mp4', 'a.pdf']) {
    expect(await deliveredFile(sim, { fileName, caption: 'words' })).toMatchObject({ text: 'words' });
  }
});

onSimulator('send-file.quotedMessageId', async (sim) => {
  const quotedMessageId = await sim.text('quote me');
  expect(await deliveredFile(sim, { quotedMessageId })).toMatchObject({ quotedMessageId });
});

onSimulator('send-file.typing-time-seconds', async (sim) => {
  for (const typingTime of [0, 21, 1.5]) {
    expectValidationFailed(await sim.post('sendFileByUrl', { ...FILE, typingTime }), 'typingTime');
  }
  await sim.accepted('sendFileByUrl', { ...FILE, typingTime: 20 });
  await sim.advance(20 * SECOND_MS - 1);
  expect(await sim.delivered(CHAT)).toEqual([]);
  await sim.advance(1);
  expect(await sim.delivered(CHAT)).toHaveLength(1);
});

onSimulator('send-file.typing-default-1-second', async (sim) => {
  await sim.accepted('sendFileByUrl', { ...FILE, typingType: 'recording' });
  await sim.advance(SECOND_MS - 1);
  expect(await sim.delivered(CHAT)).toHaveLength(0);
  await sim.advance(1);
  expect(await sim.delivered(CHAT)).toHaveLength(1);
});

onSimulator('send-file.queued', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  const idMessage = await sim.accepted('sendFileByUrl', FILE);
  expect(await sim.queue()).toMatchObject([{ messageID: idMessage, type: 'sendFileByUrl' }]);
});

onSimulator('send-file.native-media', async (sim) => {
  await expectType(sim, { fileName: 'a.mp4' }, 'videoMessage');
  await expectType(sim, { fileName: 'a.mp3' }, 'audioMessage');
  await expectType(sim, { fileName: 'a.jpg' }, 'imageMessage');
  await expectType(sim, { fileName: 'a.pdf' }, 'documentMessage');
});

for (const [rowId, facts, fileName, typeMessage] of [
  ['send-file.type-by-file-name-first', { contentType: 'video/mp4' }, 'a.jpg', 'imageMessage'],
  [
    'send-file.type-by-content-type-second',
    { contentType: 'video/mp4', bytesHex: PNG_BYTES_HEX },
    'stored',
    'videoMessage',
  ],
  ['send-file.type-by-bytes-third', { bytesHex: PNG_BYTES_HEX }, 'stored', 'imageMessage'],
  ['send-file.type-else-binary', {}, 'stored', 'documentMessage'],
] as const) {
  onSimulator(rowId, async (sim) => {
    const urlFile = await storedAt(sim, STORED, facts);
    await expectType(sim, { urlFile, fileName }, typeMessage);
  });
}

onSimulator('limits.one-file-per-message', async (sim) => {
  expectRefused(await sim.post('sendFileByUrl', { ...FILE, urlFile: [FILE.urlFile] }), 'urlFile');
  await deliveredFile(sim, {});
  expect(await sim.delivered(CHAT)).toHaveLength(1);
});

onSimulator('send-file.link-unencoded', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  const urlFile = 'https://files.example/отчёт за год.pdf';
  await sim.accepted('sendFileByUrl', { ...FILE, urlFile });
  expect(await sim.queue()).toMatchObject([{ body: { urlFile } }]);
});

onSimulator('send-file.takes-seconds', async (sim) => {
  await sim.accepted('sendFileByUrl', FILE);
  await sim.advance(SECOND_MS - 1);
  expect(await sim.delivered(CHAT)).toHaveLength(0);
  await sim.advance(19 * SECOND_MS + 1);
  expect(await sim.delivered(CHAT)).toHaveLength(1);
});

onSimulator('limits.file-send-time', async (sim) => {
  const webhook = await sim.webhook({ outgoingWebhook: 'yes' });
  await sim.accepted('sendFileByUrl', FILE);
  await sim.advance(SECOND_MS - 1);
  expect(webhook.ofType('outgoingMessageStatus')).toHaveLength(0);
  await sim.advance(19 * SECOND_MS + 1);
  expect(webhook.ofType('outgoingMessageStatus').map(({ status }) => status)).toContain('sent');
});

onSimulator('limits.file-100-mb', async (sim) => {
  const limitBytes = 100 * 1024 * 1024;
  const largest = await storedAt(sim, `${STORED}-largest`, { sizeBytes: limitBytes });
  expect(await deliveredFile(sim, { urlFile: largest })).toBeDefined();
  const tooLarge = await storedAt(sim, `${STORED}-too-large`, { sizeBytes: limitBytes + 1 });
  expect(await deliveredFile(sim, { urlFile: tooLarge })).toBeUndefined();
});

onSimulator('upload-file.urlFile', async (sim) => {
  const rawBody = 'GIF89a';
  const uploaded = await sim.post('uploadFile', undefined, { rawBody, headers: { 'Content-Type': 'image/gif' } });
  expectOk(uploaded);
  await sim.advance(MINUTE_MS);
  expect(await sim.delivered()).toEqual([]);
  expect(uploaded.json).toMatchObject({ urlFile: expect.stringMatching(/^https:\/\//) as unknown });
  const { urlFile } = uploaded.json as { urlFile: string };
  await expectType(sim, { urlFile, fileName: 'picture' }, 'imageMessage');
});

onSimulator('upload-file.type-or-name', async (sim) => {
  const upload = (headers: Readonly<Record<string, string>>) =>
    sim.post('uploadFile', undefined, { rawBody: 'bytes', headers });
  expectRefused(await upload({ 'Content-Type': '' }), 'Content-Type', 'GA-Filename');
  expectOk(await upload({ 'Content-Type': '', 'GA-Filename': 'report.pdf' }));
  expectOk(await upload({ 'Content-Type': 'application/pdf' }));
});
