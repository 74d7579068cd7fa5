import { text } from 'node:stream/consumers';
import { present, type CampaignId, type MessageId, type MessageState } from '../../contract/index.js';
import type { CampaignView, MessageListItem, MessageView, ReportRow } from '../../ledger/index.js';
import type { ApiClient } from '../../client/index.js';

const PAGE = '500';
const READERS = 8;

export async function listRowsIn(states: readonly MessageState[], api: ApiClient): Promise<readonly MessageListItem[]> {
  const lists = states.map((state) => allPages((page) => api.listMessages({ query: { ...page, state } })));
  return (await Promise.all(lists)).flat();
}

export function listCampaigns(api: ApiClient): Promise<readonly CampaignView[]> {
  return allPages((filter) => api.listCampaigns({ query: filter }));
}

async function allPages<Item>(
  ask: (filter: Readonly<Record<string, string>>) => Promise<{ items: Item[]; cursor?: string }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ limit: PAGE, ...present({ cursor }) });
    items.push(...page.items);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return items;
}

/** What the ledger says of one campaign, and of every recipient in it. */
export interface ReadCampaign {
  readonly view: CampaignView;
  readonly report: readonly ReportRow[];
}

export async function readCampaign(api: ApiClient, id: CampaignId): Promise<ReadCampaign> {
  const view = await api.getCampaign({ id });
  const lines = (await text(await api.getReportNdjson({ id }))).split('\n');
  return { view, report: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ReportRow) };
}

/** Everything the ledger knows of these messages; one that has no row is left out. */
export async function readRows(
  api: ApiClient,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, MessageView>> {
  const views = new Map<MessageId, MessageView>();
  const left = [...ids];
  async function read(): Promise<void> {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const view = await api.getMessage({ id });
      // Before its row is written a message is answered from its workflow, without evidence.
      if ('version' in view) views.set(id, view);
    }
  }
  await Promise.all(Array.from({ length: READERS }, read));
  return views;
}
