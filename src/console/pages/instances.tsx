import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { Instance } from '../../http-client/index.js';
import { Empty, StateFilter, Later, Pager, Pill, Table } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, number } from '../times.js';

const EVERY_MS = 10_000;
/** Reading an account takes several statements. */
const MOST_SHOWN = 25;

/** The accounts: those that an operator has to look at first, or all by name. */
export function instanceListPages(pages: Pages): void {
  pages.show(
    '/instances',
    async (c, reader) =>
      c.html(
        <Page title="Accounts" reader={reader} at="/instances">
          <h1>Accounts</h1>
          <div data-live>
            <List reader={reader} {...await read(c, reader)} />
          </div>
          <section aria-labelledby="examination">
            <h2 id="examination">Examination</h2>
            <Later path="/findings">Examine ledger, accounts and Temporal, as everpost doctor does</Later>
          </section>
        </Page>,
      ),
    { everyMs: EVERY_MS, render: async (c, reader) => <List reader={reader} {...await read(c, reader)} /> },
  );
}

interface Listed {
  readonly instances: readonly Instance[];
  readonly accounts: number;
  readonly cursor: string | undefined;
  readonly isUnwell: boolean;
  /** Of the page. */
  readonly query: URLSearchParams;
}

async function read(c: Context, { api }: Reader): Promise<Listed> {
  const isUnwell = c.req.query('state') === 'unwell';
  const query = { cursor: c.req.query('cursor'), limit: MOST_SHOWN, ...(isUnwell ? { unwell: 'true' as const } : {}) };
  const { items, names, cursor } = await api.listInstances({ query });
  const { searchParams } = new URL(c.req.url);
  searchParams.delete('live');
  return { instances: items, accounts: names.length, cursor, isUnwell, query: searchParams };
}

function List({ reader, instances, accounts, cursor, isUnwell, query }: { reader: Reader } & Listed) {
  const isShort = accounts <= MOST_SHOWN;
  return (
    <>
      <StateFilter
        label="Accounts by state"
        path="/instances"
        states={[{ state: 'unwell', label: 'Need attention' }]}
        chosen={isUnwell ? 'unwell' : undefined}
      />
      {instances.length === 0 && isUnwell ? (
        <p class="notice good">Every account is well.</p>
      ) : (
        <InstanceTable reader={reader} instances={isShort ? instances.toSorted(byUrgency) : instances} />
      )}
      <Pager path="/instances" query={query} cursor={cursor} />
    </>
  );
}

/** An account that sends nothing, then one that is not seen to be well, then the others by name. */
export function byUrgency(one: Instance, other: Instance): number {
  return urgencyOf(other) - urgencyOf(one) || one.name.localeCompare(other.name);
}

/** 0: it is well. */
function urgencyOf({ pauses, queue, wentBack, state, connection }: Instance): number {
  if (pauses.length > 0 || queue.standstill !== undefined || wentBack !== undefined) return 2;
  const isOffline = connection !== undefined && connection.status !== 'online';
  return isOffline || (state !== undefined && state !== 'authorized') ? 1 : 0;
}

/** @param actionOf  what a row offers */
export function InstanceTable({
  reader,
  instances,
  actionOf,
}: {
  reader: Reader;
  instances: readonly Instance[];
  actionOf?: (instance: Instance) => Child;
}) {
  if (instances.length === 0) return <Empty>No account is configured for this key.</Empty>;
  const heads = ['Account', 'State', '#In the queue', '#Waiting', 'Pace', 'Sent today', 'Last notification'];
  return (
    <Table name="Accounts" heads={actionOf === undefined ? heads : [...heads, '-Actions']}>
      {instances.map((instance) => {
        const { name, queue, waiting, lastNotificationAt } = instance;
        return (
          <tr>
            <th scope="row">
              <a href={`/instances/${encodeURIComponent(name)}`}>{name}</a>
            </th>
            <td>
              <InstancePill instance={instance} />
            </td>
            <td class="number">{queue.reading === undefined ? '–' : number(queue.reading.items, reader)}</td>
            <td class="number">{number(waiting.messages, reader)}</td>
            <td>{paceWords(instance, reader)}</td>
            <td>{todayWords(instance, reader)}</td>
            <td>{lastNotificationAt === undefined ? 'none yet' : ago(lastNotificationAt, reader)}</td>
            {actionOf === undefined ? null : <td>{actionOf(instance)}</td>}
          </tr>
        );
      })}
    </Table>
  );
}

export function paceWords({ queue: { releaseIntervalMs } }: Instance, reader: Reader): string {
  if (releaseIntervalMs === undefined) return 'not known';
  return `${number(Math.round(60_000 / releaseIntervalMs), reader)} a minute`;
}

export function todayWords({ today }: Instance, reader: Reader): string {
  return today === undefined ? 'no limit' : `${number(today.posted, reader)} of ${number(today.cap, reader)}`;
}

export function InstancePill({ instance: { state, pauses, queue } }: { instance: Instance }) {
  if (pauses.length > 0) return <Pill tone="bad">Paused</Pill>;
  if (queue.standstill !== undefined) return <Pill tone="bad">Stands still</Pill>;
  if (state === undefined) return <Pill tone="quiet">Not seen yet</Pill>;
  return state === 'authorized' ? <Pill tone="good">Authorized</Pill> : <Pill tone="wait">{state}</Pill>;
}
