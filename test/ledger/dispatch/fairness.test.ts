/** Four hours of an instance whose queue accepts one message a minute, and that always has urgent messages. */
import { expect, it } from 'vitest';
import type { Priority } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { DAY } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW } from '../cast.js';
import { accepted, aChat, DispatchCast } from './cast.js';

const ledger = useLedger();

/** Every eighth post belongs to a lower class. */
const RESERVED = 8;

it('every class is served, and the lower ones get no more than their share (DISPATCH-7)', async () => {
  const c = await DispatchCast.begun(ledger);
  const lower: readonly Priority[] = ['high', 'normal', 'low'];
  const served = new Map<Priority, number[]>(lower.map((priority) => [priority, [NOW]]));
  for (const priority of lower) await c.takeMany(20, { priority, expiresAtMs: NOW + 2 * DAY });
  let posts = 0;
  for (let nowMs = NOW; nowMs < NOW + DAY / 6; nowMs += MINUTE) {
    if (posts % 100 === 0) await c.takeMany(110, { priority: 'urgent', nowMs, expiresAtMs: nowMs + DAY });
    const [attempt] = await c.claim({
      free: 1,
      // The queue has room for urgent messages only.
      room: { urgent: 1, high: 0, normal: 0, low: 0 },
      lowerFirst: posts % RESERVED === RESERVED - 1,
      nowMs,
    });
    if (attempt === undefined) throw new Error(`nothing was posted at ${nowMs}`);
    served.get(attempt.priority)?.push(nowMs);
    await c.write(accepted(attempt, nowMs));
    posts += 1;
  }
  const counts = lower.map((priority) => (served.get(priority)?.length ?? 0) - 1);
  expect(counts).toEqual(lower.map(() => posts / RESERVED / lower.length));
  for (const times of served.values()) {
    const gaps = times.map((at, index) => at - (times[index - 1] ?? NOW));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(RESERVED * lower.length * MINUTE);
  }
});

it('a backlog to a chat with a POST under way hides no other chat of its class: each tick reads on at once', async () => {
  const c = await DispatchCast.begun(ledger);
  const slow = aChat();
  for (let one = 0; one < 80; one += 1) await c.take({ chatId: slow });
  const elsewhere = await c.take();
  expect(await c.tick({ free: 2 })).toMatchObject({ claimed: [{}], hasHidden: true });
  let ticks = 0;
  let found = await c.tick({ free: 1, busyRecipients: [slow] });
  while (found.claimed.length === 0 && found.hasHidden === true) {
    ticks += 1;
    found = await c.tick({ free: 1, busyRecipients: [slow] });
  }
  expect(found.claimed.map(({ messageId }) => messageId)).toEqual([elsewhere]);
  expect(ticks).toBeLessThan(5);
});
