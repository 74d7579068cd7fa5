import type { Context } from 'hono';
import { instanceWorkflowId } from '../../contract/index.js';
import type { Campaign, EventEndpoint, Instance } from '../../http-client/index.js';
import { Action, Confirmed, Facts, Later, RunLink, Table } from '../elements.js';
import { COMMAND_WAIT_MS, doneAt, type Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, time, counted, number } from '../times.js';
import { CAMPAIGN_WORDS, pauseWords, waitWords } from '../words.js';
import { InstancePill, paceWords, todayWords } from './instances.js';

const EVERY_MS = 5_000;
const MOST_CAMPAIGNS = 25;

/** One account: what it sends, why it does not, and who uses it. */
export function instancePages(pages: Pages): void {
  pages.show('/instances/:name', (c, reader) => page(c, reader), {
    everyMs: EVERY_MS,
    render: async (c, reader) => <State reader={reader} instance={await read(c, reader)} />,
  });
  act(pages, 'pause', ({ api }, name, key) => api.pauseInstance({ name, key, query: { timeoutMs: COMMAND_WAIT_MS } }));
  act(pages, 'resume', ({ api }, name, key) => api.resumeInstance({ name, key }));
}

/** A form of the overview leads back to it. */
function act(
  pages: Pages,
  command: 'pause' | 'resume',
  perform: (reader: Reader, name: string, key: string | undefined) => Promise<unknown>,
): void {
  pages.forms(page)(`/instances/:name/${command}`, async (c, reader, { key, back }) => {
    const name = c.req.param('name') ?? '';
    await perform(reader, name, key);
    return c.redirect(doneAt({ back: back ?? `/instances/${encodeURIComponent(name)}` }, `instance-${command}d`), 303);
  });
}

function read(c: Context, { api }: Reader): Promise<Instance> {
  return api.getInstance({ name: c.req.param('name') ?? '' });
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const instance = await read(c, reader);
  const { name } = instance;
  const [campaigns, endpoints] = await Promise.all([
    reader.api.listCampaigns({ query: { instance: name, state: 'running', limit: MOST_CAMPAIGNS } }),
    reader.api.listEventEndpoints({ query: { instance: name } }),
  ]);
  return c.html(
    <SubPage title={name} reader={reader} at="/instances" done={c.req.query('done')} refusal={refusal}>
      <div data-live>
        <State reader={reader} instance={instance} />
      </div>
      {reader.may('admin') && <Commands reader={reader} instance={instance} refusal={refusal} />}
      <section aria-labelledby="examination">
        <h2 id="examination">Examination</h2>
        <Later path={`/instances/${encodeURIComponent(name)}/findings`}>
          Examine this account, as everpost doctor does
        </Later>
      </section>
      <Users reader={reader} campaigns={campaigns.items} instance={instance} endpoints={endpoints.items} />
      <RunLink reader={reader} id={instanceWorkflowId(name)} />
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function State({ reader, instance }: { reader: Reader; instance: Instance }) {
  const { queue, waiting, connection, dispatcher, lastNotificationAt } = instance;
  const { reading } = queue;
  return (
    <section class="card" aria-label="State">
      <p class="headline">
        <InstancePill instance={instance} />
      </p>
      <Problems reader={reader} instance={instance} />
      <Facts
        of={{
          'Seen in this state': ago(instance.stateSeenAt, reader),
          'Network of the gateway': connection && (
            <>
              {connection.status} since {time(connection.since, reader)}
            </>
          ),
          'Queue of the gateway': reading && (
            <>
              {counted(reading.items, 'item', reader)}, read {ago(reading.at, reader)}
            </>
          ),
          Pace: paceWords(instance, reader),
          'Sent today': todayWords(instance, reader),
          'Last notification': ago(lastNotificationAt, reader) ?? 'none yet',
          'Messages that wait': number(waiting.messages, reader),
          'Outcomes not known': waiting.unknownOutcomes === 0 ? undefined : number(waiting.unknownOutcomes, reader),
          'Sent by worker': dispatcher.worker,
          Number: instance.idInstance,
          Notifications: instance.notifications === 'poll' ? 'are polled' : 'are pushed',
        }}
      />
    </section>
  );
}

/** Why it sends nothing, or less, and what to do. */
function Problems({ reader, instance }: { reader: Reader; instance: Instance }) {
  const { standstill } = instance.queue;
  return (
    <>
      {instance.pauses.map(({ reason, since, resumedBy }) => (
        <p class="notice bad">
          {pauseWords(reason)} Nothing is sent since {time(since, reader)}.
          {resumedBy === 'authorized' ? ' It goes on by itself once the account is authorized.' : ''}
        </p>
      ))}
      {standstill === undefined ? null : (
        <p class="notice bad">
          The gateway has released none of {counted(standstill.items, 'item', reader)} since{' '}
          {time(standstill.since, reader)}. {standstill.remedy}
        </p>
      )}
      {instance.wentBack === undefined ? null : (
        <p class="notice bad">
          The ledger was restored from an older copy: {counted(instance.wentBack.unresolved, 'message', reader)} may
          have been sent meanwhile. <a href="/messages?state=unresolved">Decide them</a>
        </p>
      )}
      {instance.closed.map((closed) => (
        <p class="notice busy">
          {closed.messages === 'all' ? 'Messages that are not urgent wait: ' : 'Marketing waits: '}
          {waitWords(closed)}
          {closed.until === undefined ? '' : <> It goes on {time(closed.until, reader)}.</>}
        </p>
      ))}
    </>
  );
}

interface CommandsProps {
  readonly reader: Reader;
  readonly instance: Instance;
  readonly refusal: Refusal | undefined;
}

function Commands({ reader, instance: { name, pauses }, refusal }: CommandsProps) {
  const to = (command: string) => `/instances/${encodeURIComponent(name)}/${command}`;
  const isByOperator = pauses.some(({ reason }) => reason === 'operator');
  return (
    <div class="actions">
      {pauses.length > 0 && <Action reader={reader} to={to('resume')} label="Resume" refusal={refusal} />}
      {!isByOperator && (
        <Confirmed summary="Pause…">
          <p>No message is posted through this account until it is resumed. The gateway still sends its queue.</p>
          <Action reader={reader} to={to('pause')} label="Pause the account" refusal={refusal} />
        </Confirmed>
      )}
    </div>
  );
}

interface UsersProps {
  readonly reader: Reader;
  readonly campaigns: readonly Campaign[];
  readonly instance: Instance;
  readonly endpoints: readonly EventEndpoint[];
}

/** The campaigns that send through it now or wait for it, and who gets its events. */
function Users({ reader, campaigns, instance: { name, waiting }, endpoints }: UsersProps) {
  const running = campaigns.filter(({ id }) => waiting.campaigns.every((one) => one.id !== id));
  const link = (id: string, label = id) => <a href={`/campaigns/${encodeURIComponent(id)}`}>{label}</a>;
  return (
    <section aria-labelledby="users">
      <h2 id="users">Used by</h2>
      {running.length + waiting.campaigns.length === 0 ? (
        <p class="empty">No campaign sends through it now.</p>
      ) : (
        <Table name="Campaigns of this account" heads={['Campaign', 'State', 'Why it waits']}>
          {running.map(({ id, name: title, state }) => (
            <tr>
              <th scope="row">{link(id, title)}</th>
              <td>{CAMPAIGN_WORDS[state].label}</td>
              <td />
            </tr>
          ))}
          {waiting.campaigns.map(({ id, state, waiting: why }) => (
            <tr>
              <th scope="row">{link(id)}</th>
              <td>{CAMPAIGN_WORDS[state].label}</td>
              <td class="text">{waitWords(why)}</td>
            </tr>
          ))}
        </Table>
      )}
      <p class="actions">
        <a class="button quiet" href={`/messages?instance=${encodeURIComponent(name)}`}>
          Show its messages
        </a>
        <a class="button quiet" href={`/events?instance=${encodeURIComponent(name)}`}>
          {`Its events go to ${counted(endpoints.length, 'endpoint', reader)}`}
        </a>
      </p>
    </section>
  );
}
