import type { Context } from 'hono';
import type { PagesDoor } from '../../api/index.js';
import { EverpostError } from '../../http-client/index.js';
import { Page } from '../layout.js';
import { ownPath, readForm } from '../form.js';
import type { Pages } from '../page.js';
import { apiFor } from '../reader.js';
import { LONGEST_KEY, type Sessions } from '../session.js';

export function signInPages(pages: Pages, door: PagesDoor, sessions: Sessions): void {
  pages.open('GET', '/signin', (c) => c.html(<SignIn to={c.req.query('to')} />));

  pages.open('POST', '/signin', async (c) => {
    const { apiKey = '', to } = await readForm(c);
    const problem = await problemOf(c, apiKey.trim());
    if (problem !== undefined) return c.html(<SignIn to={to} problem={problem} />, 401);
    sessions.begin(c, apiKey.trim());
    return c.redirect(ownPath(to), 303);
  });

  pages.act('/signout', (c) => {
    sessions.end(c);
    return c.redirect('/signin', 303);
  });

  /** The API itself checks the key, counts wrong ones, and refuses too many of them. */
  async function problemOf(c: Context, key: string): Promise<string | undefined> {
    if (key === '') return 'Enter an API key.';
    if (key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key)) return NOT_VALID;
    try {
      await apiFor(door, c, key).getCaller();
      return undefined;
    } catch (error) {
      if (error instanceof EverpostError) return error.status === 401 ? NOT_VALID : error.message;
      throw error;
    }
  }
}

const NOT_VALID =
  'This key is not valid. Check that it was copied whole. An operator creates one with: everpost key create';

function SignIn({ to, problem }: { to?: string | undefined; problem?: string }) {
  return (
    <Page title="Sign in">
      <div class="signin">
        <p class="brand">everpost</p>
        <h1>Sign in</h1>
        <form method="post" action="/signin" class="card">
          {problem === undefined ? null : (
            <p class="notice bad" role="alert">
              {problem}
            </p>
          )}
          <input type="hidden" name="to" value={to ?? ''} />
          <div class="field">
            <label for="apiKey">API key</label>
            <p class="hint" id="apiKey-hint">
              The session ends after 12 hours, or with the key.
            </p>
            <input
              id="apiKey"
              name="apiKey"
              type="password"
              autocomplete="current-password"
              required
              autofocus
              aria-describedby="apiKey-hint"
            />
          </div>
          <button class="button">Sign in</button>
        </form>
      </div>
    </Page>
  );
}
