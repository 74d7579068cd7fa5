/** The commands for messages against a complete everpost. */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { MessageResponse } from '../../../src/client/index.js';
import { controlGateway } from '../../../src/testing/index.js';
import { aLiveApi, type LiveApi } from '../../api/live-api.js';
import { eventually } from '../../support/eventually.js';
import { test } from '../../support/temporal/temporal.js';
import { everpost, type CliRun } from '../fake-terminal.js';

let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `message-commands-${randomUUID()}`);
});
test.afterAll(() => live.close());

function command(...args: string[]): Promise<CliRun> {
  return everpost(args, { env: { EVERPOST_API_URL: live.url } });
}

async function sent(to: string, text: string, ...more: string[]): Promise<MessageResponse> {
  const { out } = await command('send', '--instance', 'main', '--to', to, '--text', text, '--json', ...more);
  return JSON.parse(out[0] ?? '') as MessageResponse;
}

describe('the commands for messages', () => {
  test('send a message, wait for it, edit it and show its history', async () => {
    const message = await sent('15550001011', 'Hello', '--wait', 'delivered', '--reference', 'order 17');
    expect(message).toMatchObject({ state: 'delivered', reference: 'order 17' });

    const edit = await command('message', 'edit', message.id, '--text', 'Hello again');
    expect(edit).toMatchObject({ exitCode: 0, out: [expect.stringMatching(/^edt_\w+ {2}edited {2}gateway$/)] });
    expect(live.phoneOf('15550001011')).toMatchObject([{ text: 'Hello again' }]);

    const { out } = await command('message', 'show', message.id);
    expect(out[0]).toMatch(new RegExp(`^${message.id}  delivered  ${message.idMessage}`));
    expect(out).toEqual(
      expect.arrayContaining([
        '  to: 15550001011@c.us',
        '  text: Hello again',
        '  posted as: Hello',
        'attempts:',
        'edits:',
        'evidence:',
        expect.stringMatching(new RegExp(`Z  The gateway accepted the message as ${message.idMessage}\\.$`)),
        expect.stringMatching(/Z {2}The message was delivered to the phone\./),
        expect.stringMatching(/Z {2}The phone shows the edited text\.$/),
        expect.stringMatching(/edited {2}gateway {2}"Hello again"/),
      ]),
    );
    const listed = await command('message', 'list', '--reference', 'order 17');
    expect(listed.out.slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^${message.id.slice(0, 12)}.* Hello again$`)),
    ]);
  });

  test('show the newest message to a number or chat id, and the earlier ones in a line each', async () => {
    const first = await sent('15550001012', 'One', '--wait', 'delivered');
    const second = await sent('15550001012', 'Two', '--wait', 'delivered');
    for (const written of [
      ['+1 (555) 000-1012'],
      ['15550001012@c.us'],
      ['15550001012'],
      ['555-000-1012', '--country', 'US'],
    ]) {
      const { out } = await command('message', 'show', ...written);
      expect(out[0]).toContain(second.id);
      expect(out).toContain('  text: Two');
      expect(out.at(-1)).toMatch(new RegExp(`^  \\S+Z  ${first.id}  delivered  One$`));
    }
    const json = await command('message', 'show', '15550001012', '--json');
    expect(JSON.parse(json.out[0] ?? '')).toMatchObject({ id: second.id, earlier: [{ id: first.id }] });
    expect(await command('message', 'show', '+15550001999')).toMatchObject({
      exitCode: 1,
      err: [expect.stringContaining('no message to this phone number')],
    });
  });

  test('send once for two calls with one key', async () => {
    const earlier = await sent('15550001002', 'Once', '--key', 'k-1', '--wait', 'delivered');
    const again = await sent('15550001002', 'Once', '--key', 'k-1');
    expect(again.id).toBe(earlier.id);
    expect(live.phoneOf('15550001002')).toHaveLength(1);
    const other = await command('send', '--instance', 'main', '--to', '15550001002', '--text', 'Other', '--key', 'k-1');
    expect(other).toMatchObject({ exitCode: 1, err: [expect.stringContaining('[IDEMPOTENCY_MISMATCH]')] });
  });

  test('end with 1 when it is too late to cancel, and 0 when it is not', async () => {
    const late = await sent('15550001003', 'Gone', '--wait', 'sent');
    expect(await command('message', 'cancel', late.id)).toMatchObject({
      exitCode: 1,
      out: [expect.stringContaining('not cancelled')],
    });
    await controlGateway(live.simulator.url).outageMs(1_500);
    const early = await sent('15550001003', 'Never');
    expect(await command('message', 'cancel', early.id)).toMatchObject({
      exitCode: 0,
      out: [`${early.id}  cancelled`],
    });
    await eventually(async () => expect(live.phoneOf('15550001003')).toHaveLength(1));
  });

  test('send through the only account, with a priority and a rule for unknown outcomes', async () => {
    const options = ['--priority', 'high', '--on-unknown', 'auto', '--category', 'marketing', '--wait', '--json'];
    const { exitCode, out } = await command('send', '--to', '15550001007', '--text', 'Soon', ...options);
    expect(exitCode).toBe(0);
    const asked = { instance: 'main', priority: 'high', onUnknown: 'auto', category: 'marketing' };
    expect(JSON.parse(out[0] ?? '')).toMatchObject(asked);
  });

  test('wait until a message is read', async () => {
    const message = await sent('15550001008', 'Read me', '--wait', 'delivered');
    const waiting = command('send', '--to', '15550001009', '--text', 'And me', '--wait', 'read', '--json');
    await eventually(async () => expect(live.phoneOf('15550001009')).toHaveLength(1));
    const listed = await command('message', 'list', '--to', '15550001009', '--json');
    const { items } = JSON.parse(listed.out[0] ?? '') as { items: MessageResponse[] };
    const { idMessage } = items[0] ?? {};
    await live.control('POST', 'instances/1101000001/receipts', { idMessage, status: 'read' });
    expect(await waiting).toMatchObject({ exitCode: 0, out: [expect.stringContaining('"state":"read"')] });

    const unread = ['send', '--to', '15550001010', '--text', 'Not me', '--wait', 'read', '--timeout', '1s'];
    expect(await command(...unread)).toMatchObject({ exitCode: 3 });
    expect((await command('message', 'show', message.id.slice(4, 12))).out[0]).toContain(message.id);
  });

  test('run gateway operations as durable jobs', async () => {
    const state = await command('operation', 'run', 'getStateInstance', '--instance', 'main');
    expect(state).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(state.out.join('\n'))).toEqual({ stateInstance: 'authorized' });
    const unknown = await command('operation', 'run', 'fly', '--instance', 'main');
    expect(unknown).toMatchObject({
      exitCode: 1,
      err: [expect.stringContaining('[OPERATION_NOT_FOUND]'), ...unknown.err.slice(1)],
    });
  });

  test('report every problem of a message at once, and begin nothing', async () => {
    const { exitCode, out, err } = await command(
      'send',
      '--instance',
      'nope',
      '--to',
      'abc',
      '--text',
      'x'.repeat(20_001),
    );
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: [] });
    expect(err.join('\n')).toMatch(/to .*nor a chat id[^]*less than or equal to 20000 characters[^]*no instance nope/);
  });

  test('report that a message is unknown', async () => {
    const unknown = `msg_${'0'.repeat(16)}`;
    expect(await command('message', 'show', unknown)).toMatchObject({
      exitCode: 1,
      out: [],
      err: [expect.stringContaining('[MESSAGE_NOT_FOUND]')],
    });
  });
});
