/** The summary of a campaign over HTTP: one page without scripts and without anything of its recipients. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CampaignId } from '../../../src/contract/index.js';
import { CampaignCast, DAY } from '../../ledger/campaigns/campaign-life-cast.js';
import { NOW, SECOND } from '../../ledger/cast.js';
import { refusal, useApi } from '../api-parts.js';
import { CSV, HELLO } from './drafts.js';

const parts = useApi({ clock: { nowMs: () => NOW + DAY } });
const HOSTILE = `"><script src=//x>alert('1')</script>&`;

/** The page without its style. */
async function page(id: string, query = ''): Promise<string> {
  const { status, body } = await parts.call('GET', `/v1/campaigns/${id}/report.html${query}`);
  expect(status, body).toBe(200);
  expect(body).toMatch(/^<!doctype html>\n/);
  expect(body).not.toMatch(/<script|<link|<img|<iframe|<a[ >]|\bhref=|\bsrc=(?!\/\/x)|https?:|url\(|\son\w+=/);
  return body.replace(/<style>[^]*?<\/style>/, '');
}

/** The cells of the rows of the table of states, without their explanations. */
function states(html: string): Record<string, number> {
  const [, table = ''] = /Recipients by state<\/h2>[^]*?<tbody>([^]*?)<\/tbody>/.exec(html) ?? [];
  const rows = [...table.matchAll(/<b>([^<]*)<\/b>[^]*?<td class="n">([\d,]+)<\/td>/g)];
  return Object.fromEntries(rows.map(([, title = '', count = '']) => [title, Number(count.replaceAll(',', ''))]));
}

let running: CampaignCast;
beforeAll(async () => {
  const { ledger } = parts;
  running = await new CampaignCast(ledger, 'main', 'running' as CampaignId).running(6);
  await running.receive(await running.dispatched(2), 'delivered', NOW + SECOND);
  await running.receive(await running.dispatched(1), 'no_account', NOW + SECOND);
  await running.dispatched(1, { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'no', httpStatus: 400 });
});

describe('the summary', () => {
  it('has the counts by state, which add up to the audience, over time and by reason', async () => {
    const html = await page('running', '?timezone=Europe/Berlin');
    expect(states(html)).toEqual({ Delivered: 2, 'No account': 1, Rejected: 1, Waiting: 2 });
    expect(html).toContain('<th>All recipients</th><td class="wide"></td><td class="n">6</td>');
    expect(html).toContain('So far: the campaign has not ended.');
    expect(html).toContain('Started 1 Mar 2026, 11:00');
    expect(html).toMatch(/<b>Handed to the gateway<\/b> <span>3<\/span>/);
    expect(html).toContain('<title>1 Mar 2026, 11:00: 2</title>');
    expect(html).toContain('The number does not use the messenger');
    expect(html).toContain('The gateway refused the message');
    expect(html).toContain('Hello {{name}}');
  });

  it('has a bar for each account of a pool, with its states, and why it sends nothing', async () => {
    expect(await page('running')).not.toContain('Recipients by account');
    const { ledger } = parts;
    const pool = new CampaignCast(ledger, 'north', 'pool' as CampaignId);
    await pool.running(8, { instances: ['north', 'south'] });
    await pool.receive(await pool.dispatched(6), 'delivered');
    await ledger.campaigns.update(pool.id, { instances: ['south'] }, NOW);
    const html = await page('pool');
    const [, table = ''] = /Recipients by account<\/h2>([^]*?)<\/section>/.exec(html) ?? [];
    expect(table).toContain('2 recipients have no account yet.');
    const rows = [
      ...table.matchAll(
        /<b>([^<]*)<\/b><small>([^<]*)<\/small>[^]*?<\/svg><\/td><td class="n">(\d+)<\/td><td class="n">(\d+)/g,
      ),
    ];
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ['south', '', '3', '3'],
      ['north', 'Taken from the campaign: it gets no more messages', '0', '3'],
    ]);
    expect(table).toContain('<rect class="s-delivered" x="0%" width="100%" height="100%"><title>Delivered: 3</title>');
  });

  it('has no number, id or value of a recipient', async () => {
    const html = await page('running');
    for (const { chatId, messageId } of await running.report()) {
      expect(html).not.toContain(chatId.slice(0, 11));
      expect(html).not.toContain(messageId);
    }
    expect(html).not.toMatch(/P2\b|1555/);
  });

  it('forbids everything from elsewhere, and is neither stored nor framed', async () => {
    const { headers } = await parts.call('GET', '/v1/campaigns/running/report.html');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
  });

  it('shows names, texts and rejected lines that contain markup as text', async () => {
    const content = { kind: 'text', text: `${HOSTILE} {{name}}` };
    await parts.call('POST', '/v1/campaigns', { ...HELLO, id: 'hostile', name: HOSTILE, content });
    const source = `phone,name,<b>x</b>\n15550000001,<i>,\n<u>1</u>,x,\n`;
    await parts.call('PUT', '/v1/campaigns/hostile/recipients', source, CSV);
    const html = await page('hostile');
    expect(html).not.toMatch(/<i>|<u>|<b>x/);
    expect(html).toContain('&quot;&gt;&lt;script src=//x&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</h1>');
    expect(html).toContain('Not a phone number');
    expect(html).toContain('1 of 2 lines became a recipient.');
  });

  it('is honest about a draft, an empty one, a scheduled, a cancelled and an ended campaign', async () => {
    const draft = await page('hostile');
    expect(draft).toContain('Draft: nothing was sent');
    expect(draft).toContain('Nothing was sent yet.');
    expect(draft).not.toContain('So far');
    await parts.call('POST', '/v1/campaigns', { ...HELLO, id: 'none' });
    expect(await page('none')).toContain('No recipients are imported yet.');

    const cancelled = await new CampaignCast(parts.ledger, 'main', 'cancelled' as CampaignId).running(1);
    await parts.ledger.campaigns.cancel(cancelled.id, 'request', NOW);
    expect(states(await page('cancelled'))).toEqual({ Cancelled: 1 });
    await cancelled.endIfDone();
    const ended = await page('cancelled');
    expect(ended).toContain('<span class="chip ended">Cancelled</span>');
    expect(ended).not.toContain('So far');
  });

  it('keeps the totals after the recipients were removed', async () => {
    const old = await new CampaignCast(parts.ledger, 'main', 'old' as CampaignId).running(2);
    await parts.ledger.campaigns.cancel(old.id, 'request', NOW);
    await old.endIfDone();
    await parts.ledger.retention.removeMessages({ nowMs: NOW + 91 * DAY, keptSinceMs: NOW + DAY });
    const html = await page('old');
    expect(states(html)).toEqual({ Cancelled: 2 });
    expect(html).toContain('The recipients and messages were removed on 31 May 2026');
    expect(html).not.toContain('Over time');
  });

  it.each(['?timezone=Nowhere/Land', '?timezone=recipient', '?state=failed', '?columns=all'])(
    'is refused with %s',
    async (query) => {
      expect(await parts.call('GET', `/v1/campaigns/running/report.html${query}`)).toMatchObject(
        refusal(422, 'INPUT_INVALID'),
      );
    },
  );

  it('of an unknown campaign is not found', async () => {
    expect(await parts.call('GET', '/v1/campaigns/missing/report.html')).toMatchObject(
      refusal(404, 'CAMPAIGN_NOT_FOUND'),
    );
  });
});
