/** Which senders may have a notification stored: rule by rule, without a ledger. */
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError, Secret, type InstanceConfig } from '../../src/contract/index.js';
import { createSenderCheck, isAuthorized } from '../../src/webhooks/verify-sender.js';
import { aDirectory, anInstance } from '../api/api-parts.js';

const MINUTE_MS = 60_000;
const TOKEN = [new Secret('first-token')];

let nowMs: number;
let logged: { level: string; message: string }[];
let instances: InstanceConfig[];
beforeEach(() => {
  nowMs = 1_000_000;
  logged = [];
  const { webhookTokens: _, ...open } = anInstance({ name: 'open', idInstance: '2' });
  instances = [anInstance({ name: 'guarded' }), open];
});

function aCheck() {
  return createSenderCheck({
    instances: { names: () => aDirectory(...instances).names(), get: (name) => aDirectory(...instances).get(name) },
    clock: { nowMs: () => nowMs },
    log: ({ level, message }) => void logged.push({ level, message }),
  });
}

function giveToken(webhookTokens: readonly Secret[] = TOKEN): void {
  instances = instances.map((instance) => (instance.name === 'open' ? { ...instance, webhookTokens } : instance));
}

/** `stored`, or the code of the refusal. */
function verdict(check: ReturnType<typeof aCheck>, name: string, authorization?: string, isLocal = false): string {
  try {
    check(name, { authorization, isLocal });
    return 'stored';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

/** Proves SENDER-1 to SENDER-4. */
describe('a notification', () => {
  it.each([
    ['with its token', 'guarded', 'Bearer hook-token', false, 'stored'],
    ['from this machine without its token', 'guarded', undefined, true, 'WEBHOOK_UNVERIFIED'],
    ['from this machine with another token', 'guarded', 'Bearer other', true, 'WEBHOOK_UNVERIFIED'],
    ['from this machine without a header', 'open', undefined, true, 'stored'],
    ['from this machine with any header', 'open', 'Bearer anything', true, 'stored'],
    ['from another machine without a header', 'open', undefined, false, 'WEBHOOK_UNVERIFIED'],
    ['from another machine with any header', 'open', 'Bearer anything', false, 'WEBHOOK_UNVERIFIED'],
    ['with the token of another instance', 'open', 'Bearer hook-token', false, 'WEBHOOK_UNVERIFIED'],
    ['with a valid token, to an unknown name', 'nowhere', 'Bearer hook-token', false, 'INSTANCE_NOT_FOUND'],
  ])('%s, of the instance that is %s, has a verdict', (_, name, authorization, isLocal, expected) => {
    expect(verdict(aCheck(), name, authorization, isLocal)).toBe(expected);
  });

  it('is logged once when it is refused for a missing webhookToken, with the command that creates one', () => {
    const check = aCheck();
    for (const name of ['open', 'open', 'guarded', 'nowhere']) verdict(check, name);
    expect(logged).toEqual([
      { level: 'error', message: expect.stringMatching(/instance open .*everpost doctor --fix/) },
    ]);
  });

  it('shows an unverified sender nothing about the existing instances', () => {
    const refusal = (name: string): unknown => {
      try {
        aCheck()(name, { authorization: 'Bearer guess', isLocal: false });
      } catch (error) {
        if (error instanceof AppError) return { code: error.code, message: error.message.replaceAll(name, 'NAME') };
      }
      return undefined;
    };
    expect(refusal('nowhere')).toMatchObject({ code: 'WEBHOOK_UNVERIFIED' });
    expect(refusal('guarded')).toEqual(refusal('nowhere'));
    expect(refusal('open')).toEqual(refusal('nowhere'));
    expect(JSON.stringify(refusal('nowhere'))).not.toMatch(/guarded|open\b/);
  });

  it('is told no other name, if it is for an unknown instance', () => {
    expect(() => aCheck()('nowhere', { authorization: 'Bearer hook-token', isLocal: false })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/guarded|open\b/) }),
    );
  });
});

describe("an instance's first token, added while running", () => {
  let check: ReturnType<typeof aCheck>;
  beforeEach(() => {
    check = aCheck();
    giveToken();
  });

  it('is not required from this machine before the gateway has had time to learn it', () => {
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    nowMs += 9 * MINUTE_MS;
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    nowMs += MINUTE_MS;
    expect(verdict(check, 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is required from the first notification that has it', () => {
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    expect(verdict(check, 'open', 'Bearer first-token', true)).toBe('stored');
    expect(verdict(check, 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is required at once from other machines, for a wrong header, and by a process that starts now', () => {
    expect(verdict(check, 'open')).toBe('WEBHOOK_UNVERIFIED');
    expect(verdict(check, 'open', 'Bearer wrong', true)).toBe('WEBHOOK_UNVERIFIED');
    expect(verdict(aCheck(), 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('has no second grace time when it is replaced', () => {
    verdict(check, 'open', 'Bearer first-token', true);
    giveToken([new Secret('second-token')]);
    expect(verdict(check, 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });
});

describe('the Authorization of a notification', () => {
  it.each([
    ['a bare token', 'abc', 'Bearer abc'],
    ['a token with Bearer', 'Bearer abc', 'Bearer abc'],
    ['a token with Basic', 'Basic dXNlcjpwYXNz', 'Basic dXNlcjpwYXNz'],
    ['a token without a scheme', 'abc', 'abc'],
    ['a scheme in another case', 'Bearer abc', 'bearer abc'],
    ['a token with Bearer, before which the gateway put another', 'Bearer abc', 'Bearer Bearer abc'],
    ['a token with spaces inside', 'a b c', 'Bearer a b c'],
  ])('is accepted for %s', (_, token, header) => {
    expect(isAuthorized(header, [new Secret(token)])).toBe(true);
  });

  it.each([
    ['another token', 'abc', 'Bearer abd'],
    ['a prefix of the token', 'abc', 'Bearer ab'],
    ['another scheme', 'abc', 'Basic abc'],
    ['no header', 'abc', undefined],
    ['an empty header', 'abc', ''],
    ['another case of the token', 'abc', 'Bearer ABC'],
  ])('is refused for %s', (_, token, header) => {
    expect(isAuthorized(header, [new Secret(token)])).toBe(false);
  });

  it('is accepted for each of several tokens during a rotation', () => {
    const tokens = [new Secret('old'), new Secret('new')];

    expect(['Bearer old', 'Bearer new', 'Bearer other'].map((header) => isAuthorized(header, tokens))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
