/** A campaign by forms alone: from its draft to its start. */
import { describe, expect, it, vi } from 'vitest';
import { NOW } from '../ledger/cast.js';
import { CampaignCast } from '../ledger/campaigns/campaign-life-cast.js';
import { aCampaign } from './cast.js';
import { aConsole, hiddenFields, type Console } from './console-parts.js';

const TEXT = 'Hello {{name}}, we open at ten.';
const LIST = 'phone,name\n+15551234567,Ann\n+15551234568,Bob\nnone,Eve\n';

async function aDraft(console: Console) {
  const browser = console.browser();
  const typed = { name: 'Opening', 'account:main': 'yes', text: TEXT };
  const { location } = await browser.fill('/campaigns/new', '/campaigns', typed);
  const path = location?.replace('?done=drafted', '') ?? '';

  /** Sends the file of the form for recipients. */
  async function upload(name: string, content: string, to = 'recipients', chosen: Record<string, string> = {}) {
    const { html } = await browser.open(path);
    const form = new FormData();
    const fields = { ...hiddenFields(html, `${path}/recipients`), ...chosen };
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new File([content], name));
    const encoded = new Response(form);
    const body = await encoded.arrayBuffer();
    const type = { 'content-type': encoded.headers.get('content-type') ?? '', 'content-length': `${body.byteLength}` };
    return browser.send(`${path}/${to}`, body, type);
  }
  return { browser, path, upload };
}

describe('a new campaign', () => {
  it('is drafted, filled from a file, planned and started', async () => {
    const console = await aConsole();
    const { browser, path, upload } = await aDraft(console);
    expect(path).toMatch(/^\/campaigns\/[^/]+$/);
    expect((await upload('list.csv', LIST)).location).toBe(`${path}?done=imported`);

    const draft = await browser.open(path);
    expect(draft.html).toContain('<strong>2 recipients</strong> of 3 lines');
    expect(draft.html).toContain('bad number');
    const plan = await browser.open(`${path}/plan`);
    expect(plan.html).toContain('Hello Ann, we open at ten.');

    const test = await browser.fill(path, `${path}/test`, { to: '+1 555 999 0000', line: '3' });
    expect((await browser.open(test.location ?? '')).html).toContain('Hello Bob, we open at ten.');
    const none = await browser.fill(path, `${path}/test`, { to: '+1 555 999 0000', line: '9' });
    expect([none.status, none.html.includes('id="line-problem"')]).toEqual([422, true]);

    const refused = await browser.fill(path, `${path}/start`);
    expect(refused.status).toBe(409);
    const started = await browser.fill(path, `${path}/start`, { acceptRejected: 'yes' });
    expect(started.location).toBe(`${path}?done=started`);
    expect((await browser.open(path)).html).toContain('Running');
    expect((await browser.open(`${path}/rejected-recipients.csv`)).html).toContain('Eve');
    expect((await browser.open(`${path}/report.csv`)).html).toContain('15551234567');
    expect((await browser.open(`${path}/report.html`)).status).toBe(200);
  });

  it('refuses a file that is no list, and one that is too large', async () => {
    const { browser, path, upload } = await aDraft(await aConsole());
    const photo = await upload('photo.png', 'x');
    expect(photo.status).toBe(422);
    expect(photo.html).toContain('Choose a file: .csv, .xlsx or .ndjson.');
    const large = { 'content-length': String(33 * 1024 * 1024) };
    expect((await browser.send(`${path}/recipients`, new ArrayBuffer(1), large)).status).toBe(413);
  });

  it('shows what is wrong with its text, and keeps it', async () => {
    const browser = (await aConsole()).browser();
    const typed = { name: 'Opening', 'account:main': 'yes', text: 'Hello {{name', defaultCountry: 'xx' };
    const { status, html } = await browser.fill('/campaigns/new', '/campaigns', typed);
    expect(status).toBe(422);
    expect(html).toContain('Hello {{name</textarea>');
    expect(html).toContain('id="text-problem"');
  });

  it('is paused, resumed and cancelled by its page', async () => {
    const { browser, path, upload } = await aDraft(await aConsole());
    await upload('list.csv', 'phone,name\n+15551234567,Ann\n');
    await browser.fill(path, `${path}/start`);
    for (const [command, done] of [
      ['pause', 'campaign-paused'],
      ['resume', 'campaign-resumed'],
      ['cancel', 'campaign-cancelled'],
    ]) {
      const { location } = await browser.fill(path, `${path}/${command}`);
      expect([command, location]).toEqual([command, `${path}?done=${done}`]);
    }
    expect((await browser.open(path)).html).toContain('Cancelled');
  });
});

describe('the file of a draft', () => {
  it('is checked before it replaces anything, with its columns, verdicts and choices', async () => {
    const { browser, path, upload } = await aDraft(await aConsole());
    const list = 'reach;first\n+15551234567;Ann\nnone;Eve\n';
    const unclear = await upload('list.csv', list, 'recipients/check?part=1');
    expect(unclear.status).toBe(200);
    expect(unclear.html).toMatch(/^<div class="found">/);
    expect(unclear.html).toContain('The file cannot be imported like this.');
    expect(unclear.html).toContain('<td class="text">Ann</td>');

    const chosen = { 'map:name': 'first', phoneColumn: 'reach' };
    const checked = await upload('list.csv', list, 'recipients/check', chosen);
    expect(checked.html).toContain('<strong>1 recipient</strong> of 2 lines');
    expect(checked.html).toContain('<option selected="">first</option>');
    expect((await browser.open(path)).html).not.toContain('Check</h2>');
    expect((await upload('list.csv', list, 'recipients', chosen)).location).toBe(`${path}?done=imported`);

    const photo = await upload('photo.png', 'x', 'recipients/check?part=1');
    expect([photo.status, photo.html.includes('Choose a file')]).toEqual([422, true]);
  });

  it('can be added to the recipients', async () => {
    const { browser, path, upload } = await aDraft(await aConsole());
    await upload('list.csv', 'phone,name\n+15551234567,Ann\n');
    await upload('more.csv', 'phone,name\n+15551234568,Bob\n', 'recipients', { add: 'yes' });
    expect((await browser.open(path)).html).toContain('<strong>2 recipients</strong> of 2 lines');
  });
});

describe('a new campaign with all its fields', () => {
  const FULL = {
    name: 'Opening',
    'account:main': 'yes',
    text: TEXT,
    textB: 'Hi {{name}}, come at ten.',
    shareB: '40',
    holdOut: '10 %',
    category: 'transactional',
    startAt: '2036-03-01T09:30',
    deadline: '2036-03-02T18:00',
    highWater: '20',
    perDay: '500',
    from: '09:00',
    until: '18:00',
    hoursZone: 'recipient',
    'day:mon': 'yes',
    'day:fri': 'yes',
  };

  it('is drafted with them, in the times of its reader', async () => {
    const console = await aConsole();
    const browser = console.browser();
    browser.cookies.set('everpost_timezone', 'America/Sao_Paulo');
    const { location } = await browser.fill('/campaigns/new', '/campaigns', FULL);
    const { body } = await console.call('GET', `/v1${location?.replace('?done=drafted', '')}`);
    expect(body.definition).toMatchObject({
      instance: 'main',
      variants: [
        { name: 'A', share: '60%', content: { kind: 'text', text: TEXT } },
        { name: 'B', share: '40%' },
      ],
      holdOut: '10%',
      category: 'transactional',
      startAt: '2036-03-01T12:30:00.000Z',
      deadline: '2036-03-02T21:00:00.000Z',
      highWater: 20,
      limits: { perDay: 500 },
      sendingWindows: {
        timezone: 'recipient',
        windows: [{ days: ['mon', 'fri'], from: '09:00', until: '18:00' }],
      },
    });
  });

  it('sends a picture with its text as the caption', async () => {
    const console = await aConsole();
    const typed = { name: 'Picture', 'account:main': 'yes', text: TEXT, url: 'https://example.com/a/menu.jpg?x=1' };
    const { location } = await console.browser().fill('/campaigns/new', '/campaigns', typed);
    const { body } = await console.call('GET', `/v1${location?.replace('?done=drafted', '')}`);
    const { url, text: caption } = typed;
    expect(body.content).toEqual({ kind: 'file', url, fileName: 'menu.jpg', caption });
    const odd = { ...typed, url: 'https://example.com/100%.jpg' };
    expect((await console.browser().fill('/campaigns/new', '/campaigns', odd)).status).not.toBe(500);
  });

  it('keeps what was typed, and marks the fields, if it is refused', async () => {
    const browser = (await aConsole()).browser();
    const typed = { ...FULL, shareB: '140', perDay: 'many', until: '' };
    const { status, html } = await browser.fill('/campaigns/new', '/campaigns', typed);
    expect(status).toBe(422);
    expect(html).toContain('id="shareB-problem"');
    expect(html).toContain('id="perDay-problem"');
    expect(html).toContain('id="until-problem"');
    expect(html).toMatch(/name="day:fri" value="yes" checked/);
    expect(html).not.toMatch(/name="day:tue" value="yes" checked/);
    expect(html).toMatch(/name="account:main" value="yes" checked/);
    const none = await browser.fill('/campaigns/new', '/campaigns', { name: 'None', text: TEXT });
    expect(none.html).toContain('The account ');
  });
});

describe('a campaign under way', () => {
  async function running(text = TEXT) {
    const console = await aConsole();
    await aCampaign(console, 'spring', { content: { kind: 'text', text } });
    return { console, browser: console.browser(), path: '/campaigns/spring' };
  }

  it('is changed after its old and new text were seen side by side', async () => {
    const { console, browser, path } = await running();
    const typed = { text: 'Hello {{name}}, we open at <eleven>.', name: 'Summer', highWater: '7' };
    const review = await browser.fill(`${path}/change`, `${path}/change`, typed);
    expect(review.html).toContain(`<p class="bubble">${TEXT}</p>`);
    expect(review.html).toContain('we open at &lt;eleven&gt;.</p>');
    expect((await console.call('GET', `/v1${path}`)).body).toMatchObject({ contentVersion: 1 });

    const fields = hiddenFields(review.html, `${path}/change/confirmed`);
    expect(Object.keys(fields)).toEqual(['token', 'key', 'text', 'name', 'highWater']);
    const changed = await browser.submit(`${path}/change/confirmed`, { ...fields, ...typed });
    expect(changed.location).toBe(`${path}?done=changed`);
    const { body } = await console.call('GET', `/v1${path}`);
    expect(body).toMatchObject({ name: 'Summer', highWater: 7, contentVersion: 2, content: { text: typed.text } });
    expect((await browser.open(path)).html).toContain('changed it: the length of the queue, the message, the name');
  });

  it('gets other hours, or none, and says them before they are confirmed', async () => {
    const { console, browser, path } = await running();
    const hours = { from: '10:00', until: '16:00', hoursZone: 'Europe/Lisbon', 'day:sat': 'yes' };
    const review = await browser.fill(`${path}/change`, `${path}/change`, hours);
    expect(review.html).toContain('whenever its accounts send → <strong>Sat 10:00–16:00, Europe/Lisbon</strong>');
    const confirmed = (html: string) =>
      browser.submit(`${path}/change/confirmed`, hiddenFields(html, `${path}/change/confirmed`));
    await confirmed(review.html);
    const shown = async () => (await console.call('GET', `/v1${path}`)).body.sendingWindows;
    expect(await shown()).toEqual({
      timezone: 'Europe/Lisbon',
      windows: [{ days: ['sat'], from: '10:00', until: '16:00' }],
    });
    expect((await browser.open(`${path}/change`)).html).toMatch(/name="day:sat" value="yes" checked/);
    await confirmed((await browser.fill(`${path}/change`, `${path}/change`, { from: '', until: '' })).html);
    expect(await shown()).toBeUndefined();
  });

  it('keeps hours that its form cannot say', async () => {
    const { console, browser, path } = await running();
    const windows = [
      { from: '09:00', until: '12:00' },
      { from: '14:00', until: '18:00' },
    ];
    const sendingWindows = { timezone: 'Europe/Lisbon', windows };
    await console.call('PATCH', `/v1${path}`, { sendingWindows });
    const { html } = await browser.open(`${path}/change`);
    expect(html).toContain('Its hours are daily 09:00–12:00, daily 14:00–18:00, Europe/Lisbon.');
    const review = await browser.fill(`${path}/change`, `${path}/change`, { name: 'Summer' });
    await browser.submit(`${path}/change/confirmed`, hiddenFields(review.html, `${path}/change/confirmed`));
    expect((await console.call('GET', `/v1${path}`)).body).toMatchObject({ name: 'Summer', sendingWindows });
  });

  it('keeps a refused change in the form', async () => {
    const { browser, path } = await running();
    const typed = { text: 'Hello {{surname}}', accounts: 'none' };
    const review = await browser.fill(`${path}/change`, `${path}/change`, typed);
    const fields = hiddenFields(review.html, `${path}/change/confirmed`);
    const refused = await browser.submit(`${path}/change/confirmed`, fields);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Hello {{surname}}</textarea>');
    expect((await browser.fill(`${path}/change`, `${path}/change`)).html).toContain('See what changes');
  });

  it('is amended after it was seen what that can do', async () => {
    const { console, browser, path } = await running();
    const typed = { text: 'Hello {{name}}, we open at eleven.' };
    const review = await browser.fill(`${path}/amend`, `${path}/amend`, typed);
    expect(review.html).toContain('2 were not posted to.');
    const fields = hiddenFields(review.html, `${path}/amend/confirmed`);
    const { location } = await browser.submit(`${path}/amend/confirmed`, fields);
    expect(location).toBe(`${path}?done=amended`);
    expect((await console.call('GET', `/v1${path}`)).body.content).toMatchObject(typed);
    expect((await browser.open(`${path}/amend`)).html).toContain('Version 2');
    const broken = await browser.fill(`${path}/amend`, `${path}/amend`, { text: 'Hello {{name' });
    expect([broken.status, broken.html.includes('Hello {{name</textarea>')]).toEqual([422, true]);
  });

  it('is retried for the recipients that were chosen', async () => {
    const { console, browser, path } = await running();
    await console.call('POST', `/v1${path}/cancel`);
    const { html } = await browser.open(`${path}/retry`);
    expect(html).toContain('name="retry:cancelled:cancelled"');
    expect(html).toContain('<strong>2</strong>');
    expect((await browser.fill(`${path}/retry`, `${path}/retry`)).html).toContain('Nothing is chosen.');
    const retried = await browser.fill(`${path}/retry`, `${path}/retry`, { 'retry:cancelled:cancelled': 'yes' });
    expect(retried.location).toBe(`${path}?done=retried`);
    expect((await console.call('GET', `/v1${path}`)).body).toMatchObject({ state: 'running' });
  });

  it('shows who can be retried once they are counted, without holding the page up', async () => {
    const console = await aConsole();
    await aCampaign(console);
    vi.spyOn(console.ledger.campaigns, 'summaryPart').mockReturnValue(new Promise(() => undefined));
    const { status, html } = await console.browser().open('/campaigns/spring/retry');
    expect(status).toBe(200);
    expect(html).toContain('data-later="/campaigns/spring/retry?live=1"');
    expect(html).toContain('href="/campaigns/spring/retry?wait=yes"');
  });

  it('does not say that no recipient can be retried by a count from before the cancel', async () => {
    const { console, browser, path } = await running();
    expect((await browser.open(`${path}/retry`)).html).toContain('No recipient can be retried.');
    await console.call('POST', `/v1${path}/cancel`);
    const { html } = await browser.open(`${path}/retry`);
    expect(html).not.toContain('No recipient can be retried.');
    expect(html).toContain(`data-later="${path}/retry?live=1"`);
  });

  it('lists those who replied, and those who opted out', async () => {
    const { ledger, browser } = await aConsole().then((console) => ({ ...console, browser: console.browser() }));
    const campaign = await new CampaignCast(ledger, 'main').running(3);
    const path = `/campaigns/${campaign.id}`;
    await campaign.receive(await campaign.dispatched(3), 'sent', NOW, NOW);
    expect((await browser.open(path)).html).not.toContain('?response=');
    const respond = (chatId: string, isOptOut: boolean) =>
      ledger.responses.record({ instance: 'main', chatId, idMessage: `IN ${chatId}`, isOptOut, atMs: NOW });
    await respond('15550000002@c.us', false);
    await respond('15550000003@c.us', true);
    const numbers = async (response: string) => {
      const { html } = await browser.open(`${path}/recipients?response=${response}`);
      expect(html).toMatch(new RegExp(`response=${response}" aria-current="true">[\\w ]+ \\(1\\)`));
      return [...html.matchAll(/\+1 555 000 000\d/g)].map(([found]) => found);
    };
    expect((await browser.open(path)).html).toContain(`href="${path}/recipients?response=replied"`);
    expect(await numbers('replied')).toEqual(['+1 555 000 0002']);
    expect(await numbers('opted_out')).toEqual(['+1 555 000 0003']);
  });

  it('shows its recipients by number in any spelling, by state, and with the columns of the file', async () => {
    const { browser, path } = await running();
    const found = await browser.open(`${path}/recipients?to=1%20555%20123-4568&columns=all`);
    expect([found.html.includes('+1 555 123 4568'), found.html.includes('+1 555 123 4567')]).toEqual([true, false]);
    expect(found.html).toContain('<td class="text">Bob</td>');
    expect((await browser.open(`${path}/recipients?state=read`)).html).toContain('There is no such recipient.');
    const wrong = await browser.open(`${path}/recipients?to=12`);
    expect([wrong.status, wrong.html.includes('id="to-problem"')]).toEqual([422, true]);
  });
});
