/** Random worlds. Every rate is a fraction of worlds unless it says otherwise. */
import { Random } from '../../support/random.js';
import {
  ANNOUNCED_MS,
  DEADLINE_MS,
  NEVER,
  SETTLE_MS,
  SKEW_MS,
  TIMEOUT_MS,
  aReading,
  aWorld,
  anItem,
  settledAt,
  type Item,
  type Kind,
  type World,
} from './world.js';

/** The claim of the attempt that is always unknown. */
const FORCED_AT = 4_000;
const MOST_SENDS = 400;

export const STORM = {
  takeover: 0.35,
  /** Fraction of takeovers that find the readings of the previous worker. */
  durable: 0.7,
  restart: 0.15,
  restartUnannounced: 0,
  announcedWithinMs: ANNOUNCED_MS,
  clear: 0.1,
  pause: 0.05,
  cut: 0.15,
  cutByBytes: 0,
  cutWithHoles: 0,
  reword: 0.2,
  unrecognised: 0.05,
  otherChatForm: 0.1,
  overlap: 0.15,
  /** Reads once a second always, not only while an attempt is unknown. */
  steady: 0.5,
  /** Foreign sends a second, one of these in each world, and the fraction of them that equals one of our messages. */
  foreignRates: [0, 0.02, 0.1, 0.5],
  foreignEqual: 0.1,
  /** Of our sends: unknown, and of the unknown ones never accepted. */
  doubt: 0.04,
  absent: 0.5,
  // Broken assumptions:
  requeue: 0,
  /** Fraction of late acceptances that come up to twice the settle time late. */
  beyondSettle: 0,
  listingLagMs: 0,
  enqueuedLateMs: 0,
  fileStuck: 0,
  // Notifications, in worlds of minutes:
  isLong: false,
  noticeLoss: 0,
  noticeLossBurst: 0,
  noticeLate: 0.05,
  noticeRetry: 0.1,
  noticeUnparsed: 0.01,
  ordered: 0.5,
  receiverDown: 0.15,
  notificationsOff: 0.05,
  filesNotNotified: 0,
};
export type Rates = Readonly<typeof STORM>;
const QUIET: Partial<Rates> = { cut: 0, clear: 0, pause: 0, restart: 0, takeover: 0, foreignRates: [0, 0.02] };
/** Worlds with more of the events that some conditions concern. */
export const PROFILES = {
  storm: STORM,
  restarts: { ...STORM, ...QUIET, restart: 1, takeover: 0.1, reword: 0.3 },
  takeovers: { ...STORM, ...QUIET, takeover: 1, reword: 0.6, unrecognised: 0.2 },
  /** Only lost requests, takeovers, foreign senders and late stores: the conditions that can be decided. */
  calm: {
    ...STORM,
    ...QUIET,
    takeover: 0.2,
    reword: 0,
    unrecognised: 0,
    overlap: 0,
    doubt: 0.005,
    foreignEqual: 0.02,
    absent: 1,
    foreignRates: STORM.foreignRates,
    steady: 0,
  },
  /** Minutes of sparse traffic, with notifications as documented: none lost, in order, repeated after a minute. */
  notified: {
    ...STORM,
    isLong: true,
    ordered: 1,
    notificationsOff: 0,
    noticeUnparsed: 0,
    noticeLate: 0.001,
    noticeRetry: 0.02,
    cut: 0.05,
    foreignRates: [0, 0, 0.005],
    doubt: 0.02,
    takeover: 0.2,
    reword: 0.05,
    unrecognised: 0.02,
    otherChatForm: 0.02,
  },
} satisfies Record<string, Rates>;

export function generate(seed: number, rates: Rates): World {
  return new Generator(new Random(seed), rates).world();
}

class Generator {
  readonly #random: Random;
  readonly #rates: Rates;
  readonly #end = FORCED_AT + DEADLINE_MS + TIMEOUT_MS + SETTLE_MS + 7_000;
  #content = 100;

  constructor(random: Random, rates: Rates) {
    this.#random = random;
    this.#rates = rates;
  }

  world(): World {
    const random = this.#random;
    const { isLong, foreignRates, takeover, durable, ordered } = this.#rates;
    const skew = (): number => random.int(-SKEW_MS, SKEW_MS);
    const world = aWorld({
      releaseMs: random.pick([500, 3_000]),
      isBusy: random.chance(0.7) && !isLong,
      foreignRate: random.pick(foreignRates),
      clock: [skew(), skew()],
      gatewayClock: random.int(-900, 900),
      longest: random.chance(0.5) ? NEVER : random.int(10, 60),
      isOrdered: random.chance(ordered),
    });
    this.#cut(world);
    if (random.chance(takeover)) {
      const at = FORCED_AT + random.int(0, 12_000);
      const backAt = at + random.int(1_000, 7_000);
      world.takeover = { at, backAt, isDurable: random.chance(durable), isFrozen: random.chance(0.3) };
    }
    this.#waiting(world);
    this.#ourSends(world);
    this.#foreignSends(world);
    this.#appearance(world);
    this.#disturbances(world);
    this.#readings(world);
    this.#notifications(world);
    return world;
  }

  #cut(world: World): void {
    const random = this.#random;
    if (!random.chance(this.#rates.cut)) return;
    world.cut = random.int(2, 12);
    world.cutKeeps = random.chance(0.3) ? 'youngest' : 'oldest';
    world.longest = random.int(1, world.cut);
    if (random.chance(this.#rates.cutByBytes)) world.cutKeeps = 'bytes';
    else if (random.chance(this.#rates.cutWithHoles)) world.cutKeeps = 'holes';
  }

  /** The initial queue: our messages, accepted and stored before, with foreign items between. */
  #waiting(world: World): void {
    const random = this.#random;
    const depth = random.pick([0, 1, random.int(2, 3), random.int(4, 9), random.int(10, 40)]);
    const leaving = world.isBusy || depth === 0 ? 0 : Math.floor(FORCED_AT / world.releaseMs);
    for (let place = depth + leaving; place > 0; place -= 1) {
      const accepted = -place * 40;
      const isOurs = !random.chance(Math.min(0.5, world.foreignRate));
      const item = this.#item(accepted, random.pick(['text', 'text', 'text', 'file']), isOurs);
      if (isOurs) {
        item.claimed = accepted - 300;
        item.bytesLeft = accepted - 200;
        item.stored = random.chance(0.04) ? random.int(0, 9_000) : accepted + 60;
      }
      world.items.push(item);
    }
  }

  #ourSends(world: World): void {
    const random = this.#random;
    const { isLong } = this.#rates;
    const burst = random.chance(0.3) ? random.int(2, 5) : 1;
    const lastClaim = isLong ? this.#end + 150_000 : this.#end - 3_000;
    let hasForced = false;
    let at = world.isBusy || random.chance(0.5) ? random.int(0, world.releaseMs) : FORCED_AT;
    for (let sends = 0; sends < MOST_SENDS; sends += 1) {
      if (!hasForced && at >= FORCED_AT) at = FORCED_AT;
      if (at > lastClaim) return;
      const isForcedTurn: boolean = at === FORCED_AT && !hasForced;
      const group = isForcedTurn ? random.int(1, burst) : burst;
      const forced = isForcedTurn ? random.int(0, group - 1) : -1;
      hasForced ||= isForcedTurn;
      const isAway = world.takeover !== null && at > world.takeover.at && at < world.takeover.backAt;
      const size = isAway ? 0 : group;
      for (let place = 0; place < size; place += 1) world.items.push(this.#send(world, at + place, place === forced));
      if (isLong) at += random.int(2_000, 20_000);
      else if (world.isBusy) at += Math.floor(world.releaseMs * burst * (0.8 + 0.4 * random.share()));
      else at += random.int(1_500, 12_000);
    }
  }

  #send({ takeover }: World, claimed: number, isForced: boolean): Item {
    const random = this.#random;
    const kinds: readonly Kind[] = ['text', 'text', 'text', 'text', 'file', 'file', 'status'];
    const item = this.#item(NEVER, random.pick(isForced && random.chance(0.9) ? kinds.slice(2, 5) : kinds), true);
    item.claimed = claimed;
    item.isForced = isForced;
    item.worker = takeover !== null && claimed >= takeover.backAt ? 1 : 0;
    item.bytesLeft = claimed + (random.chance(0.9) ? random.int(1, 40) : random.int(40, DEADLINE_MS));
    if (isForced || random.chance(this.#rates.doubt)) this.#loseResponse(item);
    else {
      const latency = random.chance(0.9) ? random.int(40, 400) : random.int(400, 6_000);
      item.accepted = item.bytesLeft + Math.floor(latency / 2);
      const late = random.chance(0.8) ? random.int(40, 5_000) : random.int(5_000, 40_000);
      item.stored = item.bytesLeft + latency + (random.chance(0.95) ? random.int(1, 40) : late);
    }
    // A response that was not stored before the takeover is unknown, and no worker saw its loss.
    if (takeover !== null && claimed <= takeover.at && item.stored > takeover.at) {
      item.isInDoubt = true;
      if (item.lossSeen > takeover.at) item.lossSeen = NEVER;
      if (item.bytesLeft > takeover.at && !takeover.isFrozen) item.accepted = NEVER;
      if (!takeover.isFrozen) item.stored = NEVER;
      else if (item.stored < NEVER) item.stored += random.int(0, 20_000);
    }
    return item;
  }

  #loseResponse(item: Item): void {
    const random = this.#random;
    item.isInDoubt = true;
    const lost = item.bytesLeft + (random.chance(0.6) ? random.int(0, 800) : random.int(0, TIMEOUT_MS));
    const isSeen = random.chance(0.6);
    if (isSeen) item.lossSeen = lost;
    if (random.chance(this.#rates.absent)) return;
    const connectionEnd = isSeen ? lost : item.bytesLeft + random.int(0, TIMEOUT_MS);
    const how = random.share();
    if (how < 0.4) item.accepted = Math.min(connectionEnd, item.bytesLeft + random.int(5, 300));
    else if (how < 0.8) item.accepted = connectionEnd + random.int(0, SETTLE_MS - 1);
    else item.accepted = connectionEnd + SETTLE_MS - 1 - random.int(0, 50);
    if (random.chance(this.#rates.beyondSettle)) item.accepted = connectionEnd + SETTLE_MS + random.int(0, SETTLE_MS);
    // Its response may still arrive late.
    if (random.chance(0.2)) item.stored = item.accepted + random.int(20, 30_000) + random.int(1, 800);
  }

  /** Through the API, and on the phone. */
  #foreignSends(world: World): void {
    const random = this.#random;
    const { foreignRate } = world;
    if (foreignRate === 0) return;
    const inDoubt = world.items.filter((item) => item.isInDoubt);
    const end = this.#rates.isLong ? this.#end + 60_000 : this.#end;
    for (let at = random.gap(foreignRate); at < end; at += random.gap(foreignRate)) {
      const like = random.chance(this.#rates.foreignEqual) && inDoubt.length > 0 ? random.pick(inDoubt) : undefined;
      const item = this.#item(at, like?.kind ?? random.pick(['text', 'text', 'text', 'file', 'status']), false);
      if (like !== undefined) Object.assign(item, { content: like.content, chat: like.chat });
      world.items.push(item);
    }
  }

  #appearance(world: World): void {
    const random = this.#random;
    const { reword, unrecognised, otherChatForm, fileStuck, enqueuedLateMs, noticeUnparsed } = this.#rates;
    const [rewords, renames, reforms] = [reword, unrecognised, otherChatForm].map((rate) => random.chance(rate));
    for (const item of world.items) {
      item.isReworded = rewords === true && random.chance(0.5);
      if (renames === true && random.chance(0.3)) item.shownAs = 'unrecognised';
      item.hasOtherChatForm = reforms === true && random.chance(0.5);
      item.hasId = !random.chance(0.003);
      item.size = random.int(1, 4);
      item.noticeRoll = random.share();
      item.lateRoll = random.share();
      item.isUnparsed = random.chance(noticeUnparsed);
      if (item.kind === 'file' && random.chance(fileStuck)) item.readyAt = item.accepted + random.int(500, 10_000);
      const hasResponse = item.isOurs && !item.isInDoubt && item.stored < NEVER;
      if (enqueuedLateMs > 0 && hasResponse && random.chance(0.2)) item.accepted += random.int(0, enqueuedLateMs);
    }
  }

  /** What other senders do to the queue. */
  #disturbances(world: World): void {
    const random = this.#random;
    const rates = this.#rates;
    if (random.chance(rates.clear)) world.clears.push(random.int(0, this.#end));
    if (random.chance(rates.restart)) {
      const begins = random.int(0, this.#end);
      const lasts = random.int(500, 15_000);
      const isUnannounced = random.chance(rates.restartUnannounced);
      const announced = (): number => random.int(0, rates.announcedWithinMs);
      const knownFrom = random.chance(0.4) ? begins - random.int(0, 20_000) : begins + announced();
      world.restarts.push({
        begins,
        at: begins + random.int(0, lasts),
        ends: begins + lasts,
        knownFrom: isUnannounced ? NEVER : knownFrom,
        knownUntil: isUnannounced ? NEVER : begins + lasts + announced(),
        effect: random.pick(['shuffle', 'shuffle', 'drop', 'keep', 'shuffle', 'shuffle and drop']),
        salt: random.bits(),
      });
      world.pauses.push([begins, begins + lasts]);
    }
    if (random.chance(rates.pause)) {
      const from = random.int(0, this.#end);
      world.pauses.push([from, from + random.int(1_000, 20_000)]);
    }
    if (random.chance(rates.requeue)) world.requeues.push(random.int(0, this.#end));
  }

  #readings(world: World): void {
    const random = this.#random;
    const { steady, overlap, isLong, listingLagMs } = this.#rates;
    const forced = world.items.find(({ isForced }) => isForced);
    if (forced === undefined) return;
    const isSteady = random.chance(steady);
    const overlaps = random.chance(overlap);
    const slow = random.chance(0.1) ? 5 : 1;
    const seldom = random.int(2_000, 5_000);
    const inDoubtFrom = forced.claimed - 500;
    const over = settledAt(forced) + (isLong ? 8_000 : 5_000);
    for (let begun = random.int(0, 900); begun < over;) {
      const took = random.chance(0.03) ? random.int(1_500, 6_000) : random.int(40, 500) * slow;
      const pictured = begun + random.int(0, took) - random.int(0, listingLagMs);
      const ended = begun + took + random.int(1, 5);
      if (!random.chance(0.03)) this.#read(world, begun, pictured, ended);
      const isOften = isSteady || begun > inDoubtFrom;
      const pause = isOften ? (begun > over - 5_000 ? 1_500 : random.int(900, 1_200)) : seldom;
      begun += overlaps && random.chance(0.4) ? random.int(200, 900) : Math.max(pause, took);
    }
    if (!isLong) return;
    for (let begun = over; begun < this.#end + 400_000; begun += random.int(8_000, 20_000)) {
      const took = random.int(40, 500);
      this.#read(world, begun, begun + random.int(0, took), begun + took);
    }
  }

  #read({ takeover, readings }: World, begun: number, pictured: number, ended: number): void {
    if (takeover === null || begun >= takeover.backAt) {
      readings.push(aReading(begun, pictured, ended, takeover === null ? 0 : 1));
    } else if (begun <= takeover.at && (ended < takeover.at || takeover.isFrozen)) {
      readings.push(aReading(begun, pictured, ended));
    }
  }

  #notifications(world: World): void {
    const random = this.#random;
    const rates = this.#rates;
    const span = (from: number, shortest: number, longest: number): [number, number] => [
      from,
      from + random.int(shortest, longest),
    ];
    if (rates.isLong && random.chance(rates.receiverDown))
      world.receiverDown = span(random.int(0, 120_000), 5_000, 300_000);
    if (rates.isLong && random.chance(rates.notificationsOff))
      world.notificationsOff = span(random.int(-60_000, 120_000), 5_000, 200_000);
    if (random.chance(rates.noticeLossBurst)) world.lossBurst = span(random.int(-20_000, 60_000), 1_000, 60_000);
    if (random.chance(rates.filesNotNotified)) world.quietKind = 'file';
    world.noticeLoss = rates.noticeLoss;
    world.noticeLate = rates.noticeLate;
    world.noticeRetry = rates.noticeRetry;
  }

  #item(accepted: number, kind: Kind, isOurs: boolean): Item {
    return anItem({ accepted, kind, isOurs, content: (this.#content += 1), chat: this.#random.int(0, 19) });
  }
}
