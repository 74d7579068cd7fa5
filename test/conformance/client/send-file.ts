import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import type { Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

const FILE: Json = GOOD.sendFileByUrl.request;
const BOM = '\uFEFF';

onClient('send-file.file-name-extension', async (client) => {
  await expectRefused(client, 'sendFileByUrl', { ...FILE, fileName: `${BOM}a.pdf` }, 'fileName', 'BOM');
  expect(client.warnings('sendFileByUrl', { ...FILE, fileName: 'report' }).join('\n')).toContain('fileName');
  expect(client.warnings('sendFileByUrl', FILE)).toEqual([]);
});

onClient('send-file.caption', async (client) => {
  client.responses(GOOD.sendFileByUrl.response);
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, caption: 'words' })).toEqual({
    ...FILE,
    caption: 'words',
  });
  expect(await expectSent(client, 'sendFileByUrl', FILE)).toEqual(FILE);
});

onClient('send-file.quotedMessageId', async (client) => {
  client.responses(GOOD.sendFileByUrl.response);
  const quoting = { ...FILE, quotedMessageId: 'BAE5000000000002' };
  expect(await expectSent(client, 'sendFileByUrl', quoting)).toEqual(quoting);
  expect(await expectSent(client, 'sendFileByUrl', FILE)).not.toHaveProperty('quotedMessageId');
});

onClient('send-file.typing-default-1-second', async (client) => {
  expect(await expectSent(client, 'sendFileByUrl', FILE)).not.toHaveProperty('typingTime');
});

onSent('send-file.type-by-file-name-first', 'sendFileByUrl', { ...FILE, fileName: 'Отчёт 2026.PDF' });

onClient('send-file.link-characters', async (client) => {
  for (const urlFile of ['https://files.example/my report.pdf', 'https://files.example/r(1).pdf']) {
    expect(client.warnings('sendFileByUrl', { ...FILE, urlFile })).not.toEqual([]);
    expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile })).toMatchObject({ urlFile });
  }
  expect(client.warnings('sendFileByUrl', { ...FILE, urlFile: 'https://files.example:8080/a_b-c/R1.pdf' })).toEqual([]);
});

onClient('send-file.link-unencoded', async (client) => {
  const urlFile = 'https://files.example/отчёт за год.pdf';
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile })).toMatchObject({ urlFile });
  const encoded = 'https://files.example/my%20report.pdf';
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile: encoded })).toMatchObject({ urlFile: encoded });
  expect(client.warnings('sendFileByUrl', { ...FILE, urlFile: encoded }).join('\n')).toContain('encode');
});

onClient('send-file.link-to-a-file', async (client) => {
  const urlFile = 'https://files.example/page.html';
  expect(client.warnings('sendFileByUrl', { ...FILE, urlFile })).not.toEqual([]);
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile })).toMatchObject({ urlFile });
});

onClient('upload-file.urlFile', async (client) => {
  const { request, response } = GOOD.uploadFile;
  client.responses(response);
  expect(await client.call('uploadFile', request)).toEqual(response);
  const { bytes, headers } = client.lastRequest();
  expect(bytes.toString()).toBe('the file');
  expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'ga-filename': 'report.pdf' });
});

onClient('upload-file.type-or-name', async (client) => {
  const file: Json = GOOD.uploadFile.request;
  for (const name of ['contentType', 'fileName', 'content']) {
    await expectRefused(client, 'uploadFile', { ...file, [name]: undefined }, name);
  }
});
