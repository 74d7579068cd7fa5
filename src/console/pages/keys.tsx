import type { ApiKey, AuditEntry } from '../../http-client/index.js';
import { Action, Confirmed, Empty, Pager, Pill, Table } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Ago, Time } from '../times.js';

const MOST_SHOWN = 50;

/** Keys, and what they did. */
export function keyPages(pages: Pages): void {
  pages.show('/keys', async (c, reader) => {
    const isLimited = reader.caller.instances !== undefined;
    const query = { cursor: c.req.query('cursor'), limit: MOST_SHOWN };
    const [keys, audit] = await Promise.all([
      isLimited ? { items: [] } : reader.api.listKeys(),
      reader.api.listAudit({ query }),
    ]);
    return c.html(
      <Page title="Keys" reader={reader} at="/keys" done={c.req.query('done')}>
        <h1>API keys</h1>
        {isLimited ? <Empty>Your key is for some accounts only, so it shows no other keys.</Empty> : null}
        {isLimited ? null : <Keys reader={reader} keys={keys.items} />}
        <section aria-labelledby="audit">
          <h2 id="audit">What was changed or refused</h2>
          <Audit reader={reader} entries={audit.items} />
          <Pager path="/keys" query={new URL(c.req.url).searchParams} cursor={audit.cursor} />
        </section>
      </Page>,
    );
  });

  pages.act('/keys/:name/revoke', async (c, { api }) => {
    await api.revokeKey({ name: c.req.param('name') ?? '' });
    return c.redirect('/keys?done=key-revoked', 303);
  });
}

function Keys({ reader, keys }: { reader: Reader; keys: readonly ApiKey[] }) {
  const { locale, nowMs } = reader;
  if (keys.length === 0) return <Empty>No key is in the ledger. Create one: everpost key create --name NAME</Empty>;
  return (
    <Table name="API keys" heads={['Key', 'State', 'Scopes', 'Accounts', 'Last used', 'Created by', '-Actions']}>
      {keys.map((key) => (
        <tr>
          <th scope="row">{key.name}</th>
          <td>
            <KeyPill apiKey={key} nowMs={nowMs} />
          </td>
          <td>{key.scopes.join(', ')}</td>
          <td>{key.instances?.join(', ') ?? 'all'}</td>
          <td>{key.lastUsedAt === undefined ? 'never' : <Ago at={key.lastUsedAt} locale={locale} nowMs={nowMs} />}</td>
          <td>{key.createdBy.replace('key:', '')}</td>
          <td>
            {key.revokedAt === undefined && (
              <Confirmed summary="Revoke…">
                <p>Programs that use this key, and sessions that began with it, end at once.</p>
                <Action
                  reader={reader}
                  to={`/keys/${encodeURIComponent(key.name)}/revoke`}
                  label="Revoke the key"
                  class="button danger"
                />
              </Confirmed>
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

function Audit({ reader: { locale, nowMs }, entries }: { reader: Reader; entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <Empty>Nothing yet.</Empty>;
  return (
    <Table name="Audited requests" heads={['When', 'By', 'Request', 'Object', 'Account', 'Result', 'From']}>
      {entries.map(({ at, witness, route, objectId, instance, status, code, address }) => (
        <tr>
          <td>
            <Time at={at} locale={locale} nowMs={nowMs} />
          </td>
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
