/**
 * Predicts the posts of a campaign by all its accounts.
 *
 * FORECAST-7 Each account posts by its own rules (FORECAST-1 to FORECAST-6). The next recipient goes to the account whose
 *    next message leaves first (CHOOSE-2). The cap of the campaign counts the posts of all accounts.
 */
import { type Counter, type PlanInput, type PlannedPost, PlannedPosts, type PlannedWait } from './planned-posts.js';

/** An account of a campaign, and a plan in which it sends to every recipient. */
export interface PlannedAccount {
  readonly instance: string;
  readonly input: PlanInput;
}

export interface PoolPost extends PlannedPost {
  readonly instance: string;
}

interface Sender {
  readonly instance: string;
  readonly posts: PlannedPosts;
  next: PlannedPost | undefined;
}

const POSTS_AT_ONCE = 300;

/** Posts messages one after the other. The streams of all accounts have the same recipients. */
export class PlannedPool {
  readonly #senders: Sender[];
  /** Recipients that are left, by the timezone of their stream. */
  readonly #left = new Map<string | undefined, number>();
  #leftInAll = 0;

  constructor(accounts: readonly PlannedAccount[]) {
    const shared = new Map<string, Counter>();
    this.#senders = accounts.map(({ instance, input }) => {
      const posts = new PlannedPosts(input, shared);
      return { instance, posts, next: posts.next() };
    });
    for (const { rules, recipients } of accounts[0]?.input.streams ?? []) {
      const timezone = rules.campaign?.timezone;
      this.#left.set(timezone, (this.#left.get(timezone) ?? 0) + recipients);
      this.#leftInAll += recipients;
    }
  }

  /**
   * Posts messages for a few milliseconds: a caller lets other work run before the next call.
   * @returns false if no message is left that can be posted before the deadline
   */
  postSome(take: (post: PoolPost) => void): boolean {
    for (let count = 0; count < POSTS_AT_ONCE; count += 1) {
      const post = this.#post();
      if (post === undefined) return false;
      if (this.#isTaken(post)) take(post);
    }
    return true;
  }

  /** The intervals in which no account posts, with the reason of the first one. */
  waits(untilMs: number): PlannedWait[] {
    const [first = [], ...others] = this.#senders.map(({ posts }) => posts.waits(untilMs));
    return others.reduce(both, first);
  }

  #post(): PoolPost | undefined {
    if (this.#leftInAll === 0) return undefined;
    let first: Sender | undefined;
    for (const sender of this.#senders) {
      if (sender.next === undefined) continue;
      if (first?.next === undefined || sender.next.leavesAtMs < first.next.leavesAtMs) first = sender;
    }
    if (first?.next === undefined) return undefined;
    const post = { ...first.next, instance: first.instance };
    first.next = first.posts.next();
    return post;
  }

  /** Another account may have posted to the last recipient of a timezone. */
  #isTaken({ timezone }: PoolPost): boolean {
    const left = this.#left.get(timezone) ?? 0;
    if (left === 0) return false;
    this.#left.set(timezone, left - 1);
    this.#leftInAll -= 1;
    return true;
  }
}

function both(one: readonly PlannedWait[], other: readonly PlannedWait[]): PlannedWait[] {
  return one.flatMap(({ fromMs, untilMs, reason }) =>
    other.flatMap((wait) => {
      const [from, until] = [Math.max(fromMs, wait.fromMs), Math.min(untilMs, wait.untilMs)];
      return from < until ? [{ fromMs: from, untilMs: until, reason }] : [];
    }),
  );
}
