import { text } from 'node:stream/consumers';
import {
  AppError,
  CAMPAIGN_END_STATES,
  forEachConcurrently,
  isEditOutcome,
  isInPhase,
  statesIn,
  type CampaignId,
  type MessageId,
  type MessageState,
} from '../../contract/index.js';
import type { CampaignView, MessageListItem, MessageView, ReportRow } from '../../ledger/index.js';
import type { ApiClient } from '../../client/index.js';
import type { ReadCampaign } from './account/campaign-account.js';
import type { Backend } from './backend.js';
import type { GatewayUnderTest } from './gateway-under-test.js';

const MOVING = statesIn('pending', 'in_flight');

/** The progress of all messages, as the ledger and the gateway show it at one time. */
export interface Progress {
  /** Changes with any progress. */
  readonly fingerprint: string;
  /** The states of the unfinished messages, recipients of campaigns included. */
  readonly moving: readonly MessageState[];
  /** Whether messages, edits and campaigns have ended, and the gateway's queue and notifications are empty. */
  readonly isAllDone: boolean;
  readonly instances: readonly InstanceProgress[];
}

/** The progress of the messages of one instance. */
export interface InstanceProgress {
  readonly name: string;
  /** Changes with the progress of any of its messages. A new message does not change it. */
  readonly fingerprint: string;
  /** Whether a message is due that does not wait for the outcome of another one. */
  readonly isSomethingDue: boolean;
  /** How many POSTs may be under way at once. */
  readonly window: number;
  /** The pid of the process that has the shift; undefined if there is no shift. */
  readonly servedBy: number | undefined;
  readonly unknown: number;
  /** The depth of the gateway's queue, by the shift's estimate. */
  readonly depth: number;
}

/** @returns undefined while the product does not respond */
export async function readProgress(dependencies: {
  readonly api: ApiClient;
  readonly gateway: GatewayUnderTest;
  readonly backend: Backend;
}): Promise<Progress | undefined> {
  const { api, gateway, backend } = dependencies;
  try {
    const campaigns = await allPages((page) => api.listCampaigns({ query: page }));
    const lists = [...MOVING, 'unresolved'].map((state) =>
      allPages((page) => api.listMessages({ query: { ...page, state } })),
    );
    const open = (await Promise.all(lists)).flat();
    const singles = movingSingles(open);
    const moving = [
      ...singles.map(({ state }) => state),
      ...campaigns.flatMap(({ counts }) => MOVING.flatMap((state) => Array<MessageState>(counts[state]).fill(state))),
    ];
    // A campaign has ended, or waits for lost receipts or for an operator, which a run does not have.
    const areCampaignsDone = campaigns.every(
      ({ state, counts }) => CAMPAIGN_END_STATES.includes(state) || counts.unresolved + counts.accepted > 0,
    );
    const isIdle = moving.length === 0 && areCampaignsDone && (await gateway.isIdle());
    return {
      fingerprint: JSON.stringify([
        open.map(({ id, version }) => [id, version]),
        campaigns.map(({ id, state, counts }) => [id, state, counts]),
        gateway.progress(),
      ]),
      moving,
      isAllDone: isIdle && !(await isAnEditOpen(api, backend)),
      instances: (await api.listInstances()).items.map((status) =>
        instanceProgress(
          status,
          singles.filter(({ instance }) => instance === status.name),
          campaigns,
        ),
      ),
    };
  } catch (error) {
    if (error instanceof AppError && error.next === 'wait') return undefined;
    throw error;
  }
}

function instanceProgress(
  {
    name,
    state: seen = 'authorized',
    pauses,
    dispatcher,
    queue,
    waiting,
  }: Awaited<ReturnType<ApiClient['listInstances']>>['items'][number],
  singles: readonly MessageListItem[],
  campaigns: readonly CampaignView[],
): InstanceProgress {
  const accounts = campaigns.flatMap((campaign) =>
    campaign.accounts.filter(({ instance }) => instance === name).map((account) => ({ campaign, account })),
  );
  // An operator has paused it, or its phone is away.
  const isLost = pauses.length > 0 || seen !== 'authorized';
  const pid = /^everpost-(\d+)@/.exec(dispatcher.worker ?? '')?.[1];
  return {
    name,
    fingerprint: JSON.stringify([
      singles.filter(({ state }) => state !== 'pending').map(({ id, version }) => [id, version]),
      accounts.map(({ campaign: { id }, account: { counts } }) => [id, counts]),
    ]),
    isSomethingDue: !isLost && (isSomethingDue(singles) || accounts.some(isRecipientDue)),
    window: dispatcher.window ?? 1,
    servedBy: dispatcher.servedSince === undefined || pid === undefined ? undefined : Number(pid),
    unknown: waiting.unknownOutcomes,
    depth: queue.reading?.items ?? 0,
  };
}

/**
 * Whether a recipient of the account is due, or one that has no account yet. A campaign that waits for unknown outcomes
 * says so.
 */
function isRecipientDue({
  campaign: { state, counts, waiting, accounts },
  account,
}: {
  readonly campaign: CampaignView;
  readonly account: CampaignView['accounts'][number];
}): boolean {
  if (state !== 'running' || account.outWhy !== undefined || waiting?.code === 'OUTCOMES_UNKNOWN') return false;
  const placed = accounts.reduce((sum, one) => sum + one.counts.pending, 0);
  return account.counts.pending > 0 || counts.pending > placed;
}

function identityOf({ instance, chatId, content, postedText }: MessageListItem): string {
  const posted = postedText === undefined ? content : { ...content, text: postedText };
  return JSON.stringify([instance, chatId, posted]);
}

/** Leaves out a message that waits for an unresolved identical message: it waits for an operator. */
function movingSingles(open: readonly MessageListItem[]): MessageListItem[] {
  const unresolved = new Set(open.filter(({ state }) => state === 'unresolved').map(identityOf));
  return open.filter(
    (one) =>
      one.campaignId === undefined &&
      one.state !== 'unresolved' &&
      !(one.state === 'pending' && unresolved.has(identityOf(one))),
  );
}

/** A message whose identical message is unknown is not due. */
function isSomethingDue(singles: readonly MessageListItem[]): boolean {
  const inQuestion = new Set(singles.filter(({ state }) => state === 'unknown').map(identityOf));
  return singles.some(
    (one) => one.state === 'sending' || (one.state === 'pending' && !inQuestion.has(identityOf(one))),
  );
}

/** An edit counts as open only if the gateway has taken its message. */
async function isAnEditOpen(api: ApiClient, backend: Backend): Promise<boolean> {
  const edited = backend.asked.filter(({ planned }) => planned.edits.length > 0);
  const views = await readRows(
    api,
    edited.flatMap(({ id }) => (id === undefined ? [] : [id])),
  );
  return [...views.values()].some(
    ({ state, edits }) => isInPhase(state, 'taken') && edits.some((edit) => !isEditOutcome(edit.state)),
  );
}

const PAGE = 500;
const READERS = 8;

async function allPages<Item>(
  ask: (page: { limit: number; cursor: string | undefined }) => Promise<{ items: Item[]; cursor?: string }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ limit: PAGE, cursor });
    items.push(...page.items);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return items;
}

export async function readCampaign(api: ApiClient, id: CampaignId): Promise<ReadCampaign> {
  const view = await api.getCampaign({ id });
  const lines = (await text(await api.getReportNdjson({ id }))).split('\n');
  return { view, report: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ReportRow) };
}

/** Reads these messages from the ledger. A message without a row is left out. */
export async function readRows(
  api: ApiClient,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, MessageView>> {
  const views = new Map<MessageId, MessageView>();
  await forEachConcurrently(READERS, ids, async (id) => {
    const view = await api.getMessage({ id });
    // A message whose row is not written yet is read from its workflow, without evidence.
    if ('version' in view) views.set(id, view);
  });
  return views;
}
