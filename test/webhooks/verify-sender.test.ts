/** Which senders may have a notification stored: rule by rule, without a ledger. */
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError, Secret, type InstanceConfig } from '../../src/contract/index.js';
import { createSenderCheck, isAuthorized } from '../../src/webhooks/verify-sender.js';
import { aDirectory, anInstance } from '../starter/api-parts.js';

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
function verdict(
  check: ReturnType<typeof aCheck>,
  name: string,
  authorization: string | undefined,
  isLocal: boolean,
): string {
  try {
    check(name, { authorization, isLocal });
    return 'stored';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

/** Proves SENDER-1 to SENDER-4. */
describe('a notification', () => {
  it('needs the token of its instance, also from this machine', () => {
    const check = aCheck();
    expect(verdict(check, 'guarded', 'Bearer hook-token', false)).toBe('stored');
    expect(verdict(check, 'guarded', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
    expect(verdict(check, 'guarded', 'Bearer other', true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is accepted from this machine only, for an instance without a token', () => {
    const check = aCheck();
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    expect(verdict(check, 'open', 'Bearer anything', true)).toBe('stored');
    expect(verdict(check, 'open', undefined, false)).toBe('WEBHOOK_UNVERIFIED');
    expect(verdict(check, 'open', 'Bearer anything', false)).toBe('WEBHOOK_UNVERIFIED');
    expect(verdict(check, 'open', 'Bearer hook-token', false)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is logged once when it is refused for a missing webhookToken, with the command that creates one', () => {
    const check = aCheck();
    for (let n = 0; n < 3; n += 1) verdict(check, 'open', undefined, false);
    verdict(check, 'guarded', undefined, false);
    verdict(check, 'nowhere', undefined, false);
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

  it('is told that an unknown instance does not exist, with a valid token, and gets no other name', () => {
    const check = aCheck();
    expect(verdict(check, 'nowhere', 'Bearer hook-token', false)).toBe('INSTANCE_NOT_FOUND');
    expect(() => check('nowhere', { authorization: 'Bearer hook-token', isLocal: false })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/guarded|open\b/) }),
    );
  });
});

describe("an instance's first token, added while running", () => {
  it('is not required from this machine before the gateway has had time to learn it', () => {
    const check = aCheck();
    giveToken();
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    nowMs += 9 * MINUTE_MS;
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    nowMs += MINUTE_MS;
    expect(verdict(check, 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is required from the first notification that has it', () => {
    const check = aCheck();
    giveToken();
    expect(verdict(check, 'open', undefined, true)).toBe('stored');
    expect(verdict(check, 'open', 'Bearer first-token', true)).toBe('stored');
    expect(verdict(check, 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is required at once from other machines, and for a wrong Authorization', () => {
    const check = aCheck();
    giveToken();
    expect(verdict(check, 'open', undefined, false)).toBe('WEBHOOK_UNVERIFIED');
    expect(verdict(check, 'open', 'Bearer wrong', true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('is required at once by a process that never saw the instance without one', () => {
    giveToken();
    expect(verdict(aCheck(), 'open', undefined, true)).toBe('WEBHOOK_UNVERIFIED');
  });

  it('has no second grace time when it is replaced', () => {
    const check = aCheck();
    giveToken();
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
