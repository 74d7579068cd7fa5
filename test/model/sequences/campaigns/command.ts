/** A command on a campaign: what it asks, and how the campaign changes. */
import fc from 'fast-check';
import { AppError } from '../../../../src/contract/index.js';
import { commandsOn } from '../command.js';
import type { Process } from '../process.js';
import type { Reference } from '../reference.js';
import type { World } from '../world.js';
import type { ModelCampaign } from './reference.js';

/** Refusals that are no defect: what they name is so. */
const REFUSALS = new Set<string>([
  'CAMPAIGN_ENDED',
  'CAMPAIGN_NOT_STARTED',
  'CAMPAIGN_FROZEN',
  'CAMPAIGN_EMPTY',
  'CAMPAIGN_STOPPED',
  'INPUT_INVALID',
  'EDIT_NOT_TEXT',
  'MESSAGE_CLAIMED_ELSEWHERE',
]);

export type Change = (campaign: ModelCampaign, nowMs: number) => ModelCampaign;

/** @returns undefined if the request was refused */
export async function ask<Response>(
  world: World,
  reference: Reference,
  request: (process: Process, key: string) => Promise<Response>,
): Promise<Response | undefined> {
  const key = `k${(reference.number += 1)}`;
  const once = () => world.request(async (process) => ({ response: await request(process, key) }));
  try {
    const first = await once();
    if (first !== undefined) return first.response;
    // The process died: the caller repeats the request at the next one.
    await world.start();
    return (await once())?.response;
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code)) return undefined;
    throw error;
  }
}

export const which = fc.nat(2);

export function put(reference: Reference, campaign: ModelCampaign): void {
  reference.campaigns = new Map([...reference.campaigns, [campaign.name, campaign]]);
}

export const { pick, on: onCampaign } = commandsOn<ModelCampaign>(({ campaigns }) => campaigns.values(), put);
