/** `everpost message resolve --reason LEDGER_WENT_BACK`, and what shows that the ledger went back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LEDGER_WENT_BACK, Secret, type MessageId } from '../../../src/contract/index.js';
import { startSimulator } from '../../../src/simulator/index.js';
import { checkInstances } from '../../../src/doctor/check-ledger.js';
import { createApiClient } from '../../../src/client/index.js';
import { aDirectory, anInstance, useListeningApi, SYSTEM_CLOCK } from '../../api/api-parts.js';
import { shiftOf } from '../../support/shift.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { everpost } from '../fake-terminal.js';

const simulator = await startSimulator({ rateLimits: false });
const instances = aDirectory(anInstance({ baseUrl: simulator.url, apiTokenInstance: new Secret('simulator-token') }));
const { db, ledger, close } = await aDatabase();
const { env } = useListeningApi({ ledger, instances });

const MINUTE = 60_000;
const nowMs = SYSTEM_CLOCK.nowMs();
const ids = [
  { id: 'msg_7k3m9x2q00000001' as MessageId, text: 'sent' },
  { id: 'msg_7k3m000000000002' as MessageId, text: 'never sent' },
];

beforeAll(async () => {
  for (const { id, text } of ids) {
    const request = { instance: 'main', chatId: '15551234567@c.us', content: { kind: 'text', text } } as const;
    await ledger.intake.open({ id, requestHash: id, request, expiresAtMs: nowMs + 60 * MINUTE, nowMs: nowMs - MINUTE });
  }
  await ledger.dispatch.beginShift(shiftOf('main'), nowMs - MINUTE);
  await db.updateTable('ledger_identity').set({ origin: 'another' }).execute();
  await ledger.dispatch.beginShift(shiftOf('main', 2), nowMs - MINUTE / 2);
  const response = await fetch(`${simulator.url}/waInstance1101000001/sendMessage/simulator-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId: '15551234567@c.us', message: 'sent' }),
  });
  expect(response.status).toBe(200);
});
afterAll(async () => {
  await simulator.close();
  await close();
});

const run = (...args: readonly string[]) => everpost(['message', ...args], { env });

it('the doctor says since when the ledger is an older copy, and what to do', async () => {
  const client = createApiClient({ url: env['EVERPOST_API_URL'] ?? '', origin: 'here' });
  const findings = await checkInstances(client);
  await client.close();
  expect(findings).toContainEqual(
    expect.objectContaining({
      verdict: 'broken',
      found: expect.stringContaining('2 messages may have been sent since'),
      remedy: expect.stringContaining('everpost message resolve --reason LEDGER_WENT_BACK --by-evidence'),
    }),
  );
});

it('lists what may have been sent, and settles what the gateway shows', async () => {
  const listed = await run('list', '--reason', LEDGER_WENT_BACK, '--json');
  expect((JSON.parse(listed.out[0] ?? '') as { items: unknown[] }).items).toHaveLength(2);

  const { exitCode, out, err } = await run('resolve', '--reason', LEDGER_WENT_BACK, '--by-evidence');
  expect({ exitCode, out, err }).toEqual({
    err: [],
    exitCode: 1,
    out: [`${ids[0]?.id}  is accepted now`, '1 stay unresolved: nothing shows their outcome'],
  });

  const rest = await run('resolve', '--reason', LEDGER_WENT_BACK, '--as', 'not_accepted');
  expect(rest).toMatchObject({ exitCode: 0, out: [`${ids[1]?.id}  is pending now`] });
  expect(await run('resolve', '--reason', LEDGER_WENT_BACK, '--by-evidence')).toMatchObject({ exitCode: 0, out: [] });
}, 180_000);
