import { PRIORITIES } from '../../contract/index.js';
import { roomOf, type Room } from '../queue/queue-depth.js';

/** DISPATCH-7: every eighth POST is for a lower class with due messages. */
const EVERY = 8;
/** Every class except the lowest. */
const LOWER = PRIORITIES.slice(1);

/** Counts POSTs and decides when a lower class has its turn. */
export class LowerShare {
  #posted = 0;

  /** @param any  how many messages may be claimed now; of eight or more, one goes to a lower class */
  isDue(any: number): boolean {
    return this.#posted + 1 >= EVERY || any >= EVERY;
  }

  /** A lower class may exceed its high water mark by one, since it takes the turn of a higher class. */
  room(room: Room, any: number): Room {
    const most = Math.min(1, any, Math.max(room.urgent, room.high, room.normal, room.low));
    return roomOf((priority) => (LOWER.includes(priority) ? Math.max(room[priority], most) : room[priority]));
  }

  claimed(count: number, wasDue: boolean): void {
    if (count > 0) this.#posted = wasDue ? (count - 1) % EVERY : this.#posted + count;
  }
}
