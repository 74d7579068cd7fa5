/** Plays many worlds and prints the conclusions of the rules: see scripts/worlds.js. */
import { test } from 'vitest';
import { PROFILES, STORM, generate, type Rates } from './generate.js';
import { PRECEDE, PRESUME, verdictsOf, type Variant } from './verdicts.js';
import { play } from './play.js';
import { tally, type Tally } from './tally.js';
import { NEVER, truthOf } from './world.js';
import { ABSENCE_WITHOUT, PRESUMPTION_WITHOUT } from './without.js';

const { WORLDS = '10000', SEED = '1', TABLE = 'storm' } = process.env;
const range = { worlds: Number(WORLDS), seed: Number(SEED) };

const BROKEN: Readonly<Record<string, Partial<Rates>>> = {
  'all assumptions hold': {},
  'restarts announced within an hour': { announcedWithinMs: 3_600_000 },
  'no restart is ever announced': { restartUnannounced: 1 },
  'a tenth of late acceptances comes after settle': { beyondSettle: 0.1 },
  'a listing may be 10 s old': { listingLagMs: 10_000 },
  'a listing is cut by its size in bytes': { cutByBytes: 1 },
  'a cut listing leaves out items in the middle': { cutWithHoles: 1 },
  'an item that cannot be sent goes to the tail (in 20 % of worlds)': { requeue: 0.2 },
  'an item enters the queue up to 10 s after its response': { enqueuedLateMs: 10_000 },
  'a fifth of the files let others pass for up to 10 s': { fileStuck: 0.2 },
};
const NOTIFIED: Readonly<Record<string, Partial<Rates>>> = {
  'as documented': {},
  'not in order, a twentieth up to an hour late': { ordered: 0, noticeLate: 0.05, noticeRetry: 0.1 },
  'lost, 0.1 % each': { noticeLoss: 0.001 },
  'lost, 1 % each': { noticeLoss: 0.01 },
  'lost, 5 % each': { noticeLoss: 0.05 },
  'lost in bursts of 1 to 60 s (half of the worlds)': { noticeLossBurst: 0.5 },
  'those of files are off (half of the worlds)': { filesNotNotified: 0.5 },
};

const TABLES: Readonly<Record<string, () => void>> = {
  storm: () => print('storm', tally(PROFILES.storm, [PRECEDE], range)),
  restarts: () => print('restarts', tally(PROFILES.restarts, [PRECEDE], range)),
  takeovers: () => print('takeovers', tally(PROFILES.takeovers, [PRECEDE], range)),
  without() {
    for (const name of ['storm', 'restarts', 'takeovers'] as const)
      print(name, tally(PROFILES[name], [PRECEDE, ...ABSENCE_WITHOUT], range));
    print('notified', tally(PROFILES.notified, [PRESUME, ...PRESUMPTION_WITHOUT], range));
  },
  broken() {
    for (const [name, rates] of Object.entries(BROKEN)) print(name, tally({ ...STORM, ...rates }, [PRECEDE], range));
  },
  notified() {
    for (const [name, rates] of Object.entries(NOTIFIED))
      print(name, tally({ ...PROFILES.notified, ...rates }, [PRECEDE, PRESUME, EITHER], range));
  },
  calm: () => decided(),
};
const EITHER: Variant = { ...PRECEDE, ...PRESUME, name: 'either', absence: PRECEDE.absence! };

test('random worlds have the printed numbers of conclusions', () => {
  TABLES[TABLE]!();
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function print(name: string, { worlds, absent, accepted, adopted, adoptedWrongly, rows }: Tally): void {
  say(
    `${name}: ${worlds} worlds from seed ${range.seed}; in doubt ${absent} absent, ${accepted} accepted; adopted ${adopted}, ${adoptedWrongly} of them another's`,
  );
  for (const row of rows) {
    const first = row.seed === undefined ? '' : ` (first in world ${row.seed})`;
    say(`  ${row.name}: ${row.concluded} conclusions, ${row.doubled} doubled, ${row.harmless} harmless${first}`);
  }
}

const DEPTHS = ['0', '1', '2-3', '4-9', '10+'] as const;

/** How many absent attempts of listed kinds are proved absent, by release interval, traffic and depth. */
function decided(): void {
  const cells = new Map<string, { all: number; proved: number }>();
  for (let seed = range.seed; seed < range.seed + range.worlds; seed += 1) {
    const world = play(generate(seed, PROFILES.calm));
    for (const { attempt, concludedAt } of verdictsOf(world, [PRECEDE])) {
      const { kind, isForced, depth, lossSeen } = attempt;
      if (truthOf(attempt) !== 'absent' || kind === 'status' || !isForced) continue;
      const at = DEPTHS[depth > 3 ? (depth < 10 ? 3 : 4) : Math.min(depth, 2)];
      const traffic = `${world.isBusy ? 'busy' : 'sparse'}, ${lossSeen < NEVER ? 'loss seen' : 'worker killed'}`;
      const key = `${traffic} | ${world.releaseMs} ms | ${world.foreignRate} foreign/s | depth ${at}`;
      const cell = cells.get(key) ?? { all: 0, proved: 0 };
      cells.set(key, { all: cell.all + 1, proved: cell.proved + (concludedAt[0] === 0 ? 0 : 1) });
    }
  }
  for (const [key, { all, proved }] of [...cells].toSorted(([one], [other]) => one.localeCompare(other)))
    say(`${key}: ${((100 * proved) / all).toFixed(1)} % of ${all}`);
}
