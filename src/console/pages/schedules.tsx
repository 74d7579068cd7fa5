import type { Context } from 'hono';
import { temporalScheduleId, type ScheduleId } from '../../contract/index.js';
import type { ApiResponse, Schedule, ScheduleRun } from '../../http-client/index.js';
import { Action, Empty, Facts, Pager, Pill, RunLink, Table } from '../elements.js';
import type { Refusal } from '../form.js';
import { Page, SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time } from '../times.js';
import { CAMPAIGN_WORDS, MESSAGE_WORDS, type Tone } from '../words.js';

const MOST_SHOWN = 25;

export function schedulePages(pages: Pages): void {
  pages.show('/schedules', async (c, reader) => {
    const { items, cursor } = await reader.api.listSchedules({
      query: { cursor: c.req.query('cursor'), limit: MOST_SHOWN },
    });
    return c.html(
      <Page title="Schedules" reader={reader} at="/schedules">
        <h1>Schedules</h1>
        {items.length === 0 ? (
          <Empty>There is no schedule yet. Create one on the command line: everpost schedule create FILE</Empty>
        ) : (
          <List reader={reader} schedules={items} />
        )}
        <Pager path="/schedules" query={new URL(c.req.url).searchParams} cursor={cursor} />
      </Page>,
    );
  });
  pages.show('/schedules/:id', (c, reader) => page(c, reader));
  act(pages, 'pause', 'schedule-paused', ({ api }, id, key) => api.pauseSchedule({ id, body: {}, key }));
  act(pages, 'resume', 'schedule-resumed', ({ api }, id, key) => api.resumeSchedule({ id, body: {}, key }));
  act(pages, 'trigger', 'schedule-triggered', ({ api }, id, key) => api.triggerSchedule({ id, key }));
}

function act(
  pages: Pages,
  command: 'pause' | 'resume' | 'trigger',
  done: string,
  perform: (reader: Reader, id: string, key: string | undefined) => Promise<unknown>,
): void {
  pages.forms(page)(`/schedules/:id/${command}`, async (c, reader, form) => {
    const id = c.req.param('id') ?? '';
    await perform(reader, id, form['key']);
    return c.redirect(`/schedules/${encodeURIComponent(id)}?done=${done}`, 303);
  });
}

const STATES: Readonly<Record<Schedule['state'], readonly [label: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  paused: ['Paused', 'wait'],
  ended: ['Ended', 'quiet'],
};

function StatePill({ schedule: { state, failure, problem } }: { schedule: Schedule }) {
  const [label, tone] = STATES[state];
  const isFailing = failure !== undefined || problem !== undefined;
  return isFailing ? <Pill tone="bad">{`${label}, fails`}</Pill> : <Pill tone={tone}>{label}</Pill>;
}

function List({ reader, schedules }: { reader: Reader; schedules: readonly Schedule[] }) {
  return (
    <Table name="Schedules" heads={['Schedule', 'State', 'Times', 'Timezone', 'Next run', 'Sends']}>
      {schedules.map((schedule) => {
        const { id, cron, timezone = 'UTC', nextRuns = [], message } = schedule;
        const [next] = nextRuns;
        return (
          <tr>
            <th scope="row">
              <a href={`/schedules/${encodeURIComponent(id)}`}>{id}</a>
            </th>
            <td>
              <StatePill schedule={schedule} />
            </td>
            <td>
              <code>{cron.join(', ')}</code>
            </td>
            <td>{timezone}</td>
            <td>{next === undefined ? '–' : time(next, reader)}</td>
            <td>{message === undefined ? 'a campaign' : 'a message'}</td>
          </tr>
        );
      })}
    </Table>
  );
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const schedule = await reader.api.getSchedule({ id: c.req.param('id') ?? '' });
  const { id, failure, problem, note, cron, timezone = 'UTC', nextRuns = [] } = schedule;
  return c.html(
    <SubPage title={id} reader={reader} at="/schedules" done={c.req.query('done')} refusal={refusal}>
      <section class="card" aria-label="State">
        <p class="headline">
          <StatePill schedule={schedule} /> {note}
        </p>
        {problem === undefined && failure === undefined ? null : (
          <p class="notice bad">
            {time(failure?.at, reader)} {problem ?? failure?.text ?? failure?.reason}
          </p>
        )}
        <Facts
          of={{
            Times: <code>{cron.join(', ')}</code>,
            Timezone: timezone,
            Begins: time(schedule.startAt, reader),
            Ends: time(schedule.endAt, reader),
            'Next runs':
              nextRuns.length === 0 ? undefined : nextRuns.slice(0, 5).map((at) => <div>{time(at, reader)}</div>),
          }}
        />
      </section>
      {reader.may('send') && <Commands reader={reader} schedule={schedule} refusal={refusal} />}
      <Runs reader={reader} runs={schedule.runs} />
      <RunLink reader={reader} id={temporalScheduleId(id as ScheduleId)} schedule />
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function Commands({
  reader,
  schedule: { id, state },
  refusal,
}: {
  reader: Reader;
  schedule: ApiResponse<'getSchedule'>;
  refusal: Refusal | undefined;
}) {
  if (state === 'ended') return null;
  const to = (command: string) => `/schedules/${encodeURIComponent(id)}/${command}`;
  return (
    <div class="actions">
      {state === 'active' ? (
        <Action reader={reader} to={to('pause')} label="Pause" refusal={refusal} />
      ) : (
        <Action reader={reader} to={to('resume')} label="Resume" refusal={refusal} />
      )}
      <Action reader={reader} to={to('trigger')} label="Run now" class="button quiet" refusal={refusal} />
    </div>
  );
}

function Runs({ reader, runs }: { reader: Reader; runs: readonly ScheduleRun[] }) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      {runs.length === 0 ? (
        <Empty>It has not run yet.</Empty>
      ) : (
        <Table name="Runs" heads={['When', 'State', 'Became', 'Why']}>
          {runs.map((run) => (
            <tr>
              <td>{time(run.at, reader)}</td>
              <td>
                <Pill tone={RUN_TONES[run.state]}>{run.state}</Pill>
              </td>
              <td>
                <Result run={run} />
              </td>
              <td class="text">{run.text ?? run.reason}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

const RUN_TONES: Readonly<Record<ScheduleRun['state'], Tone>> = {
  pending: 'busy',
  started: 'good',
  skipped: 'quiet',
  missed: 'bad',
  failed: 'bad',
};

function Result({ run: { campaignId, campaignState, messageId, messageState } }: { run: ScheduleRun }) {
  if (campaignId !== undefined) {
    const state = campaignState === undefined ? '' : ` (${CAMPAIGN_WORDS[campaignState].label.toLowerCase()})`;
    return <a href={`/campaigns/${encodeURIComponent(campaignId)}`}>{`campaign${state}`}</a>;
  }
  if (messageId === undefined) return <>–</>;
  const state = messageState === undefined ? '' : ` (${MESSAGE_WORDS[messageState].label.toLowerCase()})`;
  return <a href={`/messages/${messageId}`}>{`message${state}`}</a>;
}
