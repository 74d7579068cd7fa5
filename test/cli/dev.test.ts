import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiClient, type ApiClient, type MessageResponse } from '../../src/client/index.js';
import { controlGateway } from '../../src/testing/index.js';
import { eventually } from '../support/eventually.js';
import { isAlive, startDev, type DevProcess } from './dev-process.js';
import { everpost, type CliRun } from './fake-terminal.js';

let dataDir: string;
let dev: DevProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'everpost-dev-'));
  dev = await startDev(dataDir);
  // Not in an afterAll, which also runs after a failed start and would add its own error.
  return async () => {
    if (isAlive(dev.pid)) await dev.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  };
});

/** One command against the running API. */
function command(...args: string[]): Promise<CliRun> {
  return everpost(args, { env: { EVERPOST_API_URL: dev.facts.apiUrl, EVERPOST_DATA_DIR: dataDir } });
}

async function sent(to: string, text: string, ...more: string[]): Promise<MessageResponse> {
  const { out } = await command('send', '--instance', 'main', '--to', to, '--text', text, '--json', ...more);
  return JSON.parse(out[0] ?? '') as MessageResponse;
}

async function patchSimulator(body: unknown): Promise<void> {
  await fetch(`${dev.facts.simulatorUrl}/_sim/instances/1101000001`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function withApi<Result>(url: string, use: (api: ApiClient) => Promise<Result>): Promise<Result> {
  const api = createApiClient({ url });
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

function phone(digits: string) {
  return controlGateway(dev.facts.simulatorUrl ?? '').delivered(`${digits}@c.us`);
}

describe('everpost dev', () => {
  it('shows all addresses in one line, once everything runs', async () => {
    const { apiUrl, temporalUiUrl, simulatorUrl } = dev.facts;
    expect(dev.facts).toMatchObject({ ready: true, dataDir });
    const responses = await Promise.all(
      [`${apiUrl}/readyz`, `${temporalUiUrl}`, `${simulatorUrl}/_sim/clock`].map(
        async (url) => (await fetch(url)).status,
      ),
    );
    expect(responses).toEqual([200, 200, 200]);
  });

  it('is refused on a data directory in use, before anything starts', async () => {
    await expect(startDev(dataDir)).rejects.toThrow(/ended with 1: everpost: The data directory is in use by process/);
  });

  it('is refused on a port in use', async () => {
    const port = new URL(dev.facts.apiUrl).port;
    const { exitCode, err } = await everpost(['dev', '--http-port', port, '--data-dir', `${dataDir}-2`]);
    rmSync(`${dataDir}-2`, { recursive: true });
    expect(exitCode).toBe(1);
    expect(err[0]).toContain(`${port}: another program uses the port`);
  });

  it('is refused on a data directory that cannot be created', async () => {
    for (const dir of ['/dev/null/data', '/proc/everpost/data']) {
      const { exitCode, err } = await everpost(['dev', '--http-port', '0', '--data-dir', dir]);
      expect(exitCode).toBe(2);
      expect(err[0]).toContain(
        `The data directory ${dir} cannot be created (${dir.startsWith('/dev') ? 'ENOTDIR' : 'E'}`,
      );
    }
  });

  it('passes the doctor', async () => {
    const { exitCode, out } = await command('doctor');
    expect({ exitCode, broken: out.filter((line) => !line.startsWith('ok')) }).toEqual({ exitCode: 0, broken: [] });
  });
});

describe('the commands', () => {
  it('send a message, wait for it, edit it and show its history', async () => {
    const message = await sent('15550001001', 'Hello', '--wait', 'delivered', '--reference', 'order 17');
    expect(message).toMatchObject({ state: 'delivered', reference: 'order 17' });

    const edit = await command('message', 'edit', message.id, '--text', 'Hello again');
    expect(edit).toMatchObject({ exitCode: 0, out: [expect.stringMatching(/^edt_\w+ {2}edited {2}gateway$/)] });
    expect(await phone('15550001001')).toMatchObject([{ text: 'Hello again' }]);

    const { out } = await command('message', 'show', message.id);
    expect(out[0]).toMatch(new RegExp(`^${message.id}  delivered  ${message.idMessage}`));
    expect(out).toEqual(
      expect.arrayContaining([
        '  to: 15550001001@c.us',
        '  text: Hello',
        '  text now: Hello again',
        'attempts:',
        'edits:',
        'evidence:',
        expect.stringMatching(/ response {2}accepted /),
        expect.stringMatching(/ receipt {2}delivered /),
        expect.stringMatching(/edited {2}gateway {2}"Hello again"/),
      ]),
    );
    const listed = await command('message', 'list', '--reference', 'order 17');
    expect(listed.out.slice(1)).toEqual([expect.stringContaining(message.id.slice(0, 12))]);
  });

  it('send once for two calls with one key', async () => {
    const first = await sent('15550001002', 'Once', '--key', 'k-1', '--wait', 'delivered');
    const second = await sent('15550001002', 'Once', '--key', 'k-1');
    expect(second.id).toBe(first.id);
    expect(await phone('15550001002')).toHaveLength(1);
    const other = await command('send', '--instance', 'main', '--to', '15550001002', '--text', 'Other', '--key', 'k-1');
    expect(other).toMatchObject({ exitCode: 1, err: [expect.stringContaining('[IDEMPOTENCY_MISMATCH]')] });
  });

  it('end with 1 when it is too late to cancel, and 0 when it is not', async () => {
    const late = await sent('15550001003', 'Gone', '--wait', 'sent');
    expect(await command('message', 'cancel', late.id)).toMatchObject({
      exitCode: 1,
      out: [expect.stringContaining('not cancelled')],
    });
    await controlGateway(dev.facts.simulatorUrl ?? '').outageMs(1_500);
    const early = await sent('15550001003', 'Never');
    expect(await command('message', 'cancel', early.id)).toMatchObject({
      exitCode: 0,
      out: [`${early.id}  cancelled`],
    });
    await eventually(async () => expect(await phone('15550001003')).toHaveLength(1));
  });

  it('send through the only account, with a priority and a rule for unknown outcomes', async () => {
    const options = ['--priority', 'high', '--on-unknown', 'auto', '--category', 'marketing', '--wait', '--json'];
    const { exitCode, out } = await command('send', '--to', '15550001007', '--text', 'Soon', ...options);
    expect(exitCode).toBe(0);
    const asked = { instance: 'main', priority: 'high', onUnknown: 'auto', category: 'marketing' };
    expect(JSON.parse(out[0] ?? '')).toMatchObject(asked);
  });

  it('wait until a message is read', async () => {
    const message = await sent('15550001008', 'Read me', '--wait', 'delivered');
    const waiting = command('send', '--to', '15550001009', '--text', 'And me', '--wait', 'read', '--json');
    await eventually(async () => expect(await phone('15550001009')).toHaveLength(1));
    const listed = await command('message', 'list', '--to', '15550001009', '--json');
    const { items } = JSON.parse(listed.out[0] ?? '') as { items: MessageResponse[] };
    await fetch(`${dev.facts.simulatorUrl}/_sim/instances/1101000001/receipts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idMessage: items[0]?.idMessage, status: 'read' }),
    });
    expect(await waiting).toMatchObject({ exitCode: 0, out: [expect.stringContaining('"state":"read"')] });

    const unread = ['send', '--to', '15550001010', '--text', 'Not me', '--wait', 'read', '--timeout', '1s'];
    expect(await command(...unread)).toMatchObject({ exitCode: 3 });
    expect((await command('message', 'show', message.id.slice(4, 12))).out[0]).toContain(message.id);
  });

  it('end with 3 while nothing is decided: the account is offline, the message and its edit wait', async () => {
    await patchSimulator({ state: 'notAuthorized' });
    const send = ['send', '--instance', 'main', '--to', '15550001004', '--text', 'Wait', '--json'];
    const message = await command(...send, '--wait', 'sent', '--timeout', '1s');
    expect(message).toMatchObject({ exitCode: 3, out: [expect.stringContaining('"accepted"')] });
    const { id } = JSON.parse(message.out[0] ?? '') as MessageResponse;
    const edit = await command('message', 'edit', id, '--text', 'Waited', '--timeout', '500ms');
    expect(edit).toMatchObject({ exitCode: 3, out: [expect.stringContaining('pending')] });
    const doctor = await command('doctor');
    expect(doctor).toMatchObject({ exitCode: 1 });
    expect(doctor.out.join('\n')).toContain('Link the phone again');
    await patchSimulator({ state: 'authorized' });
    await eventually(async () => expect(await phone('15550001004')).toMatchObject([{ text: 'Waited' }]));
  });

  it('show what pauses an account, and resume it', async () => {
    await patchSimulator({ state: 'yellowCard' });
    await eventually(async () => expect((await command('instance', 'show')).out[0]).toBe('main  paused (yellowCard)'));
    const { id } = await sent('15550001026', 'Patience');
    await eventually(async () => {
      expect((await command('message', 'show', id)).out.join('\n')).toContain('INSTANCE_PAUSED');
    });
    const refused = await command('instance', 'resume', 'main');
    expect(refused).toMatchObject({ exitCode: 1, err: [expect.stringContaining('[INSTANCE_NOT_AUTHORIZED]')] });

    await patchSimulator({ state: 'authorized' });
    const doctor = await command('doctor');
    expect(doctor.exitCode).toBe(1);
    expect(doctor.out.join('\n')).toMatch(/broken +instance main +paused: yellowCard since .*\n.*instance resume main/);
    const resumed = await command('instance', 'resume', 'main', '--json');
    expect(resumed.exitCode).toBe(0);
    expect(JSON.parse(resumed.out[0] ?? '')).toMatchObject({
      resumed: [{ reason: 'yellowCard' }],
      instance: { name: 'main', state: 'authorized', pauses: [] },
    });
    await eventually(async () => {
      expect((await command('message', 'show', id)).out[0]).toMatch(/accepted|sent|delivered|read/);
    });
  });

  it('pause an account until it is resumed', async () => {
    const paused = await command('instance', 'pause', 'main');
    expect(paused).toMatchObject({ exitCode: 0, err: [] });
    expect(paused.out[0]).toBe('main  paused (operator)');
    const { id } = await sent('15550001027', 'Later');
    await eventually(async () => {
      expect((await command('message', 'show', id)).out.join('\n')).toContain(
        'Resume it: everpost instance resume main',
      );
    });
    const doctor = await command('doctor');
    expect(doctor.exitCode).toBe(1);
    expect(doctor.out.join('\n')).toMatch(/broken +instance main +paused: operator since .*\n.*instance resume main/);
    const resumed = await command('instance', 'resume', 'main');
    expect(resumed.out[0]).toMatch(/^main is resumed \(operator since /);
    expect(resumed.exitCode).toBe(0);
    await eventually(async () => expect(await phone('15550001027')).toMatchObject([{ text: 'Later' }]));
  });

  it('find wrong settings, and correct them on request', async () => {
    await patchSimulator({ settings: { incomingWebhook: 'no', outgoingWebhook: 'no' } });
    const found = await command('doctor');
    expect(found.exitCode).toBe(1);
    expect(found.out.join('\n')).toMatch(/broken +instance main +outgoingWebhook is off.*\n.*everpost doctor --fix/);

    const unasked = await command('doctor', '--fix');
    expect(unasked).toMatchObject({ exitCode: 2 });
    expect(unasked.err.join('\n')).toContain('doctor --fix --yes');

    const fixed = await command('doctor', '--fix', '--yes', '--json');
    expect(fixed.exitCode).toBe(0);
    expect(JSON.parse(fixed.out[0] ?? '')).toMatchObject({
      fixed: [{ instance: 'main', settings: ['outgoingWebhook', 'incomingWebhook'], outcome: 'set' }],
    });
    expect(fixed.err.join('\n')).toContain('for up to five minutes');
    expect(await command('doctor')).toMatchObject({ exitCode: 0 });
  });

  it('run gateway operations as durable jobs', async () => {
    const state = await command('operation', 'run', 'getStateInstance', '--instance', 'main');
    expect(state).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(state.out.join('\n'))).toEqual({ stateInstance: 'authorized' });
    const unknown = await command('operation', 'run', 'fly', '--instance', 'main');
    expect(unknown).toMatchObject({
      exitCode: 1,
      err: [expect.stringContaining('[OPERATION_NOT_FOUND]'), ...unknown.err.slice(1)],
    });
  });

  it('report every problem of a message at once, and begin nothing', async () => {
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
    expect(err.join('\n')).toMatch(
      /to .*nor a chat id[^]*less than or equal to 20000 characters[^]*Instance nope is not known/,
    );
  });

  it('report that a message is unknown', async () => {
    const unknown = `msg_${'0'.repeat(16)}`;
    expect(await command('message', 'show', unknown)).toMatchObject({
      exitCode: 1,
      out: [],
      err: [expect.stringContaining('[MESSAGE_NOT_FOUND]')],
    });
  });
});

describe('a backend', () => {
  it('starts, edits and awaits a message with only Temporal, as in examples/backend.ts', async () => {
    const { moveBooking } = await import('../../examples/backend.js');
    const seen = await moveBooking(dev.facts.temporalAddress, 'A17', '15550001005');
    expect(seen).toMatchObject({ edit: 'edited', state: 'delivered' });
    expect(await phone('15550001005')).toMatchObject([{ text: 'Your table is booked for 8.' }]);
  });
});

describe('the end of everpost dev', () => {
  it('continues after a kill: nothing is lost or sent twice, and its orphan is ended', async () => {
    await controlGateway(dev.facts.simulatorUrl ?? '').outageMs(60_000);
    const message = await sent('15550001006', 'Survives');
    // The kill comes between two tries: during a POST it would leave the outcome unknown.
    const { apiUrl } = dev.facts;
    await withApi(apiUrl, (api) =>
      eventually(async () => {
        const { state, attempts } = await api.getMessage({ id: message.id });
        expect({ state, outcome: attempts?.at(-1)?.outcome }).toEqual({ state: 'pending', outcome: 'not_accepted' });
      }),
    );
    const orphans = dev.descendants();
    expect(orphans).not.toHaveLength(0);
    await dev.end('SIGKILL');

    dev = await startDev(dataDir);
    await withApi(dev.facts.apiUrl, (api) =>
      eventually(async () => expect((await api.getMessage({ id: message.id })).state).toBe('delivered')),
    );
    expect(await phone('15550001006')).toMatchObject([{ text: 'Survives' }]);
    expect(await phone('15550001001')).toMatchObject([{ text: 'Hello again' }]);
    expect(orphans.filter(isAlive)).toEqual([]);
  });

  it('ends all its processes on request', async () => {
    const tree = dev.descendants();
    expect(tree).not.toHaveLength(0);
    const { code } = await dev.end('SIGTERM');
    expect(code).toBe(0);
    expect(tree.filter(isAlive)).toEqual([]);
  });
});
