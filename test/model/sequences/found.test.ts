/** Sequences that showed a defect, as short as they became. */
import { test } from 'vitest';
import { step, type Step } from './commands.js';
import { play } from './play.js';

const send = (chat: number, more: object = {}, afterMs = 0) =>
  step('send', { instance: 'main', chat, isSame: false, isUrgent: false, isLater: false, ...more }, afterMs);

const FOUND: readonly (readonly [string, readonly Step[]])[] = [
  [
    'RECONCILE-7 an instance is removed while its shift waits for an unknown outcome',
    [
      step('fail_posts', { fault: 'refused', times: 3 }),
      send(1),
      step('start', {}, 15_000),
      send(0, {}, 30),
      send(2, {}, 700),
      step('remove_instance', { instance: 'main' }),
    ],
  ],
  [
    "SKEW-3 a worker's clock is set just before it claims",
    [
      step('send_many', { instance: 'main', chat: 2, isSame: false, isUrgent: false, count: 3 }, 30),
      step('clock', { aheadMs: 30 * 60 * 60_000 }, 30),
    ],
  ],
];

test.each(FOUND)('%s', (_, steps) => play({ seed: 1, steps }), 60_000);
