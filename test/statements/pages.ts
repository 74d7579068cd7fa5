/** How long the first view of each page of the console takes: see scripts/page-times.js. */
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/ledger/index.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { KEY, startEverything } from './everything.js';
import { filledPostgres } from './stores.js';
import { MAIN, RUNNING } from './world.js';

const { MESSAGES = '100000' } = process.env;
/** What a reader takes for at once. */
const MOST_MS = 300;
const CONTACT = '15570000005@c.us';

test('the first view of each page is there at once', async () => {
  const { server, db } = await filledPostgres(Number(MESSAGES));
  onTestFinished(() => server.close());
  await db.destroy();
  const ledger = await openLedger({ databaseUrl: server.url }, UNENCRYPTED);
  onTestFinished(() => ledger.close());
  const everything = await startEverything(ledger, () => undefined, { withWorker: false });
  onTestFinished(() => everything.close());

  const cookie = await signIn(everything.url);
  const slow: string[] = [];
  for (const path of await pathsOf(everything)) {
    const begunMs = performance.now();
    const response = await fetch(everything.url + path, { headers: { cookie } });
    const { length } = await response.text();
    const tookMs = performance.now() - begunMs;
    const line = `${tookMs.toFixed(0).padStart(6)} ms ${response.status} ${String(length).padStart(8)} bytes  ${path}`;
    process.stdout.write(`${line}\n`);
    expect.soft(response.status, path).toBe(200);
    if (tookMs > MOST_MS) slow.push(line);
  }
  expect(slow, 'pages that take longer').toEqual([]);
});

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/signin`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ apiKey: KEY, to: '/' }).toString(),
  });
  return response.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
}

async function pathsOf({ request }: Awaited<ReturnType<typeof startEverything>>): Promise<readonly string[]> {
  const first = async (list: string) => (await request('GET', list)).body.items[0];
  const message = await first(`/v1/messages?state=read&instance=${MAIN}`);
  const schedule = await first('/v1/schedules');
  const event = await first('/v1/events');
  const endpoint = await first('/v1/event-endpoints');
  const template = await first('/v1/templates');
  const campaign = `/campaigns/${RUNNING}`;
  return [
    '/',
    '/campaigns',
    '/campaigns/new',
    campaign,
    ...['plan', 'change', 'amend', 'retry', 'recipients'].map((part) => `${campaign}/${part}`),
    ...['recipients?state=delivered', 'recipients?response=replied', 'recipients?to=15560000005'].map(
      (part) => `${campaign}/${part}`,
    ),
    '/inbox',
    '/inbox?unread=true',
    `/inbox/${MAIN}/${CONTACT}`,
    '/contacts',
    `/contacts?to=${CONTACT}`,
    '/messages',
    '/messages?state=unresolved',
    `/messages/${message.id}`,
    '/send',
    '/schedules',
    `/schedules/${schedule.id}`,
    '/templates',
    '/templates/new',
    `/templates/${template.instance}/${template.elementName}`,
    '/suppression',
    '/instances',
    `/instances/${MAIN}`,
    '/findings',
    `/instances/${MAIN}/findings`,
    '/events',
    `/events/${event.id}`,
    `/event-endpoints/${endpoint.id}`,
    '/keys',
    '/docs',
    '/docs/messages',
  ];
}
