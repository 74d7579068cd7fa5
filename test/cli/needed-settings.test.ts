/** What the doctor finds wrong with an account's settings, and what it would set. */
import { describe, expect, it } from 'vitest';
import { compareSettings, type Settings } from '../../src/cli/doctor/needed-settings.js';
import { simulatorInstance } from '../../src/config/index.js';
import { Secret, type InstanceConfig } from '../../src/contract/index.js';
import { NEEDED_FLAGS } from '../../src/gateway/index.js';

const PUBLIC = 'https://hooks.example.com';
const ALL_ON = Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes']));
const RIGHT: Settings = { ...ALL_ON, webhookUrl: `${PUBLIC}/webhooks/main`, delaySendMessagesMilliseconds: 500 };

/** What is not well, and all that would be set. */
function compared(settings: Settings, instance: Partial<InstanceConfig> = {}, publicUrl: string | undefined = PUBLIC) {
  const account = { ...simulatorInstance('http://127.0.0.1:9'), ...instance };
  const found = compareSettings(account, settings, publicUrl);
  return {
    verdicts: found.flatMap(({ verdict }) => (verdict === 'ok' ? [] : [verdict])),
    change: Object.assign({}, ...found.map(({ change }) => change)) as object,
    words: found.map((one) => `${one.found} ${one.remedy ?? ''}`).join('\n'),
  };
}

describe('settings', () => {
  it('that are as they have to be are left alone', () => {
    expect(compared(RIGHT)).toMatchObject({ verdicts: [], change: {} });
  });

  it('of a new account are all set, the address with its token', () => {
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
  ])('that send notifications to %s are set to the public address', (_, webhookUrl) => {
    expect(compared({ ...RIGHT, webhookUrl })).toMatchObject({
      verdicts: ['broken'],
      change: { webhookUrl: `${PUBLIC}/webhooks/main` },
    });
  });

  it('without a known public address are classified by their end, and the remedy says what is missing', () => {
    const account = simulatorInstance('http://127.0.0.1:9');
    const without = (webhookUrl: string) => compareSettings(account, { ...RIGHT, webhookUrl }, undefined)[0];
    expect(without('https://old.example.com/webhooks/main')).toMatchObject({ verdict: 'ok' });
    const lacking = without('');
    expect(lacking).toMatchObject({
      verdict: 'broken',
      remedy: expect.stringContaining('EVERPOST_PUBLIC_URL') as string,
    });
    expect(lacking).not.toHaveProperty('change');
  });

  it('of an account that is polled have no address', () => {
    expect(compared(RIGHT, { notifications: 'poll' })).toMatchObject({
      verdicts: ['broken'],
      change: { webhookUrl: '' },
    });
    expect(compared({ ...RIGHT, webhookUrl: '' }, { notifications: 'poll' })).toMatchObject({ change: {} });
  });

  it('with a token that is none of ours get the first, and neither is shown', () => {
    const webhookTokens = [new Secret('first-of-ours'), new Secret('second-of-ours')];
    const { change, words } = compared({ ...RIGHT, webhookUrlToken: 'a-strange-one' }, { webhookTokens });
    expect(change).toEqual({ webhookUrlToken: 'first-of-ours' });
    expect(words).not.toMatch(/of-ours|strange-one/);
    expect(compared({ ...RIGHT, webhookUrlToken: 'Bearer second-of-ours' }, { webhookTokens }).change).toEqual({});
  });

  it('that an account does not have are not asked of it, but the one that everything depends on', () => {
    const { webhookUrl } = RIGHT;
    expect(compared({ webhookUrl, incomingWebhook: 'no' })).toMatchObject({
      verdicts: ['broken', 'advice'],
      change: { outgoingWebhook: 'yes', incomingWebhook: 'yes' },
    });
  });

  it('have the delay that the instances file wants, where it wants one', () => {
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
