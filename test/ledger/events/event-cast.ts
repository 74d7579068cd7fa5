/** Events and their deliveries, of one instance for each file. */
import { expect } from 'vitest';
import type { EventType, MessageId } from '../../../src/contract/index.js';
import type { DueDelivery, EventView, NewEndpoint, NotificationFacts } from '../../../src/ledger/index.js';
import { eventually } from '../../support/eventually.js';
import { MINUTE, NOW, useOwnCast } from '../cast.js';

export const URL = 'https://example.com/hook';
export const LATER = Date.now() + 60 * MINUTE;

export const about = (key: string, type: EventType = 'message.received') => ({ type, key });

/** Call it once for a file. */
export function useEvents() {
  const the = useOwnCast();

  async function endpoint(over: Partial<NewEndpoint> = {}, url = URL): Promise<string> {
    const id = `evp_${crypto.randomUUID()}`;
    const place = url === '' ? {} : { url };
    const given = { id, instance: the.instance, ...place, events: ['*'], raw: false, requestHash: 'h', ...over };
    await the.ledger.eventEndpoints.create(given, NOW);
    return id;
  }

  /** On a server the list ends before the oldest open transaction of any database; other tests have open ones. */
  async function allListed(): Promise<void> {
    const [type, instance] = ['call.received', `${the.instance}-last`] as const;
    await the.ledger.eventEndpoints.create(
      { id: `evp_${crypto.randomUUID()}`, instance, events: ['*'], raw: false, requestHash: 'h' },
      NOW,
    );
    const last = crypto.randomUUID();
    await the.ledger.receipts.store(instance, { last }, NOW, { event: about('last', type) });
    await eventually(async () => {
      const { items } = await the.ledger.events.list({ instance, limit: 500 });
      expect(items).toContainEqual(expect.objectContaining({ data: { last } }));
    });
  }

  async function events(type?: EventType): Promise<EventView[]> {
    await allListed();
    const filter = { instance: the.instance, limit: 500, ...(type && { type }) };
    return (await the.ledger.events.list(filter)).items;
  }

  async function notify(body: unknown, event: NotificationFacts['event'], nowMs = NOW): Promise<void> {
    await the.ledger.receipts.store(the.instance, body, nowMs, event && { event });
  }

  /** Of this test's instance: tests share the ledger. */
  async function claim({ nowMs = LATER, perTarget = 100, limit = 1_000, underWay = {} } = {}): Promise<DueDelivery[]> {
    const claimed: DueDelivery[] = [];
    for (;;) {
      const { due, isMore } = await the.ledger.deliveries.claim({ nowMs, leaseMs: MINUTE, perTarget, limit, underWay });
      claimed.push(...due.filter(({ instance }) => instance === the.instance));
      if (!isMore) return claimed;
    }
  }

  function record(delivery: DueDelivery, problem?: string, nextTryAtMs?: number): Promise<void> {
    const outcome = { delivery, ...(problem && { problem }), ...(nextTryAtMs && { nextTryAtMs }) };
    return the.ledger.deliveries.record([outcome], LATER);
  }

  async function statesOf(id: MessageId): Promise<string[]> {
    return ((await the.view(id)).callbacks ?? []).map(({ state }) => state);
  }

  return { the, endpoint, allListed, events, notify, claim, record, statesOf };
}
