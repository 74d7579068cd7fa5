import { expect, it } from 'vitest';
import {
  MESSAGE_STATES,
  zeroOfEach,
  withPace,
  type CampaignId,
  type CampaignProgress,
} from '../../src/contract/index.js';
import { campaignDetails } from '../../src/workflows/web-ui.js';

const NONE = zeroOfEach(MESSAGE_STATES);
const HALF: CampaignProgress = {
  id: 'sale' as CampaignId,
  version: 3,
  commandSequence: 0,
  instance: 'main',
  state: 'paused',
  priority: 'normal',
  audience: 4,
  counts: { ...NONE, pending: 2, no_account: 2 },
  highWater: 12,
};
const NOW = Date.parse('2026-03-01T11:00:00.000Z');
const since = '2026-03-01T10:00:00.000Z';

it.each(['INSTANCE_PAUSED', 'INSTANCE_NOT_AUTHORIZED', 'TOO_MANY_FAILURES'])(
  'a paused campaign (%s) shows in the Web UI since when and why',
  (code) => {
    const rows = campaignDetails(withPace({ ...HALF, waiting: { code, text: 'why', since } }, NOW));
    expect(rows).toMatch(new RegExp(`\\| Paused\\s+\\| ${code}: why \\|`));
    expect(rows).toMatch(new RegExp(`\\| Paused since\\s+\\| ${since} \\|`));
  },
);

it('says what was asked, and how a paused campaign is resumed', () => {
  const rows = campaignDetails(withPace(HALF, NOW));
  expect(rows).toMatch(/\| Asked\s+\| send to 4 recipients through main \|/);
  // In code, since the Web UI changes two hyphens in a text.
  expect(rows).toMatch(/\| Resume it\s+\| `everpost campaign resume sale` \|/);
  expect(campaignDetails(withPace({ ...HALF, state: 'running' }, NOW))).not.toContain('Resume it');
});

it('a campaign with a name shows it', () => {
  expect(campaignDetails(withPace({ ...HALF, name: 'Spring | sale' }, NOW))).toMatch(
    /\| Name\s+\| Spring \\\| sale \|/,
  );
  expect(campaignDetails(withPace(HALF, NOW))).not.toContain('Name');
});

it('a waiting campaign shows the reason', () => {
  const rows = campaignDetails(withPace({ ...HALF, state: 'running', waiting: { code: 'QUEUE_FULL', since } }, NOW));
  expect(rows).toMatch(/\| Waits for\s+\| QUEUE_FULL \|/);
  expect(rows).not.toContain('Paused');
});
