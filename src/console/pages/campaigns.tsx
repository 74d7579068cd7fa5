import { CAMPAIGN_STATES } from '../../contract/index.js';
import { Empty, StateFilter, Pager, Pill, Table } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import { time, number } from '../times.js';
import { CAMPAIGN_WORDS } from '../words.js';
import { CampaignBar, Eta } from './campaign-card.js';

const MOST_SHOWN = 25;

export function campaignListPages(pages: Pages): void {
  pages.show('/campaigns', async (c, reader) => {
    const { state: given, cursor } = c.req.query();
    const state = CAMPAIGN_STATES.find((one) => one === given);
    const list = await reader.api.listCampaigns({ query: { state, cursor, limit: MOST_SHOWN } });
    return c.html(
      <Page title="Campaigns" reader={reader} at="/campaigns">
        <div class="title">
          <h1>Campaigns</h1>
          {reader.may('send') && (
            <a class="button" href="/campaigns/new">
              New campaign
            </a>
          )}
        </div>
        <StateFilter
          label="States of campaigns"
          path="/campaigns"
          states={CAMPAIGN_STATES.map((one) => ({ state: one, label: CAMPAIGN_WORDS[one].label }))}
          chosen={state}
        />
        {list.items.length === 0 ? (
          <Empty>
            {state === undefined
              ? 'There is no campaign yet.'
              : `No campaign is ${CAMPAIGN_WORDS[state].label.toLowerCase()} now.`}
          </Empty>
        ) : (
          <Table name="Campaigns" heads={['Campaign', 'State', 'Progress', '#Recipients', 'Created', 'End']}>
            {list.items.map((campaign) => (
              <tr>
                <th scope="row">
                  <a href={`/campaigns/${encodeURIComponent(campaign.id)}`}>{campaign.name ?? campaign.id}</a>
                </th>
                <td>
                  <Pill tone={CAMPAIGN_WORDS[campaign.state].tone}>{CAMPAIGN_WORDS[campaign.state].label}</Pill>
                </td>
                <td class="progress">
                  <CampaignBar campaign={campaign} />
                  <span>{campaign.donePercent} %</span>
                </td>
                <td class="number">{number(campaign.audience, reader)}</td>
                <td>{time(campaign.createdAt, reader)}</td>
                <td>
                  <Eta reader={reader} campaign={campaign} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        <Pager path="/campaigns" query={new URL(c.req.url).searchParams} cursor={list.cursor} />
      </Page>,
    );
  });
}
