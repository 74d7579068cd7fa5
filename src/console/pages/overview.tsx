import type { Campaign } from '../../http-client/index.js';
import { Action, Empty } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { counted } from '../times.js';
import { CampaignCard } from './campaign-card.js';
import { InstanceTable, byUrgency } from './instances.js';
import { tasksOf, type Seen } from './overview-tasks.js';

/** One read takes a few statements for each account. */
const EVERY_MS = 10_000;
const MOST_SHOWN = 10;

/** With more accounts than these, those that are well are counted only. */
const MOST_ACCOUNTS = 20;

export function overviewPages(pages: Pages): void {
  pages.show(
    '/',
    async (c, reader) => {
      if (!reader.may('read')) return c.redirect(reader.may('send') ? '/send' : '/keys', 303);
      return c.html(
        <Page title="Overview" reader={reader} at="/" done={c.req.query('done')}>
          <h1>Overview</h1>
          <div data-live>
            <Overview reader={reader} seen={await read(reader)} />
          </div>
        </Page>,
      );
    },
    { everyMs: EVERY_MS, render: async (_c, reader) => <Overview reader={reader} seen={await read(reader)} /> },
  );
}

async function read({ api }: Reader): Promise<Seen> {
  const ofState = async (state: Campaign['state']) =>
    (await api.listCampaigns({ query: { state, limit: MOST_SHOWN } })).items;
  const [instances, running, paused, scheduled, unresolved, optOuts, schedules] = await Promise.all([
    readInstances(api),
    ofState('running'),
    ofState('paused'),
    ofState('scheduled'),
    api.listMessages({ query: { state: 'unresolved', limit: MOST_SHOWN } }),
    api.listPossibleOptOuts({ query: { limit: MOST_SHOWN } }),
    api.listSchedules({ query: { failing: 'true', limit: MOST_SHOWN } }),
  ]);
  return {
    ...instances,
    campaigns: [...running, ...paused, ...scheduled],
    unresolved: unresolved.items,
    hasMoreUnresolved: unresolved.cursor !== undefined,
    optOuts: optOuts.items,
    schedules: schedules.items,
  };
}

function Overview({ reader, seen }: { reader: Reader; seen: Seen }) {
  const { instances, campaigns } = seen;
  const tasks = tasksOf(seen, reader);
  return (
    <>
      <section aria-labelledby="attention">
        <h2 id="attention">Needs your attention</h2>
        {tasks.length === 0 ? <p class="notice good">Nothing needs you now.</p> : <ul class="tasks">{tasks}</ul>}
        {seen.hasMoreUnresolved ? (
          <p>
            <a href="/messages?state=unresolved">Show all messages whose outcome is not known</a>
          </p>
        ) : null}
      </section>
      <section aria-labelledby="campaigns">
        <h2 id="campaigns">Campaigns</h2>
        {campaigns.length === 0 ? (
          <Empty>
            No campaign runs or is scheduled. <a href="/campaigns">Show all campaigns</a>
          </Empty>
        ) : (
          <div class="cards">
            {campaigns.map((campaign) => (
              <CampaignCard reader={reader} campaign={campaign} />
            ))}
          </div>
        )}
      </section>
      <section aria-labelledby="accounts">
        <h2 id="accounts">Accounts</h2>
        <Accounts reader={reader} instances={instances} accounts={seen.accounts} />
      </section>
    </>
  );
}

/** With many accounts those that need an operator: reading one takes several statements. */
async function readInstances(api: Reader['api']) {
  const { items, names } = await api.listInstances({ query: { unwell: 'true', limit: MOST_ACCOUNTS } });
  const accounts = names.length;
  return { accounts, instances: accounts > MOST_ACCOUNTS ? items : (await api.listInstances()).items };
}

/** Those that need an operator first; if there are many, the others are counted only. */
function Accounts({ reader, instances, accounts }: { reader: Reader } & Pick<Seen, 'instances' | 'accounts'>) {
  const rest = accounts - instances.length;
  return (
    <>
      {instances.length === 0 && rest > 0 ? null : (
        <InstanceTable
          reader={reader}
          instances={instances.toSorted(byUrgency)}
          actionOf={({ name, pauses }) =>
            reader.may('admin') &&
            pauses.length === 0 && (
              <Action
                reader={reader}
                to={`/instances/${encodeURIComponent(name)}/pause`}
                label="Pause"
                class="button quiet small"
              >
                <input type="hidden" name="back" value="/" />
              </Action>
            )
          }
        />
      )}
      {rest === 0 ? null : (
        <p class="after">
          {counted(rest, 'further account', reader)}
          {instances.length === MOST_ACCOUNTS ? '' : rest === 1 ? ' is well' : ' are well'}.{' '}
          <a href="/instances">Show all accounts</a>
        </p>
      )}
    </>
  );
}
