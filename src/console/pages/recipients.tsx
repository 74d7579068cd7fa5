import { MESSAGE_STATES, type MessageState } from '../../contract/index.js';
import type { ReportRow } from '../../http-client/index.js';
import { Empty, Filter, Pager, Pill, Table, chatName, contactPath } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { Time } from '../times.js';
import { MESSAGE_WORDS } from '../words.js';

const MOST_SHOWN = 50;

/** What became of each recipient of a campaign. */
export function recipientPages(pages: Pages): void {
  pages.show('/campaigns/:id/recipients', async (c, reader) => {
    const id = c.req.param('id') ?? '';
    const { state: given, cursor } = c.req.query();
    const state = MESSAGE_STATES.find((one) => one === given);
    const [campaign, list] = await Promise.all([
      reader.api.getCampaign({ id }),
      reader.api.listRecipients({ id, query: { state, cursor, limit: MOST_SHOWN } }),
    ]);
    const path = `/campaigns/${encodeURIComponent(id)}`;
    return c.html(
      <Page title={`Recipients of ${campaign.name ?? id}`} reader={reader} at="/campaigns">
        <p class="path">
          <a href="/campaigns">Campaigns</a> › <a href={path}>{campaign.name ?? id}</a>
        </p>
        <h1>Recipients</h1>
        <Filter
          label="States of recipients"
          path={`${path}/recipients`}
          states={MESSAGE_STATES.filter((one) => campaign.counts[one] > 0).map((one) => ({
            state: one,
            label: MESSAGE_WORDS[one].label,
          }))}
          chosen={state}
        />
        <Rows reader={reader} rows={list.items} />
        <Pager path={`${path}/recipients`} query={new URL(c.req.url).searchParams} cursor={list.cursor} />
      </Page>,
    );
  });
}

function Rows({ reader: { locale, nowMs }, rows }: { reader: Reader; rows: readonly ReportRow[] }) {
  if (rows.length === 0) return <Empty>No recipient is in this state.</Empty>;
  const time = (at: string | undefined) => at && <Time at={at} locale={locale} nowMs={nowMs} />;
  return (
    <Table
      name="Recipients"
      heads={['Recipient', 'State', 'Why', 'Sent', 'Delivered', 'Read', 'Replied', '#Line', '-Message']}
    >
      {rows.map(({ line, messageId, number, chatId, state, reasonText, reason, ...row }) => (
        <tr>
          <th scope="row">
            <a href={contactPath(chatId)}>{number ?? chatName(chatId)}</a>
          </th>
          <td>
            <Pill tone={MESSAGE_WORDS[state as MessageState].tone}>{MESSAGE_WORDS[state as MessageState].label}</Pill>
          </td>
          <td class="text">{reasonText ?? reason}</td>
          <td>{time(row.sentAt)}</td>
          <td>{time(row.deliveredAt)}</td>
          <td>{time(row.readAt)}</td>
          <td>{time(row.repliedAt)}</td>
          <td class="number">{line}</td>
          <td>
            <a href={`/messages/${messageId}`}>Message</a>
          </td>
        </tr>
      ))}
    </Table>
  );
}
