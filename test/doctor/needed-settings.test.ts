/** The doctor's findings on an account's settings, and its corrections. */
import { describe, expect, it } from 'vitest';
import { compareSettings, type Settings } from '../../src/doctor/check-instance.js';
import { simulatorInstance } from '../../src/config/index.js';
import { Secret, type InstanceConfig } from '../../src/contract/index.js';
import { NEEDED_FLAGS } from '../../src/gateway/index.js';

const PUBLIC = 'https://hooks.example.com';
const ALL_ON = Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes']));
const RIGHT: Settings = { ...ALL_ON, webhookUrl: `${PUBLIC}/webhooks/main`, delaySendMessagesMilliseconds: 500 };

/** The findings that are not ok, and all corrections. */
function compared(settings: Settings, instance: Partial<InstanceConfig> = {}, publicUrl: string | undefined = PUBLIC) {
  const account = { ...simulatorInstance('http://127.0.0.1:9'), ...instance };
  const found = compareSettings(account, settings, { publicUrl });
  return {
    verdicts: found.flatMap(({ verdict }) => (verdict === 'ok' ? [] : [verdict])),
    change: Object.assign({}, ...found.map(({ change }) => change)) as object,
    words: found.map((one) => `${one.found} ${one.remedy ?? ''}`).join('\n'),
  };
}

describe('the settings of an account', () => {
  it('stay unchanged when they are correct', () => {
    expect(compared(RIGHT)).toMatchObject({ verdicts: [], change: {} });
  });

  it('are all set for a new account, the address with its token', () => {
    const off = Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'no']));
    const { verdicts, change } = compared(
      { ...off, webhookUrl: '', webhookUrlToken: '', delaySendMessagesMilliseconds: 500 },
      { webhookTokens: [new Secret('hook-token')] },
    );
    expect(verdicts.filter((verdict) => verdict === 'broken')).toHaveLength(2);
    expect(change).toEqual({ ...ALL_ON, webhookUrl: `${PUBLIC}/webhooks/main`, webhookUrlToken: 'hook-token' });
  });

  it.each([
    ['another host', 'https://old.example.com/webhooks/main'],
    ['another account', `${PUBLIC}/webhooks/other`],
    ['missing', null],
  ])('get the public address when they send notifications to %s', (_, webhookUrl) => {
    expect(compared({ ...RIGHT, webhookUrl })).toMatchObject({
      verdicts: ['broken'],
      change: { webhookUrl: `${PUBLIC}/webhooks/main` },
    });
  });

  it('are classified by the end of the address without a known public address, and the remedy names what is missing', () => {
    const account = simulatorInstance('http://127.0.0.1:9');
    const without = (webhookUrl: string) => compareSettings(account, { ...RIGHT, webhookUrl }, {})[0];
    expect(without('https://old.example.com/webhooks/main')).toMatchObject({ verdict: 'ok' });
    const lacking = without('');
    expect(lacking).toMatchObject({
      verdict: 'broken',
      remedy: expect.stringContaining('EVERPOST_PUBLIC_URL') as string,
    });
    expect(lacking).not.toHaveProperty('change');
  });

  it('get no address when the account is polled', () => {
    expect(compared(RIGHT, { notifications: 'poll' })).toMatchObject({
      verdicts: ['broken'],
      change: { webhookUrl: '' },
    });
    expect(compared({ ...RIGHT, webhookUrl: '' }, { notifications: 'poll' })).toMatchObject({ change: {} });
  });

  it('get the first token when theirs is none of ours, and no token is shown', () => {
    const webhookTokens = [new Secret('first-of-ours'), new Secret('second-of-ours')];
    const { change, words } = compared({ ...RIGHT, webhookUrlToken: 'a-strange-one' }, { webhookTokens });
    expect(change).toEqual({ webhookUrlToken: 'first-of-ours' });
    expect(words).not.toMatch(/of-ours|strange-one/);
    expect(compared({ ...RIGHT, webhookUrlToken: 'Bearer second-of-ours' }, { webhookTokens }).change).toEqual({});
  });

  it('are not required when the account does not have them, except the one that everything depends on', () => {
    const { webhookUrl } = RIGHT;
    expect(compared({ webhookUrl, incomingWebhook: 'no' })).toMatchObject({
      verdicts: ['broken', 'advice'],
      change: { outgoingWebhook: 'yes', incomingWebhook: 'yes' },
    });
  });

  it('get the delay of the instances file, when it has one', () => {
    expect(compared(RIGHT, { sendDelayMs: 3_000 })).toMatchObject({
      verdicts: ['advice'],
      change: { delaySendMessagesMilliseconds: 3_000 },
    });
    expect(compared({ ...RIGHT, delaySendMessagesMilliseconds: 600_000 })).toMatchObject({
      verdicts: ['advice'],
      change: {},
    });
  });
});
