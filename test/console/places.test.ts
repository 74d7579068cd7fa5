/** Accounts, events, keys, templates, suppression, the API reference, and links to runs. */
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { aCampaign, aMessage, aTemplate } from './cast.js';
import { OPS, aConsole, aConsoleWithKeys, aReader, hiddenFields, type Console } from './console-parts.js';

const UI = 'https://temporal.example.com';

describe('the run behind a page', () => {
  it('is a link to the Web UI, with the namespace', async () => {
    const console = await aConsole({ temporalUiUrl: UI });
    const id = await aMessage(console);
    await aCampaign(console);
    const browser = console.browser();
    const runs = `${UI}/namespaces/default/workflows/`;
    for (const [path, workflow] of [
      [`/messages/${id}`, `message%3A${id}`],
      ['/campaigns/spring', 'campaign%3Aspring'],
      ['/instances/main', 'instance%3Amain'],
    ] as const) {
      expect([path, (await browser.open(path)).html.includes(`href="${runs}${workflow}"`)]).toEqual([path, true]);
    }
  });

  it('is the workflow id to copy if nothing says where the Web UI is', async () => {
    const console = await aConsole();
    const id = await aMessage(console);
    const { html } = await console.browser().open(`/messages/${id}`);
    expect(html).toContain(`Workflow id in Temporal: <code>message:${id}</code>`);
  });
});

describe('an account', () => {
  it('is paused and resumed by its page, and by the overview', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const paused = await browser.fill('/instances/main', '/instances/main/pause');
    expect(paused.location).toBe('/instances/main?done=instance-paused');
    const { html } = await browser.open('/instances/main');
    expect(html).toContain('An operator paused it.');
    expect((await browser.open('/instances')).html).toContain('Paused');
    const resumed = await browser.fill('/', '/instances/main/resume');
    expect(resumed.location).toBe('/?done=instance-resumed');
    expect((await browser.open('/instances/main')).html).not.toContain('An operator paused it.');
  });

  it('shows who uses it', async () => {
    const console = await aConsole();
    await aCampaign(console);
    expect((await console.browser().open('/instances/main')).html).toContain('href="/campaigns/spring"');
  });

  it('shows what the doctor finds, with what to do', async () => {
    const account = () =>
      Promise.resolve([
        { subject: 'instance main', instance: 'main', verdict: 'broken', found: 'blocked', remedy: 'Use another one.' },
        { subject: 'instance main', instance: 'main', verdict: 'ok', found: 'releases one message every 500 ms' },
      ] as const);
    const console = await aConsole({ examination: { temporal: () => Promise.resolve([]), account } });
    const { html } = await console.browser().open('/instances/main/findings');
    expect(html).toMatch(/Broken.*blocked.*Use another one\./s);
    expect(html).toContain('found nothing wrong');
    expect((await console.browser().open('/findings')).html).toContain('blocked');
  });

  it('comes before an examination that takes longer, which its live part brings', async () => {
    const begin = new EventEmitter();
    const account = () => once(begin, 'end').then(() => []);
    const console = await aConsole({
      examination: { temporal: () => Promise.resolve([]), account },
    });
    const browser = console.browser();
    const { html } = await browser.open('/instances/main/findings');
    expect(html).toContain('href="/instances/main/findings?wait=yes"');
    const whole = browser.open('/instances/main/findings?wait=yes');
    begin.emit('end');
    expect((await whole).html).not.toContain('?wait=yes"');
  });

  it('names one that does not exist', async () => {
    expect((await (await aConsole()).browser().open('/instances/none')).status).toBe(404);
  });
});

async function anEndpoint(console: Console) {
  const browser = console.browser();
  const created = await browser.fill('/events', '/events', { instance: 'main', url: 'https://example.com/hook' });
  const { body } = await console.call('GET', '/v1/event-endpoints');
  const path = `/event-endpoints/${body.items[0].id}`;
  return { browser, created, path };
}

describe('events', () => {
  it('have endpoints whose secret is shown once, in no address', async () => {
    const { browser, created, path } = await anEndpoint(await aConsole());
    expect([created.status, created.location]).toEqual([200, null]);
    const [, secret = ''] = /<code>(whsec_[^<]+)<\/code>/.exec(created.html) ?? [];
    expect(secret).not.toBe('');
    for (const page of ['/events', path]) expect((await browser.open(page)).html).not.toContain(secret);
  });

  it('are tested, listed with their deliveries, and replayed', async () => {
    const { browser, path } = await anEndpoint(await aConsole());
    expect((await browser.fill(path, `${path}/test`)).location).toBe(`${path}?done=endpoint-tested`);
    const { html } = await browser.open(path);
    const [, event = ''] = /href="\/events\/(evt_\d+)"/.exec(html) ?? [];
    expect((await browser.open(`/events/${event}`)).html).toContain('endpoint.test');
    // On a server the list ends before the oldest open transaction of any database.
    await eventually(async () => {
      expect((await browser.open('/events?type=endpoint.test')).html).toContain(event);
    });
    expect((await browser.open(`${path}?state=failed`)).html).toContain('None.');
    const replayed = await browser.fill(path, `${path}/replay`, { from: '2026-03-01T10:00' });
    expect(replayed.location).toBe(`${path}?done=endpoint-replayed`);
  });

  it('have endpoints that are disabled, enabled, given a new secret, and deleted', async () => {
    const { browser, path } = await anEndpoint(await aConsole());
    expect((await browser.fill(path, `${path}/disable`)).location).toBe(`${path}?done=endpoint-disabled`);
    expect((await browser.open('/events')).html).toContain('Disabled');
    expect((await browser.fill(path, `${path}/enable`)).location).toBe(`${path}?done=endpoint-enabled`);
    expect((await browser.fill(path, `${path}/rotate`)).html).toMatch(/<code>whsec_/);
    expect((await browser.fill(path, `${path}/delete`)).location).toBe('/events?done=endpoint-deleted');
    expect((await browser.open(path)).status).toBe(404);
  });

  it('refuse an address that is none, and keep it', async () => {
    const browser = (await aConsole()).browser();
    const { status, html } = await browser.fill('/events', '/events', { instance: 'main', url: 'ftp://example.com' });
    expect(status).toBe(422);
    expect(html).toContain('value="ftp://example.com"');
    expect(html).toContain('id="url-problem"');
  });
});

describe('keys', () => {
  it('are created with scopes, accounts and an end; the key is shown once', async () => {
    const console = await aConsoleWithKeys();
    const { browser } = await aReader(console, ['read', 'admin']);
    const typed = { name: 'shop', 'scope-read': 'yes', 'scope-send': 'yes', instances: 'main', expiresIn: '30d' };
    const { status, html, location } = await browser.fill('/keys', '/keys', typed);
    expect([status, location]).toEqual([200, null]);
    const [, key = ''] = /<code>(ep_[^<]+)<\/code>/.exec(html) ?? [];
    const { body } = await console.call('GET', '/v1/caller', undefined, { authorization: `Bearer ${key}` });
    expect(body).toMatchObject({ name: 'key:shop', scopes: ['read', 'send'], instances: ['main'] });
    const list = await browser.open('/keys');
    expect(list.html).toContain('>shop<');
    expect(list.html).not.toContain(key);
    expect(JSON.stringify(console.logged)).not.toContain(key);
  });

  it('are refused without a scope, and what was typed is kept', async () => {
    const browser = (await aConsole()).browser();
    const { status, html } = await browser.fill('/keys', '/keys', { name: 'shop' });
    expect(status).toBe(422);
    expect(html).toContain('value="shop"');
    expect(html).toMatch(/It may: /);
  });

  it('are rotated', async () => {
    const console = await aConsole();
    const browser = console.browser();
    await browser.fill('/keys', '/keys', { name: 'shop', 'scope-read': 'yes' });
    expect((await browser.fill('/keys', '/keys/shop/rotate')).html).toMatch(/<code>ep_/);
  });

  it('are audited by name and time', async () => {
    const console = await aConsoleWithKeys();
    const one = await aReader(console, ['read', 'admin']);
    const other = await aReader(console, ['read', 'admin']);
    await one.browser.fill('/instances/main', '/instances/main/pause');
    const { html } = await other.browser.open(`/keys?key=${one.name}&since=day`);
    expect(html).toContain('pauseInstance');
    expect((await other.browser.open(`/keys?key=${other.name}`)).html).not.toContain('pauseInstance');
    expect((await other.browser.open('/keys?key=no%20name')).status).toBe(422);
  });
});

const TEMPLATE = {
  instance: 'main',
  elementName: 'order_ready',
  languageCode: 'en',
  category: 'UTILITY',
  vertical: 'Notices about orders',
  content: 'Your order {{1}} is ready.',
  example: 'Your order 17 is ready.',
  footer: 'The shop',
  buttons: 'On my way\nOur shop | https://example.com',
};

describe('templates', () => {
  it('are checked and seen before they are submitted', async () => {
    const browser = (await aConsole()).browser();
    const checked = await browser.fill('/templates/new', '/templates/check', TEMPLATE);
    expect(checked.html).toContain('<mark>{{1}}</mark>');
    expect(checked.html).toContain('<li>Our shop</li>');
    const submitted = await browser.submit('/templates', {
      ...hiddenFields(checked.html, '/templates'),
      ...TEMPLATE,
    });
    // Temporal, which follows the review, is away. Nothing that was typed is lost.
    expect(submitted.status).toBe(503);
    expect(submitted.html).toContain('value="order_ready"');
  });

  it('show their verdict, why, what happened, and how a phone shows them', async () => {
    const console = await aConsole();
    await aTemplate(console, 'order_ready');
    const browser = console.browser();
    const { html } = await browser.open('/templates/main/order_ready');
    expect(html).toContain('Not submitted yet');
    expect(html).toContain('<mark>{{1}}</mark>');
    expect(html).toContain('template:main:order_ready');
    expect((await browser.open('/templates')).html).toContain('href="/templates/main/order_ready"');
  });

  it('show what the gateway would reject, and keep what was typed', async () => {
    const browser = (await aConsole()).browser();
    const typed = { ...TEMPLATE, elementName: 'Order Ready!' };
    const { status, html } = await browser.fill('/templates/new', '/templates/check', typed);
    expect(status).toBe(422);
    expect(html).toContain('value="Order Ready!"');
    expect(html).toContain('id="elementName-problem"');
    expect(html).not.toContain('Submit it for review');
  });
});

describe('the suppression list', () => {
  it('is filled from a file, with a verdict for every line', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const { html: page } = await browser.open('/suppression');
    const form = new FormData();
    for (const [name, value] of Object.entries(hiddenFields(page, '/suppression/import'))) form.set(name, value);
    form.set('scope', 'all');
    form.set('file', new File(['phone\n+15551234567\n+15551234567\nnone\n'], 'stops.csv'));
    const encoded = new Response(form);
    const body = await encoded.arrayBuffer();
    const { html } = await browser.send('/suppression/import', body, {
      'content-type': encoded.headers.get('content-type') ?? '',
      'content-length': `${body.byteLength}`,
    });
    expect(html).toContain('<strong>1 recipient</strong> of 3 lines');
    expect(html).toContain('bad number');
    expect((await browser.open('/suppression?to=15551234567')).html).toContain('all messages');
  });

  it('offers a removal only to a key that may remove', async () => {
    const console = await aConsoleWithKeys();
    const sender = await aReader(console, ['read', 'send']);
    const admin = await aReader(console, ['read', 'admin']);
    const ops = { authorization: `Bearer ${OPS}` };
    await console.call('POST', '/v1/suppressions', { to: '15551234567' }, ops);
    expect((await sender.browser.open('/suppression')).html).not.toContain('action="/suppression/remove"');
    expect((await admin.browser.open('/suppression')).html).toContain('action="/suppression/remove"');
  });
});

describe('the API reference', () => {
  it('shows every route of the API with a curl', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const { html } = await browser.open('/docs');
    const { body: document } = await console.call('GET', '/openapi.json');
    const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (methods) => Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.length).toBeGreaterThan(80);
    const groups = new Set([...html.matchAll(/href="(\/docs\/[\w-]+)#/g)].map(([, group = '']) => group));
    const pages = await Promise.all([...groups].map(async (group) => (await browser.open(group)).html));
    const shown = pages.join('');
    for (const id of ids) expect([id, shown.includes(`<h2 id="${id}">`)]).toEqual([id, true]);
    expect(shown.match(/curl /g)).toHaveLength(ids.length);
  });

  it('shows fields, errors and a request that the API accepts', async () => {
    const { html } = await (await aConsole()).browser().open('/docs/messages');
    expect(html).toContain('<code>statusCallback</code>');
    expect(html).toContain('IDEMPOTENCY_MISMATCH');
    expect(html).toContain('-H &quot;Authorization: Bearer $EVERPOST_API_KEY&quot;');
  });

  it('is for readers who are signed in, or on this machine', async () => {
    const browser = (await aConsoleWithKeys()).browser();
    expect((await browser.open('/docs')).location).toBe('/signin?to=%2Fdocs');
  });
});

describe('an address without a page', () => {
  it('is a page for browsers, and a problem document for programs', async () => {
    const browser = (await aConsole()).browser();
    for (const path of ['/none', '/v1/none', '/docs/none']) {
      const { status, html } = await browser.open(path, { accept: 'text/html,*/*' });
      expect([path, status, html.includes('Go to the overview')]).toEqual([path, 404, true]);
    }
    const program = await browser.open('/v1/none', { accept: '*/*' });
    expect([program.status, JSON.parse(program.html)]).toMatchObject([404, { code: 'ROUTE_NOT_FOUND' }]);
  });
});
