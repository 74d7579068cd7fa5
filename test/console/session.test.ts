/** SESSION-1 to SESSION-3, CONSOLE-1 to CONSOLE-3, and PAGES-1: who may read and do what. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { aLedger } from '../support/ledger/ledger.js';
import { aCampaign } from './cast.js';
import { OPS, aConsole, aConsoleWithKeys, aReader, hiddenFields } from './console-parts.js';

const HOURS = 60 * 60_000;
const SENT = { instance: 'main', to: '15551234567', text: 'Hello' };

describe('signing in', () => {
  it('is asked of a reader without a session, and leads back to the page', async () => {
    const browser = (await aConsoleWithKeys()).browser();
    const { status, location } = await browser.open('/messages?state=failed');
    expect([status, location]).toEqual([303, '/signin?to=%2Fmessages%3Fstate%3Dfailed']);
    const signedIn = await browser.submit('/signin', { apiKey: OPS, to: '/messages?state=failed' });
    expect([signedIn.status, signedIn.location]).toEqual([303, '/messages?state=failed']);
    expect((await browser.open('/messages')).status).toBe(200);
  });

  it('leads to no other site', async () => {
    const browser = (await aConsoleWithKeys()).browser();
    for (const to of ['https://example.com/', '//example.com/', '/\\example.com', 'javascript:alert(1)']) {
      expect((await browser.submit('/signin', { apiKey: OPS, to })).location).toBe('/');
    }
  });

  it('refuses a wrong key, records it, and keeps nothing of it', async () => {
    const { browser: open, ledger } = await aConsoleWithKeys();
    const browser = open();
    const { status, html } = await browser.submit('/signin', { apiKey: 'wrong', to: '/' });
    expect([status, browser.cookies.size]).toEqual([401, 0]);
    expect(html).toContain('This key is not valid.');
    const { items } = await ledger.audit.list({});
    expect(items).toMatchObject([{ witness: 'unidentified', route: 'getCaller', status: 401 }]);
  });

  it('refuses a form of another site', async () => {
    const browser = (await aConsoleWithKeys()).browser();
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://example.com' };
    expect((await browser.submit('/signin', { apiKey: OPS }, foreign)).status).toBe(403);
    expect(browser.cookies.size).toBe(0);
  });

  it('is not needed on this machine without keys', async () => {
    const console = await aConsole();
    const { html } = await console.browser().open('/');
    expect(html).toContain('This machine');
    const sent = await console.browser().fill('/send', '/send', SENT);
    const { body } = await console.call('GET', `/v1${sent.location?.replace(/\?.*/, '')}`);
    expect(body).toMatchObject({ requestedBy: 'loopback', state: 'pending' });
  });

  it('is needed by a request that a proxy forwarded, and by a page of another site', async () => {
    const browser = (await aConsole()).browser();
    expect((await browser.open('/', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(303);
    expect((await browser.open('/', { host: 'evil.example' })).status).toBe(303);
  });

  it('brings the cookie along after a link on another site', async () => {
    const { browser } = await aReader(await aConsoleWithKeys(), ['read']);
    browser.cookies.clear();
    const { status, html } = await browser.open('/messages', { 'sec-fetch-site': 'cross-site' });
    expect([status, html.includes('<meta http-equiv="refresh" content="0"')]).toEqual([200, true]);
  });
});

describe('a session', () => {
  it('is a cookie that no script reads and no other site sends', async () => {
    const { browser: open } = await aConsoleWithKeys();
    const { headers } = await open().signIn(OPS);
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/^everpost_[0-9a-f]{8}=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(OPS);
  });

  it('is sent over https only, once it began there', async () => {
    const browser = (await aConsoleWithKeys()).browser();
    const { headers } = await browser.submit('/signin', { apiKey: OPS }, { 'x-forwarded-proto': 'https' });
    expect(headers.getSetCookie()[0]).toContain('; Secure');
  });

  it('survives a restart, and works in another process of the ledger', async () => {
    const ledger = await aLedger();
    const first = (await aConsoleWithKeys({ ledger })).browser();
    await first.signIn(OPS);
    const second = (await aConsoleWithKeys({ ledger })).browser();
    for (const [name, value] of first.cookies) second.cookies.set(name, value);
    expect((await second.open('/')).status).toBe(200);
    await ledger.close();
  });

  it('ends after 12 hours', async () => {
    let nowMs = Date.parse('2026-03-01T10:00:00Z');
    const browser = (await aConsoleWithKeys({ clock: { nowMs: () => nowMs } })).browser();
    await browser.signIn(OPS);
    nowMs += 12 * HOURS - 1;
    expect((await browser.open('/')).status).toBe(200);
    nowMs += 2;
    expect((await browser.open('/')).status).toBe(303);
  });

  it('ends with its key', async () => {
    const console = await aConsoleWithKeys();
    const { browser, name } = await aReader(console, ['read']);
    expect((await browser.open('/')).status).toBe(200);
    await console.call('POST', `/v1/keys/${name}/revoke`, undefined, { authorization: `Bearer ${OPS}` });
    await eventually(async () => expect((await browser.open('/')).status).toBe(303));
  });

  it('is nothing if it was changed, or made for another ledger', async () => {
    const { browser } = await aReader(await aConsoleWithKeys(), ['read']);
    const other = (await aConsoleWithKeys()).browser();
    for (const [name, value] of browser.cookies) {
      other.cookies.set(name, value);
      browser.cookies.set(name, `${value.slice(0, -2)}AA`);
    }
    expect((await other.open('/')).status).toBe(303);
    expect((await browser.open('/')).status).toBe(303);
  });

  it('ends when its reader signs out', async () => {
    const { browser } = await aReader(await aConsoleWithKeys(), ['read']);
    expect((await browser.fill('/', '/signout')).location).toBe('/signin');
    expect(browser.cookies.size).toBe(0);
  });
});

describe('the scopes of a key', () => {
  it('decide what is shown and offered', async () => {
    const console = await aConsoleWithKeys();
    const sender = await aReader(console, ['send']);
    expect((await sender.browser.open('/')).location).toBe('/send');
    expect((await sender.browser.open('/messages')).status).toBe(403);
    const page = await sender.browser.open('/send');
    expect([page.html.includes('href="/messages"'), page.html.includes('href="/send"')]).toEqual([false, true]);

    const reader = await aReader(console, ['read']);
    const overview = await reader.browser.open('/');
    expect(overview.html).not.toMatch(/href="\/send"|action="\/instances/);
    const admin = await aReader(console, ['read', 'admin']);
    expect((await admin.browser.open('/')).html).toContain('action="/instances/main/pause"');
  });

  it('open no page that is a form for a reader who may not send it', async () => {
    const console = await aConsoleWithKeys();
    await aCampaign({
      call: (method, path, body, more) => console.call(method, path, body, { ...more, authorization: `Bearer ${OPS}` }),
    });
    const { browser } = await aReader(console, ['read']);
    const ofCampaign = ['change', 'amend', 'retry'].map((form) => `/campaigns/spring/${form}`);
    for (const path of ['/send', '/campaigns/new', '/templates/new', ...ofCampaign, '/campaigns/spring/retry?live=1']) {
      const { status, html } = await browser.open(path);
      expect([path, status, html.includes('no scope send')]).toEqual([path, 403, true]);
    }
    expect((await browser.open('/campaigns/spring')).html).not.toMatch(/spring\/(?:change|amend|retry)/);
  });

  it('are checked by the API, whatever the page offers', async () => {
    const console = await aConsoleWithKeys();
    const { browser } = await aReader(console, ['read']);
    const { token = '' } = hiddenFields((await browser.open('/')).html, '/signout');
    const { status, html } = await browser.submit('/send', { ...SENT, token, key: 'one' });
    expect(status).toBe(403);
    expect(html).toContain('it requires the scope send');
    expect((await console.ledger.views.messages({}, Date.now())).items).toEqual([]);
  });

  it('show a key for some accounts nothing of the others', async () => {
    const console = await aConsoleWithKeys();
    const { browser } = await aReader(console, ['read', 'send'], ['other']);
    expect((await browser.open('/')).html).not.toContain('>main<');
  });
});

describe('a form', () => {
  it('is refused without the token of its reader', async () => {
    const console = await aConsoleWithKeys();
    const one = await aReader(console, ['read', 'send']);
    const other = await aReader(console, ['read', 'send']);
    const { token: foreign = '' } = hiddenFields((await other.browser.open('/send')).html, '/send');
    for (const token of ['', 'none', foreign]) {
      expect((await one.browser.submit('/send', { ...SENT, token, key: 'one' })).status).toBe(403);
    }
    expect((await console.ledger.views.messages({}, Date.now())).items).toEqual([]);
  });

  it('is refused from a page of another site', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const fields = { ...hiddenFields((await browser.open('/send')).html, '/send'), ...SENT };
    const foreign = { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' };
    expect((await browser.submit('/send', fields, foreign)).status).toBe(403);
  });

  it('takes effect once, however often it is sent', async () => {
    const console = await aConsole();
    const browser = console.browser();
    const fields = { ...hiddenFields((await browser.open('/send')).html, '/send'), ...SENT };
    const first = await browser.submit('/send', fields);
    const second = await browser.submit('/send', fields);
    expect([first.status, second.location]).toEqual([303, first.location]);
    expect((await console.ledger.views.messages({}, Date.now())).items).toHaveLength(1);
  });

  it('keeps what was typed, and marks the fields to correct', async () => {
    const browser = (await aConsole()).browser();
    const { status, html } = await browser.fill('/send', '/send', { ...SENT, to: '12', text: 'Kept <text>' });
    expect(status).toBe(422);
    expect(html).toContain('Kept &lt;text&gt;</textarea>');
    expect(html).toMatch(/id="to-problem"[^>]*>[^<]*neither a phone number/);
  });

  it('can be sent after the end of the session, once its reader has signed in again', async () => {
    const console = await aConsoleWithKeys();
    const { browser, key } = await aReader(console, ['read', 'send']);
    const fields = { ...hiddenFields((await browser.open('/send')).html, '/send'), ...SENT, text: 'Typed for long' };
    browser.cookies.clear();
    const ended = await browser.submit('/send', fields);
    expect(ended.status).toBe(401);
    expect(ended.html).toContain('Typed for long');
    await browser.signIn(key);
    const kept = hiddenFields(ended.html, '/send');
    expect((await browser.submit('/send', kept)).location).toMatch(/^\/messages\/msg_/);
  });

  it('is recorded under the name of its key', async () => {
    const console = await aConsoleWithKeys();
    const { browser, name } = await aReader(console, ['read', 'admin']);
    await browser.fill('/', '/instances/main/pause');
    const { items } = await console.ledger.audit.list({});
    expect(items).toMatchObject([{ witness: `key:${name}`, route: 'pauseInstance', instance: 'main', status: 200 }]);
  });
});
