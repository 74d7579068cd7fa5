/** The frame of every page: head, navigation, the notice about what was just done, and the content. */
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Scope } from '../contract/index.js';
import { RefusalNotice } from './elements.js';
import { FILES } from './files.js';
import type { Refusal } from './form.js';
import type { Reader } from './reader.js';

interface Place {
  readonly path: string;
  readonly label: string;
  readonly scope: Scope;
}

const PLACES: readonly Place[] = [
  { path: '/', label: 'Overview', scope: 'read' },
  { path: '/campaigns', label: 'Campaigns', scope: 'read' },
  { path: '/inbox', label: 'Inbox', scope: 'read' },
  { path: '/messages', label: 'Messages', scope: 'read' },
  { path: '/contacts', label: 'Contacts', scope: 'read' },
  { path: '/send', label: 'Send', scope: 'send' },
  { path: '/schedules', label: 'Schedules', scope: 'read' },
  { path: '/templates', label: 'Templates', scope: 'read' },
  { path: '/suppression', label: 'Suppression', scope: 'read' },
  { path: '/instances', label: 'Accounts', scope: 'read' },
  { path: '/events', label: 'Events', scope: 'read' },
  { path: '/keys', label: 'Keys', scope: 'admin' },
];

/** What a redirected form has done. Only these words are shown, so that no link can make the page say others. */
const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sent: 'The message is recorded and will be sent.',
    replied: 'The reply is recorded and will be sent.',
    read: 'The chat is marked as read.',
    'read-on-phone': 'The chat is marked as read on the phone.',
    erasing: 'The erasure is recorded. This page shows its progress.',
    drafted: 'The draft is created. Add its recipients next.',
    imported: 'The file is read.',
    started: 'The campaign has started.',
    cancelled: 'The message is cancelled. It will not be sent.',
    'not-cancelled': 'The message could not be cancelled any more.',
    edit: 'The edit is recorded. Its result is shown below.',
    resolved: 'Your statement is recorded.',
    'campaign-paused': 'The campaign is paused.',
    'campaign-resumed': 'The campaign runs again.',
    'campaign-cancelled': 'The campaign is cancelled.',
    changed: 'The campaign is changed.',
    amended: 'The amendment has begun. Its progress is under “Amend the text”.',
    retried: 'The recipients are retried.',
    requested: 'The request is recorded. It takes effect as soon as what is under way has ended.',
    'instance-resumed': 'The account is resumed.',
    'instance-paused': 'The account is paused.',
    accepted: 'The recipient is on the suppression list now.',
    dismissed: 'It is dismissed: the recipient still gets messages.',
    suppressed: 'The recipient is on the suppression list now.',
    released: 'The recipient is on the suppression list no more.',
    'schedule-paused': 'The schedule is paused. It begins nothing until it is resumed.',
    'schedule-resumed': 'The schedule is active again.',
    'schedule-triggered': 'A run has begun. It is listed below.',
    'endpoint-created': 'The endpoint is created.',
    'endpoint-disabled': 'The endpoint is disabled. Its deliveries wait.',
    'endpoint-enabled': 'The endpoint is enabled. What waits is delivered now.',
    'endpoint-tested': 'A test event is recorded. It is delivered in a moment.',
    'endpoint-replayed': 'The events are delivered again.',
    'endpoint-deleted': 'The endpoint is deleted.',
    'template-submitted': 'The template is submitted. Its verdict is shown here.',
    'review-set': 'The review is set.',
    'key-revoked': 'The key is revoked. It can be used no more.',
  }),
);

interface PageProps {
  readonly title: string;
  readonly reader?: Reader;
  /** The path of its place in the navigation. */
  readonly at?: string;
  readonly done?: string | undefined;
  readonly children?: Child;
}

export function Page({ title, reader, at, done = '', children }: PageProps) {
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{title} · everpost</title>
          <link rel="icon" href={FILES.icon.href} type="image/svg+xml" />
          <link rel="stylesheet" href={FILES.style.href} />
          <script src={FILES.script.href} defer></script>
        </head>
        <body>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          {reader && <Header reader={reader} at={at} />}
          <main id="content">
            {DONE.get(done) === undefined ? null : (
              <p class="notice good" role="status">
                {DONE.get(done)}
              </p>
            )}
            {children}
          </main>
          {reader && <Footer reader={reader} />}
        </body>
      </html>
    </>
  );
}

/** A page under a place of the navigation: a link to the place, what was refused, and the title as its heading. */
export function SubPage({ refusal, children, ...page }: PageProps & { readonly refusal?: Refusal | undefined }) {
  return (
    <Page {...page}>
      <p class="path">
        <a href={page.at}>{PLACES.find(({ path }) => path === page.at)?.label}</a>
      </p>
      <RefusalNotice refusal={refusal} />
      <h1>{page.title}</h1>
      {children}
    </Page>
  );
}

function Header({ reader, at }: { reader: Reader; at: string | undefined }) {
  return (
    <header>
      <a class="brand" href="/">
        everpost
      </a>
      <nav aria-label="Pages">
        <ul>
          {PLACES.filter(({ scope }) => reader.may(scope)).map(({ path, label }) => (
            <li>
              <a href={path} aria-current={path === at ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {reader.isSignedIn ? (
        <form method="post" action="/signout" class="who">
          <input type="hidden" name="token" value={reader.formToken} />
          <span title={`Scopes: ${reader.caller.scopes.join(', ')}`}>{reader.caller.name.replace('key:', '')}</span>
          <button class="link">Sign out</button>
        </form>
      ) : (
        <p class="who" title="No API key is configured: every program on this machine may use everpost">
          This machine
        </p>
      )}
    </header>
  );
}

function Footer({ reader: { locale } }: { reader: Reader }) {
  return (
    <footer>
      <p>
        {locale.timezone === undefined ? 'Times are in UTC.' : `Times are in ${locale.timezone.replaceAll('_', ' ')}.`}
      </p>
      <p>
        <a href="/docs">API reference</a>
      </p>
    </footer>
  );
}
