import type { Child } from 'hono/jsx';
import { Page } from '../layout.js';
import type { Reader } from '../reader.js';

interface SecretPageProps {
  readonly reader: Reader;
  /** The path of its place in the navigation. */
  readonly at: string;
  readonly title: string;
  readonly secret: string;
  readonly next: string;
  readonly children?: Child;
}

/** The response to the form that made a secret: nothing shows the secret again, and no address contains it. */
export function SecretPage({ reader, at, title, secret, next, children }: SecretPageProps) {
  return (
    <Page title={title} reader={reader} at={at}>
      <h1>{title}</h1>
      <section class="card narrow" aria-label="Secret">
        <p role="alert">{children}</p>
        <p class="secret">
          <code>{secret}</code>
        </p>
        <p>Copy it now: it is not shown again.</p>
        <p>
          <a class="button" href={next}>
            I have copied it
          </a>
        </p>
      </section>
    </Page>
  );
}
