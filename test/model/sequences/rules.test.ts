/** Short sequences of campaigns and schedules. Each of them fails without the rule that it names. */
import { test } from 'vitest';
import { step, type Step } from './commands.js';
import { play } from './play.js';

const CHATS = [0, 1, 2, 3, 4, 5];

const campaign = (more: object = {}, afterMs = 700): Step =>
  step(
    'campaign',
    {
      instance: 'main',
      chats: CHATS,
      highWater: 1,
      kind: 'text',
      rule: 'none',
      inMinutes: 0,
      missedStart: 'hold',
      isStarted: true,
      ...more,
    },
    afterMs,
  );
const first = { which: 0 };
const schedule = (catchupMs: number): Step => step('schedule', { instance: 'main', sends: 'campaign', catchupMs });
const occur = (minutesAgo: number, afterMs = 3_000): Step => step('occur', { ...first, minutesAgo, times: 1 }, afterMs);
const MINUTE_MS = 60_000;

type Named = readonly [string, readonly Step[]];

const SEQUENCES: readonly Named[] = [
  ['STREAM-1', [campaign({}, 30), step('campaign_text', { ...first, elementName: 'spring' }, 15_000)]],
  [
    'CAMPLIFE-1 amendAndStop',
    [
      campaign({ rule: 'later' }),
      step('campaign_amend', { ...first, stop: true }),
      step('jump_to_edge', { ...first, edge: 0, afterMs: 200 }, 15_000),
    ],
  ],
  [
    'CAMPLIFE-3',
    [
      campaign({ rule: 'later', isStarted: false }),
      step('campaign_cancel', first),
      step('campaign_retry', { ...first, scopes: ['cancelled'], hasDeadline: true }, 15_000),
    ],
  ],
  ['CAMPAIGN-5', [campaign({}, 30), step('campaign_text', { ...first, elementName: 'spring' }, 3_000)]],
  [
    'CAMPAIGN-8',
    [
      step('unreached', { chats: CHATS, how: 'no_account' }),
      campaign({ highWater: 12, rule: 'perDay' }, 15_000),
      step('source', { isBroken: false }, 15_000),
    ],
  ],
  ['CAMPAIGN-9', [campaign({ rule: 'missed' }), step('jump_to_edge', { ...first, edge: 0, afterMs: 30_000 }, 15_000)]],
  ['SUPPRESS-1', [campaign({ chats: [5, 4, 3, 2, 1, 0] }), step('suppress', { chat: 0 }, 15_000)]],
  ['LIMIT-4', [campaign(), step('campaign_hours', { ...first, timezone: 'UTC', inMinutes: 1 }, 15_000)]],
  [
    'AMEND-3',
    [
      campaign({ highWater: 12 }, 15_000),
      step('campaign_amend', { ...first, stop: false }, 1_050),
      step('campaign_amend', { ...first, stop: false }, 15_000),
    ],
  ],
  [
    'AMEND-8',
    [
      campaign(),
      step('campaign_amend', { ...first, stop: true }),
      step('campaign_retry', { ...first, scopes: ['cancelled'], hasDeadline: true }, 15_000),
    ],
  ],
  [
    'SCHEDULE-3',
    [
      schedule(60 * MINUTE_MS),
      step('source', { isBroken: true }),
      occur(0),
      step('schedule_text', first),
      step('source', { isBroken: false }, 15_000),
    ],
  ],
  [
    'SCHEDULE-4',
    [
      schedule(60 * MINUTE_MS),
      step('copy_ledger', {}),
      occur(0),
      step('restore_ledger', { isLive: true }, 3_000),
      occur(0, 15_000),
    ],
  ],
  ...[false, true].map((isLive): Named => [
    `RETURN-1 ${isLive ? 'by a worker' : 'by Temporal'}`,
    [
      step('pause', { instance: 'main' }),
      step('send', { instance: 'main', chat: 1, isSame: false, isUrgent: false, isLater: false }),
      step('copy_ledger', {}),
      step('resume', { instance: 'main' }, 3_000),
      step('restore_ledger', { isLive }),
      step('start', {}),
      step('resume', { instance: 'main' }, 15_000),
    ],
  ]),
  [
    'RETURN-6',
    [
      campaign({ rule: 'later' }),
      step('copy_ledger', {}),
      step('jump_to_edge', { ...first, edge: 0, afterMs: 200 }, 15_000),
      step('restore_ledger', { isLive: false }),
      step('start', {}, 30_000),
    ],
  ],
  ['SCHEDULE-5', [schedule(MINUTE_MS), occur(5)]],
  ['SCHEDULE-7', [schedule(MINUTE_MS), occur(0), step('schedule_delete', first), step('schedule_again', first)]],
];

test.each(SEQUENCES)('%s holds in a sequence that needs it', (_, steps) => play({ seed: 1, steps }), 60_000);
