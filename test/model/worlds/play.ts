/**
 * The gateway's behaviour in a world: when each item leaves its queue, what each reading shows, what is notified when.
 */
import { RETRY_INTERVAL_MS } from '../../../src/domain/index.js';
import { NEVER, chatOf, type Item, type Reading, type Restart, type World } from './world.js';

type Event =
  | { readonly at: number; readonly what: 'accepted' | 'claimed'; readonly item: Item }
  | { readonly at: number; readonly what: 'read'; readonly reading: Reading }
  | { readonly at: number; readonly what: 'restart'; readonly restart: Restart }
  | { readonly at: number; readonly what: 'clear' | 'requeue' };

export function play(world: World): World {
  for (const item of world.items) {
    const chat = chatOf(item);
    Object.assign(item, { left: NEVER, how: '', notified: NEVER, backAt: 0 });
    item.listed = {
      ids: item.hasId ? [item.id] : [],
      kind: item.shownAs,
      chat: item.hasOtherChatForm ? chat.replace('c.us', 'lid') : chat,
    };
  }
  for (const reading of world.readings) reading.list = [];
  const queue = new Queue(world);
  for (const event of eventsOf(world)) {
    // The initial items wait until then.
    if (event.at > 0) queue.releaseUntil(event.at);
    queue.apply(event);
  }
  queue.releaseUntil(NEVER - 1);
  notify(world);
  return world;
}

function eventsOf({ items, readings, clears, restarts, requeues }: World): Event[] {
  const events: Event[] = [];
  for (const item of items) {
    if (item.accepted < NEVER) events.push({ at: item.accepted, what: 'accepted', item });
    if (item.isInDoubt) events.push({ at: item.claimed, what: 'claimed', item });
  }
  for (const reading of readings) events.push({ at: reading.pictured, what: 'read', reading });
  for (const at of clears) events.push({ at, what: 'clear' });
  for (const restart of restarts) events.push({ at: restart.at, what: 'restart', restart });
  for (const at of requeues) events.push({ at, what: 'requeue' });
  return events.toSorted((one, other) => one.at - other.at);
}

class Queue {
  readonly #world: World;
  #items: Item[] = [];
  #lastRelease = 0;

  constructor(world: World) {
    this.#world = world;
  }

  apply(event: Event): void {
    const items = this.#items;
    switch (event.what) {
      case 'accepted':
        items.push(event.item);
        return;
      case 'claimed':
        event.item.depth = items.length;
        return;
      case 'read':
        event.reading.list = this.#listing();
        return;
      case 'clear':
        for (const item of items) Object.assign(item, { left: event.at, how: 'cleared' });
        this.#items = [];
        return;
      case 'restart':
        this.#restart(event.restart);
        return;
      case 'requeue': {
        const [first, ...rest] = items;
        if (first === undefined || rest.length === 0) return;
        first.backAt = event.at;
        this.#items = [...rest, first];
      }
    }
  }

  releaseUntil(until: number): void {
    for (let item = this.#items[0]; item !== undefined; item = this.#items[0]) {
      const turn = Math.max(this.#lastRelease + this.#world.releaseMs, item.accepted);
      if (item.readyAt > turn) {
        const other = this.#items.findIndex(({ readyAt, accepted }) => readyAt <= Math.max(turn, accepted));
        const next = this.#items[other];
        if (next !== undefined && Math.max(turn, next.accepted) < item.readyAt) {
          this.#items.splice(other, 1);
          this.#items.unshift(next);
          continue;
        }
        item.backAt = item.readyAt;
      }
      const at = this.#afterPauses(Math.max(turn, item.backAt));
      if (at > until) return;
      Object.assign(item, { left: at, how: 'released' });
      this.#lastRelease = at;
      this.#items.shift();
    }
  }

  #afterPauses(wanted: number): number {
    let at = wanted;
    for (;;) {
      const pause = this.#world.pauses.find(([from, to]) => at >= from && at < to);
      if (pause === undefined) return at;
      at = pause[1];
    }
  }

  #listing(): Item[] {
    const { cut, cutKeeps } = this.#world;
    const list = this.#items.filter(({ kind }) => kind !== 'status');
    if (cutKeeps === 'bytes') {
      let bytes = 0;
      const end = list.findIndex(({ size }) => (bytes += size) > cut * 2);
      return end === -1 ? list : list.slice(0, end);
    }
    if (list.length <= cut) return list;
    if (cutKeeps === 'oldest') return list.slice(0, cut);
    if (cutKeeps === 'youngest') return list.slice(-cut);
    for (let skipped = 3; list.length > cut; skipped += 3) list.splice(1 + (skipped % (list.length - 1)), 1);
    return list;
  }

  #restart({ at, effect, salt }: Restart): void {
    let bits = salt | 1;
    const roll = (below: number): number => {
      bits ^= bits << 13;
      bits ^= bits >>> 17;
      bits ^= bits << 5;
      return (bits >>> 0) % below;
    };
    if (effect.includes('drop')) {
      this.#items = this.#items.filter((item) => {
        if (roll(3) !== 0) return true;
        Object.assign(item, { left: at, how: 'dropped' });
        return false;
      });
    }
    if (!effect.includes('shuffle')) return;
    const items = this.#items;
    for (let place = items.length - 1; place > 0; place -= 1) {
      const other = roll(place + 1);
      [items[place], items[other]] = [items[other]!, items[place]!];
    }
  }
}

/** Late ones come within an hour, repeated ones one to three intervals later. */
function notify({ items, quietKind, lossBurst, notificationsOff, receiverDown, isOrdered, ...rates }: World): void {
  const isWithin = (at: number, span: [number, number] | null): boolean =>
    span !== null && at >= span[0] && at < span[1];
  let latest = 0;
  const released = items.filter(({ how }) => how === 'released').toSorted((one, other) => one.left - other.left);
  for (const item of released) {
    const { kind, left, noticeRoll, lateRoll } = item;
    const isLost = noticeRoll < rates.noticeLoss || isWithin(left, notificationsOff) || isWithin(left, lossBurst);
    if (isLost || kind === quietKind) continue;
    let at = left + 100 + Math.floor(3_000 * lateRoll ** 2);
    if (lateRoll < rates.noticeLate) at = left + Math.floor((lateRoll / rates.noticeLate) * 3_600_000);
    else if (lateRoll < rates.noticeLate + rates.noticeRetry) {
      const repeats = 1 + Math.floor(((lateRoll - rates.noticeLate) / rates.noticeRetry) * 3);
      at = left + RETRY_INTERVAL_MS * repeats;
    }
    if (isWithin(at, receiverDown)) at = receiverDown![1] + Math.floor(lateRoll * RETRY_INTERVAL_MS);
    if (isOrdered) {
      at = Math.max(at, latest);
      latest = at;
    }
    item.notified = at;
  }
}
