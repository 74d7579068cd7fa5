import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { KEPT_WHOLE_BYTES } from '../../src/webhooks/inbox.js';
import { bytes, useOwnWorld } from './world.js';
import { perTest } from '../support/per-test.js';

const the = useOwnWorld();
const receiver = perTest(() => the.receiver());

/** A notification over the limit. */
function huge(end: string): string {
  return JSON.stringify({ ...the.status('A', 'sent'), thumbnail: `${'x'.repeat(KEPT_WHOLE_BYTES)}${end}` });
}

describe('a notification over the limit', () => {
  it('is stored truncated, answered 200, and delays no other', async () => {
    const id = await the.accepted('B');

    const apply = vi.spyOn(the.ledger.receipts, 'markApplied');
    onTestFinished(() => apply.mockRestore());

    await the.post(receiver, huge('1'), the.status('B', 'sent'));

    expect(await the.state(id)).toBe('sent');
    expect(await the.summary()).toMatchObject({ came: 2, oddities: { cut: 1 }, waiting: 0 });
    expect([...(apply.mock.calls[0]?.[0].values() ?? [])]).toEqual([{ outcome: 'ignored: cut' }]);
  });

  it('equals another only when both are equal to the end', async () => {
    await the.post(receiver, huge('1'), huge('2'), huge('2'));

    expect(await the.summary()).toMatchObject({ came: 2, repeats: 1, oddities: { cut: 2 } });
  });

  it('is read in pieces as it arrives', async () => {
    const whole = bytes(the.status('A', 'sent'));
    async function* pieces() {
      yield whole.subarray(0, 10);
      yield await Promise.resolve(whole.subarray(10));
    }

    await receiver.receive(the.instance, 'Bearer old-token', pieces());

    expect(await the.summary()).toMatchObject({ came: 1, oddities: {} });
  });

  it('is stored whole at exactly the limit', async () => {
    const shell = JSON.stringify({ ...the.status('A', 'sent'), filler: '' });
    const body = shell.replace('"filler":""', `"filler":"${'x'.repeat(KEPT_WHOLE_BYTES - shell.length)}"`);

    await the.post(receiver, body);

    expect(Buffer.byteLength(body)).toBe(KEPT_WHOLE_BYTES);
    expect(await the.summary()).toMatchObject({ came: 1, oddities: {} });
  });
});

describe('an unusual notification', () => {
  it.each([
    ['another_instance', () => ({ ...the.status('A', 'sent'), instanceData: { idInstance: 7 } })],
    ['unknown_kind', () => the.notification('somethingNew', {})],
    ['incomplete', () => ({ ...the.status('A', 'sent'), idMessage: undefined })],
    ['malformed', () => '{"typeWebhook":'],
    ['malformed', () => ''],
    ['malformed', () => Buffer.from([0xff, 0xfe, 0x00])],
  ])('is stored, counted and not applied when it is %s', async (oddity, body) => {
    const id = await the.accepted('A');

    await the.post(receiver, body());

    expect(await the.state(id)).toBe('accepted');
    expect(await the.summary()).toMatchObject({ came: 1, oddities: { [oddity]: 1 }, waiting: 0, failed: 0 });
  });
});

describe('tokens', () => {
  it('leave no trace when they are wrong, and the body unread', async () => {
    async function* neverRead(): AsyncIterable<Uint8Array> {
      yield await Promise.reject(new Error('was read'));
    }

    await expect(receiver.receive(the.instance, 'Bearer new', neverRead())).rejects.toMatchObject({
      code: 'WEBHOOK_UNVERIFIED',
    });
    expect(await the.summary()).toMatchObject({ came: 0 });
  });
});
