/** Texts, links and files as they are sent, and the size of a request. */
import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import type { Json } from '../scene.js';
import { expectRefused, expectSent, onClient } from './assertions.js';

const EDIT: Json = GOOD.editMessage.request;
const FILE: Json = GOOD.sendFileByUrl.request;

onClient('edit.message-utf8', async (client) => {
  const message = 'Привет 👋🏽';
  client.responses(GOOD.editMessage.response);
  expect(await expectSent(client, 'editMessage', { ...EDIT, message })).toMatchObject({ message });
  expect(client.lastRequest().bytes.includes(Buffer.from(message, 'utf8'))).toBe(true);
});

onClient('send-file.file-name-extension', async (client) => {
  await expectRefused(client, 'sendFileByUrl', { ...FILE, fileName: `\uFEFFa.pdf` }, 'fileName', 'BOM');
  expect(client.warnings('sendFileByUrl', { ...FILE, fileName: 'report' }).join('\n')).toContain('fileName');
  expect(client.warnings('sendFileByUrl', FILE)).toEqual([]);
});

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

/** A request whose fields are all within their limits and whose body has exactly this many bytes. */
function ofSize(request: Json, field: string, sizeBytes: number): Json {
  const restBytes = Buffer.byteLength(JSON.stringify({ ...request, [field]: '' }));
  // A control character is one character and, escaped, six bytes.
  const escaped = Math.floor((sizeBytes - restBytes) / 6);
  const plain = (sizeBytes - restBytes) % 6;
  return { ...request, [field]: '\u0001'.repeat(escaped) + 'x'.repeat(plain) };
}

const LIMIT_BYTES = 100 * 1024;

onClient('limits.request-100-kb', async (client) => {
  client.responses(GOOD.editMessage.response);
  for (const [operation, field, request] of [
    ['editMessage', 'message', EDIT],
    ['sendFileByUrl', 'caption', FILE],
  ] as const) {
    await expectSent(client, operation, ofSize(request, field, LIMIT_BYTES));
    expect(client.lastRequest().bytes).toHaveLength(LIMIT_BYTES);
    await expectRefused(client, operation, ofSize(request, field, LIMIT_BYTES + 1));
  }
});

onClient('errors.edit.entity-too-large', async (client) => {
  await expectRefused(client, 'editMessage', ofSize(EDIT, 'message', LIMIT_BYTES + 1), 'request entity too large');
});

onClient('errors.send-file.entity-too-large', async (client) => {
  await expectRefused(client, 'sendFileByUrl', ofSize(FILE, 'caption', LIMIT_BYTES + 1), 'request entity too large');
});
