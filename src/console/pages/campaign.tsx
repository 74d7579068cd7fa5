import type { Context } from 'hono';
import {
  CAMPAIGN_END_STATES,
  campaignWorkflowId,
  senderWords,
  type CampaignId,
  type RecipientResponse,
  type MessageState,
} from '../../contract/index.js';
import type { ApiResponse, Campaign } from '../../http-client/index.js';
import { Action, Confirmed, Facts, Pill, RunLink, Table } from '../elements.js';
import { COMMAND_WAIT_MS, type Refusal } from '../form.js';
import { SubPage } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time, counted, number } from '../times.js';
import { WaitNotice } from '../wait-notice.js';
import { CAMPAIGN_WORDS, MESSAGE_WORDS, commandWords, requesterWords } from '../words.js';
import { amendPages } from './campaign-amend.js';
import { CampaignBar, Eta } from './campaign-card.js';
import { changePages } from './campaign-change.js';
import { Draft, draftPages, type DraftResponse } from './campaign-draft.js';
import { OverTime } from './campaign-over-time.js';
import { retryPages } from './campaign-retry.js';
import { Variants } from './campaign-variants.js';

const EVERY_MS = 3_000;
export function campaignPages(pages: Pages): void {
  pages.show('/campaigns/:id', (c, reader) => page(c, reader), {
    everyMs: EVERY_MS,
    render: async (c, reader) => {
      const campaign = await read(c, reader);
      const summary = campaign.startedAt === undefined ? undefined : await summaryOf(reader, campaign);
      return <Progress reader={reader} campaign={campaign} summary={summary} />;
    },
  });
  const act = pages.forms((c, reader, refusal) => page(c, reader, { refusal }));
  for (const [command, done] of COMMANDS) {
    act(`/campaigns/:id/${command}`, async (c, reader, form) => {
      const id = c.req.param('id') ?? '';
      const query = { timeoutMs: COMMAND_WAIT_MS };
      const { instance } = form;
      const body = command === 'resume' && instance !== undefined ? { body: { instance } } : {};
      const response = await reader.api[`${command}Campaign`]({ id, key: form['key'], query, ...body });
      return c.redirect(
        `/campaigns/${encodeURIComponent(id)}?done=${'progress' in response ? done : 'requested'}`,
        303,
      );
    });
  }
  draftPages(pages, page);
  changePages(pages);
  amendPages(pages);
  retryPages(pages);
  for (const kind of ['csv', 'html'] as const) {
    pages.show(`/campaigns/:id/report.${kind}`, (c, reader) => reader.download(`/v1${c.req.path}`));
  }
}

const COMMANDS = [
  ['pause', 'campaign-paused'],
  ['resume', 'campaign-resumed'],
  ['cancel', 'campaign-cancelled'],
] as const;

/** The newest counts, which may be of some time ago; undefined while there are none. */
async function summaryOf({ api, locale }: Reader, { id, recipientsRemovedAt }: Campaign): Promise<Summary | undefined> {
  if (recipientsRemovedAt !== undefined) return undefined;
  return api.getCampaignSummary({ id, query: { timezone: locale.timezone ?? 'UTC', timeoutMs: 0 } });
}

type Summary = ApiResponse<'getCampaignSummary'>;

function read(c: Context, { api }: Reader): Promise<Campaign> {
  return api.getCampaign({ id: c.req.param('id') ?? '' });
}

async function page(c: Context, reader: Reader, { refusal, file }: DraftResponse = {}): Promise<Response> {
  const campaign = await read(c, reader);
  const { name, id, state } = campaign;
  const summary = campaign.startedAt === undefined ? undefined : await summaryOf(reader, campaign);
  return c.html(
    <SubPage title={name ?? id} reader={reader} at="/campaigns" done={c.req.query('done')} refusal={refusal}>
      <div data-live>
        <Progress reader={reader} campaign={campaign} summary={summary} />
      </div>
      {reader.may('send') && <Commands reader={reader} campaign={campaign} refusal={refusal} />}
      <Content campaign={campaign} />
      {state === 'draft' && reader.may('send') && (
        <Draft reader={reader} campaign={campaign} refusal={refusal} file={file} />
      )}
      <Variants reader={reader} campaign={campaign} />
      <Reports campaign={campaign} />
      <History reader={reader} campaign={campaign} />
      {campaign.state !== 'draft' && <RunLink reader={reader} id={campaignWorkflowId(id as CampaignId)} />}
    </SubPage>,
    refusal?.status ?? 200,
  );
}

function Progress({ reader, campaign, summary }: { reader: Reader; campaign: Campaign; summary: Summary | undefined }) {
  const { state, waiting, done, audience, donePercent, perMinute, startedAt, deadlineAt } = campaign;
  const responses = (response: RecipientResponse, count: number) =>
    count === 0 ? undefined : (
      <a href={`/campaigns/${encodeURIComponent(campaign.id)}/recipients?response=${response}`}>
        {number(count, reader)}
      </a>
    );
  return (
    <section class="card" aria-label="Progress">
      <p class="headline">
        <Pill tone={CAMPAIGN_WORDS[state].tone}>{CAMPAIGN_WORDS[state].label}</Pill>{' '}
        {waiting === undefined ? CAMPAIGN_WORDS[state].meaning : ''}
      </p>
      <WaitNotice reader={reader} waiting={waiting} />
      <CampaignBar campaign={campaign} />
      <p>
        <strong>{donePercent} %</strong>: {number(done, reader)} of {counted(audience, 'recipient', reader)}.{' '}
        <Eta reader={reader} campaign={campaign} />.
      </p>
      <Counts reader={reader} campaign={campaign} />
      <Facts
        of={{
          Account: senderWords(campaign),
          Pace: perMinute === undefined ? undefined : `${number(perMinute, reader)} a minute`,
          Started: time(startedAt, reader),
          Deadline: time(deadlineAt, reader),
          Replies: responses('replied', campaign.replied),
          'Opt-outs': responses('opted_out', campaign.optedOut),
        }}
      />
      <OverTime reader={reader} summary={summary} />
    </section>
  );
}

/** How many recipients are in each state, in the order of a message's life. */
function Counts({ reader, campaign: { id, counts, audience } }: { reader: Reader; campaign: Campaign }) {
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
            <strong>{number(count, reader)}</strong>
            <span class="quiet-text">{((count / Math.max(1, audience)) * 100).toFixed(0)} %</span>
          </li>
        );
      })}
    </ul>
  );
}

function Commands({ reader, campaign, refusal }: { reader: Reader; campaign: Campaign; refusal: Refusal | undefined }) {
  const { id, state, content, startedAt } = campaign;
  const isOver = CAMPAIGN_END_STATES.includes(state) || state === 'cancelling';
  const to = (command: string) => `/campaigns/${encodeURIComponent(id)}/${command}`;
  const link = (command: string, label: string) => (
    <a class="button quiet" href={to(command)}>
      {label}
    </a>
  );
  return (
    <div class="actions">
      {state === 'running' && <Action reader={reader} to={to('pause')} label="Pause" refusal={refusal} />}
      {state === 'paused' && <Action reader={reader} to={to('resume')} label="Resume" refusal={refusal} />}
      {link('change', 'Change…')}
      {startedAt !== undefined && content['kind'] === 'text' && link('amend', 'Amend the text…')}
      {startedAt !== undefined && link('retry', 'Retry…')}
      {!isOver && (
        <Confirmed summary="Cancel…">
          <p>
            Recipients who were not posted to yet will not get the message. The gateway still sends what is in its
            queue. A resume does not bring them back.
          </p>
          <Action
            reader={reader}
            to={to('cancel')}
            label="Cancel the campaign"
            class="button danger"
            refusal={refusal}
          />
        </Confirmed>
      )}
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

function History({ reader, campaign }: { reader: Reader; campaign: Campaign }) {
  const { commands = [], createdAt } = campaign;
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Table name="History" heads={['When', 'What']}>
        {commands.toReversed().map(({ kind, what, askedAt, begunAt, requestedBy }) => (
          <tr>
            <td>{time(askedAt, reader)}</td>
            <td>
              {requesterWords(requestedBy)} {commandWords(kind, what)}
              {begunAt === undefined ? ', without effect' : ''}
            </td>
          </tr>
        ))}
        <tr>
          <td>{time(createdAt, reader)}</td>
          <td>It was created</td>
        </tr>
      </Table>
    </section>
  );
}
