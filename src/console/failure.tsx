/** What is shown in place of a page. */
import { raw } from 'hono/html';
import { EverpostError } from '../http-client/index.js';
import type { Form } from './form.js';
import { Page } from './layout.js';

/** Says what failed and what to do. Details of a bug are in the log. */
export function Failure({ error }: { error: unknown }) {
  const isKnown = error instanceof EverpostError;
  const isMissing = isKnown && error.status === 404;
  const title = isMissing ? 'Not found' : 'This page cannot be shown';
  return (
    <Page title={title}>
      <h1>{title}</h1>
      <p class="notice bad" role="alert">
        {isKnown ? error.message : 'This is a bug of everpost. Its log names the reason: report it with that.'}
      </p>
      <p>
        <a href="/">Go to the overview</a>
      </p>
    </Page>
  );
}

/** The session ended before the form was sent. Its fields are kept, so that it can be sent again. */
export function Ended({ path, form }: { path: string; form: Form }) {
  return (
    <Page title="Send the form again">
      <h1>Your session has ended</h1>
      <p role="alert">Nothing was done. What you typed is kept on this page.</p>
      <ol>
        <li>
          <a href="/signin" target="_blank" rel="noopener">
            Sign in on another tab
          </a>{' '}
          with the same key.
        </li>
        <li>Come back to this tab, and send the form again.</li>
      </ol>
      <form method="post" action={path}>
        {Object.entries(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class="button">Send again</button>
      </form>
    </Page>
  );
}

/** Opens the same page again: as a request of our own site, with the cookie that a link on another site does not send. */
export function Foreign() {
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="refresh" content="0" />
          <title>everpost</title>
        </head>
        <body>
          <p>
            <a href="">Open the page</a>
          </p>
        </body>
      </html>
    </>
  );
}
