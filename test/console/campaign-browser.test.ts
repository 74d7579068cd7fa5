/**
 * A campaign in a browser, from a file to its report by clicks alone, with everpost as a process of its own that is
 * killed in the middle.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';
import { NEEDED_FLAGS } from '../../src/gateway/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { controlGateway } from '../../src/testing/index.js';
import { choosePorts } from '../../src/tools/local-temporal/index.js';
import { isAlive, startDev, type DevProcess } from '../cli/run/dev-process.js';
import { missingChromium, openChromium } from '../support/chromium.js';
import { eventually } from '../support/eventually.js';
import { aFolder } from '../support/folder.js';

const why = missingChromium === undefined ? '' : ` (skipped: ${missingChromium})`;

const ID_INSTANCE = '1101000001';
const WEBHOOK_TOKEN = 'the-webhook-token-of-the-browser';
const RECIPIENTS = Array.from({ length: 40 }, (_, at) => `1555020${String(at).padStart(4, '0')}`);
/** Two columns that must be chosen, a duplicate, and a line without a number. */
const LIST = [
  'Reach;First name;Town',
  ...RECIPIENTS.map((number, at) => `+${number};Name ${at};Rome`),
  `+${RECIPIENTS[0]};Again;Rome`,
  'none;Eve;Rome',
].join('\n');

const PATIENCE_MS = 120_000;

async function aStand() {
  const dataDir = aFolder();
  const [port = 0] = await choosePorts('127.0.0.1', [0]);
  const simulator = await startSimulator({
    idInstance: ID_INSTANCE,
    rateLimits: false,
    webhookRetryMs: 1_000,
    settings: {
      ...Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes'])),
      webhookUrl: `http://127.0.0.1:${port}/webhooks/main`,
      webhookUrlToken: WEBHOOK_TOKEN,
    },
  });
  const file = path.join(dataDir, 'instances.json');
  const account = { baseUrl: simulator.url, mediaUrl: simulator.url, idInstance: Number(ID_INSTANCE) };
  const secrets = { apiTokenInstance: 'simulator-token', webhookToken: WEBHOOK_TOKEN };
  writeFileSync(file, JSON.stringify({ main: { ...account, ...secrets } }));
  const start = () => startDev(dataDir, { EVERPOST_INSTANCES_FILE: file }, ['--http-port', String(port)]);
  let everpost: DevProcess = await start();
  onTestFinished(async () => {
    if (isAlive(everpost.pid)) await everpost.end('SIGTERM');
    await simulator.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    gateway: controlGateway(simulator.url, ID_INSTANCE),
    kill: () => everpost.end('SIGKILL'),
    async startAgain() {
      everpost = await start();
    },
  };
}

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

async function aPage(): Promise<Page> {
  const browser = await openChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/** How many recipients are done, as the page shows it by itself. */
async function doneOn(page: Page): Promise<number> {
  const text = (await page.locator('[data-live]').textContent()) ?? '';
  return Number(/: (\d+) of 40/.exec(text)?.[1] ?? 0);
}

async function draft(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await follow(page, 'Campaigns');
  await follow(page, 'New campaign');
  await page.getByLabel('Name', { exact: true }).fill('Opening');
  await page.getByLabel('Message', { exact: true }).fill('Hello {{name}}, we open in {{Town}}.');
  await click(page, 'Create the draft');
}

async function importList(page: Page): Promise<void> {
  const buffer = Buffer.from(LIST);
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  // The text names a column that the file has not.
  await page.getByText('The file cannot be imported like this.').waitFor();
  await page.getByLabel('Column for name').selectOption('First name');
  await page.getByText('40 recipients', { exact: true }).waitFor();
  await page.getByText('duplicate', { exact: true }).waitFor();
  await click(page, 'Import the file');
  await page.getByText('The file is read.').waitFor();
}

async function checkPlan(page: Page): Promise<void> {
  await follow(page, 'Show the plan');
  await page.getByText('Hello Name 0, we open in Rome.').waitFor();
  await page.getByText('What each account carries').waitFor();
  await follow(page, 'Opening');
}

describe.skipIf(why !== '')(`a campaign in a browser${why}`, () => {
  it(
    'goes from a file to a report, through a kill of everpost, and reaches everyone once',
    async () => {
      const stand = await aStand();
      const page = await aPage();
      await draft(page, stand.url);
      await importList(page);
      await checkPlan(page);
      await page.getByLabel('Start without 1 line that added no recipient').check();
      await click(page, 'Start the campaign');
      await eventually(async () => expect(await doneOn(page)).toBeGreaterThan(5));

      // A kill during a POST may leave a message whose outcome only an operator can say. A pause waits for all of them.
      await click(page, 'Pause');
      await page.getByText('The campaign is paused.').waitFor();
      await stand.kill();
      await click(page, 'Resume');
      await page.getByText('everpost does not respond.').waitFor();
      await stand.startAgain();
      await click(page, 'Resume');
      // The page goes on by itself.
      await page.getByText('Completed', { exact: true }).waitFor();

      await follow(page, 'Show the recipients');
      await page.getByLabel('Phone number').fill('1 555 020-0017');
      await click(page, 'Search');
      await page.getByRole('row', { name: '+1 555 020 0017 Delivered' }).waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      await follow(page, 'Opening');
      await follow(page, 'Show the report');
      expect(await page.locator('h1').textContent()).toBe('Opening');
      const delivered = page.locator('.tile', { hasText: 'Delivered' }).locator('strong');
      expect(await delivered.textContent()).toBe('40');

      const phones = await stand.gateway.delivered();
      expect(phones.map(({ chatId }) => chatId).toSorted()).toEqual(RECIPIENTS.map((number) => `${number}@c.us`));
    },
    3 * PATIENCE_MS,
  );
});
