import { test as base } from '../support/temporal/temporal.js';
import { aWorld, type Place, type World, type WorldOptions } from './world.js';

type InWorld = (world: World, place: Place) => Promise<void>;

/** `inWorld` runs a test in a world of its own, while a worker works. */
export const test = base.extend('inWorld', ({ temporal, taskQueue }) => {
  const place: Place = { temporal, taskQueue };
  return async (...given: [options: Omit<WorldOptions, keyof Place>, test: InWorld] | [test: InWorld]) => {
    const [options, run] = given.length === 1 ? [{}, given[0]] : given;
    const world = await aWorld({ ...place, ...options });
    await world.run(() => run(world, place));
  };
});
