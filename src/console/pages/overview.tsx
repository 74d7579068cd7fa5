import type { Child } from 'hono/jsx';
import type { Campaign, Instance, MessageListItem, PossibleOptOut, Schedule } from '../../http-client/index.js';
import { Action, Empty, Pill, Table, chatName } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Ago, Time, counted, number } from '../times.js';
import { CAMPAIGN_WORDS, pauseWords, waitWords, type Tone } from '../words.js';
import { CampaignCard } from './campaign-card.js';
import { OptOut } from './suppression.js';

/** One read takes a few statements for each account. */
const EVERY_MS = 10_000;
const MOST_SHOWN = 10;

interface Seen {
  readonly instances: readonly Instance[];
  readonly campaigns: readonly Campaign[];
  readonly unresolved: readonly MessageListItem[];
  /** Whether there are more than are shown. */
  readonly hasMoreUnresolved: boolean;
  readonly optOuts: readonly PossibleOptOut[];
  readonly schedules: readonly Schedule[];
}

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
    api.listInstances(),
    ofState('running'),
    ofState('paused'),
    ofState('scheduled'),
    api.listMessages({ query: { state: 'unresolved', limit: MOST_SHOWN } }),
    api.listPossibleOptOuts({ query: { limit: MOST_SHOWN } }),
    api.listSchedules({ query: { failing: 'true', limit: MOST_SHOWN } }),
  ]);
  return {
    instances: instances.items,
    campaigns: [...running, ...paused, ...scheduled],
    unresolved: unresolved.items,
    hasMoreUnresolved: unresolved.cursor !== undefined,
    optOuts: optOuts.items,
    schedules: schedules.items,
  };
}

function Overview({ reader, seen }: { reader: Reader; seen: Seen }) {
  const { instances, campaigns } = seen;
  const tasks = [
    ...instances.flatMap((instance) => instanceTasks(instance, reader)),
    ...campaigns.flatMap((campaign) => campaignTasks(campaign)),
    ...seen.unresolved.map((message) => unresolvedTask(message, reader)),
    ...seen.optOuts.map((optOut) => <OptOut reader={reader} optOut={optOut} />),
    ...seen.schedules.map((schedule) => scheduleTask(schedule, reader)),
  ];
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
        <InstanceTable reader={reader} instances={instances} />
      </section>
    </>
  );
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

function instanceTasks(instance: Instance, reader: Reader): Child[] {
  const { name, pauses, queue } = instance;
  const { locale, nowMs } = reader;
  const paused = pauses.map(({ reason, since, resumedBy }) => {
    const byItself = resumedBy === 'authorized';
    const mayResume = reader.may('admin') && !byItself;
    return (
      <Task
        tone="bad"
        kind="Account paused"
        title={name}
        next={
          mayResume && <Action reader={reader} to={`/instances/${encodeURIComponent(name)}/resume`} label="Resume" />
        }
      >
        {pauseWords(reason)} Nothing is sent since <Time at={since} locale={locale} nowMs={nowMs} />.{' '}
        {byItself ? 'It goes on by itself once the account is authorized again.' : ''}
      </Task>
    );
  });
  const { standstill } = queue;
  if (standstill === undefined) return paused;
  return [
    ...paused,
    <Task tone="bad" kind="Queue stands still" title={name}>
      The gateway has released none of {counted(standstill.items, 'item', locale)} since{' '}
      <Time at={standstill.since} locale={locale} nowMs={nowMs} />. {standstill.remedy}
    </Task>,
  ];
}

function campaignTasks({ id, name, state, waiting }: Campaign): Child[] {
  const needsOperator = waiting !== undefined && NEEDS_OPERATOR.includes(waiting.code);
  if (state !== 'paused' && !needsOperator) return [];
  return [
    <Task
      tone="wait"
      kind={`Campaign ${CAMPAIGN_WORDS[state].label.toLowerCase()}`}
      title={<a href={`/campaigns/${encodeURIComponent(id)}`}>{name ?? id}</a>}
      next={
        <a class="button quiet" href={`/campaigns/${encodeURIComponent(id)}`}>
          Open
        </a>
      }
    >
      {waiting === undefined ? CAMPAIGN_WORDS[state].meaning : waitWords(waiting)}
    </Task>,
  ];
}

const NEEDS_OPERATOR = ['TOO_MANY_FAILURES', 'START_MISSED', 'MESSAGES_UNRESOLVED', 'TEMPLATE_NOT_APPROVED'];

function unresolvedTask({ id, chatId, createdAt }: MessageListItem, { locale, nowMs }: Reader): Child {
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
      Requested <Ago at={createdAt} locale={locale} nowMs={nowMs} />. Nothing shows whether it was sent.
    </Task>
  );
}

function scheduleTask({ id, failure, problem }: Schedule, { locale, nowMs }: Reader): Child {
  return (
    <Task tone="bad" kind="Schedule fails" title={id}>
      {problem ?? failure?.text ?? failure?.reason}{' '}
      {failure === undefined ? '' : <Time at={failure.at} locale={locale} nowMs={nowMs} />}
    </Task>
  );
}

function InstanceTable({ reader, instances }: { reader: Reader; instances: readonly Instance[] }) {
  const { locale, nowMs } = reader;
  return (
    <Table
      name="Accounts"
      heads={['Account', 'State', '#In the queue', '#Waiting', 'Pace', 'Sent today', 'Last notification', '-Actions']}
    >
      {instances.map((instance) => {
        const { name, queue, waiting, today, lastNotificationAt } = instance;
        const { releaseIntervalMs, reading } = queue;
        return (
          <tr>
            <th scope="row">{name}</th>
            <td>
              <InstancePill instance={instance} />
            </td>
            <td class="number">{reading === undefined ? '–' : number(reading.items, locale)}</td>
            <td class="number">{number(waiting.messages, locale)}</td>
            <td>
              {releaseIntervalMs === undefined
                ? 'not known'
                : `${number(Math.round(60_000 / releaseIntervalMs), locale)} a minute`}
            </td>
            <td>
              {today === undefined ? 'no limit' : `${number(today.posted, locale)} of ${number(today.cap, locale)}`}
            </td>
            <td>
              {lastNotificationAt === undefined ? (
                'none yet'
              ) : (
                <Ago at={lastNotificationAt} locale={locale} nowMs={nowMs} />
              )}
            </td>
            <td>
              {reader.may('admin') && instance.pauses.length === 0 && (
                <Action
                  reader={reader}
                  to={`/instances/${encodeURIComponent(name)}/pause`}
                  label={`Pause`}
                  class="button quiet small"
                />
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function InstancePill({ instance: { state, pauses, queue } }: { instance: Instance }) {
  const [pause] = pauses;
  if (pause !== undefined) return <Pill tone="bad">Paused</Pill>;
  if (queue.standstill !== undefined) return <Pill tone="bad">Stands still</Pill>;
  if (state === undefined) return <Pill tone="quiet">Not seen yet</Pill>;
  return state === 'authorized' ? <Pill tone="good">Authorized</Pill> : <Pill tone="wait">{state}</Pill>;
}
