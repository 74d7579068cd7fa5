/** The console in a browser: what it looks like to a keyboard, a screen reader, a phone, and without JavaScript. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { missingChromium, openChromium } from '../support/chromium.js';
import { createConsole } from '../../src/console/index.js';
import { CONTACT, aReceivedText, receive } from '../support/receive.js';
import { SYSTEM_CLOCK, useApi } from '../api/api-parts.js';
import { aCampaign, aMessage, aTemplate, anEndpoint } from './cast.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const why = missingChromium === undefined ? '' : ` (skipped: ${missingChromium})`;

const HOSTILE = `<img src=x onerror="document.title='broken'">`;

/** Of a page that scrolls sideways, the elements beyond its edge. */
const TOO_WIDE = `document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  [...document.body.querySelectorAll('*')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.outerHTML.slice(0, 200))`;

describe.skipIf(why !== '')(`the console in a browser${why}`, () => {
  const parts = useApi({ pages: createConsole });
  let browser: Browser;
  let url: string;
  let messageId: string;
  let endpoint: string;
  let event: string;

  beforeAll(async () => {
    browser = await openChromium();
    ({ url } = await parts.uncompared.listen({ host: '127.0.0.1', port: 0 }));
    await aCampaign(parts, 'spring');
    await aCampaign(parts, 'hostile', { name: HOSTILE, content: { kind: 'text', text: HOSTILE } });
    messageId = await aMessage(parts, HOSTILE);
    await aTemplate(parts, 'hostile', HOSTILE);
    const made = await anEndpoint(parts, HOSTILE);
    endpoint = `/event-endpoints/${made.endpoint}`;
    event = `/events/${made.event}`;
    const senderData = { chatId: CONTACT, senderName: HOSTILE };
    const heard = [aReceivedText(HOSTILE, { senderData }), aReceivedText('please stop writing to me', { senderData })];
    await receive({ ledger: parts.ledger, clock: SYSTEM_CLOCK }, ...heard);
    await aMessage(parts, HOSTILE, CONTACT);
  });
  afterAll(() => browser.close());

  async function aPage(options: BrowserContextOptions = {}): Promise<{ page: Page; close: () => Promise<void> }> {
    // axe is not one of the console's own scripts.
    const context = await browser.newContext({ bypassCSP: true, ...options });
    return { page: await context.newPage(), close: () => context.close() };
  }

  const paths = () => [
    '/',
    '/campaigns',
    '/campaigns/spring',
    '/campaigns/hostile',
    '/campaigns/spring/recipients',
    '/inbox',
    '/inbox?unread=true',
    `/inbox/main/${CONTACT}`,
    '/contacts',
    '/contacts?to=12',
    `/contacts?to=${CONTACT}`,
    '/messages',
    '/messages?to=12',
    `/messages/${messageId}`,
    '/messages/unknown',
    '/send',
    '/schedules',
    '/templates',
    '/templates/new',
    '/templates/main/hostile',
    '/suppression',
    '/instances',
    '/instances/main',
    '/findings',
    '/events',
    endpoint,
    event,
    '/keys',
    '/docs',
    '/docs/event-endpoints',
    '/signin',
  ];

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1_400]) {
      it(`has no page that a check for accessibility faults, ${colorScheme}, ${width} px wide`, async () => {
        const { page, close } = await aPage({ colorScheme, viewport: { width, height: 900 } });
        for (const path of paths()) {
          await page.goto(url + path);
          await page.evaluate(axe);
          const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults;
          const seen = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
          expect([path, seen, await page.evaluate(TOO_WIDE)]).toEqual([path, [], []]);
        }
        await close();
      });
    }
  }

  it('runs no script of a name or a text', async () => {
    const { page, close } = await aPage();
    for (const path of paths()) {
      await page.goto(url + path);
      expect([path, await page.title()]).not.toEqual([path, 'broken']);
    }
    await page.goto(`${url}/messages/${messageId}`);
    expect(await page.locator('.bubble').textContent()).toBe(HOSTILE);
    await close();
  });

  it('shows the times of the browser', async () => {
    const { page, close } = await aPage({ timezoneId: 'America/Sao_Paulo', locale: 'pt-BR' });
    await page.goto(`${url}/messages`);
    await eventually(async () => expect(await page.locator('footer').textContent()).toContain('America/Sao Paulo'));
    await close();
  });

  it('reads and sends without JavaScript', async () => {
    const { page, close } = await aPage({ javaScriptEnabled: false });
    await page.goto(`${url}/send`);
    await page.getByLabel('To').fill('+1 555 765 4321');
    await page.getByLabel('Message').fill('Sent without a script');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('h1').textContent()).toBe('Message to +15557654321');
    expect(await page.locator('.bubble').textContent()).toBe('Sent without a script');
    await close();
  });

  it('shows a change by itself, and asks nothing while it is hidden', async () => {
    const id = await aMessage(parts, 'Watched');
    const { page, close } = await aPage();
    await page.goto(`${url}/messages/${id}`);
    await page.getByText('It has not been posted yet.').waitFor();
    await parts.call('POST', `/v1/messages/${id}/cancel`);
    await page.getByText('It was cancelled before it was posted.').waitFor();

    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('live='));
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await ended;
    const asked = page.waitForRequest((request) => request.url().includes('live='));
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: false })`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await asked;
    await close();
  });

  it('keeps what was typed while everpost does not respond', async () => {
    const { page, close } = await aPage();
    await page.goto(`${url}/send`);
    await page.getByLabel('To').fill('+1 555 765 4322');
    await page.getByLabel('Message').fill('Typed during an outage');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('everpost does not respond.').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('Typed during an outage');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Message to +15557654322' }).waitFor();
    await close();
  });

  it('leads a keyboard past the navigation', async () => {
    const { page, close } = await aPage();
    await page.goto(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('location.hash')).toBe('#content');
    await close();
  });
});
