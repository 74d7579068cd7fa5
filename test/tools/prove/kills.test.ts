import { createServer, type Server } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { choosePorts } from '../../../src/tools/local-temporal/index.js';
import { openDoor } from '../../../src/tools/prove/product-process.js';
import { accountKills } from '../../../src/tools/prove/account/kill-account.js';
import { createLog } from '../../../src/cli/commands/run/log.js';
import { Teardown } from '../../../src/compose/teardown.js';
import type { MessageId } from '../../../src/contract/index.js';
import type { MessageView } from '../../../src/ledger/index.js';

const KILLED_MS = Date.parse('2026-01-01T00:00:10.000Z');

function at(seconds: number): string {
  return new Date(Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1_000).toISOString();
}

/** Claimed by a process after some seconds, and found without an outcome by a later shift. */
function abandoned(pid: number, claimed: number, found: number): Partial<MessageView> {
  const attempt = `${pid}-${claimed}`;
  const worker = `everpost-${pid}@host`;
  return {
    evidence: [
      { at: at(claimed), witness: 'claim', what: 'claimed', detail: { attempt, worker } },
      { at: at(found), witness: 'dispatcher', what: 'abandoned', detail: { attempt } },
    ],
  };
}

function views(...changes: Partial<MessageView>[]): ReadonlyMap<MessageId, MessageView> {
  return new Map(
    changes.map((change, index) => {
      const view = { id: `msg_${index}`, instance: 'main', createdAt: at(0), evidence: [], attempts: [], ...change };
      return [view.id as MessageId, view as unknown as MessageView];
    }),
  );
}

const KILLED = [{ pid: 7, atMs: KILLED_MS, hasSuccessor: true }];

describe('the account of kills', () => {
  it('KILL-1 counts the claims of the killed process, and when the next shift found them', () => {
    const rows = views(abandoned(7, 9, 14), abandoned(7, 9.5, 14.5), abandoned(8, 9, 30), abandoned(7, 1, 5));
    expect(accountKills(KILLED, rows, new Map([['main', 2]]))).toMatchObject({
      kills: 1,
      inDoubt: 2,
      mostInDoubt: 2,
      mostAllowed: 6,
      longestTakeoverMs: 4_500,
      wrong: [],
    });
  });

  it('KILL-1 allows each instance its window and four', () => {
    const six = Array.from({ length: 6 }, (_, index) => abandoned(7, 9 + index / 10, 14));
    expect(accountKills(KILLED, views(...six), new Map([['main', 2]])).wrong).toEqual([]);
    expect(accountKills(KILLED, views(...six), new Map([['main', 1]])).wrong).toEqual([
      { id: 'main', why: 'a kill left 6 attempts in doubt; its window allows 5' },
    ]);
    const spread = six.map((change, index) => ({ ...change, instance: index % 2 === 0 ? 'main' : 'second' }));
    expect(accountKills(KILLED, views(...spread), new Map()).wrong).toEqual([]);
  });

  it('measures a takeover only when another process was ready, and had not been killed before', () => {
    const longest = (...kills: { pid: number; atMs: number; hasSuccessor: boolean }[]) =>
      accountKills(kills, views(abandoned(7, 9, 14)), new Map()).longestTakeoverMs;
    expect(longest(...KILLED)).toBe(4_000);
    expect(longest({ pid: 7, atMs: KILLED_MS, hasSuccessor: false })).toBe(0);
    expect(longest(...KILLED, { pid: 8, atMs: KILLED_MS + 2_000, hasSuccessor: true })).toBe(0);
    expect(longest(...KILLED, { pid: 8, atMs: KILLED_MS + 5_000, hasSuccessor: true })).toBe(4_000);
  });

  it('KILL-2 records whether a message was under way', () => {
    const hit = (change: Partial<MessageView>) => accountKills(KILLED, views(change), new Map()).hitWork;
    expect(hit({ createdAt: at(9), acceptedAt: at(11) })).toBe(1);
    expect(hit({ createdAt: at(9) })).toBe(1);
    expect(hit({ createdAt: at(9), acceptedAt: at(9.9) })).toBe(0);
    expect(hit({ createdAt: at(11) })).toBe(0);
    expect(hit({ createdAt: at(9), endedAt: at(9.5) })).toBe(0);
  });
});

describe('the door', () => {
  async function serve(port: number, name: string): Promise<Server> {
    const server = createServer((_, response) => response.setHeader('connection', 'close').end(name));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  }

  it('leads to the listening process, and to none without one', async () => {
    const teardown = new Teardown(createLog('error'));
    onTestFinished(async () => void (await teardown.run()));
    const ports = await choosePorts('127.0.0.1', [0, 0]);
    const url = `http://127.0.0.1:${await openDoor(ports, teardown)}`;
    const ask = async (): Promise<string> => (await fetch(url, { headers: { connection: 'close' } })).text();
    const [one, other] = await Promise.all(ports.map((port, index) => serve(port, String(index))));
    const both = new Set(await Promise.all(Array.from({ length: 4 }, ask)));
    expect([...both].toSorted()).toEqual(['0', '1']);
    await new Promise((resolve) => one?.close(resolve));
    expect(await Promise.all(Array.from({ length: 3 }, ask))).toEqual(['1', '1', '1']);
    await new Promise((resolve) => other?.close(resolve));
    await expect(ask()).rejects.toThrow('fetch failed');
  });
});
