import {
  RECIPIENT_RESPONSES,
  MESSAGE_STATES,
  type RecipientResponse,
  type MessageState,
} from '../../contract/index.js';
import type { ApiResponse, Campaign, ReportRow } from '../../http-client/index.js';
import {
  Empty,
  StateFilter,
  Pager,
  Pill,
  Table,
  chatName,
  contactPath,
  NumberSearch,
  Filter,
  FilterLink,
} from '../elements.js';
import { refusalOf } from '../form.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { time, number } from '../times.js';
import { MESSAGE_WORDS } from '../words.js';

const MOST_SHOWN = 50;

interface Asked {
  readonly state: MessageState | undefined;
  readonly reason: string | undefined;
  readonly response: RecipientResponse | undefined;
  readonly to: string | undefined;
  /** Whether the columns of the file are shown. */
  readonly columns: 'all' | undefined;
  readonly cursor: string | undefined;
}

/** What became of each recipient of a campaign. */
export function recipientPages(pages: Pages): void {
  pages.show('/campaigns/:id/recipients', async (c, reader) => {
    const id = c.req.param('id') ?? '';
    const query = c.req.query();
    const asked: Asked = {
      state: MESSAGE_STATES.find((one) => one === query['state']),
      reason: query['reason'] || undefined,
      response: RECIPIENT_RESPONSES.find((one) => one === query['response']),
      to: query['to']?.trim() || undefined,
      columns: query['columns'] === 'all' ? 'all' : undefined,
      cursor: query['cursor'],
    };
    const [campaign, list, { outcomes }] = await Promise.all([
      reader.api.getCampaign({ id }),
      reader.api
        .listRecipients({ id, query: { ...asked, limit: MOST_SHOWN } })
        .catch((error: unknown) => refusalOf(error, { to: asked.to })),
      reader.api.getCampaignSummary({ id, query: { timeoutMs: 0 } }),
    ]);
    const path = `/campaigns/${encodeURIComponent(id)}`;
    const problem = 'problems' in list ? list : undefined;
    const { items = [], cursor } = 'items' in list ? list : {};
    return c.html(
      <Page title={`Recipients of ${campaign.name ?? id}`} reader={reader} at="/campaigns">
        <p class="path">
          <a href="/campaigns">Campaigns</a> › <a href={path}>{campaign.name ?? id}</a>
        </p>
        <h1>Recipients</h1>
        <NumberSearch path={`${path}/recipients`} to={asked.to ?? ''} refusal={problem} />
        <StateFilter
          label="States of recipients"
          path={`${path}/recipients`}
          states={MESSAGE_STATES.filter((one) => campaign.counts[one] > 0).map((one) => ({
            state: one,
            label: MESSAGE_WORDS[one].label,
          }))}
          chosen={asked.response ?? asked.state}
        />
        <Responses reader={reader} campaign={campaign} asked={asked} />
        <Reasons reader={reader} path={`${path}/recipients`} outcomes={outcomes} asked={asked} />
        <Rows reader={reader} rows={items} />
        <p class="actions">
          <a
            href={linkTo(`${path}/recipients`, { ...asked, columns: asked.columns === undefined ? 'all' : undefined })}
          >
            {asked.columns === undefined ? 'Show the columns of the file' : 'Hide the columns of the file'}
          </a>
        </p>
        <Pager path={`${path}/recipients`} query={new URL(c.req.url).searchParams} cursor={cursor} />
      </Page>,
      problem?.status ?? 200,
    );
  });
}

function linkTo(path: string, asked: Partial<Asked>): string {
  const given = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `${path}?${new URLSearchParams(given as [string, string][]).toString()}`;
}

/** Links to those who responded. */
function Responses({ reader, campaign, asked }: { reader: Reader; campaign: Campaign; asked: Asked }) {
  const counts = { replied: campaign.replied, opted_out: campaign.optedOut };
  const found = RECIPIENT_RESPONSES.filter((response) => counts[response] > 0);
  if (found.length === 0) return null;
  const path = `/campaigns/${encodeURIComponent(campaign.id)}/recipients`;
  return (
    <Filter label="Responses">
      {found.map((response) => (
        <FilterLink href={linkTo(path, { response })} chosen={response === asked.response}>
          {`${response === 'replied' ? 'Replied' : 'Opted out'} (${number(counts[response], reader)})`}
        </FilterLink>
      ))}
    </Filter>
  );
}

interface ReasonsProps {
  readonly reader: Reader;
  readonly path: string;
  readonly outcomes: ApiResponse<'getCampaignSummary'>['outcomes'];
  readonly asked: Asked;
}

/** Links to the recipients of a state by reason, once they are counted. */
function Reasons({ reader, path, outcomes, asked: { state, reason: chosen } }: ReasonsProps) {
  const reasons = outcomes.filter((outcome) => outcome.state === state && outcome.reason !== undefined);
  if (reasons.length === 0) return null;
  return (
    <Filter label="Reasons">
      {reasons.map(({ reason, title, recipients }) => (
        <FilterLink href={linkTo(path, { state, reason })} chosen={reason === chosen}>
          {`${title} (${number(recipients, reader)})`}
        </FilterLink>
      ))}
    </Filter>
  );
}

const TIMES = [
  ['sentAt', 'Sent'],
  ['deliveredAt', 'Delivered'],
  ['readAt', 'Read'],
  ['repliedAt', 'Replied'],
  ['optedOutAt', 'Opted out'],
] as const;

function Rows({ reader, rows }: { reader: Reader; rows: readonly ReportRow[] }) {
  if (rows.length === 0) return <Empty>There is no such recipient.</Empty>;
  const own = [...new Set(rows.flatMap(({ columns = {} }) => Object.keys(columns)))];
  // An account or a variant is shown if there are several.
  const extra = (['variant', 'instance'] as const).filter((name) => new Set(rows.map((row) => row[name])).size > 1);
  const heads = [
    'Recipient',
    'State',
    'Why',
    ...TIMES.map(([, label]) => label),
    ...extra.map((name) => (name === 'variant' ? 'Variant' : 'Account')),
    ...own,
    '#Line',
    '-Message',
  ];
  return (
    <Table name="Recipients" heads={heads}>
      {rows.map((row) => {
        const { tone, label } = MESSAGE_WORDS[row.state as MessageState];
        return (
          <tr>
            <th scope="row">
              <a href={contactPath(row.chatId)}>{row.number ?? chatName(row.chatId)}</a>
            </th>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td class="text">{row.reasonText ?? row.reason}</td>
            {TIMES.map(([name]) => {
              const at = row[name];
              return <td>{time(at, reader)}</td>;
            })}
            {extra.map((name) => (
              <td>{row[name]}</td>
            ))}
            {own.map((name) => (
              <td class="text">{row.columns?.[name]}</td>
            ))}
            <td class="number">{row.line}</td>
            <td>
              <a href={`/messages/${row.messageId}`}>Message</a>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
