import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { campaignStory } from '../../../src/cli/commands/campaign/campaign-text.js';
import { watchCampaign } from '../../../src/cli/commands/campaign/watch.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import type { CampaignId, CampaignView } from '../../../src/contract/index.js';
import type { ApiClient } from '../../../src/client/index.js';
import { aProgress, NO_RECIPIENTS } from '../../support/progress.js';

const NONE = NO_RECIPIENTS;

function aCampaign(change: Partial<CampaignView>): CampaignView {
  const content = { kind: 'text', text: 'Hello' } as const;
  return {
    ...aProgress(change),
    definition: { instance: 'main', content },
    content,
    contentVersion: 1,
    accounts: [{ instance: 'main', counts: change.counts ?? NONE }],
    createdAt: '2026-03-01T10:00:00.000Z',
    ...change,
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T11:00:00.000Z') }));
afterEach(() => void vi.useRealTimers());

const HALF = aCampaign({
  counts: { ...NONE, pending: 110, accepted: 10, delivered: 79, no_account: 1 },
  depth: 10,
  queueReadAt: '2026-03-01T11:00:00.000Z',
  waiting: { code: 'INSTANCE_NOT_AUTHORIZED', text: 'notAuthorized', since: '2026-03-01T11:00:00.000Z' },
});
const MOVING = aCampaign({
  counts: { ...NONE, pending: 110, accepted: 10, delivered: 79, no_account: 1 },
  depth: 10,
  queueReadAt: '2026-03-01T11:00:00.000Z',
  releaseIntervalMs: 15_000,
  perMinute: 4,
  etaAt: '2026-03-01T11:30:00.000Z',
  asOf: '2026-03-01T11:00:00.000Z',
});
const DONE = aCampaign({ state: 'completed', counts: { ...NONE, delivered: 200 } });

/** An API that gives one answer after the other, and calls back before each. */
function answering(campaigns: readonly CampaignView[], before: (poll: number) => void = () => undefined): ApiClient {
  let poll = 0;
  const next = (): Promise<CampaignView> => {
    before(poll);
    const campaign = campaigns[Math.min(poll, campaigns.length - 1)];
    poll += 1;
    return campaign === undefined ? Promise.reject(new Error('nothing to answer')) : Promise.resolve(campaign);
  };
  return { getCampaign: next } as Partial<ApiClient> as ApiClient;
}

function aTerminal(parts: Partial<Terminal>): { terminal: Terminal; out: string[]; err: string[] } {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    bytes: async () => undefined,
    stdin: Readable.from([]),
    env: {},
    cwd: '/',
    ...parts,
  };
  return { terminal, out, err };
}

it('on a terminal one line of 80 columns is overwritten, and the last one stays', async () => {
  const live: string[] = [];
  const { terminal, out } = aTerminal({ live: (line) => void live.push(line) });
  await watchCampaign(answering([HALF, DONE]), 'sale', terminal, { isJson: false });
  expect(live).toEqual(['sale running [████░░░░░░] 45 % 90/200 · paused: INSTANCE_NOT_AUTHORIZED', '']);
  expect(out).toEqual(['sale  completed  200 recipients  delivered 200']);
});

it.each([
  [40, 'sale running [████░░░░░░] 45 % 90/200'],
  [80, 'sale running [████░░░░░░] 45 % 90/200 · about 30 min left · 4 a minute'],
  [
    180,
    'sale running [████░░░░░░] 45 % 90/200 · about 30 min left · until about 2026-03-01 11:30:00 UTC · 4 a minute · accepted 10 · delivered 79 · no_account 1 · queue 10',
  ],
])('in a window of %i columns the line has the facts that fit, and never wraps', async (columns, line) => {
  const live: string[] = [];
  const { terminal } = aTerminal({ live: (one) => void live.push(one), columns: () => columns });
  await watchCampaign(answering([MOVING, DONE]), 'sale', terminal, { isJson: false });
  expect(live[0]).toBe(line);
});

it.each([20, 40, 80, 200])('a long name fits in %i columns', async (columns) => {
  const lines: string[] = [];
  const parts = { live: (line: string) => void lines.push(line), columns: () => columns };
  const { terminal, out } = aTerminal(parts);
  const id = 'c'.repeat(64) as CampaignId;
  await watchCampaign(
    answering([
      { ...HALF, id },
      { ...DONE, id },
    ]),
    id,
    terminal,
    { isJson: false },
  );
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line.length).toBeLessThan(columns);
  expect(out.join(' ')).toContain('completed');
});

it('into a file only changes are written, as plain lines of 80 columns, and not each second', async () => {
  const { terminal, out } = aTerminal({});
  await watchCampaign(answering([HALF, HALF, aCampaign({}), DONE]), 'sale', terminal, { isJson: false });
  expect(out).toEqual([
    'sale running [████░░░░░░] 45 % 90/200 · paused: INSTANCE_NOT_AUTHORIZED',
    '  (notAuthorized) since 2026-03-01 11:00:00 UTC · accepted 10 · delivered 79 ·',
    '  no_account 1 · queue 10',
    'sale  completed  200 recipients  delivered 200',
  ]);
});

it('as JSON a line is written when the state changed, not when only time has passed', async () => {
  const { terminal, out } = aTerminal({});
  const later = { ...MOVING, etaAt: '2026-03-01T11:30:01.000Z', asOf: '2026-03-01T11:00:01.000Z' };
  await watchCampaign(answering([MOVING, later, DONE]), 'sale', terminal, { isJson: true });
  expect(out.map((line) => (JSON.parse(line) as CampaignView).state)).toEqual(['running', 'completed']);
});

it('Ctrl-C leaves the campaign running and reports that', async () => {
  let interrupt: () => void = () => undefined;
  let isListening = false;
  const { terminal, err } = aTerminal({
    onInterrupt(interrupted) {
      [interrupt, isListening] = [interrupted, true];
      return () => (isListening = false);
    },
  });
  const api = answering([HALF], (poll) => (poll === 2 ? interrupt() : undefined));
  expect(await watchCampaign(api, 'sale', terminal, { isJson: false })).toBe(HALF);
  expect(err).toEqual(['sale continues. Watch it again: everpost campaign show sale --watch']);
  expect(isListening).toBe(false);
});

it('the time limit ends the watching too', async () => {
  const { terminal, err } = aTerminal({});
  expect(await watchCampaign(answering([HALF]), 'sale', terminal, { isJson: false, timeoutMs: 0 })).toBe(HALF);
  expect(err).toEqual([]);
});

it('a campaign’s details show the lines of its text, the command that resumes it, and who changed what', () => {
  const at = '2026-03-01T11:00:00.000Z';
  const paused = {
    ...HALF,
    state: 'paused',
    timezone: 'Europe/Berlin',
    waiting: { code: 'PAUSED', since: at, remedy: 'everpost campaign resume sale' },
    content: { kind: 'text', text: 'Hello\n{{name}}' },
    commands: [
      { kind: 'update', what: 'content, limits', askedAt: at, begunAt: at, requestedBy: 'key:shop' },
      { kind: 'pause', askedAt: at, requestedBy: 'loopback' },
    ],
  } as const;
  const story = campaignStory(paused);
  expect(story).toEqual(
    expect.arrayContaining([
      '  text: Hello',
      '  text: {{name}}',
      '  paused: PAUSED since 2026-03-01 12:00:00 Europe/Berlin. Remedy: everpost campaign resume sale',
      '  2026-03-01 12:00:00 Europe/Berlin update (content, limits) by key:shop',
      '  2026-03-01 12:00:00 Europe/Berlin pause by loopback, without effect',
    ]),
  );
});

it('a campaign’s details show its state, the reason why it waits, and its high water mark', () => {
  expect(
    campaignStory({ ...HALF, releaseIntervalMs: 15_000, perMinute: 4, etaUnknown: 'INSTANCE_NOT_AUTHORIZED' }),
  ).toEqual([
    'sale  running  200 recipients  pending 110  accepted 10  delivered 79  no_account 1',
    '  instance: main',
    '  priority: normal',
    '  kind: text',
    '  text: Hello',
    '  progress: [█████████░░░░░░░░░░░] 45 %, 90 of 200',
    '  paused: INSTANCE_NOT_AUTHORIZED (notAuthorized) since 2026-03-01 11:00:00 UTC',
    '  queue: read 10 items at 2026-03-01 11:00:00 UTC',
    "  high water mark: up to 12 items in the gateway's queue",
    '  rate: one every 15 s, 4 a minute',
    '  last message leaves about: unknown (INSTANCE_NOT_AUTHORIZED)',
  ]);
});

it('a campaign’s details show when its last message leaves, and how long that takes', () => {
  expect(campaignStory(MOVING)).toEqual(
    expect.arrayContaining(['  last message leaves about: 2026-03-01 11:30:00 UTC', '  left: about 30 min']),
  );
});
