import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { notificationFindings } from '../../src/doctor/check-ledger.js';
import { AppError } from '../../src/contract/index.js';
import type { NotificationSummary } from '../../src/ledger/index.js';
import { createReceiver, type Receiver } from '../../src/webhooks/index.js';
import { aDirectory, anInstance, SYSTEM_CLOCK, someApi, type ApiDependencies } from '../api/api-parts.js';
import { aLedger } from '../support/ledger/ledger.js';
import { everpost } from './fake-terminal.js';

const NOW_MS = Date.parse('2026-03-01T10:00:00.000Z');

let parts: ApiDependencies;
let receiver: Receiver;
let env: Record<string, string>;
beforeAll(async () => {
  const ledger = await aLedger();
  const instances = aDirectory(anInstance());
  receiver = createReceiver({
    ledger,
    instances,
    clock: SYSTEM_CLOCK,
    log: () => undefined,
  });
  parts = await someApi({ ledger, instances, receiver });
  const { url } = await parts.api.listen({ host: '127.0.0.1', port: 0 });
  env = { EVERPOST_API_URL: url };
});
afterAll(async () => {
  await receiver.close();
  await parts.close();
  await parts.ledger.close();
});

function post(body: unknown) {
  return parts.call('POST', '/webhooks/main', body, { authorization: 'Bearer hook-token' });
}

const aStatus = () => ({ typeWebhook: 'outgoingMessageStatus', idMessage: randomUUID(), status: 'sent' });

describe('everpost notification replay', () => {
  it('applies later notifications again, and reports the result', async () => {
    await post(aStatus());
    await post('no JSON');
    await receiver.idle();

    const { exitCode, out } = await everpost(['notification', 'replay', '--since', '1h', '--instance', 'main'], {
      env,
    });

    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: [
        '2 notifications applied again',
        expect.stringMatching(/^ +1 {2}(parked|ignored: malformed)$/),
        expect.stringMatching(/^ +1 {2}(parked|ignored: malformed)$/),
      ],
    });
  });

  it('prints the outcome as JSON', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();

    const { out } = await everpost(['notification', 'replay', '--since', since, '--json'], { env });

    expect(JSON.parse(out[0] ?? '')).toMatchObject({ since, endedAt: expect.any(String) as string });
  });

  it.each([
    [['--since', 'yesterday'], 2, 'must be a number with its unit'],
    [['--since', '2026-99-99'], 2, 'must be a time like'],
    [['--since', '2999-01-01'], 2, 'since is in the future'],
    [['--since', '1h', '--instance', 'missing'], 1, 'INSTANCE_NOT_FOUND'],
    [[], 2, "required option '--since <when>' not specified"],
  ])('fails for %j with exit code %i', async (args, code, words) => {
    const { exitCode, err } = await everpost(['notification', 'replay', ...args], { env });

    expect(exitCode).toBe(code);
    expect(err.join('\n')).toContain(words);
  });
});

describe('the API', () => {
  it('begins a replay once for its key', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const key = { 'Idempotency-Key': randomUUID() };

    const before = new Date(Date.now() - 7_200_000).toISOString();

    const first = await parts.call('POST', '/v1/notifications/replays', { since }, key);
    const again = await parts.call('POST', '/v1/notifications/replays', { since }, key);
    const other = await parts.call('POST', '/v1/notifications/replays', { since: before }, key);

    expect(first.status).toBe(202);
    expect(again.body).toMatchObject({ id: (first.body as { id: string }).id });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    const path = `${first.headers.get('location')}?wait=end`;
    expect(await parts.call('GET', path)).toMatchObject({
      status: 200,
      body: { endedAt: expect.any(String) as string },
    });
  });

  it('finds no replay that was not begun', async () => {
    expect(await parts.call('GET', '/v1/notifications/replays/rpl_1')).toMatchObject({
      status: 404,
      body: { code: 'REPLAY_NOT_FOUND' },
    });
  });

  it('answers 200 to a notification far over the limit, and counts it', async () => {
    const { status } = await post({ ...aStatus(), thumbnail: 'x'.repeat(3_000_000) });

    expect(status).toBe(200);
    const { body } = await parts.call('GET', '/v1/notifications');
    expect(body).toMatchObject({ items: [{ instance: 'main', oddities: { cut: 1, malformed: 1 } }] });
  });

  it('answers 503 while the ledger is unavailable, so that the gateway retries', async () => {
    const away = new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.');
    const store = vi.spyOn(parts.ledger.receipts, 'store').mockRejectedValueOnce(away);
    onTestFinished(() => store.mockRestore());
    const body = aStatus();

    expect(await post(body)).toMatchObject({ status: 503, body: { code: 'LEDGER_UNAVAILABLE' } });
    expect((await post(body)).status).toBe(200);
  });

  it.each([
    ['http://127.0.0.1:9/hook', 'is on this machine or in a private network'],
    ['http://user:pw@example.com/', 'contains credentials'],
    [`https://example.com/${'x'.repeat(2_000)}`, 'is longer than'],
    ['ftp://example.com/', 'is not a URL that begins with'],
  ])('refuses the status callback %s', async (statusCallback, words) => {
    const message = { instance: 'main', to: '15550000001', content: { kind: 'text', text: 'Hello' }, statusCallback };

    const { status, body } = await parts.call('POST', '/v1/messages', message);

    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: [{ path: 'statusCallback', message: expect.stringContaining(words) as string }],
    });
  });
});

describe('the doctor', () => {
  const QUIET: NotificationSummary = {
    instance: 'main',
    came: 0,
    repeats: 0,
    kinds: {},
    oddities: {},
    unknownTypes: {},
    waiting: 0,
    failed: 0,
    possibleOptOuts: 0,
    unsentToRuns: 0,
  };

  it.each<[string, Partial<NotificationSummary>, readonly string[]]>([
    [
      'possible opt-outs',
      { possibleOptOuts: 2 },
      ['ok no notification was received yet', 'advice 2 messages may mean STOP and wait for a decision'],
    ],
    [
      'an unknown type',
      { oddities: { unknown_message_type: 3 }, unknownTypes: { newReply: 2, other: 1 } },
      [
        'ok no notification was received yet',
        'advice 3 in the last day are messages of a type that this version does not know; their texts are read: newReply 2, other 1',
      ],
    ],
    ['nothing came', {}, ['ok no notification was received yet']],
    [
      'nothing came recently',
      { lastAt: '2026-02-27T10:00:00.000Z' },
      ['ok no notification in the last day; the last one was received 2026-02-27T10:00:00.000Z'],
    ],
    [
      'some are unusual',
      { came: 7, repeats: 2, lastAt: '2026-03-01T09:00:00.000Z', oddities: { cut: 1, another_instance: 2 } },
      [
        'ok 7 notifications in the last day, 2 repeated; the last 2026-03-01T09:00:00.000Z',
        'advice 1 in the last day larger than 1 MB; only the beginning was stored',
        'advice 2 in the last day with the idInstance of another account; not applied',
      ],
    ],
    [
      'some were just stored',
      { waiting: 3, waitingSince: '2026-03-01T09:59:50.000Z' },
      ['ok no notification was received yet'],
    ],
    [
      'some have waited for long',
      { waiting: 3, waitingSince: '2026-03-01T09:00:00.000Z' },
      [
        'ok no notification was received yet',
        'advice 3 stored and not applied yet, the oldest since 2026-03-01T09:00:00.000Z',
      ],
    ],
    [
      'some could not be applied',
      { failed: 2, lastFailure: { at: '2026-03-01T09:00:00.000Z', problem: 'The ledger failed.' } },
      [
        'ok no notification was received yet',
        'broken 2 could not be applied and were set aside; the newest was received 2026-03-01T09:00:00.000Z: The ledger failed.',
      ],
    ],
    [
      'workflows have waited for long',
      { unsentToRuns: 4, unsentToRunsSince: '2026-03-01T09:00:00.000Z' },
      [
        'ok no notification was received yet',
        'advice 4 workflows of messages wait for what happened, the oldest since 2026-03-01T09:00:00.000Z',
      ],
    ],
    [
      'the plan is used up',
      { quotaExceeded: { at: '2026-03-01T09:00:00.000Z', quota: {} } },
      [
        'ok no notification was received yet',
        'advice the gateway reports since 2026-03-01T09:00:00.000Z that a limit of the plan is reached',
      ],
    ],
  ])('reports that %s', (_, summary, lines) => {
    const findings = notificationFindings({ ...QUIET, ...summary }, NOW_MS);

    expect(findings.map(({ verdict, found }) => `${verdict} ${found}`)).toEqual(lines);
  });
});
