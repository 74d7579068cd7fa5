/** Which deliveries of events are due, and in which order. */
import { describe, expect, it } from 'vitest';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { LATER, about, useEvents } from './event-cast.js';

const { the, endpoint, events, notify, claim, record } = useEvents();

describe('due deliveries', () => {
  it('are claimed once, and only the earliest of one key (DELIVER-1, DELIVER-2)', async () => {
    await endpoint();
    for (const [key, at] of [
      ['a', 1],
      ['a', 2],
      ['b', 3],
      ['a', 4],
    ] as const)
      await notify({ at }, about(key));

    const claimed = [...(await claim()), ...(await claim())];
    expect(claimed.map(({ data }) => data)).toEqual(['{"at":1}', '{"at":3}']);

    for (const one of claimed) await record(one);
    expect((await claim()).map(({ data }) => data)).toEqual(['{"at":2}']);
  });

  it('wait behind a failed one until its next try', async () => {
    await endpoint();
    await notify({ at: 1 }, about('a'));
    await notify({ at: 2 }, about('a'));
    const [first] = await claim();

    if (first !== undefined) await record(first, 'HTTP 500', LATER + 5 * MINUTE);

    expect(await claim({ nowMs: LATER + 4 * MINUTE })).toEqual([]);
    const again = await claim({ nowMs: LATER + 6 * MINUTE });
    expect(again).toMatchObject([{ data: '{"at":1}', tries: 2 }]);
    if (again[0] !== undefined) await record(again[0], 'HTTP 500');
    expect(await claim({ nowMs: LATER + 6 * MINUTE })).toMatchObject([{ data: '{"at":2}', tries: 1 }]);
  });

  it('are listed oldest first, and a cursor continues also if its delivery has ended', async () => {
    const id = await endpoint();
    for (const at of [1, 2, 3]) await notify({ at }, about(`key ${at}`));
    const list = (cursor?: string) =>
      the.ledger.events.deliveriesTo(id, { state: 'waiting', limit: 1, ...(cursor && { cursor }) });

    const first = await list();
    for (const one of await claim({ limit: 2 })) if (one.data !== '{"at":3}') await record(one);
    const second = await list(first.cursor);

    const all = await events();
    const dataOf = (page: typeof first) => page.items.map(({ event }) => all.find((one) => one.id === event)?.data);
    expect([first, second].map(dataOf)).toEqual([[{ at: 1 }], [{ at: 3 }]]);
  });

  it('are claimed again after the lease of a dead worker', async () => {
    await endpoint();
    await notify({ at: 1 }, about('a'));
    await claim();

    expect(await claim({ nowMs: LATER + 59 * SECOND })).toEqual([]);
    expect(await claim({ nowMs: LATER + 61 * SECOND })).toMatchObject([{ tries: 2 }]);
  });

  it('are limited for each target, and other targets continue (DELIVER-3)', async () => {
    const slow = await endpoint();
    const quick = await endpoint();
    for (let at = 0; at < 5; at++) await notify({ at }, about(`key ${at}`));

    const claimed = await claim({ perTarget: 3, underWay: { [slow]: 2 } });

    const countOf = (id: string) => claimed.filter(({ endpointId }) => endpointId === id).length;
    expect([countOf(slow), countOf(quick)]).toEqual([1, 3]);
  });

  it('are found for other keys although many wait behind one (DELIVER-4)', async () => {
    await endpoint();
    for (let at = 0; at < 30; at++) await notify({ at }, about('busy'));
    await notify({ at: 'last' }, about('other'));

    expect((await claim({ perTarget: 2 })).map(({ data }) => data)).toEqual(['{"at":0}', '{"at":"last"}']);
  });

  it('wait while the endpoint is disabled or paused', async () => {
    const id = await endpoint();
    await notify({ at: 1 }, about('a'));
    const [first] = await claim();
    if (first !== undefined) await record(first, 'HTTP 410', LATER);

    expect(await the.ledger.eventEndpoints.disable(id, 'HTTP 410', NOW)).toBe(true);
    expect(await the.ledger.eventEndpoints.disable(id, 'HTTP 410', NOW)).toBe(false);
    expect(await claim()).toEqual([]);
    const disabled = { enabled: false, disabledReason: 'HTTP 410', waiting: 1, problem: 'HTTP 410', failed: 0 };
    expect(await the.ledger.eventEndpoints.view(id)).toMatchObject(disabled);

    expect(await the.ledger.eventEndpoints.change(id, { enabled: true }, NOW)).not.toHaveProperty('disabledReason');
    await the.ledger.eventEndpoints.hold(id, LATER + MINUTE);
    expect(await claim()).toEqual([]);
    expect(await claim({ nowMs: LATER + 2 * MINUTE })).toHaveLength(1);
  });
});
