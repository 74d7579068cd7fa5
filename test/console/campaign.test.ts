/** A campaign by forms alone: from its draft to its start. */
import { describe, expect, it } from 'vitest';
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
    expect(draft.html).toContain('Not a phone number');
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
