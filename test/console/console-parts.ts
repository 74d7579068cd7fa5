/** A browser without scripts in front of a console with a real ledger, without Temporal. */
import { createConsole } from '../../src/console/index.js';
import type { Scope } from '../../src/contract/index.js';
import { ownApi, someKeys } from '../api/api-parts.js';
import { aKey } from '../api/keys/two-worlds.js';

const ORIGIN = 'http://127.0.0.1';
/** A key of the environment, which every console of {@link aConsole} with keys has. */
export const OPS = 'the-key-of-ops-in-the-console';

type Options = NonNullable<Parameters<typeof ownApi>[0]>;

export interface Shown {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** Where a redirect leads to. */
  readonly location: string | null;
}

export type Console = Awaited<ReturnType<typeof aConsole>>;

/** Without keys: for programs and browsers on this machine. */
export async function aConsole(options: Options = {}) {
  const parts = await ownApi({ pages: createConsole, ...options });
  return { ...parts, browser: () => aBrowser((request) => parts.uncompared.fetch(request)) };
}

export function aConsoleWithKeys(options: Options = {}) {
  return aConsole({ apiKeys: someKeys(OPS), ...options });
}

/** A key of the ledger with these scopes, and its reader's browser. */
export async function aReader(console: Console, scopes: readonly Scope[], instances?: readonly string[]) {
  const key = await aKey([console.ledger], scopes, instances);
  const browser = console.browser();
  await browser.signIn(key);
  const [, id = ''] = /^ep_([^_]+)_/.exec(key) ?? [];
  return { key, name: `key-${id}`, browser };
}

/** Keeps cookies, as a browser does, and sends forms with their hidden fields. */
export function aBrowser(fetch: (request: Request) => Promise<Response>) {
  const cookies = new Map<string, string>();

  function headersWith(given: RequestInit['headers']): Headers {
    const headers = new Headers({ host: '127.0.0.1', 'sec-fetch-site': 'same-origin' });
    for (const [name, value] of new Headers(given)) headers.set(name, value);
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    return headers;
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Shown> {
    const headers = headersWith(init.headers);
    const response = await fetch(new Request(ORIGIN + path, { ...init, headers }));
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status } = response;
    return {
      status,
      html: await response.text(),
      headers: response.headers,
      location: response.headers.get('location'),
    };
  }

  function submit(path: string, fields: Readonly<Record<string, string>>, more: Record<string, string> = {}) {
    const body = new URLSearchParams(fields).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
    return ask(path, { method: 'POST', body, headers: { origin: ORIGIN, ...type, ...more } });
  }

  return {
    cookies,
    /** A form with a file. */
    send: (path: string, body: ArrayBuffer, headers: Record<string, string>) =>
      ask(path, { method: 'POST', body, headers: { origin: ORIGIN, ...headers } }),
    open: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    submit,
    signIn: (apiKey: string) => submit('/signin', { apiKey, to: '/' }),

    /** The events of a page's live part. */
    async follow(path: string) {
      const left = new AbortController();
      const headers = headersWith({ accept: 'text/event-stream' });
      const response = await fetch(new Request(`${ORIGIN}${path}?live=1`, { headers, signal: left.signal }));
      const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
      return { next: async () => (await reader.read()).value, leave: () => left.abort() };
    },

    /** Sends the form of the page that leads to `action`, with what was typed into it. */
    async fill(page: string, action: string, typed: Readonly<Record<string, string>> = {}): Promise<Shown> {
      const { html } = await ask(page);
      return submit(action, { ...hiddenFields(html, action), ...typed });
    },
  };
}

/** The hidden fields of a page's form. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const begin = html.indexOf(`action="${action}"`);
  if (begin === -1) throw new Error(`The page has no form that leads to ${action}.`);
  const form = html.slice(begin, html.indexOf('</form>', begin));
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value = '']) => [name, value.replaceAll('&amp;', '&')]));
}
