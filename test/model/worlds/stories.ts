/** The refutations as minimal worlds: each has a false conclusion without its condition, and none with it. */
import { PRECEDE, PRESUME, type Variant } from './verdicts.js';
import { NEVER, aReading, aWorld, anItem, type Item, type Reading, type World } from './world.js';
import { ABSENCE_WITHOUT, PRESUMPTION_WITHOUT } from './without.js';

export interface Story {
  readonly title: string;
  readonly rule: Variant;
  readonly without: readonly Variant[];
  readonly world: () => World;
}

const seconds = (time: number): number => Math.round(time * 1_000);
let content = 0;

/** Our message, with a response. */
function ours(claimed: number, accepted: number, stored: number, more: Partial<Item> = {}): Item {
  return anItem({
    accepted: seconds(accepted),
    kind: 'text',
    isOurs: true,
    content: (content += 1),
    claimed: seconds(claimed),
    bytesLeft: seconds(claimed),
    stored: seconds(stored),
    ...more,
  });
}

/** An unknown attempt: the loss of its connection is seen, and a listing shows it in other words. */
function attempt(claimed: number, accepted: number, lossSeen: number, more: Partial<Item> = {}): Item {
  const lost = { isInDoubt: true, isReworded: true, lossSeen: seconds(lossSeen) };
  return ours(claimed, accepted, NEVER, { stored: NEVER, ...lost, ...more });
}

function read(begun: number, pictured: number, ended: number, worker = 0): Reading {
  return aReading(seconds(begun), seconds(pictured), seconds(ended), worker);
}

function variant(name: string): Variant {
  const found = [...ABSENCE_WITHOUT, ...PRESUMPTION_WITHOUT].find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

/** One permutation puts the last of three items first, the other the first of five behind two others. */
const FIRST_OF_THREE = -1_640_531_535;
const LAST_OF_FIVE = 1_401_181_143;

const restart = (at: number, knownFrom: number, knownUntil: number, salt: number): World['restarts'][number] => ({
  at: seconds(at),
  begins: seconds(at),
  ends: seconds(at),
  knownFrom: knownFrom === NEVER ? NEVER : seconds(knownFrom),
  knownUntil: knownUntil === NEVER ? NEVER : seconds(knownUntil),
  effect: 'shuffle',
  salt,
});

function stuckFile(): Item {
  return attempt(1, 1.1, 2, { kind: 'file', shownAs: 'file', readyAt: seconds(600) });
}

/** A world of minutes in which every notification arrives. */
function aNotifiedWorld(of: Partial<World>): World {
  const readings = Array.from({ length: 40 }, (_, turn) => read(18 + turn * 10, 18.1 + turn * 10, 18.2 + turn * 10));
  return aWorld({ noticeLoss: 0, readings, ...of });
}

export const STORIES: readonly Story[] = [
  {
    title: 'a listing that is cut at two shows our youngest accepted id, and the attempt stands behind the cut',
    rule: PRECEDE,
    without: [variant('ABSENT-3'), variant('ABSENT-3 as designed')],
    world: () =>
      aWorld({
        releaseMs: 60_000,
        cut: 2,
        longest: 2,
        items: [ours(-2, -1.9, -1.8), ours(5, 5.1, 5.2), attempt(0, 15.4, 0.5)],
        readings: [read(16.2, 16.3, 16.4)],
      }),
  },
  {
    title: 'the queue drains between two readings, including the attempt',
    rule: PRECEDE,
    without: [variant('PRECEDE-3')],
    world: () => aWorld({ items: [attempt(1, 5, 2)], readings: [read(0, 0.1, 0.2), read(18, 18.1, 18.2)] }),
  },
  {
    title: 'a restart puts the attempt first, and its announcement comes after the last reading',
    rule: PRECEDE,
    without: [variant('ABSENT-6'), variant('ABSENT-5')],
    world: () =>
      aWorld({
        releaseMs: 9_000,
        restarts: [restart(17.1, 20, 21, FIRST_OF_THREE)],
        items: [ours(-2, -1.9, -1.8), ours(-1.5, -1.4, -1.3), ours(-1, -0.9, -0.8), attempt(1, 16.9, 2)],
        readings: [read(0, 0.1, 0.2), read(9.1, 9.2, 9.3), read(16, 16.1, 16.2), read(17.6, 18.1, 18.3)],
      }),
  },
  {
    title: 'a restart that begins before the claim and ends after it puts the attempt first',
    rule: PRECEDE,
    without: [variant('ABSENT-5 an interval, not a moment'), variant('ABSENT-5')],
    world: () =>
      aWorld({
        releaseMs: 9_000,
        restarts: [restart(17.1, 0.5, 21, FIRST_OF_THREE)],
        items: [ours(-2, -1.9, -1.8), ours(-1.5, -1.4, -1.3), ours(-1, -0.9, -0.8), attempt(1, 16.9, 2)],
        readings: [read(0, 0.1, 0.2), read(9.1, 9.2, 9.3), read(16, 16.1, 16.2), read(17.6, 18.1, 18.3)],
      }),
  },
  {
    title: 'a restart that no notification announces puts the attempt first, and a later id of ours is missing behind',
    rule: PRECEDE,
    without: [variant('PRECEDE-4')],
    world: () =>
      aWorld({
        releaseMs: 5_000,
        restarts: [restart(4, NEVER, NEVER, 5)],
        items: [
          ours(-2, -1.9, -1.8),
          ours(-1, -0.9, -0.8),
          attempt(1, 1.1, 2),
          ours(2, 2.1, 2.2),
          ours(2.3, 2.4, 2.5),
          ours(2.6, 2.7, 2.8),
        ],
        readings: [read(17.6, 17.7, 17.8)],
      }),
  },
  {
    title: 'the worker that reads is 0.4 s ahead of the one that claimed, and the attempt comes at the edge of settle',
    rule: PRECEDE,
    without: [variant('ABSENT-2 margin for clocks')],
    world: () =>
      aWorld({
        releaseMs: 60_000,
        clock: [-200, 200],
        takeover: { at: seconds(2), backAt: seconds(3), isDurable: true, isFrozen: false },
        items: [ours(-2, -1.9, -1.8), attempt(1, 16.99, 2)],
        readings: [read(16.7, 16.8, 17.1, 1)],
      }),
  },
  {
    title: 'the late response is stored before the conclusion is written, so that its own id is accounted for',
    rule: PRECEDE,
    without: [variant('ABSENT-7')],
    world: () =>
      aWorld({
        releaseMs: 60_000,
        items: [ours(-2, -1.9, -1.8), attempt(1, 1.1, 2, { stored: seconds(17.7) })],
        readings: [read(17.6, 17.65, 17.8)],
      }),
  },
  {
    title: 'the attempt is listed without an id',
    rule: PRECEDE,
    without: [variant('ABSENT-4 an item without an id')],
    world: () =>
      aWorld({
        releaseMs: 60_000,
        items: [ours(-2, -1.9, -1.8), attempt(1, 1.1, 2, { hasId: false })],
        readings: [read(17.6, 17.7, 17.8)],
      }),
  },
  {
    title: 'a file that is not ready stays in the queue and lets its successor pass',
    rule: PRESUME,
    without: [variant('PRESUME-3')],
    world: () => aNotifiedWorld({ items: [stuckFile(), ours(20, 20.1, 20.2, { kind: 'file', shownAs: 'file' })] }),
  },
  {
    title: 'a restart puts the attempt behind its successor, and listings are cut',
    rule: PRESUME,
    without: [variant('PRESUME-5')],
    world: () =>
      aNotifiedWorld({
        releaseMs: 70_000,
        cut: 2,
        longest: 2,
        restarts: [restart(25, 26, 27, LAST_OF_FIVE)],
        items: [attempt(1, 1.1, 2), ...[20, 20.5, 21, 21.5].map((at) => ours(at, at + 0.1, at + 0.2))],
      }),
  },
  {
    title: 'the attempt leaves the queue while notifications are off',
    rule: PRESUME,
    without: [variant('PRESUME-6')],
    world: () =>
      aNotifiedWorld({ notificationsOff: [0, seconds(10)], items: [attempt(1, 1.1, 2), ours(20, 20.1, 20.2)] }),
  },
];

/** Broken assumptions: no rule helps. */
export const BROKEN: readonly { readonly title: string; readonly world: () => World }[] = [
  {
    title: 'the gateway answers for a message before it is in the queue, and the attempt overtakes it',
    world: () =>
      aWorld({
        releaseMs: 15_000,
        items: [ours(-1, 2, -0.8), attempt(1, 1.1, 2)],
        readings: [read(17.6, 17.7, 17.8)],
      }),
  },
  {
    title: 'a file that is not ready lets the attempt pass',
    world: () =>
      aWorld({
        releaseMs: 15_000,
        items: [ours(-1, -0.9, -0.8, { kind: 'file', shownAs: 'file', readyAt: seconds(40) }), attempt(1, 1.1, 2)],
        readings: [read(17.6, 17.7, 17.8)],
      }),
  },
  {
    title: 'a request is accepted later than the settle time allows',
    world: () =>
      aWorld({
        releaseMs: 60_000,
        items: [ours(-1, -0.9, -0.8), attempt(1, 18, 2)],
        readings: [read(17.6, 17.7, 17.8)],
      }),
  },
];
