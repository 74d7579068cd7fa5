import type { Child } from 'hono/jsx';
import type { Campaign, Instance, MessageListItem, PossibleOptOut, Schedule } from '../../http-client/index.js';
import { Action, Empty, Pill, chatName } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { ago, counted, time } from '../times.js';
import { CAMPAIGN_WORDS, pauseWords, waitWords, type Tone } from '../words.js';
import { CampaignCard } from './campaign-card.js';
import { InstanceTable, byUrgency } from './instances.js';
import { OptOut } from './suppression.js';

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

/** What the overview reads. */
interface Seen {
  /** All, or if there are many, those that need an operator. */
  readonly instances: readonly Instance[];
  /** How many accounts there are. */
  readonly accounts: number;
  readonly campaigns: readonly Campaign[];
  readonly unresolved: readonly MessageListItem[];
  /** Whether there are more than are shown. */
  readonly hasMoreUnresolved: boolean;
  readonly optOuts: readonly PossibleOptOut[];
  readonly schedules: readonly Schedule[];
}

/**
 * What needs an operator, each with its next action; the most urgent first: an account that sends nothing, a campaign
 * that stopped by itself, a schedule that fails, a message of which nothing shows whether it was sent, a recipient who
 * may want no more, and a campaign that an operator paused.
 */
function tasksOf({ instances, campaigns, unresolved, optOuts, schedules }: Seen, reader: Reader): Child[] {
  return [
    ...instances.flatMap((instance) => instanceTasks(instance, reader)),
    ...campaigns.filter(needsOperator).map(campaignTask),
    ...schedules.map((schedule) => scheduleTask(schedule, reader)),
    ...unresolved.map((message) => unresolvedTask(message, reader)),
    ...optOuts.map((optOut) => <OptOut reader={reader} optOut={optOut} />),
    ...campaigns.filter((campaign) => campaign.state === 'paused' && !needsOperator(campaign)).map(campaignTask),
  ];
}

interface TaskProps {
  readonly tone: Tone;
  readonly kind: string;
  readonly title: Child;
  readonly children?: Child;
  readonly next?: Child;
}

function Task({ tone, kind, title, children, next }: TaskProps) {
  return (
    <li class={`task ${tone}`}>
      <div>
        <p class="kind">
          <Pill tone={tone}>{kind}</Pill>
        </p>
        <p class="what">{title}</p>
        <p class="why">{children}</p>
      </div>
      {next === undefined ? null : <div class="next">{next}</div>}
    </li>
  );
}

function Open({ href, label = 'Open' }: { href: string; label?: string }) {
  return (
    <a class="button quiet" href={href}>
      {label}
    </a>
  );
}

function instanceTasks({ name, pauses, queue: { standstill }, wentBack }: Instance, reader: Reader): Child[] {
  const path = `/instances/${encodeURIComponent(name)}`;
  const title = <a href={path}>{name}</a>;
  const paused = pauses.map(({ reason, since, resumedBy }) => {
    const byItself = resumedBy === 'authorized';
    const resume = (
      <Action reader={reader} to={`${path}/resume`} label="Resume">
        <input type="hidden" name="back" value="/" />
      </Action>
    );
    const next = reader.may('admin') && !byItself ? resume : <Open href={path} />;
    return (
      <Task tone="bad" kind="Account paused" title={title} next={next}>
        {pauseWords(reason)} Nothing is sent since {time(since, reader)}.{' '}
        {byItself ? 'It goes on by itself once the account is authorized again.' : ''}
      </Task>
    );
  });
  const others = [
    standstill !== undefined && (
      <Task tone="bad" kind="Queue stands still" title={title} next={<Open href={path} />}>
        The gateway has released none of {counted(standstill.items, 'item', reader)} since{' '}
        {time(standstill.since, reader)}. {standstill.remedy}
      </Task>
    ),
    wentBack !== undefined && (
      <Task tone="bad" kind="Ledger is older" title={title} next={<Open href={path} />}>
        The ledger was restored from an older copy. {counted(wentBack.unresolved, 'message', reader)} may have been sent
        since.
      </Task>
    ),
  ];
  return [...paused, ...others.filter((task) => task !== false)];
}

const NEEDS_OPERATOR = ['TOO_MANY_FAILURES', 'START_MISSED', 'MESSAGES_UNRESOLVED', 'TEMPLATE_NOT_APPROVED'];

function needsOperator({ waiting }: Campaign): boolean {
  return waiting !== undefined && NEEDS_OPERATOR.includes(waiting.code);
}

function campaignTask({ id, name, state, waiting }: Campaign): Child {
  const href = `/campaigns/${encodeURIComponent(id)}`;
  return (
    <Task
      tone="wait"
      kind={`Campaign ${CAMPAIGN_WORDS[state].label.toLowerCase()}`}
      title={<a href={href}>{name ?? id}</a>}
      next={<Open href={href} />}
    >
      {waiting === undefined ? CAMPAIGN_WORDS[state].meaning : waitWords(waiting)}
    </Task>
  );
}

function unresolvedTask({ id, chatId, createdAt }: MessageListItem, reader: Reader): Child {
  return (
    <Task
      tone="bad"
      kind="Outcome not known"
      title={<a href={`/messages/${id}`}>Message to {chatName(chatId)}</a>}
      next={
        <a class="button" href={`/messages/${id}#resolve`}>
          Say what happened
        </a>
      }
    >
      Requested {ago(createdAt, reader)}. Nothing shows whether it was sent.
    </Task>
  );
}

function scheduleTask({ id, failure, problem }: Schedule, reader: Reader): Child {
  const href = `/schedules/${encodeURIComponent(id)}`;
  return (
    <Task tone="bad" kind="Schedule fails" title={<a href={href}>{id}</a>} next={<Open href={href} />}>
      {problem ?? failure?.text ?? failure?.reason} {failure === undefined ? '' : time(failure.at, reader)}
    </Task>
  );
}
