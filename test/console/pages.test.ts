/** Each page, with data and without. */
import { describe, expect, it } from 'vitest';
import { aCampaign, aMessage } from './cast.js';
import { OPS, aConsole, aConsoleWithKeys, aReader, type Console } from './console-parts.js';

const EMPTY_PAGES = [
  '/',
  '/campaigns',
  '/campaigns?state=running',
  '/inbox',
  '/inbox?unread=true',
  '/contacts',
  '/contacts?to=15551234567',
  '/messages',
  '/messages?state=failed',
  '/send',
  '/schedules',
  '/templates',
  '/suppression',
  '/keys',
];

describe('a page', () => {
  it('is shown while there is nothing to show', async () => {
    const browser = (await aConsole()).browser();
    for (const path of [...EMPTY_PAGES, '/signin']) {
      const { status, html } = await browser.open(path);
      expect([path, status, html.startsWith('<!DOCTYPE html><html lang="en">')]).toEqual([path, 200, true]);
    }
  });

  it('is shown with campaigns and messages', async () => {
    const console = await aConsole();
    await aCampaign(console);
    const id = await aMessage(console);
    const browser = console.browser();
    for (const path of [...EMPTY_PAGES, '/campaigns/spring', '/campaigns/spring/recipients', `/messages/${id}`]) {
      expect([path, (await browser.open(path)).status]).toEqual([path, 200]);
    }
    expect((await browser.open('/campaigns')).html).toContain('Spring newsletter');
    expect((await browser.open(`/messages/${id}`)).html).toContain('Your table is booked.');
  });

  it('names what does not exist, and says what to do', async () => {
    const { status, html } = await (await aConsole()).browser().open('/campaigns/unknown');
    expect(status).toBe(404);
    expect(html).toContain('List campaigns: everpost campaign list');
  });

  it('loads its own files and nothing else', async () => {
    const browser = (await aConsole()).browser();
    const { html, headers } = await browser.open('/');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'self'; script-src 'self';/);
    expect(html).not.toMatch(/ style=|<style|<script>| on\w+="/);
    const files = [...html.matchAll(/(?:href|src)="(\/console\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const found = await browser.open(file);
      expect([file, found.status, found.headers.get('cache-control')]).toEqual([
        file,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  it('loads a file of another version without keeping it (UPGRADE-6)', async () => {
    const browser = (await aConsole()).browser();
    for (const address of ['/console/script.js?0123456789ab', '/console/script.js']) {
      const { status, headers } = await browser.open(address);
      expect([address, status, headers.get('cache-control')]).toEqual([address, 200, 'no-store']);
    }
  });

  it('is kept by no cache', async () => {
    expect((await (await aConsole()).browser().open('/messages')).headers.get('cache-control')).toBe('no-store');
  });

  it('finds the messages to a number in any spelling', async () => {
    const console = await aConsole();
    const id = await aMessage(console, 'Olá', '+55 11 98765-4321');
    for (const spelling of ['+55 (11) 98765 4321', '5511987654321', '551187654321']) {
      const { html } = await console.browser().open(`/messages?to=${encodeURIComponent(spelling)}`);
      expect([spelling, html.includes(`/messages/${id}`)]).toEqual([spelling, true]);
    }
  });

  it('shows times in the timezone and language of its reader, and says so when it knows none', async () => {
    const console = await aConsole({ clock: { nowMs: () => Date.parse('2026-03-01T22:30:00Z') } });
    const id = await aMessage(console);
    const browser = console.browser();
    expect((await browser.open(`/messages/${id}`)).html).toContain('22:30:00 UTC');
    browser.cookies.set('everpost_timezone', 'America/Sao_Paulo');
    const local = await browser.open(`/messages/${id}`, { 'accept-language': 'pt-BR,pt;q=0.9' });
    expect(local.html).toContain('19:30:00</time>');
    expect(local.html).toContain('Times are in America/Sao Paulo.');
    browser.cookies.set('everpost_timezone', 'No/Zone<script>');
    expect((await browser.open('/')).html).toContain('Times are in UTC.');
  });
});

const HOSTILE = `<script>alert("x")</script>'"><img src=x onerror=alert(1)>`;

describe('hostile names and texts', () => {
  it('are shown as text on every page', async () => {
    const console = await aConsole();
    await aCampaign(console, 'hostile', { name: HOSTILE, content: { kind: 'text', text: HOSTILE } });
    const id = await aMessage(console, HOSTILE);
    const browser = console.browser();
    const asked = encodeURIComponent(HOSTILE);
    const paths = ['/', '/campaigns', '/campaigns/hostile', '/messages', `/messages/${id}`];
    const typed = [`/messages?to=${asked}`, `/send?to=${asked}&text=${asked}&instance=${asked}`, `/signin?to=${asked}`];
    for (const path of [...paths, ...typed, `/?done=${asked}`, `/campaigns/${asked}`]) {
      const { html } = await browser.open(path);
      expect([path, html.includes('<script>alert'), html.includes('<img')]).toEqual([path, false, false]);
    }
    expect((await browser.open(`/messages/${id}`)).html).toContain('&lt;script&gt;alert(');
  });

  it('does not lead from the sign-in to another site', async () => {
    const browser = (await aConsole()).browser();
    for (const to of ['https://example.com/', '//example.com/', '/\\example.com', 'javascript:alert(1)']) {
      const { html } = await browser.open(`/signin?to=${encodeURIComponent(to)}`);
      expect(html).not.toContain(`href="${to}`);
    }
  });
});

describe('the part of a page that changes by itself', () => {
  it('is sent as an event, and again when it has changed (LIVE-1)', async () => {
    const console = await aConsole();
    const id = await aMessage(console);
    const stream = await console.browser().follow(`/messages/${id}`);
    expect(await stream.next()).toMatch(/^data: <section/);
    await console.call('POST', `/v1/messages/${id}/cancel`);
    expect(await stream.next()).toContain('Cancelled');
    stream.leave();
    expect(await stream.next()).toBeUndefined();
  });

  it('ends with the session of its reader (LIVE-2)', async () => {
    const console = await aConsoleWithKeys();
    const { browser, name } = await aReader(console, ['read']);
    const id = await aMessage({ call: (method, path, body) => asOps(console, method, path, body) });
    const stream = await browser.follow(`/messages/${id}`);
    expect(await stream.next()).toMatch(/^data: <section/);
    await asOps(console, 'POST', `/v1/keys/${name}/revoke`);
    expect(await stream.next()).toBeUndefined();
    expect(console.logged.filter((entry) => (entry as { level: string }).level === 'error')).toEqual([]);
  });

  it('is a piece of the page for a reader without events', async () => {
    const console = await aConsole();
    const { html } = await console.browser().open('/?live=1');
    expect(html).toMatch(/^<section/);
  });
});

function asOps({ call }: Console, method: string, path: string, body?: unknown) {
  return call(method, path, body, { authorization: `Bearer ${OPS}` });
}
