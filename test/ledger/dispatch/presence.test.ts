/** Which worker processes are alive: PRESENCE-1 to PRESENCE-4. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDatabase } from '../../support/ledger/ledger.js';
import { NOW } from '../cast.js';
import { accepted, DispatchCast } from './cast.js';

let database: Awaited<ReturnType<typeof aDatabase>>;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.close());

/** An instance that a process serves. */
async function aShiftOf(process: string): Promise<DispatchCast & { taskToken: string }> {
  const cast = new DispatchCast(database.ledger);
  const taskToken = randomUUID();
  cast.shift = { ...cast.shift, served: { process, taskToken } };
  await cast.begin();
  return Object.assign(cast, { taskToken });
}

/** As if the process had not reported for `ms`. */
async function silent(process: string, ms: number): Promise<void> {
  await sql`update worker_processes set alive_until = alive_until - ${ms}::float8 * interval '1 millisecond',
    alive_since = alive_since - ${ms}::float8 * interval '1 millisecond' where process = ${process}`.execute(
    database.db,
  );
}

describe('a shift', () => {
  it('is not lost while its process is alive, and never to its own process', async () => {
    const { dispatch } = database.ledger;
    const [one, other] = [randomUUID(), randomUUID()];
    await dispatch.sayAlive(one, []);
    const { instance } = await aShiftOf(one);
    await silent(one, 3_000);
    expect((await dispatch.sayAlive(other, [])).map((lost) => lost.instance)).not.toContain(instance);
    await silent(one, 2_000);
    expect((await dispatch.sayAlive(one, [instance])).map((lost) => lost.instance)).not.toContain(instance);
  });

  it('is lost when its process has not reported for four seconds, until it has ended or another one has begun', async () => {
    const { dispatch } = database.ledger;
    const [dead, other] = [randomUUID(), randomUUID()];
    await dispatch.sayAlive(dead, []);
    const taken = await aShiftOf(dead);
    const ended = await aShiftOf(dead);
    await dispatch.endShift(ended.shift, NOW);
    await silent(dead, 4_000);
    const ofTest = async () =>
      (await dispatch.sayAlive(other, [])).filter(({ instance }) =>
        [taken.instance, ended.instance].includes(instance),
      );
    expect(await ofTest()).toEqual([{ instance: taken.instance, taskToken: taken.taskToken }]);
    taken.shift = { ...taken.shift, served: { process: other, taskToken: randomUUID() } };
    await taken.begin();
    expect(await ofTest()).toEqual([]);
  });

  it('is found lost by a process that was silent itself only after the others had as long to report', async () => {
    const { dispatch } = database.ledger;
    const [dead, other] = [randomUUID(), randomUUID()];
    await dispatch.sayAlive(dead, []);
    const { instance } = await aShiftOf(dead);
    await dispatch.sayAlive(other, []);
    await silent(dead, 60_000);
    await silent(other, 60_000);
    const found = async () => (await dispatch.sayAlive(other, [])).some((lost) => lost.instance === instance);
    expect(await found()).toBe(false);
    await silent(other, 3_500);
    expect(await found()).toBe(false);
    await silent(other, 600);
    expect(await found()).toBe(true);
  });

  it('PRESENCE-4 of a live process claims nothing more after another shift began, and its outcome counts', async () => {
    const [slow, other] = [randomUUID(), randomUUID()];
    const cast = await aShiftOf(slow);
    const first = cast.shift;
    await cast.takeMany(2);
    const { claimed } = await cast.tick({ free: 1 });
    const [posted] = claimed;
    expect(claimed).toHaveLength(1);
    cast.shift = { ...first, served: { process: other, taskToken: randomUUID() } };
    await cast.begin();
    const late = await cast.tick({ outcomes: [accepted(posted!)] }, first);
    expect(late).toMatchObject({ claimed: [], isLost: true });
    expect(await cast.state(posted!.messageId)).toBe('accepted');
  });
});

describe('a shift that claims nothing for long', () => {
  it('PRESENCE-6 serves no instance when its process says that it does not: an older copy was restored', async () => {
    const { dispatch } = database.ledger;
    const process = randomUUID();
    const [kept, gone] = [await aShiftOf(process), await aShiftOf(process)];
    await dispatch.sayAlive(process, [kept.instance]);
    expect(await dispatch.lastShift(kept.instance, NOW)).toMatchObject({ isServing: true });
    expect(await dispatch.lastShift(gone.instance, NOW)).toMatchObject({ isServing: false });
  });

  it('serves its instance while its process is alive, and not when that has died', async () => {
    const { dispatch } = database.ledger;
    const process = randomUUID();
    await dispatch.sayAlive(process, []);
    const { instance } = await aShiftOf(process);
    const hourLater = NOW + 60 * 60_000;
    expect(await dispatch.lastShift(instance, hourLater)).toMatchObject({ isServing: true });
    await silent(process, 5_000);
    expect(await dispatch.lastShift(instance, NOW)).toMatchObject({ isServing: false });
  });
});
