import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode, type FileContent } from '../../../src/contract/index.js';
import { withLinks } from '../../../src/dispatch/index.js';
import type { Gateway } from '../../../src/gateway/index.js';
import type { ClaimedAttempt } from '../../../src/ledger/index.js';

const NOW = 1_000_000;
const CONTENT: FileContent = { kind: 'file', fileId: 'file_1', fileName: 'a.png', caption: 'Look' };
const anAttempt = (content: ClaimedAttempt['content'] = CONTENT, token = 't'): ClaimedAttempt => ({
  token,
  instance: 'main',
  chatId: '15550000001@c.us',
  content,
  postingDeadlineMs: NOW + 5_000,
});

/** Files, and a gateway whose uploads end as given; the last result repeats. */
function given(endings: readonly (() => Promise<string>)[], { isStored = true } = {}) {
  const links = new Map<string, string>();
  let uploads = 0;
  const call = async (_instance: string, _name: string, request: unknown) => {
    expect(request).toEqual({ fileName: 'a.png', contentType: 'image/png', content: Buffer.of(1) });
    const ending = endings[Math.min(uploads++, endings.length - 1)];
    return { response: { urlFile: await ending?.() }, httpStatus: 200 };
  };
  const withLink = withLinks({
    gateway: { call: call as unknown as Gateway['call'] },
    clock: { nowMs: () => NOW },
    files: {
      read: async () => (isStored ? { contentType: 'image/png', bytes: Buffer.of(1) } : undefined),
      giveLink: async (_token, instance) => links.get(instance),
      storeLink: async (instance, _fileId, url) => void links.set(instance, url),
    },
  });
  return { withLink, uploads: () => uploads, expire: () => links.clear() };
}

const link = async () => 'https://files.example/1';
const fails = (code: ErrorCode, httpStatus?: number) => async (): Promise<string> => {
  throw new AppError(code, 'It failed.', httpStatus === undefined ? {} : { httpStatus });
};

describe('the attempt of a stored file', () => {
  test('gets the link of a single upload, however many attempts there are', async () => {
    const { withLink, uploads, expire } = given([link]);
    const attempts = [anAttempt(), anAttempt(CONTENT, 't2')];
    const posted = await Promise.all(attempts.map(withLink));
    expect(posted).toEqual(
      attempts.map((one) => ({ ...one, content: { ...CONTENT, url: 'https://files.example/1' } })),
    );
    await withLink(anAttempt());
    expect(uploads()).toBe(1);
    expire();
    await withLink(anAttempt());
    expect(uploads()).toBe(2);
  });

  test('is unchanged when its message has no stored file', async () => {
    const { withLink, uploads } = given([link]);
    for (const content of [
      { kind: 'text', text: 'Hello' } as const,
      { kind: 'file', url: 'https://a', fileName: 'a' } as const,
    ]) {
      const attempt = anAttempt(content);
      expect(await withLink(attempt)).toBe(attempt);
    }
    expect(uploads()).toBe(0);
  });

  test.each([
    ['a lost response', 'GATEWAY_OUTCOME_UNKNOWN'],
    ['a 200 without a link', 'GATEWAY_RESPONSE_INVALID'],
    ['a bug', 'INTERNAL'],
  ] as const)('UPLOAD-1: %s returns the attempt, and is no unknown outcome', async (_, code) => {
    const { withLink, uploads } = given([fails(code), link]);
    await expect(withLink(anAttempt())).rejects.toMatchObject({ code: 'GATEWAY_NOT_ACCEPTED', next: 'wait' });
    expect((await withLink(anAttempt())).content).toHaveProperty('url');
    expect(uploads()).toBe(2);
  });

  test.each([
    ['429', 'GATEWAY_BUSY', 'wait'],
    ['an unavailable gateway', 'GATEWAY_UNREACHABLE', 'wait'],
    ['a wrong token', 'GATEWAY_UNAUTHORIZED', 'human'],
    ['no mediaUrl', 'UPLOAD_NOT_POSSIBLE', 'stop'],
  ] as const)('%s delays or ends the message', async (_, code, next) => {
    await expect(given([fails(code)]).withLink(anAttempt())).rejects.toMatchObject({ code, next });
  });

  test.each([404, 413])('a %i names the remedy', async (status) => {
    const { withLink } = given([fails('GATEWAY_REJECTED', status)]);
    await expect(withLink(anAttempt())).rejects.toMatchObject({
      code: 'UPLOAD_NOT_POSSIBLE',
      message: expect.stringMatching(`HTTP ${status}.*Check the mediaUrl of main, or send a link`) as unknown,
    });
  });

  test('a file that is no longer stored ends the attempt', async () => {
    const { withLink, uploads } = given([link], { isStored: false });
    await expect(withLink(anAttempt())).rejects.toMatchObject({ code: 'FILE_NOT_FOUND', next: 'stop' });
    expect(uploads()).toBe(0);
  });

  test('UPLOAD-2: an upload outlasts its attempt, and the next attempt uses its link', async () => {
    let resolve = (_url: string): void => undefined;
    const upload = new Promise<string>((done) => (resolve = done));
    const { withLink, uploads } = given([() => upload]);
    const late = { ...anAttempt(), postingDeadlineMs: NOW };
    await expect(withLink(late)).rejects.toMatchObject({ code: 'GATEWAY_NOT_ACCEPTED' });
    resolve('https://files.example/1');
    expect((await withLink(anAttempt())).content).toHaveProperty('url', 'https://files.example/1');
    expect(uploads()).toBe(1);
  });
});
