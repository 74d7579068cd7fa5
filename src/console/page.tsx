/** Serves pages: finds out who reads them, refuses forms of other sites, and shows every failure as a page. */
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Scope } from '../contract/index.js';
import { EverpostError, errorOf } from '../http-client/index.js';
import type { PagesDoor } from '../api/index.js';
import { readForm, refusalOf, type Form, type Refusal } from './form.js';
import { streamOf } from './live.js';
import { Ended, Failure, Foreign } from './failure.js';
import { apiFor, localeOf, type Reader } from './reader.js';
import type { Sessions } from './session.js';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The policy of every page: CONSOLE-2. */
function protect(response: Response): Response {
  // A report has a stricter policy of its own.
  if (!response.headers.has('Content-Security-Policy')) response.headers.set('Content-Security-Policy', POLICY);
  response.headers.set('Referrer-Policy', 'same-origin');
  return response;
}

async function part(c: Context, { render }: LivePart, reader: Reader): Promise<string> {
  return html`${await render(c, reader)}`;
}

const FOREIGN_FORM =
  'The form is refused: it is not from a page of this reader. Nothing was done. Go back, reload the page, and send the form again.';

/** A browser names the site of the page that sent a form. */
function refuseForeignForm(c: Context): void {
  const site = c.req.header('Sec-Fetch-Site') ?? 'none';
  if (site !== 'same-origin' && site !== 'none') throw foreignForm();
}

function foreignForm(): EverpostError {
  return new EverpostError(FOREIGN_FORM, { code: 'REQUEST_FORBIDDEN', status: 403 });
}

type Answer = Response | Promise<Response>;

interface LivePart {
  /** How often it is read while the page is visible. */
  readonly everyMs: number;
  readonly render: (c: Context, reader: Reader) => Promise<Child>;
}

export type Pages = ReturnType<typeof createPages>;

export function createPages(app: Hono, door: PagesDoor, sessions: Sessions) {
  async function readerOf(c: Context): Promise<Reader> {
    const key = sessions.keyOf(c);
    const api = apiFor(door, c, key);
    const caller = await api.getCaller();
    return {
      api,
      caller,
      isSignedIn: key !== undefined,
      formToken: sessions.formToken(key),
      locale: localeOf(c),
      nowMs: door.clock.nowMs(),
      inTemporal(kind, id) {
        const { uiUrl, namespace } = door.temporal;
        if (uiUrl === undefined) return undefined;
        return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/${kind}/${encodeURIComponent(id)}`;
      },
      may: (scope) => caller.scopes.includes(scope),
      download: (path) => download(c, path, key),
    };
  }

  /** A response of the API as it is, e.g. a report of any size. */
  async function download(c: Context, path: string, key: string | undefined): Promise<Response> {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const { origin, search } = new URL(c.req.url);
    const response = await door.ask(c, origin + path + search, { headers });
    if (!response.ok) throw errorOf(response, await response.text(), undefined);
    return new Response(response.body, { headers: response.headers });
  }

  /** Shows a failure as a page, and a reader without a valid key the sign-in. */
  async function guarded(c: Context, form: Form | undefined, respond: () => Answer): Promise<Response> {
    try {
      return protect(await respond());
    } catch (error) {
      if (error instanceof EverpostError && error.status === 401) return protect(await signIn(c, form));
      return protect(await c.html(<Failure error={error} />, statusOf(c, error)));
    }
  }

  /** Logs a bug. */
  function statusOf(c: Context, error: unknown): ContentfulStatusCode {
    if (error instanceof EverpostError) return (error.status ?? 503) as ContentfulStatusCode;
    const { stack } = error as Error;
    door.log({ level: 'error', message: 'A page failed because of a bug', route: c.req.routePath, error: stack });
    return 500;
  }

  /** A form that was sent after the end of the session is shown again: signing in loses nothing that was typed. */
  function signIn(c: Context, form: Form | undefined): Answer {
    if (form !== undefined) return c.html(<Ended path={c.req.path} form={form} />, 401);
    // A link on another site brings no cookie along; the page itself does.
    if (c.req.header('Sec-Fetch-Site') === 'cross-site') return c.html(<Foreign />);
    const { pathname, search } = new URL(c.req.url);
    sessions.end(c);
    const place = pathname === '/' ? '' : `?to=${encodeURIComponent(pathname + search)}`;
    return c.redirect(`/signin${place}`, 303);
  }

  /**
   * @param live  the part of the page that changes by itself
   * @param needs  of a form, the scope without which it cannot be sent
   */
  function show(path: string, respond: (c: Context, reader: Reader) => Answer, live?: LivePart, needs?: Scope): void {
    const readerWith = async (c: Context): Promise<Reader> => {
      const reader = await readerOf(c);
      if (needs === undefined || reader.may(needs)) return reader;
      const message = `Your key has no scope ${needs}, which this form requires. Sign in with a key that has it.`;
      throw new EverpostError(message, { code: 'KEY_SCOPE_MISSING', status: 403 });
    };
    app.get(path, (c) =>
      guarded(c, undefined, async () => {
        const reader = await readerWith(c);
        if (live === undefined || c.req.query('live') === undefined) return respond(c, reader);
        if (c.req.header('Accept') !== 'text/event-stream') return c.html(await part(c, live, reader));
        const read = async () => part(c, live, await readerWith(c));
        const signal = AbortSignal.any([c.req.raw.signal, door.closing]);
        return streamOf({ ...live, read, signal, failed: (error) => void statusOf(c, error) });
      }),
    );
  }

  /**
   * Forms of a page, each of which is redirected to a page once it is done.
   * @param refused  shows the page again, with what the API refused. Without it, that is a failure of its own page
   */
  function forms(
    refused?: (c: Context, reader: Reader, refusal: Refusal) => Answer,
    { fieldOf, mostBytes }: { readonly fieldOf?: (path: string) => string; readonly mostBytes?: number } = {},
  ) {
    return (path: string, respond: (c: Context, reader: Reader, form: Form) => Answer): void => {
      app.post(path, (c) =>
        guarded(c, undefined, async () => {
          refuseForeignForm(c);
          const form = await readForm(c, mostBytes);
          return guarded(c, form, async () => {
            const reader = await readerOf(c);
            if (!sessions.isFormToken(form['token'] ?? '', sessions.keyOf(c))) throw foreignForm();
            try {
              return await respond(c, reader, form);
            } catch (error) {
              if (refused === undefined) throw error;
              return refused(c, reader, refusalOf(error, form, fieldOf));
            }
          });
        }),
      );
    };
  }

  return {
    show: (path: string, respond: (c: Context, reader: Reader) => Answer, live?: LivePart): void =>
      show(path, respond, live),

    /** A page that is a form, for readers who may send it. */
    showForm: (path: string, respond: (c: Context, reader: Reader) => Answer, live?: LivePart): void =>
      show(path, respond, live, 'send'),

    /** A page that needs no reader. */
    open: (method: 'GET' | 'POST', path: string, respond: (c: Context) => Answer): void => {
      app.on(method, path, (c) =>
        guarded(c, undefined, () => {
          if (method === 'POST') refuseForeignForm(c);
          return respond(c);
        }),
      );
    },

    /** What is no page, for browsers: programs get the API's problem document. After all other pages. */
    missing(): void {
      app.all('*', (c, next) => {
        if (!c.req.header('Accept')?.includes('text/html')) return next();
        return guarded(c, undefined, () => {
          const message = 'There is no page at this address. Open the overview, and go on from there.';
          throw new EverpostError(message, { code: 'ROUTE_NOT_FOUND', status: 404 });
        });
      });
    },

    forms,
    act: forms(),
  };
}
