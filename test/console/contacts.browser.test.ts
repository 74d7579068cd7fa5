/** Actions of the inbox and of a contact's page, by clicks and keys alone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsole } from '../../src/console/index.js';
import { SYSTEM_CLOCK, useApi } from '../api/api-parts.js';
import { missingChromium, openChromium } from '../support/chromium.js';
import { CONTACT, aReceivedText, receive } from '../support/receive.js';

const why = missingChromium === undefined ? '' : ` (skipped: ${missingChromium})`;

describe.skipIf(why !== '')(`an operator in a browser${why}`, () => {
  const parts = useApi({ pages: createConsole });
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    browser = await openChromium();
    ({ url } = await parts.uncompared.listen({ host: '127.0.0.1', port: 0 }));
  });
  afterAll(() => browser.close());

  async function withPage(path: string, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage();
    await page.goto(url + path);
    await use(page);
    await page.close();
  }

  const hears = (text: string) => receive({ ledger: parts.ledger, clock: SYSTEM_CLOCK }, aReceivedText(text));

  it('reads a chat and replies', async () => {
    await hears('Are you open today?');
    await withPage('/inbox?unread=true', async (page) => {
      await page.getByRole('link', { name: 'Are you open today?' }).click();
      await page.getByRole('heading', { name: 'Ann (+15557770001)' }).waitFor();
      await page.getByLabel('Reply').fill('Yes, until six.');
      await page.getByRole('button', { name: 'Reply' }).click();
      await page.getByText('The reply is recorded and will be sent.').waitFor();
      await page.locator('.timeline .out').getByText('Yes, until six.').waitFor();
      await page.goto(`${url}/inbox?unread=true`);
      await page.getByText('Everything is read.').waitFor();
    });
  });

  it('marks a chat as read from the list', async () => {
    await hears('One more thing');
    await withPage('/inbox?unread=true', async (page) => {
      await page.getByRole('button', { name: 'Mark as read' }).click();
      await page.getByText('The chat is marked as read.').waitFor();
      await page.getByText('Everything is read.').waitFor();
    });
  });

  it('accepts an opt-out in the chat, and suppresses the contact for all messages', async () => {
    await hears('please stop writing to me');
    await withPage(`/inbox/main/${CONTACT}`, async (page) => {
      await page.getByRole('button', { name: 'Suppress' }).click();
      await page.getByText('The recipient is on the suppression list now.').waitFor();
      await page.getByRole('link', { name: 'Everything with this contact' }).click();
      await page.getByText('Gets no marketing messages from main.').waitFor();
      await page.getByText('Suppress…').click();
      await page.getByLabel('Suppress', { exact: true }).selectOption('all messages');
      await page.getByRole('button', { name: 'Suppress the contact' }).click();
      await page.getByText('Gets no messages.').waitFor();
    });
    expect((await parts.ledger.suppressions.list({})).items).toHaveLength(2);
  });

  it('erases a contact only once the box is marked', async () => {
    await withPage(`/contacts?to=${CONTACT}`, async (page) => {
      await page.getByText('Erase…').click();
      await page.getByRole('button', { name: 'Erase the contact' }).click();
      expect(await page.locator('input[name="sure"]:invalid').count()).toBe(1);
      expect(await parts.ledger.erasures.open()).toEqual([]);
      await page.getByLabel('Erase everything about +15557770001').check();
      await page.getByRole('button', { name: 'Erase the contact' }).click();
      await page.getByText('A worker erases the contact.').waitFor();
    });
    expect(await parts.ledger.erasures.open()).toHaveLength(1);
  });
});
