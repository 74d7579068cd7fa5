import type { Context } from 'hono';
import { SCOPES, type Scope } from '../../contract/index.js';
import type { ApiKey, AuditEntry } from '../../http-client/index.js';
import { Action, Confirmed, Empty, Field, Input, Pager, Pill, RefusalNotice, Table, described } from '../elements.js';
import { refusalOf, type Form, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, time } from '../times.js';
import { SecretPage } from './secret.js';

const MOST_SHOWN = 50;
const OVERLAP = '24h';

/** Keys, and what they did. */
export function keyPages(pages: Pages): void {
  pages.show('/keys', (c, reader) => page(c, reader));

  const act = pages.forms(page, { fieldOf: (path) => path.split('.')[0] ?? '' });
  act('/keys', async (c, reader, { name: asked = '', instances = '', expiresIn = '', ...form }) => {
    const accounts = instances.split(/[\s,]+/).filter((one) => one !== '');
    const body = {
      name: asked.trim(),
      scopes: SCOPES.filter((scope) => form[`scope-${scope}`] !== undefined),
      ...(accounts.length === 0 ? {} : { instances: accounts }),
      ...(expiresIn === '' ? {} : { expiresIn }),
    };
    const { name, key } = await reader.api.createKey({ body });
    return c.html(
      <SecretPage reader={reader} at="/keys" title={`The key ${name} is created`} secret={key} next="/keys">
        Give this key to the program or the reader that it is for.
      </SecretPage>,
    );
  });

  act('/keys/:name/rotate', async (c, reader) => {
    const { name, key } = await reader.api.rotateKey({ name: c.req.param('name') ?? '', body: { overlap: OVERLAP } });
    return c.html(
      <SecretPage reader={reader} at="/keys" title={`The key ${name} has a new secret`} secret={key} next="/keys">
        The former secret stays valid for 24 hours. Replace it until then.
      </SecretPage>,
    );
  });

  pages.act('/keys/:name/revoke', async (c, { api }) => {
    await api.revokeKey({ name: c.req.param('name') ?? '' });
    return c.redirect('/keys?done=key-revoked', 303);
  });
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const isLimited = reader.caller.instances !== undefined;
  const asked: Form = c.req.method === 'GET' ? c.req.query() : {};
  const keys = isLimited ? [] : (await reader.api.listKeys()).items;
  const { key = '', since = '', cursor: after } = asked;
  const ms = PERIODS[since]?.ms;
  const query = {
    cursor: after,
    limit: MOST_SHOWN,
    ...(key.trim() === '' ? {} : { key: key.trim() }),
    ...(ms === undefined ? {} : { since: new Date(reader.nowMs - ms).toISOString() }),
  };
  const audit = await reader.api.listAudit({ query }).catch((error: unknown) => refusalOf(error, { key, since }));
  const refused = 'problems' in audit ? audit : undefined;
  const { items, cursor } = 'items' in audit ? audit : { items: [], cursor: undefined };
  return c.html(
    <Page title="Keys" reader={reader} at="/keys" done={c.req.query('done')}>
      <h1>API keys</h1>
      <RefusalNotice refusal={refusal} />
      {isLimited ? <Empty>Your key is for some accounts only, so it shows no other keys.</Empty> : null}
      {isLimited ? null : <Keys reader={reader} keys={keys} />}
      {isLimited ? null : <NewKey reader={reader} refusal={refusal} />}
      <section aria-labelledby="audit">
        <h2 id="audit">What was changed or refused</h2>
        <form method="get" action="/keys" class="search" role="search">
          <Field name="key" label="Key" refusal={refused}>
            <input id="key" name="key" value={asked['key']} autocomplete="off" {...described('key', refused)} />
          </Field>
          <Field name="since" label="Since" refusal={refused}>
            <select id="since" name="since">
              {Object.entries(PERIODS).map(([name, { label }]) => (
                <option value={name} selected={name === asked['since']}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <button class="button quiet">Show</button>
        </form>
        <Audit reader={reader} entries={items} />
        <Pager path="/keys" query={new URL(c.req.url).searchParams} cursor={cursor} />
      </section>
    </Page>,
    (refusal ?? refused)?.status ?? 200,
  );
}

const DAY_MS = 24 * 60 * 60_000;
const PERIODS: Readonly<Record<string, { readonly label: string; readonly ms?: number }>> = {
  '': { label: 'the beginning' },
  day: { label: 'a day ago', ms: DAY_MS },
  week: { label: 'a week ago', ms: 7 * DAY_MS },
  month: { label: '30 days ago', ms: 30 * DAY_MS },
};

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'see messages, campaigns and everything else',
  send: 'send, and steer campaigns and schedules',
  admin: 'manage keys, accounts and endpoints, and resolve messages',
};

function NewKey({ reader, refusal }: { reader: Reader; refusal: Refusal | undefined }) {
  const typed: Form = refusal?.form ?? {};
  return (
    <div class="actions">
      <Confirmed summary="New key…" open={refusal !== undefined}>
        <Action reader={reader} to="/keys" label="Create the key" refusal={refusal}>
          <Input
            name="name"
            label="Name"
            hint="What it does is recorded under it."
            typed={typed}
            refusal={refusal}
            required
          />
          <fieldset class={refusal?.problems['scopes'] === undefined ? 'field' : 'field invalid'}>
            <legend>It may</legend>
            {SCOPES.map((scope) => (
              <label class="choice">
                <input
                  type="checkbox"
                  name={`scope-${scope}`}
                  value="yes"
                  checked={refusal === undefined ? scope === 'read' : typed[`scope-${scope}`] !== undefined}
                />{' '}
                <strong>{scope}</strong>: {SCOPE_WORDS[scope]}
              </label>
            ))}
            {refusal?.problems['scopes'] === undefined ? null : (
              <p class="problem">{`It may: ${refusal.problems['scopes']}.`}</p>
            )}
          </fieldset>
          <Input
            name="instances"
            label="Accounts"
            hint="Names with spaces between them. Empty: every account."
            typed={typed}
            refusal={refusal}
          />
          <Field name="expiresIn" label="Expires" refusal={refusal}>
            <select id="expiresIn" name="expiresIn">
              {EXPIRIES.map(([value, label]) => (
                <option value={value} selected={(typed['expiresIn'] ?? '90d') === value}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
        </Action>
      </Confirmed>
    </div>
  );
}

const EXPIRIES = [
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
  ['', 'never'],
] as const;

function Keys({ reader, keys }: { reader: Reader; keys: readonly ApiKey[] }) {
  if (keys.length === 0) return <Empty>No key is in the ledger yet.</Empty>;
  return (
    <Table name="API keys" heads={['Key', 'State', 'Scopes', 'Accounts', 'Last used', 'Created by', '-Actions']}>
      {keys.map((key) => (
        <tr>
          <th scope="row">{key.name}</th>
          <td>
            <KeyPill apiKey={key} nowMs={reader.nowMs} />
          </td>
          <td>{key.scopes.join(', ')}</td>
          <td>{key.instances?.join(', ') ?? 'all'}</td>
          <td>{key.lastUsedAt === undefined ? 'never' : ago(key.lastUsedAt, reader)}</td>
          <td>{key.createdBy.replace('key:', '')}</td>
          <td>
            {key.revokedAt === undefined && (
              <div class="row">
                <Confirmed summary="Rotate…">
                  <p>A new secret is made. The former one stays valid for 24 hours.</p>
                  <Action
                    reader={reader}
                    to={`/keys/${encodeURIComponent(key.name)}/rotate`}
                    label="Make a new secret"
                  />
                </Confirmed>
                <Confirmed summary="Revoke…">
                  <p>Programs that use this key, and sessions that began with it, end at once.</p>
                  <Action
                    reader={reader}
                    to={`/keys/${encodeURIComponent(key.name)}/revoke`}
                    label="Revoke the key"
                    class="button danger"
                  />
                </Confirmed>
              </div>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function KeyPill({ apiKey: { revokedAt, expiresAt }, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  if (revokedAt !== undefined) return <Pill tone="quiet">Revoked</Pill>;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs) return <Pill tone="quiet">Expired</Pill>;
  return <Pill tone="good">Valid</Pill>;
}

function Audit({ reader, entries }: { reader: Reader; entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <Empty>Nothing yet.</Empty>;
  return (
    <Table name="Audited requests" heads={['When', 'By', 'Request', 'Object', 'Account', 'Result', 'From']}>
      {entries.map(({ at, witness, route, objectId, instance, status, code, address }) => (
        <tr>
          <td>{time(at, reader)}</td>
          <td>{witness.replace('key:', '')}</td>
          <td>
            <code>{route}</code>
          </td>
          <td>{objectId}</td>
          <td>{instance}</td>
          <td>{code === undefined ? <Pill tone="good">Done</Pill> : <Pill tone="bad">{`${status} ${code}`}</Pill>}</td>
          <td>{address}</td>
        </tr>
      ))}
    </Table>
  );
}
