/** The commands for events, against an API with a real ledger and a deliverer. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deliverEvents, startBackgroundJob } from '../../src/worker/index.js';
import { createEventPoster } from '../../src/worker/post-event.js';
import { someApi, type ApiDependencies } from '../api/api-parts.js';
import { eventually } from '../support/eventually.js';
import { anEventTarget, type EventTarget } from '../worker/event-target.js';
import { everpost, type CliRun } from './fake-terminal.js';

let parts: ApiDependencies;
let env: Record<string, string>;
let target: EventTarget;
let close: () => Promise<void>;
beforeAll(async () => {
  parts = await someApi({ allowPrivateCallbacks: true });
  target = await anEventTarget();
  const { url } = await parts.api.listen({ host: '127.0.0.1', port: 0 });
  env = { EVERPOST_API_URL: url };
  const poster = createEventPoster({ allowPrivate: true });
  const clock = { nowMs: () => Date.now() };
  const deliverer = startBackgroundJob(deliverEvents({ ledger: parts.ledger, poster, clock, log: () => undefined }), {
    leases: parts.ledger.leases,
    holder: 'w',
    log: () => undefined,
  });
  close = async () => {
    await deliverer.stop();
    await poster.close();
    await target.close();
    await parts.close();
  };
});
afterAll(() => close());

const event = (...args: readonly string[]): Promise<CliRun> => everpost(['event', ...args], { env });
const endpoint = (...args: readonly string[]): Promise<CliRun> => event('endpoint', ...args);

async function created(...args: readonly string[]): Promise<{ id: string; secret: string }> {
  const { out } = await endpoint('create', '--instance', 'main', '--url', target.url, '--json', ...args);
  return JSON.parse(out[0] ?? '') as { id: string; secret: string };
}

async function incoming(at: number): Promise<void> {
  const body = { typeWebhook: 'incomingMessageReceived', idMessage: `IN${at}` };
  const about = { type: 'message.received', key: '15550001111@c.us' } as const;
  await parts.ledger.receipts.store('main', body, Date.now(), { event: about });
}

describe('everpost event endpoint', () => {
  it('creates, shows, changes and deletes an endpoint, whose secret is shown once', async () => {
    const { exitCode, out, err } = await endpoint('create', '--url', target.url, '--key', 'k1');
    expect(exitCode).toBe(0);
    expect(out.at(-1)).toMatch(/^ {2}secret: whsec_/);
    expect(err).toEqual(['Store the secret now: it is not shown again.']);
    const again = await endpoint('create', '--url', target.url, '--key', 'k1');
    expect(again.out.join('\n')).not.toContain('whsec_');
    expect(await endpoint('create', '--url', `${target.url}2`, '--key', 'k1')).toMatchObject({ exitCode: 1 });

    const id = out[0]?.split(' ')[0] ?? '';
    expect((await endpoint('list')).out.join('\n')).toContain(id);
    const changed = await endpoint('update', id, '--event', 'call.received', '--description', 'calls', '--disable');
    expect(changed.out.join('\n')).toContain('disabled: operator since');
    expect((await endpoint('show', id)).out).toEqual(changed.out);
    expect((await endpoint('rotate-secret', id)).out.at(-1)).toMatch(/secret: whsec_/);
    expect(await endpoint('delete', id)).toMatchObject({ exitCode: 0, out: [`${id} is deleted`] });
    expect(await endpoint('show', id)).toMatchObject({ exitCode: 1 });
  });

  it.each([
    [['create', '--url', 'https://user:pw@example.com/'], 'contains credentials'],
    [['create', '--url', 'https://example.com/', '--event', 'nonsense'], 'is not one of message.received'],
    [['create', '--raw'], 'url is missing'],
    [['create', '--url', 'https://example.com/', '--raw', '--event', 'call.received'], 'must be absent'],
    [['rotate-secret', 'callbacks-main', '--keep-former-for', '400d'], 'is not a duration of at most a year'],
    [['delete', 'callbacks-main'], "is the endpoint of its instance's status callbacks"],
    [['test', 'callbacks-main'], "is the endpoint of its instance's status callbacks"],
  ])('refuses %j', async (args, words) => {
    const { exitCode, err } = await endpoint(...args);

    expect(exitCode).toBe(2);
    expect(err.join('\n')).toContain(words);
  });

  it('moves to another origin only with its header, or without one', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'everpost-header-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = join(dir, 'header');
    await writeFile(file, 'Bearer velvet otter\n');
    const { id } = await created('--authorization-file', file);
    const move = (...args: readonly string[]) => endpoint('update', id, '--url', 'https://b.example.com/', ...args);

    const refused = await move();
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.err.join('\n')).toContain('authorization is missing: the new URL has another origin');
    expect((await move('--authorization-file', file, '--remove-authorization')).exitCode).toBe(2);
    expect((await move('--authorization-file', file)).out.join('\n')).toContain('authorization: set');
    const removed = await endpoint('update', id, '--url', target.url, '--remove-authorization');
    expect(removed.out.join('\n')).not.toContain('authorization');
    await endpoint('delete', id);
  });

  it('creates a secret for status callbacks', async () => {
    expect((await endpoint('rotate-secret', 'callbacks-main')).out.at(-1)).toMatch(/secret: whsec_/);
    expect(await endpoint('show', 'callbacks-elsewhere')).toMatchObject({ exitCode: 1 });
  });

  it('posts a test event', async () => {
    const { id } = await created();

    const { exitCode, out } = await endpoint('test', id);

    expect(exitCode).toBe(0);
    expect(out[0]).toMatch(/^evt_\d+ was delivered$/);
    expect(target.requests.map(({ body }) => body.toString()).join()).toContain('"type":"endpoint.test"');
    await endpoint('delete', id);
  });
});

describe('everpost event', () => {
  it('lists, follows and replays delivered events', async () => {
    const { id } = await created('--event', 'message.received');
    const lines: string[] = [];
    let interrupt = (): void => undefined;
    const tail = everpost(['event', 'tail', '--json', '--instance', 'main'], {
      env,
      onOut: (line) => void lines.push(line),
      onInterrupt: (interrupted) => (interrupt = interrupted),
    });
    // It begins with the events after its first request.
    await eventually(async () => {
      await incoming(Date.now());
      expect(lines).not.toEqual([]);
    });
    await incoming(1);
    await eventually(() => expect(lines.join('\n')).toContain('"IN1"'));
    interrupt();
    expect(await tail).toMatchObject({ exitCode: 0 });

    const { out } = await event('list', '--type', 'message.received', '--limit', '500', '--json');
    const page = JSON.parse(out[0] ?? '') as { items: { id: string }[]; cursor: string };
    expect(page.items.length).toBeGreaterThanOrEqual(2);
    expect(await event('list', '--cursor', page.cursor)).toMatchObject({ exitCode: 0, err: ['No events found.'] });
    await eventually(async () => {
      const shown = await parts.call('GET', `/v1/event-endpoints/${id}`);
      expect(shown.body).toMatchObject({ waiting: 0 });
    });
    const before = target.requests.length;

    const replayed = await event('replay', id, '--since', '1h', '--key', 'r1');
    expect(replayed.out).toEqual([`${page.items.length} events are delivered again`]);
    expect((await event('replay', id, '--since', '1h', '--key', 'r2', '--until', '2020-01-01T00:00:00Z')).out).toEqual([
      '0 events are delivered again',
    ]);
    await eventually(() => expect(target.requests).toHaveLength(before + page.items.length));
    expect(await event('replay', id, '--event', page.items[0]?.id ?? '')).toMatchObject({ exitCode: 0, err: [] });
    expect(await event('replay', id, '--event', 'evt_0')).toMatchObject({ exitCode: 1 });
    expect(await event('replay', id)).toMatchObject({ exitCode: 2 });
  });
});
