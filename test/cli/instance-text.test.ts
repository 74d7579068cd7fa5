import { expect, it } from 'vitest';
import { instanceStory } from '../../src/cli/commands/instance.js';
import type { InstanceStatus } from '../../src/api/index.js';

const QUIET: InstanceStatus = {
  name: 'main',
  idInstance: '1101000001',
  baseUrl: 'https://gateway.example.com',
  restricted: false,
  webhookAuthorization: true,
  notifications: 'push',
  messageWorkflows: 'always',
  pauses: [],
  queue: {},
  dispatcher: {},
  waiting: { messages: 0, campaigns: [], unknownOutcomes: 0 },
  closed: [],
};

it('the text of an unused account reports that', () => {
  expect(instanceStory(QUIET)).toEqual([
    'main  not seen yet',
    '  state: not seen yet',
    '  queue: not read yet',
    '  waiting: 0 single messages, 0 campaigns',
    '  notifications: push, none yet',
  ]);
});

it('the text of a paused account shows the reason, the time, how the pause ends, and what waits', () => {
  const since = '2026-03-01T10:00:00.000Z';
  const later = '2026-03-01T10:00:09.000Z';
  const story = instanceStory({
    ...QUIET,
    state: 'authorized',
    stateSince: '2026-03-01T10:00:05.000Z',
    stateSeenAt: '2026-03-01T10:01:05.000Z',
    connection: { status: 'online', since },
    pauses: [
      { reason: 'yellowCard', since, witness: 'stateInstanceChanged', resumedBy: 'operator' },
      { reason: 'blocked', since, witness: 'getStateInstance', resumedBy: 'authorized' },
      { reason: 'operator', since, witness: 'key:ops', resumedBy: 'operator' },
    ],
    queue: { reading: { items: 4, at: since }, estimate: { items: 1, at: later }, releaseIntervalMs: 3_000 },
    dispatcher: { worker: 'everpost-7@host', servedSince: since, seenAt: since, inFlight: 2, window: 6 },
    waiting: {
      messages: 2,
      campaigns: [{ id: 'sale', state: 'running', waiting: { code: 'INSTANCE_PAUSED', text: 'why', since } }],
      unknownOutcomes: 3,
    },
    lastNotificationAt: since,
  });
  expect(story).toEqual([
    'main  paused (yellowCard, blocked, operator)',
    '  state: authorized since 2026-03-01T10:00:05.000Z, seen 2026-03-01T10:01:05.000Z',
    `  connection: online since ${since}`,
    `  paused: yellowCard since ${since}, reported by stateInstanceChanged; nothing is posted. Once the account is authorized, resume it: everpost instance resume main`,
    `  paused: blocked since ${since}, reported by getStateInstance; nothing is posted. Once the account is authorized, it is resumed automatically`,
    `  paused: by an operator (key:ops) since ${since}; nothing is posted. Resume it: everpost instance resume main`,
    `  queue: read 4 items at ${since}`,
    `  estimated: 1 item at ${later}`,
    '  released: one every 3 s',
    `  dispatch: served by everpost-7@host since ${since}, 2 of at most 6 requests under way`,
    '  waiting: 2 single messages, 1 campaign',
    `  campaign: sale: INSTANCE_PAUSED (why) since ${since}`,
    '  unknown: 3 messages whose response was lost',
    `  notifications: push, last ${since}`,
  ]);
});

it('the text of an account without due messages shows its last dispatcher', () => {
  const seenAt = '2026-03-01T10:00:00.000Z';
  expect(instanceStory({ ...QUIET, dispatcher: { worker: 'everpost-7@host', seenAt, inFlight: 0 } })).toContain(
    `  dispatch: idle, last served by everpost-7@host at ${seenAt}`,
  );
});

it('the text of an account whose queue stands still shows since when, and what to do', () => {
  const since = '2026-03-01T10:00:00.000Z';
  const standstill = { items: 12, since, remedy: 'Do this.' };
  const story = instanceStory({ ...QUIET, state: 'authorized', queue: { standstill } });
  expect(story[0]).toBe('main  authorized, queue stands still');
  expect(story).toContain(
    `  standstill: the gateway's queue of 12 items has released nothing since ${since}. Do this.`,
  );
});
