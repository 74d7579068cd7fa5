import type { Context } from 'hono';
import { EVENT_TYPES, type EventType } from '../../contract/index.js';
import type { EventEndpoint, EventWithDeliveries } from '../../http-client/index.js';
import { Confirmed, Empty, Facts, Field, Pager, Pill, RefusalNotice, Table, described, Action } from '../elements.js';
import type { Form, Refusal } from '../form.js';
import { Page, SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, time } from '../times.js';
import type { Tone } from '../words.js';
import { SecretPage } from './secret.js';

const MOST_SHOWN = 50;
const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** The endpoints of events, and the events themselves. */
export function eventPages(pages: Pages): void {
  pages.show('/events', (c, reader) => page(c, reader));
  pages.show('/events/:id', (c, reader) => eventPage(c, reader));
  pages.forms(page)('/events', async (c, reader, form) => {
    const { instance = '', url = '', events = '', description = '', authorization = '', key } = form;
    const types = events.split(/[\s,]+/).filter((type) => type !== '');
    const { id, secret } = await reader.api.createEventEndpoint({
      key,
      body: {
        instance,
        ...(url === '' ? {} : { url }),
        ...(types.length === 0 ? {} : { events: types }),
        ...(description === '' ? {} : { description }),
        ...(authorization === '' ? {} : { authorization }),
      },
    });
    const to = `/event-endpoints/${encodeURIComponent(id)}`;
    if (secret === undefined) return c.redirect(`${to}?done=endpoint-created`, 303);
    return c.html(
      <SecretPage reader={reader} at="/events" title="The endpoint is created" secret={secret} next={to}>
        Its deliveries are signed with this secret. Give it to the program that gets them.
      </SecretPage>,
    );
  });
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const { instance, cursor } = c.req.query();
  const type = TYPES.find((one) => one === c.req.query('type'));
  const asked = instance === undefined || instance === '' ? {} : { instance };
  const [endpoints, events, instances] = await Promise.all([
    reader.api.listEventEndpoints({ query: asked }),
    reader.api.listEvents({
      query: { ...asked, cursor, order: 'newest', ...(type === undefined ? {} : { type }), limit: MOST_SHOWN },
    }),
    reader.may('admin') ? reader.api.listInstances({ query: { limit: 1 } }) : undefined,
  ]);
  const isFull = events.items.length === MOST_SHOWN;
  return c.html(
    <Page title="Events" reader={reader} at="/events" done={c.req.query('done')}>
      <h1>Events</h1>
      <RefusalNotice refusal={refusal} />
      <p class="quiet-text">Other systems get what happens, e.g. receipts and incoming messages, at their endpoints.</p>
      <Endpoints reader={reader} endpoints={endpoints.items} />
      {instances === undefined ? null : <NewEndpoint reader={reader} names={instances.names} refusal={refusal} />}
      <section aria-labelledby="list">
        <h2 id="list">Recorded events</h2>
        <form method="get" action="/events" class="search" role="search">
          <Field name="instance" label="Account" refusal={undefined}>
            <input id="instance" name="instance" value={refusal === undefined ? instance : ''} autocomplete="off" />
          </Field>
          <Field name="type" label="Type" refusal={undefined}>
            <select id="type" name="type">
              <option value="">All</option>
              {TYPES.map((one) => (
                <option value={one} selected={one === type}>
                  {one}
                </option>
              ))}
            </select>
          </Field>
          <button class="button quiet">Show</button>
        </form>
        <Events reader={reader} events={events.items} />
        <Pager path="/events" query={new URL(c.req.url).searchParams} cursor={isFull ? events.cursor : undefined} />
      </section>
    </Page>,
    refusal?.status ?? 200,
  );
}

/** What an endpoint does now. */
export function endpointState({
  enabled,
  url,
  waiting,
  failed,
  problem,
  secretsProblem,
}: EventEndpoint): readonly [label: string, tone: Tone] {
  if (secretsProblem !== undefined) return ['Cannot sign', 'bad'];
  if (!enabled) return ['Disabled', 'wait'];
  if (url === undefined) return ['Stores only', 'quiet'];
  if (problem !== undefined && waiting > 0) return ['Fails', 'bad'];
  if (failed > 0) return ['Some were set aside', 'wait'];
  return waiting > 0 ? ['Delivering', 'busy'] : ['Delivered', 'good'];
}

function Endpoints({ reader, endpoints }: { reader: Reader; endpoints: readonly EventEndpoint[] }) {
  if (endpoints.length === 0) return <Empty>There is no endpoint yet, so no events are recorded.</Empty>;
  return (
    <Table name="Endpoints" heads={['Endpoint', 'State', 'Account', 'Types', 'Waiting', '#Set aside', 'Last problem']}>
      {endpoints.map((endpoint) => {
        const { id, url, instance, events, raw, waiting, waitingSince, failed, problem } = endpoint;
        const [label, tone] = endpointState(endpoint);
        return (
          <tr>
            <th scope="row">
              <a href={`/event-endpoints/${encodeURIComponent(id)}`}>{url ?? id}</a>
            </th>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>{instance}</td>
            <td>{raw ? 'notifications, unchanged' : events.join(', ').replace('*', 'all')}</td>
            <td>
              {waiting}
              {waitingSince === undefined ? '' : <>, since {time(waitingSince, reader)}</>}
            </td>
            <td class="number">{failed}</td>
            <td class="text">{problem}</td>
          </tr>
        );
      })}
    </Table>
  );
}

interface NewEndpointProps {
  readonly reader: Reader;
  readonly names: readonly string[];
  readonly refusal: Refusal | undefined;
}

function NewEndpoint({ reader, names, refusal }: NewEndpointProps) {
  const typed: Form = refusal?.form ?? {};
  return (
    <div class="actions">
      <Confirmed summary="New endpoint…" open={refusal !== undefined}>
        <Action reader={reader} to="/events" label="Create the endpoint" refusal={refusal}>
          <Field name="instance" id="of" label="Account" refusal={refusal}>
            <select id="of" name="instance">
              {names.map((name) => (
                <option selected={name === typed['instance']}>{name}</option>
              ))}
            </select>
          </Field>
          <Field
            name="url"
            label="Address"
            hint="Where events are posted. Empty: they are only stored, and can be listed."
            refusal={refusal}
          >
            <input id="url" name="url" type="url" value={typed['url']} {...described('url', refusal, true)} />
          </Field>
          <Field name="events" label="Types" hint="With spaces between them. Empty: all types." refusal={refusal}>
            <input id="events" name="events" value={typed['events']} {...described('events', refusal, true)} />
          </Field>
          <Field
            name="authorization"
            label="Authorization header"
            hint="Sent with each delivery, and never shown again. Empty: none."
            refusal={refusal}
          >
            <input
              id="authorization"
              name="authorization"
              type="password"
              autocomplete="off"
              {...described('authorization', refusal, true)}
            />
          </Field>
          <Field name="description" label="Description" refusal={refusal}>
            <input id="description" name="description" value={typed['description']} />
          </Field>
        </Action>
      </Confirmed>
    </div>
  );
}

function Events({ reader, events }: { reader: Reader; events: readonly Omit<EventWithDeliveries, 'deliveries'>[] }) {
  if (events.length === 0) return <Empty>No event of this kind is stored.</Empty>;
  return (
    <Table name="Recorded events" heads={['When', 'Type', 'Account', 'Event']}>
      {events.map(({ id, type, instance, timestamp }) => (
        <tr>
          <td>{time(timestamp, reader)}</td>
          <td>{type}</td>
          <td>{instance}</td>
          <td>
            <a href={`/events/${id}`}>{id}</a>
          </td>
        </tr>
      ))}
    </Table>
  );
}

async function eventPage(c: Context, reader: Reader): Promise<Response> {
  const event = await reader.api.getEvent({ id: c.req.param('id') ?? '' });
  const { id, type, instance, timestamp, data, deliveries } = event;
  return c.html(
    <SubPage title={type} reader={reader} at="/events" done={c.req.query('done')}>
      <section class="card" aria-label="Event">
        <Facts of={{ When: time(timestamp, reader), Account: instance, Id: <code>{id}</code> }} />
      </section>
      <section aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        {deliveries.length === 0 ? (
          <Empty>It goes to no endpoint.</Empty>
        ) : (
          <Table name="Deliveries" heads={['Endpoint', 'State', '#Tries', 'Last problem', 'Next try']}>
            {deliveries.map(({ endpointId, tries, deliveredAt, givenUpAt, problem, nextTryAt }) => (
              <tr>
                <th scope="row">
                  <a href={`/event-endpoints/${encodeURIComponent(endpointId)}`}>{endpointId}</a>
                </th>
                <td>
                  {deliveredAt === undefined ? (
                    <Pill tone={givenUpAt === undefined ? 'wait' : 'bad'}>
                      {givenUpAt === undefined ? 'Waits' : 'Set aside'}
                    </Pill>
                  ) : (
                    <Pill tone="good">Delivered</Pill>
                  )}{' '}
                  {time(deliveredAt ?? givenUpAt, reader)}
                </td>
                <td class="number">{tries}</td>
                <td class="text">{problem}</td>
                <td>{nextTryAt === undefined ? '–' : ago(nextTryAt, reader)}</td>
              </tr>
            ))}
          </Table>
        )}
      </section>
      <section aria-labelledby="data">
        <h2 id="data">Data</h2>
        <pre class="data" tabindex={0} aria-label="Data of the event">
          {JSON.stringify(data, undefined, 2)}
        </pre>
      </section>
    </SubPage>,
  );
}
