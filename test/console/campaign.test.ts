/** A campaign by forms alone: from its draft to its start. */
import { describe, expect, it } from 'vitest';
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
    });
  });

  it('sends a picture with its text as the caption', async () => {
    const console = await aConsole();
    const typed = { name: 'Picture', 'account:main': 'yes', text: TEXT, url: 'https://example.com/a/menu.jpg?x=1' };
    const { location } = await console.browser().fill('/campaigns/new', '/campaigns', typed);
    const { body } = await console.call('GET', `/v1${location?.replace('?done=drafted', '')}`);
    const { url, text: caption } = typed;
    expect(body.content).toEqual({ kind: 'file', url, fileName: 'menu.jpg', caption });
  });

  it('keeps what was typed, and marks the fields, if it is refused', async () => {
    const browser = (await aConsole()).browser();
    const typed = { ...FULL, shareB: '140', perDay: 'many' };
    const { status, html } = await browser.fill('/campaigns/new', '/campaigns', typed);
    expect(status).toBe(422);
    expect(html).toContain('id="shareB-problem"');
    expect(html).toContain('id="perDay-problem"');
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
