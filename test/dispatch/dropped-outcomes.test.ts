/** TICKER-6: outcomes whose attempts a restored ledger does not have. */
import { expect, it, test } from 'vitest';
import { createActivities, type ActivityDependencies } from '../../src/activities/index.js';
import { AppError } from '../../src/contract/index.js';
import type { Dispatcher } from '../../src/dispatch/index.js';
import { useOwnCast } from '../ledger/cast.js';
import { aWorld } from './world.js';

const NEVER = new AbortController().signal;
const gone = () => new AppError('MESSAGE_NOT_FOUND', 'The attempt is not in the ledger.');

it('an outcome that no message can get is logged with its ids and dropped, and the shift goes on', async () => {
  const world = aWorld();
  const logged: object[] = [];
  const [first] = [world.ledger.add('main')];
  const tick = world.ledger.tick.bind(world.ledger);
  world.ledger.tick = async (input) => {
    const [lost, ...rest] = input.outcomes;
    if (lost === undefined) return tick(input);
    world.ledger.tick = tick;
    const result = await tick({ ...input, outcomes: rest });
    return { ...result, unrecorded: new Map([[lost.token, gone()]]) };
  };
  const dispatcher = world.dispatcher({ log: (entry) => logged.push(entry) });
  const result = await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
  expect(result).toMatchObject({ ended: 'idle', unrecorded: [] });
  expect(logged).toEqual([
    expect.objectContaining({
      level: 'error',
      outcome: 'accepted',
      idMessage: expect.stringContaining('id-') as string,
    }),
  ]);
  expect(first).toBeDefined();
});

const cast = useOwnCast();

test('the activity records each outcome by itself: one without an attempt stops none behind it', async () => {
  const { id, token } = await cast.posting();
  const logged: object[] = [];
  const log = (entry: object): void => void logged.push(entry);
  const activities = createActivities(
    { ledger: cast.ledger, log } as unknown as ActivityDependencies,
    {} as Dispatcher,
  );
  const accepted = (of: string) => ({ kind: 'accepted', idMessage: `GW-${of}`, httpStatus: 200 }) as const;
  await activities.recordOutcomes({
    outcomes: [
      { token: 'of-another-time', outcome: accepted('of-another-time'), atMs: 0 },
      { token, outcome: accepted(token), atMs: 0 },
    ],
  });
  expect(await cast.state(id)).toBe('accepted');
  expect(logged).toEqual([expect.objectContaining({ attempt: 'of-another-time', idMessage: 'GW-of-another-time' })]);
});
