/** Announcements between the processes of a server, also when a connection is lost. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import { eventually } from '../support/eventually.js';
import { aDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';
import { startPostgresProxy, type PostgresProxy } from '../support/ledger/postgres-proxy.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';

let databaseUrl: string;
let proxy: PostgresProxy;
let announcing: Ledger;
let listening: Ledger;
let database: Client;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  proxy = await startPostgresProxy(databaseUrl);
  announcing = await openLedger({ databaseUrl: proxy.url }, UNENCRYPTED);
  listening = await openLedger({ databaseUrl }, UNENCRYPTED);
  database = new Client({ connectionString: databaseUrl });
  await database.connect();
});

afterAll(async () => {
  await Promise.all([announcing.close(), listening.close(), database.end()]);
  await proxy.close();
  await dropDatabase(databaseUrl);
});

const listeners = async () => {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'everpost wakes' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
};

/** Announces until it is received: a new connection does not get earlier announcements. */
const untilHeard = (instance: string, heard: readonly string[]) =>
  eventually(() => {
    announcing.wakes.announce(instance);
    expect(heard).toContain(instance);
  });

describe('a listening process', () => {
  it("receives another one's announcements, over one connection for all its handlers, which ends with the last handler", async () => {
    const heard: string[] = [];
    const [one, two] = [listening.wakes.listen((name) => heard.push(name)), listening.wakes.listen(() => undefined)];
    await untilHeard('first', heard);
    expect(await listeners()).toHaveLength(1);
    one.close();
    expect(await listeners()).toHaveLength(1);
    two.close();
    await eventually(async () => expect(await listeners()).toEqual([]));
  });

  it('receives announcements again after the server has ended its connection', async () => {
    const heard: string[] = [];
    const { close } = listening.wakes.listen((name) => heard.push(name));
    await untilHeard('before', heard);
    const [pid] = await listeners();
    await database.query('select pg_terminate_backend($1)', [pid]);
    await untilHeard('after', heard);
    expect(await listeners()).not.toContain(pid);
    close();
  });
});

describe('an announcement that did not reach the server', () => {
  it('is lost without an error, and the next one arrives (WAKE-2)', async () => {
    const heard: string[] = [];
    const { close } = listening.wakes.listen((name) => heard.push(name));
    await untilHeard('ready', heard);
    proxy.next(/lost/, 'lose');
    announcing.wakes.announce('lost');
    await eventually(() => expect(proxy.pending()).toBe(0));
    await untilHeard('next', heard);
    expect(heard).not.toContain('lost');
    close();
  });
});
