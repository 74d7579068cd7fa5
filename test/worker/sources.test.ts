import { symlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSourceWith, type SourceOptions } from '../../src/worker/sources.js';
import { aFolder } from '../support/folder.js';
import { listening } from '../support/listening.js';

const LIST = 'phone,name\n+15550000001,Ada\n';
const SIGNAL = new AbortController().signal;

let root: string;
beforeEach(() => {
  root = aFolder({
    'shared.csv': LIST,
    'main/list.csv': LIST,
    'main/list.ndjson': '{}',
    'main/crm': 'postgres://main',
    'main-2/list.csv': LIST,
    'other/list.csv': LIST,
    'other/crm': 'postgres://other',
  });
});

function open(source: Parameters<ReturnType<typeof openSourceWith>>[1], options: Partial<SourceOptions> = {}) {
  const given = { directory: root, env: () => undefined, allowPrivate: true, maxBytes: 1_000, ...options };
  return openSourceWith(given)('main', source, SIGNAL);
}

async function textOf({ bytes }: { readonly bytes: AsyncIterable<Uint8Array> }): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function aServer(respond: (response: ServerResponse) => void): Promise<string> {
  return `${await listening(createServer((_, response) => respond(response)))}/list.csv?key=secret`;
}

describe('a file of recipients', () => {
  it("is read below its instance's folder, by its name as CSV or NDJSON", async () => {
    const opened = await open({ file: 'list.csv', delimiter: 'tab' });
    expect(opened).toMatchObject({ format: 'csv', delimiter: 'tab' });
    expect(await textOf(opened)).toBe(LIST);
    const ndjson = await open({ file: join(root, 'main', 'list.ndjson') });
    expect([ndjson.format, await textOf(ndjson)]).toEqual(['ndjson', '{}']);
  });

  it('of another instance is not read: by its path, by a link, or because it belongs to none', async () => {
    symlinkSync(join(root, 'other', 'list.csv'), join(root, 'main', 'link.csv'));
    symlinkSync(join(root, 'other'), join(root, 'main', 'folder'));
    const theirs = join(root, 'other', 'list.csv');
    const links = ['link.csv', 'folder/list.csv'];
    const files = ['../other/list.csv', theirs, '../shared.csv', '../main-2/list.csv', 'x/../../other/list.csv', '.'];
    for (const file of [...files, ...links]) {
      await expect(open({ file })).rejects.toMatchObject({
        code: 'SCHEDULE_RUN_FAILED',
        message: expect.stringContaining(`The file ${file} is not in its instance's folder of sources.`),
      });
    }
    for (const file of ['../other/crm', '../other/missing', '../main']) {
      const source = { connection: { file }, query: 'select 1' };
      await expect(open(source)).rejects.toThrow(`The file ${file} is not in its instance's folder of sources.`);
    }
  });

  it('is reported when it is missing, also with its whole folder', async () => {
    await expect(open({ file: 'none.csv' })).rejects.toThrow('The file none.csv cannot be read (ENOENT).');
    await expect(open({ file: 'list.csv' }, { directory: join(root, 'main') })).rejects.toThrow(
      'The file list.csv cannot be read (ENOENT). Each instance has a folder with its name in EVERPOST_SOURCES_DIR',
    );
  });
});

describe('a URL of recipients', () => {
  it('is read as CSV or NDJSON, by its content type or its name', async () => {
    const url = await aServer((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(LIST));
    const opened = await open({ url });
    expect(opened.format).toBe('csv');
    expect(await textOf(opened)).toBe(LIST);
    const lines = await aServer((response) =>
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{}'),
    );
    const ndjson = await open({ url: lines });
    expect(ndjson.format).toBe('ndjson');
    await textOf(ndjson);
  });

  it('on this machine or in a private network is not read, by address or by name', async () => {
    const url = await aServer((response) => response.end(LIST));
    for (const target of [url, url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest']) {
      await expect(open({ url: target }, { allowPrivate: false })).rejects.toThrow(/private_address/);
    }
  });

  it.each([301, 404, 500])('is not accepted when it answers %i, and no redirect is followed', async (status) => {
    const url = await aServer((response) => response.writeHead(status, { location: '/elsewhere' }).end(LIST));
    await expect(open({ url })).rejects.toThrow(`HTTP ${status}`);
  });

  it('is interrupted when it has more bytes than an import may have', async () => {
    const url = await aServer((response) => response.end('x'.repeat(2_000)));
    await expect(textOf(await open({ url }))).rejects.toThrow('it has more than 1000 bytes');
  });

  it('fails when the response breaks off, and no error names the URL', async () => {
    const url = await aServer((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('phone\n', () => response.destroy());
    });
    const failed = await open({ url })
      .then(textOf)
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'SCHEDULE_RUN_FAILED' });
    expect(String(failed)).not.toContain('secret');
  });
});

describe('a connection string', () => {
  it('is reported by its variable when the worker does not have it', async () => {
    const connection = { env: 'EVERPOST_SOURCE_CRM' };
    await expect(open({ connection, query: 'select 1' })).rejects.toThrow(/EVERPOST_SOURCE_CRM is not set/);
  });

  it.each(['not a url', 'postgres://user:hunter2@127.0.0.1:1/db', 'postgres://user:hunter2@[::1'])(
    'is not shown when it is invalid: %s',
    async (value) => {
      const source = { connection: { env: 'EVERPOST_SOURCE_CRM' }, query: 'select 1' };
      const failed = await open(source, { env: () => value })
        .then(textOf)
        .catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 'SCHEDULE_RUN_FAILED' });
      expect(JSON.stringify(failed) + String(failed)).not.toMatch(/hunter2|127\.0\.0\.1/);
    },
  );
});
