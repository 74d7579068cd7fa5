/** Who reads a page: how the API is called for them, what they may do, and how they write times and numbers. */
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { isTimezone, type Scope } from '../contract/index.js';
import { createClient, type ApiResponse, type Client } from '../http-client/index.js';
import type { PagesDoor } from '../api/index.js';

export interface Reader {
  readonly api: Client;
  readonly caller: ApiResponse<'getCaller'>;
  /** Whether the reader signed in, and can sign out. */
  readonly isSignedIn: boolean;
  /** For the reader's forms: SESSION-3. */
  readonly formToken: string;
  readonly locale: Locale;
  readonly nowMs: number;
  /** The address of a run or a schedule in Temporal's Web UI. @returns undefined if it is not known where that is */
  inTemporal(kind: 'workflows' | 'schedules', id: string): string | undefined;
  may(scope: Scope): boolean;
  /** The response of the API to a GET of this path, as it is. */
  download(path: string): Promise<Response>;
}

/** Language and timezone, for times and numbers. */
export interface Locale {
  readonly language: string;
  /** Absent until the script of the pages has said it: times are in UTC. */
  readonly timezone: string | undefined;
}

/** The API with the key of a reader, who sends a form again after an error. */
export function apiFor(door: Pick<PagesDoor, 'ask'>, page: Context, apiKey: string | undefined): Client {
  return createClient({
    baseUrl: new URL(page.req.url).origin,
    apiKey,
    retries: 0,
    fetch: (url, init) => door.ask(page, url, init),
  });
}

/** The name of the cookie in which files/script.js writes the browser's timezone. */
const TIMEZONE_COOKIE = 'everpost_timezone';
const DEFAULT_LANGUAGE = 'en-GB';

export function localeOf(c: Context): Locale {
  const timezone = getCookie(c, TIMEZONE_COOKIE) ?? '';
  return {
    language: languageOf(c.req.header('Accept-Language') ?? ''),
    timezone: isTimezone(timezone) ? timezone : undefined,
  };
}

/** The first language of the header that the runtime can write. */
function languageOf(header: string): string {
  for (const part of header.slice(0, 200).split(',')) {
    const [language = ''] = part.trim().split(';');
    try {
      if (language !== '*' && Intl.DateTimeFormat.supportedLocalesOf(language).length > 0) return language;
    } catch {
      // No tag of a language.
    }
  }
  return DEFAULT_LANGUAGE;
}
