/** Stored files over HTTP, and messages and campaigns that name them. */
import { describe, expect, it } from 'vitest';
import { OPERATION_NAMES } from '../../src/contract/index.js';
import { ALICE, aDirectory, anInstance, useApi } from './api-parts.js';

const media = { mediaUrl: 'http://127.0.0.1:9' };
const parts = useApi({
  instances: aDirectory(
    anInstance(media),
    anInstance({ name: 'without-media', idInstance: '2' }),
    anInstance({
      ...media,
      name: 'unable',
      idInstance: '3',
      capabilities: OPERATION_NAMES.filter((name) => name !== 'uploadFile'),
    }),
  ),
});

const store = (bytes: string, headers: Record<string, string> = { 'content-type': 'image/png' }) =>
  parts.call('POST', '/v1/files', bytes, headers);
const send = (content: object, instance = 'main', key = 'k') =>
  parts.call(
    'POST',
    '/v1/messages',
    { instance, to: ALICE, content: { kind: 'file', fileName: 'a.png', ...content } },
    { 'idempotency-key': key },
  );

describe('POST /v1/files', () => {
  it('stores a file once', async () => {
    const stored = await store('bytes');
    expect(stored).toMatchObject({ status: 200, body: { contentType: 'image/png', sizeBytes: 5 } });
    expect((await store('bytes')).body.fileId).toBe(stored.body.fileId);
    expect((await store('bytes', {})).body).toMatchObject({ sizeBytes: 5 });
  });

  it.each([
    ['an empty one', '', {}, 400, 'INPUT_INVALID'],
    ['one with an invalid type', 'a', { 'content-type': 'png' }, 400, 'INPUT_INVALID'],
    ['one that is too large', 'a', { 'content-length': String(101 * 1024 * 1024) }, 413, 'INPUT_TOO_LARGE'],
  ])('refuses %s', async (_, bytes, headers: Record<string, string>, status, code) => {
    expect(await store(bytes, headers)).toMatchObject({ status, body: { code } });
  });
});

describe('a message with a stored file', () => {
  it('is accepted, and again with its key', async () => {
    const { fileId } = (await store('picture')).body;
    const begun = await send({ fileId, caption: 'Look' }, 'main', 'picture');
    expect(begun).toMatchObject({ status: 202, body: { kind: 'file' } });
    expect((await send({ fileId, caption: 'Look' }, 'main', 'picture')).body.id).toBe(begun.body.id);
    const shown = await parts.call('GET', `/v1/messages/${begun.body.id}`);
    expect(shown.body.content).toEqual({ kind: 'file', fileId, fileName: 'a.png', caption: 'Look' });
  });

  it.each([
    ['its file is not stored', { fileId: 'file_0' }, 'main', 'content.fileId', /upload the file with POST/],
    ['the instance has no mediaUrl', { fileId: 'file_0' }, 'without-media', 'content.fileId', /no mediaUrl.*\.url/],
    ['the instance has no uploadFile', { fileId: 'file_0' }, 'unable', 'content.fileId', /capabilities.*content\.url/],
    ['it has neither file nor link', {}, 'main', 'content.url', /or fileId is required/],
    ['it has both', { url: 'https://a.example/a.png', fileId: 'file_0' }, 'main', 'content.url', /only one of them/],
  ])('is refused when %s', async (_, content, instance, path, message) => {
    const refused = await send(content, instance);
    expect(refused).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID', errors: [{ path }] } });
    expect(refused.body.errors[0].message).toMatch(message);
  });
});

it('a campaign with a stored file is defined; one with an unknown file is refused', async () => {
  const { fileId } = (await store('for all')).body;
  const define = (id: string, named: string) =>
    parts.call('PUT', `/v1/campaigns/${id}`, {
      instance: 'main',
      content: { kind: 'file', fileId: named, fileName: 'a.png', caption: 'Hi {{name}}' },
    });
  expect((await define('with-file', fileId)).status).toBe(201);
  expect(await define('without', 'file_0')).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'content.fileId' }] },
  });
});

it('a schedule with an unknown file is refused with the path of the file', async () => {
  const content = { kind: 'file', fileId: 'file_0', fileName: 'a.png' };
  const create = (what: object) => parts.call('POST', '/v1/schedules', { cron: ['0 0 1 1 *'], ...what });
  expect(await create({ message: { instance: 'main', to: ALICE, content } })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'message.content.fileId' }] },
  });
  expect(await create({ campaign: { instance: 'main', content }, recipients: { file: 'list.csv' } })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'campaign.content.fileId' }] },
  });
});
