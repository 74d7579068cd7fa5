import type { MessageId } from '../../contract/index.js';
import type { MessageListItem, MessageView } from '../../ledger/index.js';
import type { ApiClient } from '../api-client.js';

const PAGE = '500';
const READERS = 8;

/** Every row of the ledger, newest first or oldest first as the API has them. */
export async function listRows(api: ApiClient): Promise<readonly MessageListItem[]> {
  const rows: MessageListItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.messages({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...page.items);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return rows;
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
      const view = await api.message(id);
      // Before its row is written a message is answered from its workflow, without evidence.
      if (view.evidence !== undefined) views.set(id, view as MessageView);
    }
  }
  await Promise.all(Array.from({ length: READERS }, read));
  return views;
}
