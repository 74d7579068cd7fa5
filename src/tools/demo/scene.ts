import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../../client/index.js';
import { CAMPAIGN_END_STATES, MESSAGE_STATES } from '../../contract/index.js';
import type { CampaignView } from '../../ledger/index.js';
import type { GatewayControl } from '../../testing/index.js';

export interface Stage {
  readonly api: ApiClient;
  readonly simulator: GatewayControl;
  /** Prints progress, a few words at a time. */
  readonly tell: (words: string) => void;
  /** Aborted to end the demo. */
  readonly stopping: AbortSignal;
}

/** The expected and the actual result of a scene. */
export interface Sight {
  readonly expected: string;
  readonly saw: string;
}

export interface Scene {
  readonly title: string;
  play(stage: Stage): Promise<Sight>;
}

export interface SceneResult extends Sight {
  readonly title: string;
  readonly succeeded: boolean;
}

const POLL_MS = 100;
export const PATIENCE_MS = 20_000;
/** The time limit of the campaign scene, for a slow machine. */
export const CAMPAIGN_PATIENCE_MS = 120_000;

/** Prints the progress of the campaign, and returns it when the condition holds or the time limit has passed. */
export async function untilCampaign(
  { api, stopping, tell }: Stage,
  id: string,
  isSo: (campaign: CampaignView) => boolean,
): Promise<CampaignView> {
  const endMs = performance.now() + CAMPAIGN_PATIENCE_MS;
  let shown = '';
  for (;;) {
    const campaign = await api.getCampaign({ id });
    const { state, counts, waiting } = campaign;
    const words = CAMPAIGN_END_STATES.includes(state)
      ? `${state}: ${totals(campaign)}`
      : `${counts.pending} pending${waiting === undefined ? '' : `, waiting: ${waiting.code}`}`;
    if (words !== shown) tell(words);
    shown = words;
    if (isSo(campaign) || performance.now() > endMs) return campaign;
    await delay(POLL_MS, undefined, { signal: stopping });
  }
}

/** The number of messages in each state, and their sum: `31 delivered + 1 no_account = 32`. */
export function totals({ counts }: CampaignView): string {
  const states = MESSAGE_STATES.filter((state) => counts[state] > 0);
  const sum = states.reduce((total, state) => total + counts[state], 0);
  return `${states.map((state) => `${counts[state]} ${state}`).join(' + ')} = ${sum}`;
}
