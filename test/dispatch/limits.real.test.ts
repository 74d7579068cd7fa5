/** PROTOCOL-14: when messages reach the gateway under sending hours and limits. All parts are real, except Temporal. */
import { describe, expect, it } from 'vitest';
import { groupBy, type InstanceConfig, type LocalHours } from '../../src/contract/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { aRealWorld, FOR_DAYS, HOUR, MINUTE, SECOND, type RealWorld } from './real-world.js';

const ledger = useLedger();
let world: RealWorld;

const UNHEARD = { settings: { outgoingWebhook: 'no', outgoingAPIMessageWebhook: 'no' } } as const;
/** A world's clock begins at 10:00. */
const windows = (...times: readonly (readonly [string, string])[]): LocalHours => ({
  timezone: 'UTC',
  windows: times.map(([from, until]) => ({ from, until })),
});

/** `HH:MM` of each message that reached the gateway. */
function posted(): string[] {
  return world.simulator
    .requests()
    .filter(({ method }) => method === 'sendMessage')
    .map(({ at }) => at.slice(11, 16));
}

describe('sending windows', () => {
  it('hold every POST, although processes are killed, and the dispatcher makes no request while they are closed', async () => {
    const settings = { ...UNHEARD.settings, delaySendMessagesMilliseconds: 2 * SECOND };
    world = await aRealWorld({ ledger, settings });
    const sendingWindows = windows(['10:02', '10:03'], ['10:06', '10:08']);
    const id = await world.campaign(50, { sendingWindows, highWater: 6 });
    for (let second = 0; second < 200; second += 5) {
      await world.pass(5 * SECOND);
      if (second % 15 === 0) world.serve();
    }
    expect(new Set(posted())).toEqual(new Set(['10:02']));
    const before = posted().length;
    expect(before).toBeGreaterThan(25);
    const until = new Date(world.nowMs() - (world.nowMs() % MINUTE)).toISOString().replace(/T.*/, 'T10:06:00.000Z');
    expect((await world.progress(id)).waiting).toMatchObject({ code: 'SENDING_WINDOW_CLOSED', until });
    await world.pass(30 * SECOND);
    const reads = world.requests('showMessagesQueue');
    await world.pass(2 * MINUTE);
    expect(world.requests('showMessagesQueue')).toBe(reads);
    expect(posted()).toHaveLength(before);
    await world.pass(3 * MINUTE);
    expect(new Set(posted())).toEqual(new Set(['10:02', '10:06']));
    expect(new Set(world.delivered()).size).toBe(50);
    expect(posted()).toHaveLength(50);
  });

  it("open within seconds when the instance's settings change while they are closed", async () => {
    const instance: { -readonly [Name in keyof InstanceConfig]?: InstanceConfig[Name] } = {
      sendingWindows: windows(['12:00', '13:00']),
    };
    world = await aRealWorld({ ledger, ...UNHEARD, instance });
    const id = await world.single();
    await world.pass(MINUTE);
    expect(await world.state(id)).toBe('pending');
    instance.sendingWindows = windows(['09:00', '13:00']);
    await world.pass(10 * SECOND);
    expect(posted()).toEqual(['10:01']);
  });
});

describe('a daily cap', () => {
  it('holds for days, through kills and lost responses, and every recipient gets the message', async () => {
    const instance = { limits: { timezone: 'UTC', perDay: 4 } };
    world = await aRealWorld({ ledger, ...FOR_DAYS, jobsEveryMs: 50 * MINUTE, instance });
    const id = await world.campaign(7, { onUnknown: 'auto' });
    await world.fault({ kind: 'status', status: 429, headers: { 'retry-after': '7' }, times: 2 });
    for (let hour = 0; hour < 16; hour += 4) {
      await world.pass(4 * HOUR);
      world.serve();
    }
    const days = world.simulator
      .requests()
      .filter(({ method, status }) => method === 'sendMessage' && status === 200)
      .map(({ at }) => at.slice(8, 10));
    expect([...groupBy(days, (day) => day).values()].map((all) => all.length)).toEqual([4, 3]);
    expect((await world.progress(id)).counts.pending).toBe(0);
  });
});

describe('a gateway that answers 429 without a pause', () => {
  it('is asked more and more rarely', async () => {
    world = await aRealWorld({ ledger });
    await world.fault({ kind: 'status', status: 429, headers: { 'retry-after': '0' }, times: 10_000 });
    await world.campaign(1);
    await world.pass(34 * SECOND);
    expect(world.requests('sendMessage')).toBeGreaterThan(2);
    expect(world.requests('sendMessage')).toBeLessThan(12);
  });
});
