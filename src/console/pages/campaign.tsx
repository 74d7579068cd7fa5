import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  CAMPAIGN_END_STATES,
  campaignWorkflowId,
  senderWords,
  type CampaignId,
  type MessageState,
} from '../../contract/index.js';
import type { ApiResponse, Campaign } from '../../http-client/index.js';
import { Action, Confirmed, Facts, Pill, RefusalNotice, RunLink, Table } from '../elements.js';
import { refusalOf, type Refusal } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Time, counted, number } from '../times.js';
import { WaitNotice } from '../wait-notice.js';
import { CAMPAIGN_WORDS, MESSAGE_WORDS } from '../words.js';
import { CampaignBar, Eta } from './campaign-card.js';
import { Draft, draftPages } from './campaign-draft.js';
import { Variants } from './campaign-variants.js';

const EVERY_MS = 3_000;
/** A command that needs longer takes effect later; the page shows it then. */
const WAIT_MS = 5_000;

export function campaignPages(pages: Pages): void {
  pages.show('/campaigns/:id', (c, reader) => page(c, reader), {
    everyMs: EVERY_MS,
    render: async (c, reader) => <Progress reader={reader} campaign={await read(c, reader)} />,
  });
  for (const [command, done] of COMMANDS) {
    pages.act(`/campaigns/:id/${command}`, async (c, reader, form) => {
      const id = c.req.param('id') ?? '';
      const query = { timeoutMs: WAIT_MS };
      try {
        const response = await reader.api[`${command}Campaign`]({ id, key: form['key'], query });
        return c.redirect(`/campaigns/${encodeURIComponent(id)}?done=${isDone(response) ? done : 'requested'}`, 303);
      } catch (error) {
        return page(c, reader, refusalOf(error, form));
      }
    });
  }
  draftPages(pages, page);
  for (const kind of ['csv', 'html'] as const) {
    pages.show(`/campaigns/:id/report.${kind}`, (c, reader) => reader.download(`/v1${c.req.path}`));
  }
}

const COMMANDS = [
  ['pause', 'campaign-paused'],
  ['resume', 'campaign-resumed'],
  ['cancel', 'campaign-cancelled'],
] as const;

function isDone(response: ApiResponse<'pauseCampaign'>): boolean {
  return 'progress' in response;
}

function read(c: Context, { api }: Reader): Promise<Campaign> {
  return api.getCampaign({ id: c.req.param('id') ?? '' });
}

async function page(c: Context, reader: Reader, refusal?: Refusal): Promise<Response> {
  const campaign = await read(c, reader);
  const { name, id } = campaign;
  return c.html(
    <Page title={name ?? id} reader={reader} at="/campaigns" done={c.req.query('done')}>
      <p class="path">
        <a href="/campaigns">Campaigns</a>
      </p>
      <RefusalNotice refusal={refusal} />
      <h1>{name ?? id}</h1>
      <div data-live>
        <Progress reader={reader} campaign={campaign} />
      </div>
      {reader.may('send') && <Commands reader={reader} campaign={campaign} refusal={refusal} />}
      <Content campaign={campaign} />
      {campaign.state === 'draft' && reader.may('send') && (
        <Draft reader={reader} campaign={campaign} refusal={refusal} />
      )}
      <Variants reader={reader} campaign={campaign} />
      <Reports campaign={campaign} />
      <History reader={reader} campaign={campaign} />
      {campaign.state !== 'draft' && <RunLink reader={reader} id={campaignWorkflowId(id as CampaignId)} />}
    </Page>,
    (refusal?.status ?? 200) as ContentfulStatusCode,
  );
}

function Progress({ reader, campaign }: { reader: Reader; campaign: Campaign }) {
  const { state, waiting, done, audience, donePercent, perMinute, startedAt, deadlineAt } = campaign;
  const { locale, nowMs } = reader;
  const time = (at: string | undefined) => at && <Time at={at} locale={locale} nowMs={nowMs} />;
  return (
    <section class="card" aria-label="Progress">
      <p class="headline">
        <Pill tone={CAMPAIGN_WORDS[state].tone}>{CAMPAIGN_WORDS[state].label}</Pill>{' '}
        {waiting === undefined ? CAMPAIGN_WORDS[state].meaning : ''}
      </p>
      <WaitNotice reader={reader} waiting={waiting} />
      <CampaignBar campaign={campaign} />
      <p>
        <strong>{donePercent} %</strong>: {number(done, locale)} of {counted(audience, 'recipient', locale)}.{' '}
        <Eta reader={reader} campaign={campaign} />.
      </p>
      <Counts reader={reader} campaign={campaign} />
      <Facts
        of={{
          Account: senderWords(campaign),
          Pace: perMinute === undefined ? undefined : `${number(perMinute, locale)} a minute`,
          Started: time(startedAt),
          Deadline: time(deadlineAt),
          Replies: campaign.replied === 0 ? undefined : number(campaign.replied, locale),
          'Opt-outs': campaign.optedOut === 0 ? undefined : number(campaign.optedOut, locale),
        }}
      />
    </section>
  );
}

/** How many recipients are in each state, in the order of a message's life. */
function Counts({ reader: { locale }, campaign: { id, counts, audience } }: { reader: Reader; campaign: Campaign }) {
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  if (found.length === 0) return null;
  return (
    <ul class="counts" aria-label="Recipients by state">
      {found.map(([state, count]) => {
        const { label, tone, meaning } = MESSAGE_WORDS[state as MessageState];
        return (
          <li title={meaning}>
            <a href={`/campaigns/${encodeURIComponent(id)}/recipients?state=${state}`}>
              <Pill tone={tone}>{label}</Pill>
            </a>
            <strong>{number(count, locale)}</strong>
            <span class="quiet-text">{((count / Math.max(1, audience)) * 100).toFixed(0)} %</span>
          </li>
        );
      })}
    </ul>
  );
}

function Commands({
  reader,
  campaign: { id, state },
  refusal,
}: {
  reader: Reader;
  campaign: Campaign;
  refusal: Refusal | undefined;
}) {
  if (CAMPAIGN_END_STATES.includes(state) || state === 'cancelling') return null;
  const to = (command: string) => `/campaigns/${encodeURIComponent(id)}/${command}`;
  return (
    <div class="actions">
      {state === 'running' && <Action reader={reader} to={to('pause')} label="Pause" refusal={refusal} />}
      {state === 'paused' && <Action reader={reader} to={to('resume')} label="Resume" refusal={refusal} />}
      <Confirmed summary="Cancel…">
        <p>
          Recipients who were not posted to yet will not get the message. The gateway still sends what is in its queue.
          A cancelled campaign cannot be resumed.
        </p>
        <Action reader={reader} to={to('cancel')} label="Cancel the campaign" class="button danger" refusal={refusal} />
      </Confirmed>
    </div>
  );
}

function Content({ campaign: { content, variants } }: { campaign: Campaign }) {
  if (variants !== undefined) return null;
  const text = [content['text'], content['caption'], content['elementName']].find((one) => typeof one === 'string');
  return (
    <section aria-labelledby="text">
      <h2 id="text">Message</h2>
      <p class="bubble">{typeof text === 'string' ? text : String(content['kind'])}</p>
    </section>
  );
}

function Reports({ campaign: { id, state } }: { campaign: Campaign }) {
  if (state === 'draft') return null;
  const path = `/campaigns/${encodeURIComponent(id)}`;
  return (
    <section aria-labelledby="report">
      <h2 id="report">Report</h2>
      <p class="actions">
        <a class="button quiet" href={`${path}/report.html`}>
          Show the report
        </a>
        <a class="button quiet" href={`${path}/recipients`}>
          Show the recipients
        </a>
        <a class="button quiet" href={`${path}/report.csv`} download={`${id}.csv`}>
          Download as CSV
        </a>
      </p>
    </section>
  );
}

function History({ reader: { locale, nowMs }, campaign }: { reader: Reader; campaign: Campaign }) {
  const { commands = [], createdAt } = campaign;
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Table name="History" heads={['When', 'What', 'By']}>
        {commands.toReversed().map(({ kind, what, askedAt, begunAt, requestedBy }) => (
          <tr>
            <td>
              <Time at={askedAt} locale={locale} nowMs={nowMs} />
            </td>
            <td>
              {kind}
              {what === undefined ? '' : ` (${what})`}
              {begunAt === undefined ? ', without effect' : ''}
            </td>
            <td>{requestedBy.replace('key:', '')}</td>
          </tr>
        ))}
        <tr>
          <td>
            <Time at={createdAt} locale={locale} nowMs={nowMs} />
          </td>
          <td>created</td>
          <td />
        </tr>
      </Table>
    </section>
  );
}
