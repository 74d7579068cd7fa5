import { expect, it } from 'vitest';
import { campaignDetails } from '../../src/workflows/web-ui.js';
import { aProgress, NO_RECIPIENTS } from '../support/progress.js';

const HALF = aProgress({ state: 'paused', audience: 4, counts: { ...NO_RECIPIENTS, pending: 2, no_account: 2 } });
const since = '2026-03-01T10:00:00.000Z';
const SINCE = '2026-03-01 10:00:00 UTC';

it.each(['INSTANCE_PAUSED', 'INSTANCE_NOT_AUTHORIZED', 'TOO_MANY_FAILURES'])(
  'a paused campaign (%s) shows in the Web UI since when and why',
  (code) => {
    const rows = campaignDetails({ ...HALF, waiting: { code, text: 'why', since } });
    expect(rows).toMatch(new RegExp(`\\| Paused\\s+\\| ${code}: why \\|`));
    expect(rows).toMatch(new RegExp(`\\| Paused since\\s+\\| ${SINCE} \\|`));
  },
);

it('says what was asked, and how a paused campaign is resumed', () => {
  const rows = campaignDetails(HALF);
  expect(rows).toMatch(/\| Asked\s+\| send to 4 recipients through main \|/);
  // In code, since the Web UI changes two hyphens in a text.
  expect(rows).toMatch(/\| Resume it\s+\| `everpost campaign resume sale` \|/);
  expect(campaignDetails({ ...HALF, state: 'running' })).not.toContain('Resume it');
});

it('a campaign with a name shows it', () => {
  expect(campaignDetails({ ...HALF, name: 'Spring | sale' })).toMatch(/\| Name\s+\| Spring \\\| sale \|/);
  expect(campaignDetails(HALF)).not.toContain('Name');
});

it('a waiting campaign shows the reason', () => {
  const rows = campaignDetails({ ...HALF, state: 'running', waiting: { code: 'QUEUE_FULL', since } });
  expect(rows).toMatch(/\| Waits for\s+\| QUEUE_FULL \|/);
  expect(rows).not.toContain('Paused');
});

it('the end is what the ledger said, however late the run shows it', () => {
  const rows = campaignDetails({ ...HALF, state: 'running', etaAt: '2026-03-01T10:30:00.000Z', asOf: since });
  expect(rows).toMatch(/\| Last one leaves about\s+\| 2026-03-01 10:30:00 UTC \|/);
  expect(rows).toMatch(new RegExp(`\\| As of\\s+\\| ${SINCE} \\|`));
});

it('a paused campaign names the command that resumes it, and times by its own clock', () => {
  const remedy = 'everpost campaign resume sale';
  const rows = campaignDetails({ ...HALF, timezone: 'Europe/Lisbon', waiting: { code: 'PAUSED', since, remedy } });
  expect(rows).toMatch(/\| Paused since\s+\| 2026-03-01 10:00:00 Europe\/Lisbon \|/);
  expect(rows).toMatch(/\| Remedy\s+\| everpost campaign resume sale \|/);
});
