import { AppError, CAMPAIGN_END_STATES, EditState, type MessageId, type MessageState } from '../../contract/index.js';
import type { CampaignView } from '../../ledger/index.js';
import type { ApiClient } from '../../starter/index.js';
import type { AskedSingle, Backend } from './backend.js';
import type { GatewayUnderTest } from './gateway-under-test.js';
import { listCampaigns, listRows, readRows } from './ledger-through-api.js';

const MOVING: readonly MessageState[] = ['pending', 'sending', 'unknown'];
const SENT: readonly MessageState[] = ['sent', 'delivered', 'read'];
const OPEN_EDITS: readonly EditState[] = [EditState.pending, EditState.sending, EditState.posted];

/** How far everything has come, as the ledger and the gateway show it at one moment. */
export interface Progress {
  /** Differs from that of any other moment at which something had gone on. */
  readonly fingerprint: string;
  /** States of the messages that have no end yet, recipients of campaigns included. */
  readonly moving: readonly MessageState[];
  /** A message could be sent, and is not: nothing has to be settled first. */
  readonly isSomethingDue: boolean;
  /** Nothing is left to happen: messages, their edits, campaigns, the gateway's queue and its notifications. */
  readonly isAllDone: boolean;
}

/** @returns undefined while the product does not answer */
export async function readProgress(dependencies: {
  readonly api: ApiClient;
  readonly gateway: GatewayUnderTest;
  readonly backend: Backend;
}): Promise<Progress | undefined> {
  const { api, gateway, backend } = dependencies;
  try {
    const campaigns = await listCampaigns(api);
    const rows = await listRows(api);
    const states = new Map<MessageId, MessageState>(rows.map(({ id, state }) => [id, state]));
    const known = backend.asked().flatMap(({ id, planned }) => (id === undefined ? [] : [{ id, planned }]));
    // Acknowledged, and its row not written yet: it waits to be sent.
    const stateOf = (id: MessageId): MessageState => states.get(id) ?? 'pending';
    const moving = [...known.map(({ id }) => stateOf(id)), ...campaigns.flatMap(statesOf)].filter((state) =>
      MOVING.includes(state),
    );
    const isIdle = moving.length === 0 && (await gateway.isIdle());
    return {
      fingerprint: JSON.stringify([
        rows.map(({ id, version }) => [id, version]),
        campaigns.map(({ id, state, counts }) => [id, state, counts]),
        gateway.progress(),
      ]),
      moving,
      isSomethingDue: isSomethingDue(known, stateOf) || campaigns.some(isCampaignDue),
      isAllDone: isIdle && campaigns.every(isSettled) && !(await isAnEditOpen(api, known, stateOf)),
    };
  } catch (error) {
    if (error instanceof AppError && error.next === 'wait') return undefined;
    throw error;
  }
}

type Known = AskedSingle & { readonly id: MessageId };

function statesOf({ counts }: CampaignView): MessageState[] {
  return MOVING.flatMap((state) => Array.from({ length: counts[state] }, () => state));
}

/** It says itself that it waits for the outcomes of others. */
function isCampaignDue({ state, counts, waiting }: CampaignView): boolean {
  return state === 'running' && counts.pending > 0 && waiting?.code !== 'OUTCOMES_UNKNOWN';
}

/** It has ended, or waits for receipts and for operators' decisions, which nothing in this run gives. */
function isSettled({ state, counts }: CampaignView): boolean {
  return CAMPAIGN_END_STATES.includes(state) || counts.unresolved + counts.accepted > 0;
}

/** A message waits rightly while an equal one is under question. */
function isSomethingDue(known: readonly Known[], stateOf: (id: MessageId) => MessageState): boolean {
  const inQuestion = new Set(
    known.filter(({ id }) => stateOf(id) === 'unknown').map(({ planned: { to, text } }) => `${to} ${text}`),
  );
  return known.some(({ id, planned: { to, text } }) => {
    const state = stateOf(id);
    return state === 'sending' || (state === 'pending' && !inQuestion.has(`${to} ${text}`));
  });
}

/** An edit waits rightly while its message is not known to be sent. */
async function isAnEditOpen(
  api: ApiClient,
  known: readonly Known[],
  stateOf: (id: MessageId) => MessageState,
): Promise<boolean> {
  const edited = known.filter(({ id, planned }) => planned.edits.length > 0 && SENT.includes(stateOf(id)));
  const views = await readRows(
    api,
    edited.map(({ id }) => id),
  );
  return [...views.values()].some(({ edits }) => edits.some(({ state }) => OPEN_EDITS.includes(state)));
}
