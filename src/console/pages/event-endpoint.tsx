import type { Context } from 'hono';
import type { EndpointDelivery, EventEndpoint } from '../../http-client/index.js';
import {
  Action,
  Confirmed,
  Empty,
  Facts,
  Field,
  Pager,
  Pill,
  Table,
  described,
  Filter,
  FilterLink,
} from '../elements.js';
import type { Form, Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, time } from '../times.js';
import { endpointState } from './events.js';
import { SecretPage } from './secret.js';

const MOST_SHOWN = 50;
const KEEP_FORMER = '24h';

/** One endpoint of events, with the deliveries that wait or were set aside. */
export function eventEndpointPages(pages: Pages): void {
  pages.show('/event-endpoints/:id', (c, reader) => page(c, reader));
  act(pages, 'disable', async ({ api }, id) => {
    await api.changeEventEndpoint({ id, body: { enabled: false } });
    return 'endpoint-disabled';
  });
  act(pages, 'enable', async ({ api }, id) => {
    await api.changeEventEndpoint({ id, body: { enabled: true } });
    return 'endpoint-enabled';
  });
  act(pages, 'test', async ({ api }, id) => {
    await api.testEventEndpoint({ id });
    return 'endpoint-tested';
  });
  act(pages, 'replay', async ({ api }, id, { from = '', key }) => {
    // What a browser gives has no timezone; the label says that it is UTC.
    await api.replayEvents({ id, key, body: { from: /[zZ]|[+-]\d\d:\d\d$/.test(from) ? from : `${from}:00Z` } });
    return 'endpoint-replayed';
  });
  const form = pages.forms(page);
  form('/event-endpoints/:id/delete', async (c, reader) => {
    await reader.api.deleteEventEndpoint({ id: c.req.param('id') ?? '' });
    return c.redirect('/events?done=endpoint-deleted', 303);
  });
  form('/event-endpoints/:id/rotate', async (c, reader) => {
    const { id, secret = '' } = await reader.api.rotateEventSecret({
      id: c.req.param('id') ?? '',
      body: { keepFormerFor: KEEP_FORMER },
    });
    const next = `/event-endpoints/${encodeURIComponent(id)}`;
    return c.html(
      <SecretPage reader={reader} at="/events" title="The endpoint has a new secret" secret={secret} next={next}>
        Deliveries are signed with this secret and, for 24 hours, also with the former one.
      </SecretPage>,
    );
  });
}

/** @param perform  @returns what was done, for the notice */
function act(
  pages: Pages,
  command: string,
  perform: (reader: Reader, id: string, form: Form) => Promise<string>,
): void {
  pages.forms(page)(`/event-endpoints/:id/${command}`, async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    const done = await perform(reader, id, form);
    return c.redirect(`/event-endpoints/${encodeURIComponent(id)}?done=${done}`, 303);
  });
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const { state, cursor } = c.req.query();
  const shown = state === 'failed' ? 'failed' : 'waiting';
  const [endpoint, deliveries] = await Promise.all([
    reader.api.getEventEndpoint({ id }),
    reader.api.listEndpointDeliveries({ id, query: { state: shown, cursor, limit: MOST_SHOWN } }),
  ]);
  const title = endpoint.url ?? endpoint.id;
  const path = `/event-endpoints/${encodeURIComponent(id)}`;
  return c.html(
    <SubPage title={title} reader={reader} at="/events" done={c.req.query('done')} refusal={refusal}>
      <State reader={reader} endpoint={endpoint} />
      {reader.may('admin') && <Commands reader={reader} endpoint={endpoint} refusal={refusal} />}
      <section aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        <Filter label="Deliveries by state">
          <FilterLink href={path} chosen={shown === 'waiting'}>
            {`Waiting (${endpoint.waiting})`}
          </FilterLink>
          <FilterLink href={`${path}?state=failed`} chosen={shown === 'failed'}>
            {`Set aside (${endpoint.failed})`}
          </FilterLink>
        </Filter>
        <Deliveries reader={reader} deliveries={deliveries.items} />
        <Pager path={path} query={new URL(c.req.url).searchParams} cursor={deliveries.cursor} />
      </section>
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function State({ reader, endpoint }: { reader: Reader; endpoint: EventEndpoint }) {
  const [label, tone] = endpointState(endpoint);
  const { problem, secretsProblem, disabledReason, events, raw } = endpoint;
  return (
    <section class="card" aria-label="State">
      <p class="headline">
        <Pill tone={tone}>{label}</Pill> {endpoint.description}
      </p>
      {secretsProblem === undefined ? null : <p class="notice bad">{secretsProblem}</p>}
      {problem === undefined ? null : <p class="notice wait">The last try failed: {problem}</p>}
      {disabledReason === undefined ? null : (
        <p class="notice wait">
          {disabledReason === 'operator' ? 'An operator disabled it' : `It responded ${disabledReason}`}{' '}
          {time(endpoint.disabledAt, reader)}. Deliveries wait until it is enabled.
        </p>
      )}
      <Facts
        of={{
          Account: endpoint.instance,
          Types: raw ? 'notifications, unchanged' : events.join(', ').replace('*', 'all'),
          'Waiting since': time(endpoint.waitingSince, reader),
          'Authorization header': endpoint.hasAuthorization ? 'is sent' : 'none',
          'Former secret signs until': time(endpoint.formerSecretsUntil, reader),
          Created: time(endpoint.createdAt, reader),
          Id: <code>{endpoint.id}</code>,
        }}
      />
    </section>
  );
}

interface CommandsProps {
  readonly reader: Reader;
  readonly endpoint: EventEndpoint;
  readonly refusal: Refusal | undefined;
}

function Commands({ reader, endpoint: { id, enabled, url }, refusal }: CommandsProps) {
  const to = (command: string) => `/event-endpoints/${encodeURIComponent(id)}/${command}`;
  return (
    <div class="actions">
      {url !== undefined && <Action reader={reader} to={to('test')} label="Send a test event" />}
      {enabled ? (
        <Action reader={reader} to={to('disable')} label="Disable" class="button quiet" />
      ) : (
        <Action reader={reader} to={to('enable')} label="Enable" class="button quiet" />
      )}
      {url !== undefined && (
        <Confirmed summary="Replay…" open={refusal?.form['from'] !== undefined}>
          <p>
            Every recorded event since this time is delivered again, whether or not it was delivered before. The program
            behind the endpoint gets them under the same ids.
          </p>
          <Action reader={reader} to={to('replay')} label="Deliver them again" refusal={refusal}>
            <Field name="from" label="Events since (UTC)" refusal={refusal}>
              <input
                id="from"
                name="from"
                type="datetime-local"
                value={refusal?.form['from'] ?? new Date(reader.nowMs - 60 * 60_000).toISOString().slice(0, 16)}
                required
                {...described('from', refusal)}
              />
            </Field>
          </Action>
        </Confirmed>
      )}
      <Confirmed summary="Rotate the secret…">
        <p>A new secret signs deliveries from now on. The former one also signs for 24 hours.</p>
        <Action reader={reader} to={to('rotate')} label="Make a new secret" />
      </Confirmed>
      <Confirmed summary="Delete…">
        <p>Deliveries that wait are deleted too. Recorded events stay.</p>
        <Action reader={reader} to={to('delete')} label="Delete the endpoint" class="button danger" />
      </Confirmed>
    </div>
  );
}

function Deliveries({ reader, deliveries }: { reader: Reader; deliveries: readonly EndpointDelivery[] }) {
  if (deliveries.length === 0) return <Empty>None.</Empty>;
  return (
    <Table name="Deliveries" heads={['Event', 'Type', 'Happened', '#Tries', 'Last problem', 'Next try']}>
      {deliveries.map(({ event, type, timestamp, tries, problem, nextTryAt, givenUpAt }) => (
        <tr>
          <th scope="row">
            <a href={`/events/${event}`}>{event}</a>
          </th>
          <td>{type}</td>
          <td>{time(timestamp, reader)}</td>
          <td class="number">{tries}</td>
          <td class="text">{problem}</td>
          <td>
            {nextTryAt === undefined ? (
              <>set aside {givenUpAt === undefined ? '' : ago(givenUpAt, reader)}</>
            ) : (
              ago(nextTryAt, reader)
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
