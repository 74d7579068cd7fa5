/** Two `everpost dev` on one machine, both with default ports, as real processes; the second one is ended early. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiClient, type ApiClient, type MessageResponse } from '../../../src/client/index.js';
import type { Amendment } from '../../../src/contract/index.js';
import { controlGateway, type GatewayControl } from '../../../src/testing/index.js';
import { aDataDir } from '../../support/ledger/embedded-database.js';
import { eventually } from '../../support/eventually.js';
import { runsEverything } from '../../support/runs.js';
import { anEventTarget, type EventTarget } from '../../worker/event-target.js';
import { isAlive, startDev, type DevProcess } from './dev-process.js';
import { everpost, type CliRun } from '../fake-terminal.js';
import { CHATS, pushNotifications } from '../pushed-notifications.js';

let dataDir: string;
let dev: DevProcess;
let second: DevProcess;

beforeAll(async () => {
  const dirs = [await aDataDir(), await aDataDir()] as const;
  // At the same time: each must notice the ports that the other one has just taken.
  const starts = await Promise.allSettled(dirs.map((dir) => startDev(dir, {}, [])));
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const end = async (running: readonly DevProcess[]) => {
    await Promise.all(running.filter(({ pid }) => isAlive(pid)).map((each) => each.end('SIGTERM')));
    for (const dir of dirs) rmSync(dir, { recursive: true });
  };
  const [first, other] = started;
  if (first === undefined || other === undefined) {
    await end(started);
    throw new AggregateError(starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : [])));
  }
  [dataDir] = dirs;
  [dev, second] = [first, other];
  return () => end([dev, second]);
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

/** One command against the running everpost dev of a data directory. */
function commandIn(dir: string, ...args: string[]): Promise<CliRun> {
  return everpost([...args, '--data-dir', dir]);
}

async function withApi<Result>(url: string, use: (api: ApiClient) => Promise<Result>): Promise<Result> {
  const api = createApiClient({ url });
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

function simulator(): GatewayControl {
  return controlGateway(dev.facts.simulatorUrl ?? '');
}

function phone(digits: string) {
  return simulator().delivered(`${digits}@c.us`);
}

describe('a second everpost dev on another data directory', () => {
  it('runs beside the first: no address is shared, and each has its own messages', async () => {
    const addresses = [dev, second].flatMap(({ facts }) =>
      [facts.apiUrl, facts.temporalAddress, facts.temporalUiUrl, facts.simulatorUrl].map((url) =>
        url?.split(':').at(-1),
      ),
    );
    expect(new Set(addresses).size).toBe(8);

    const send = ['send', '--instance', 'main', '--to', '15550001001', '--wait', 'delivered', '--text'];
    const texts = ['of the first', 'of the second'];
    const runs = await Promise.all(
      [dev, second].map(({ facts }, which) => commandIn(facts.dataDir, ...send, texts[which] ?? '')),
    );
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const phones = await Promise.all(
      [dev, second].map(({ facts }) => controlGateway(facts.simulatorUrl ?? '').delivered()),
    );
    expect(phones.map((all) => all.map(({ text }) => text))).toEqual(texts.map((text) => [text]));
  });

  it('reports for each taken default port where it listens instead', () => {
    const told = [dev, second].map((each) => each.told()).join('\n');
    const { facts } = [dev, second].find(({ facts: { apiUrl } }) => !apiUrl.endsWith(':8080')) ?? {};
    expect(told).toContain(`Another program uses port 8080. The API listens at ${facts?.apiUrl} instead.`);
    expect(told).toMatch(/Another program uses port 8090\. The simulator listens at http/);
    expect(told).toMatch(/Another program uses port 7233 or 8233\. Temporal listens at \S+ instead/);
  });

  it('is examined by the doctor of its data directory, and the other one is not', async () => {
    for (const [{ facts }, { facts: others }] of [
      [dev, second],
      [second, dev],
    ] as const) {
      const { exitCode, out } = await commandIn(facts.dataDir, 'doctor');
      expect({ exitCode, notOk: out.filter((line) => !line.startsWith('ok ')) }).toEqual({ exitCode: 0, notOk: [] });
      const said = out.join('\n');
      expect(said).toContain(facts.apiUrl);
      expect(said).toContain(`${facts.temporalAddress} responds`);
      expect(said).not.toContain(others.apiUrl);
    }
  });

  it('is refused on the same data directory, and leaves the record of the first unchanged', async () => {
    const before = readFileSync(path.join(dataDir, 'dev.json'), 'utf8');
    const { exitCode, err } = await everpost(['dev', '--data-dir', dataDir]);
    expect(exitCode).toBe(1);
    expect(err.join('\n')).toMatch(/^everpost: The data directory is in use by process.*\[DATA_DIR_IN_USE\]/);
    expect(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')).toBe(before);
  });

  it.for(['--http-port', 'EVERPOST_HTTP_PORT'])(
    'is refused on a taken port that %s requests, with the remedy',
    async (asked) => {
      const holder = createServer().listen(0, '127.0.0.1');
      await once(holder, 'listening');
      const port = String((holder.address() as { port: number }).port);
      const args = asked === '--http-port' ? [asked, port] : [];
      const env: Record<string, string> = asked === '--http-port' ? {} : { [asked]: port };
      const { exitCode, err } = await everpost(['dev', '--data-dir', path.join(dataDir, 'another'), ...args], { env });
      expect(exitCode).toBe(1);
      expect(err[0]).toContain(`:${port}: another program uses the port`);
      expect(err[0]).toMatch(/choose another port.*\[PORT_IN_USE\]/);
      holder.close();
    },
  );

  it('removes its addresses from the data directory when it ends in order', async () => {
    const record = path.join(second.facts.dataDir, 'dev.json');
    expect(existsSync(record)).toBe(true);
    await second.end('SIGTERM');
    expect(existsSync(record)).toBe(false);
  });
});

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

  it('is refused on a data directory that cannot be created', async () => {
    for (const dir of ['/dev/null/data', '/proc/everpost/data']) {
      const { exitCode, err } = await everpost(['dev', '--http-port', '0', '--data-dir', dir]);
      expect(exitCode).toBe(2);
      expect(err[0]).toContain(
        `The data directory ${dir} cannot be created (${dir.startsWith('/dev') ? 'ENOTDIR' : 'E'}`,
      );
    }
  });
});

describe('the commands', () => {
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
      expect((await command('message', 'show', id)).out.join('\n')).toContain('Remedy: everpost instance resume main');
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
});

describe('a backend', () => {
  it('starts, edits and awaits a message with only Temporal, as in examples/backend.js', async () => {
    const { moveBooking } = await import('../../../examples/backend.js');
    const seen = await moveBooking(dev.facts.temporalAddress, 'A17', '15550001005');
    expect(seen).toMatchObject({ edit: 'edited', state: 'delivered' });
    expect(await phone('15550001005')).toMatchObject([{ text: 'Your table is booked for 8.' }]);
  });
});

/** All that a kill can meet is under way at once, so that one kill shows the recovery of each. */
describe('a kill of everpost dev', () => {
  const RECIPIENTS = ['15550002000', '15550002001', '15550002002', '15550002003'];
  let bot: EventTarget;
  let orphans: readonly number[];
  let message: MessageResponse;
  const pushed: string[] = [];

  beforeAll(async () => {
    let requests = 0;
    // Every eighth request fails: the chat of a failed one waits for seconds.
    bot = await anEventTarget((response) => response.writeHead(++requests % 8 === 0 ? 500 : 200).end());
    await startCampaign();
    // Each try is refused at once, so that the kill comes between two: during a POST the outcome would be unknown.
    const chatId = '15550001006@c.us';
    await simulator().addFault({ method: 'sendMessage', chatId, kind: 'status', status: 429, times: 1_000 });
    message = await sent('15550001006', 'Survives');
    await withApi(dev.facts.apiUrl, (api) =>
      eventually(async () => {
        const { state, attempts } = await api.getMessage({ id: message.id });
        expect({ state, outcome: attempts?.at(-1)?.outcome }).toEqual({ state: 'pending', outcome: 'not_accepted' });
      }),
    );
    await amendUpToAnEditWithoutItsRecord();
    const endpoint = ['event', 'endpoint', 'create', '--instance', 'main', '--url', bot.url, '--raw', '--json'];
    expect(await command(...endpoint)).toMatchObject({ exitCode: 0 });
    await pushNotifications(dev, pushed);
    orphans = dev.descendants();
    await dev.end('SIGKILL');
    return () => bot.close();
  });

  async function startCampaign(): Promise<void> {
    writeFileSync(path.join(dataDir, 'sale.csv'), ['phone', ...RECIPIENTS].join('\n'));
    const file = path.join(dataDir, 'sale.yaml');
    const definition = { id: 'sale', instance: 'main', content: { kind: 'text', text: 'At nine' } };
    writeFileSync(file, JSON.stringify({ ...definition, recipients: { file: 'sale.csv' } }));
    expect(await command('campaign', 'start', file)).toMatchObject({ exitCode: 0 });
    await eventually(async () => expect(await onPhones()).toHaveLength(RECIPIENTS.length));
  }

  async function amendUpToAnEditWithoutItsRecord(): Promise<void> {
    await simulator().addFault({ method: 'editMessage', kind: 'late-answer', ms: 60_000, accepted: true, times: 1 });
    expect(await command('campaign', 'amend', 'sale', '--text', 'At TEN', '--yes')).toMatchObject({ exitCode: 0 });
    await eventually(async () => expect(await onPhones()).toContain('At TEN'));
  }

  async function onPhones(): Promise<string[]> {
    const all = await simulator().delivered();
    return all.filter(({ chatId }) => chatId.startsWith('1555000200')).map(({ text }) => text ?? '');
  }

  it('makes the addresses in its data directory invalid, and the next start writes its own', async () => {
    expect(await commandIn(dataDir, 'message', 'list')).toMatchObject({
      exitCode: 1,
      err: [expect.stringContaining('was killed. Start it again: everpost dev')],
    });
    const doctor = await commandIn(dataDir, 'doctor');
    expect(doctor.exitCode).toBe(1);
    expect(doctor.out.filter((line) => line.startsWith('ok '))).toEqual([]);

    dev = await startDev(dataDir);
    expect((await commandIn(dataDir, 'message', 'list')).out.join()).toContain('delivered');
  });

  it('loses no message and sends none twice, and its orphan is ended by the next start', async () => {
    await withApi(dev.facts.apiUrl, (api) =>
      eventually(async () => expect((await api.getMessage({ id: message.id })).state).toBe('delivered')),
    );
    expect(await phone('15550001006')).toMatchObject([{ text: 'Survives' }]);
    expect(await phone('15550001004')).toMatchObject([{ text: 'Waited' }]);
    expect(orphans).not.toHaveLength(0);
    expect(orphans.filter(isAlive)).toEqual([]);
  });

  it('between an edit and its record: the amendment continues, and every phone shows the new text', async () => {
    const amendment = async () => {
      const { out } = await command('campaign', 'show', 'sale', '--json');
      return (JSON.parse(out[0] ?? '') as { amendments: Amendment[] }).amendments[0];
    };
    await eventually(async () => expect((await amendment())?.state).toBe('ended'));
    const counts = { edited: RECIPIENTS.length, pending: 0, unconfirmed: 0 };
    expect((await amendment())?.counts).toMatchObject(counts);
    expect(await onPhones()).toEqual(RECIPIENTS.map(() => 'At TEN'));
    const { out } = await command('campaign', 'report', 'sale');
    expect(out.join('\n').match(/,1,2,edited,/g)).toHaveLength(RECIPIENTS.length);
  });

  it('loses no notification: a bot gets each one, byte for byte and in the order of its chat', async () => {
    await pushNotifications(dev, pushed);
    // `npm run verify` kills it a second time.
    if (runsEverything) {
      await dev.end('SIGKILL');
      dev = await startDev(dataDir);
      await pushNotifications(dev, pushed);
    }
    // The endpoint also gets the gateway's notifications of all other chats.
    const came = () => {
      const bodies = bot.requests.map(({ body }) => body.toString());
      return [...new Set(bodies)].filter((body) => /1555000000\d@c\.us|broken \d/.test(body));
    };
    await eventually(() => expect(came().toSorted()).toEqual(pushed.toSorted()));
    for (const chat of CHATS) {
      const ofChat = (all: readonly string[]) => all.filter((body) => body.includes(chat));
      expect(ofChat(came())).toEqual(ofChat(pushed));
    }
    const { out } = await command('event', 'endpoint', 'list', '--json');
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ items: [{ instance: 'main', raw: true, failed: 0 }] });
  });
});

describe('the end of everpost dev', () => {
  it('ends all its processes on request', async () => {
    const tree = dev.descendants();
    expect(tree).not.toHaveLength(0);
    const { code } = await dev.end('SIGTERM');
    expect(code).toBe(0);
    expect(tree.filter(isAlive)).toEqual([]);
  });
});
