import {
  canonicalJson,
  firstAccountOf,
  type CampaignDefinition,
  type CampaignId,
  campaignUnknown,
} from '../../contract/index.js';
import { inputInvalid, type SentContents } from '../../domain/index.js';
import type { CampaignView } from '../../ledger/index.js';
import { campaignId, contentsFileProblems, problemIf, readCampaign, requestHash } from '../../starter/index.js';
import type { RouteDependencies } from '../route-dependencies.js';

export interface WrittenCampaign {
  readonly campaign: CampaignView;
  readonly isNew: boolean;
}

/**
 * A plan's campaign is removed by its command; after this time also if the command was killed. The largest import takes
 * less.
 */
const PLAN_KEPT_MS = 6 * 60 * 60_000;

/**
 * Writes a campaign once for its id, which comes from the body or is derived from the key.
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
export async function beginCampaign(
  dependencies: RouteDependencies,
  body: unknown,
  key: string,
): Promise<WrittenCampaign> {
  const { id, definition } = readCampaign(body, dependencies);
  return write(dependencies, id ?? campaignId(firstAccountOf(definition), key), definition, 'open');
}

/**
 * Writes a campaign, or replaces the definition of a draft.
 * @param how.isPlanOnly  the campaign exists only for a plan, and is removed after it
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | CAMPAIGN_FROZEN
 */
export async function defineCampaign(
  dependencies: RouteDependencies,
  id: CampaignId,
  body: unknown,
  how: { readonly isPlanOnly: boolean },
): Promise<WrittenCampaign> {
  const { id: named, definition } = readCampaign(body, dependencies);
  if (named !== undefined && named !== id) {
    throw inputInvalid('The campaign', [{ path: 'id', message: 'is not the id in the path' }]);
  }
  return write(dependencies, id, definition, 'define', how);
}

async function write(
  dependencies: RouteDependencies,
  id: CampaignId,
  definition: CampaignDefinition,
  how: 'open' | 'define',
  { isPlanOnly }: { readonly isPlanOnly: boolean } = { isPlanOnly: false },
): Promise<WrittenCampaign> {
  const { clock } = dependencies;
  const { audiences } = dependencies.ledger;
  const nowMs = clock.nowMs();
  const startMs = Date.parse(definition.startAt ?? '');
  const deadlineMs = Date.parse(definition.deadline ?? '');
  const lastMs = Math.max(nowMs, startMs || 0, deadlineMs || 0);
  // A time that is not given is NaN, which no comparison is true for.
  const problems = [
    ...problemIf(startMs <= nowMs, 'startAt', 'has passed'),
    ...problemIf(deadlineMs <= nowMs, 'deadline', 'has passed'),
    ...problemIf(deadlineMs <= startMs, 'startAt', 'is not before the deadline'),
    ...(await contentsFileProblems(dependencies, definition, lastMs)),
  ];
  if (problems.length > 0) {
    const known = await audiences.view(id, clock.nowMs());
    // A repeated request returns the campaign, also after its times have passed and its file was deleted.
    if (known === undefined || canonicalJson(known.definition) !== canonicalJson(definition)) {
      throw inputInvalid('The campaign', problems);
    }
  }
  return audiences[how]({
    id,
    requestHash: requestHash(definition),
    definition,
    nowMs,
    ...(isPlanOnly ? { planUntilMs: nowMs + PLAN_KEPT_MS } : {}),
  });
}

/** @throws AppError CAMPAIGN_NOT_FOUND */
export async function viewCampaign({ ledger, clock }: RouteDependencies, id: CampaignId): Promise<CampaignView> {
  const view = await ledger.audiences.view(id, clock.nowMs());
  if (view === undefined) throw campaignUnknown(id);
  return view;
}

/** What the campaign sends now. */
export function sentBy({ content, variants, winner }: CampaignView): SentContents {
  return { content, variants: variants ?? null, winner: winner ?? null };
}
