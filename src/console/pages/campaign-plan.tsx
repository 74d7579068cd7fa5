import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { CampaignPlan } from '../../http-client/index.js';
import { Bar, Empty, Facts, Later, Table, chatName } from '../elements.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time, counted, lasting, number } from '../times.js';
import { CampaignPage, textOf } from './campaign-change.js';

/** A plan reads every recipient: the page of a larger campaign comes before it. */
const MOST_AT_ONCE = 5_000;
const EVERY_MS = 60_000;

/** What a start would do: messages with real values, recipients without one, and times. */
export function planPages(pages: Pages): void {
  pages.show(
    '/campaigns/:id/plan',
    async (c, reader) => {
      const campaign = await reader.api.getCampaign({ id: c.req.param('id') ?? '' });
      const isAtOnce = campaign.audience <= MOST_AT_ONCE || c.req.query('wait') !== undefined;
      return c.html(
        <CampaignPage reader={reader} campaign={campaign} title="Plan">
          {isAtOnce ? await planOf(c, reader) : <Later path={c.req.path}>Read all recipients, and show the plan</Later>}
        </CampaignPage>,
      );
    },
    { everyMs: EVERY_MS, render: planOf },
  );
}

async function planOf(c: Context, reader: Reader): Promise<Child> {
  const { timezone } = reader.locale;
  const found = await reader.api.planCampaign({ id: c.req.param('id') ?? '', query: { timezone } });
  return (
    <>
      <Findings reader={reader} plan={found} />
      <Samples plan={found} />
      <Course reader={reader} plan={found} />
      <Accounts reader={reader} plan={found} />
    </>
  );
}

function Findings({ reader, plan }: { reader: Reader; plan: CampaignPlan }) {
  const { unknown, missing, refused, suppressed, overFrequencyCap, heldOut, warnings, canStart } = plan;
  const blocking = [
    ...unknown.map(({ path, message }) => `${path} ${message}`),
    ...missing.map(
      ({ variable, recipients, firstLine }) =>
        `${counted(recipients, 'recipient', reader)} have no value for ${variable}, first on line ${firstLine}`,
    ),
  ];
  const without = [
    [refused.recipients, 'have a message that the gateway would refuse'],
    [suppressed.recipients, 'are on the suppression list'],
    [overFrequencyCap.recipients, 'have got enough marketing messages'],
    [heldOut.recipients, 'are left out on purpose'],
  ] as const;
  return (
    <>
      {canStart ? null : (
        <div class="notice bad" role="alert">
          <p>The campaign cannot start yet.</p>
          <ul>
            {blocking.map((text) => (
              <li>{text}.</li>
            ))}
          </ul>
        </div>
      )}
      {warnings.map(({ text }) => (
        <p class="notice wait">{text}</p>
      ))}
      {without.every(([count]) => count === 0) ? null : (
        <section aria-labelledby="without">
          <h2 id="without">Recipients who will not get it</h2>
          <ul>
            {without.map(([count, words]) => (count === 0 ? null : <li>{`${number(count, reader)} ${words}.`}</li>))}
          </ul>
        </section>
      )}
    </>
  );
}

function Samples({ plan: { samples } }: { plan: CampaignPlan }) {
  return (
    <section aria-labelledby="samples">
      <h2 id="samples">Messages with real values</h2>
      {samples.length === 0 ? <Empty>There is no recipient yet.</Empty> : null}
      {samples.map(({ line, chatId, content, problems, variant, heldOut }) => (
        <article>
          <p class="quiet-text">
            Line {line}, to {chatName(chatId)}
            {variant === undefined ? '' : `, variant ${variant}`}
            {heldOut === true ? ', left out on purpose' : ''}
          </p>
          <p class="bubble">{textOf(content) || String(content['kind'])}</p>
          {problems.map(({ path, message }) => (
            <p class="notice bad">{`${path} ${message}`}</p>
          ))}
        </article>
      ))}
    </section>
  );
}

/** When it is sent, as a table with bars. */
function Course({ reader, plan: { forecast } }: { reader: Reader; plan: CampaignPlan }) {
  const { startsAt, finishesAt, durationSeconds, notPosted, rows } = forecast;
  const most = Math.max(1, ...rows.map(({ posted }) => posted));
  return (
    <section aria-labelledby="course">
      <h2 id="course">When it is sent</h2>
      <Facts
        of={{
          Starts: time(startsAt, reader),
          'Last message leaves': time(finishesAt, reader),
          Takes: durationSeconds === 0 ? undefined : lasting(durationSeconds * 1_000),
          'Too late for the deadline': notPosted === 0 ? undefined : counted(notPosted, 'recipient', reader),
        }}
      />
      <Table name="Messages by time" heads={['From', '#Messages', '-Share']}>
        {rows.map(({ from, posted }) => (
          <tr>
            <td>{time(from, reader)}</td>
            <td class="number">{number(posted, reader)}</td>
            <td class="wide">
              <Bar label={number(posted, reader)} total={most} parts={[{ tone: 'busy', count: posted }]} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** What each account of a pool carries, and what one more would bring. */
function Accounts({ reader, plan: { forecast } }: { reader: Reader; plan: CampaignPlan }) {
  const { accounts, withOneMore, recipients, finishesAt } = forecast;
  if (recipients === 0) return null;
  const savedMs = Date.parse(finishesAt ?? '') - Date.parse(withOneMore?.finishesAt ?? '');
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">What each account carries</h2>
      <Table name="Recipients by account" heads={['Account', '#Recipients', '#Share', '-Share', '#A minute']}>
        {accounts.map(({ instance, recipients: carried, releaseIntervalMs }) => (
          <tr>
            <th scope="row">{instance}</th>
            <td class="number">{number(carried, reader)}</td>
            <td class="number">{((carried / recipients) * 100).toFixed(0)} %</td>
            <td class="wide">
              <Bar label={number(carried, reader)} total={recipients} parts={[{ tone: 'busy', count: carried }]} />
            </td>
            <td class="number">
              {releaseIntervalMs === 0 ? '' : number(Math.round(60_000 / releaseIntervalMs), reader)}
            </td>
          </tr>
        ))}
      </Table>
      {withOneMore !== undefined && (
        <p class="hint">
          With one more account like the fastest one the last message leaves {time(withOneMore.finishesAt, reader)}
          {savedMs > 0 ? `, ${lasting(savedMs)} earlier` : ''}.
        </p>
      )}
    </section>
  );
}
