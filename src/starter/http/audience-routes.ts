import type { Context, Hono } from 'hono';
import { AppError, isCampaignId, type CampaignId } from '../../contract/index.js';
import { groupRecipientsSchema } from '../../contract/schemas.js';
import type { Ledger } from '../../ledger/index.js';
import { campaignUnknown, type Campaigns, type RecipientsFrom } from '../campaigns/campaigns.js';
import type { FindId } from '../find-id.js';
import { readInput } from '../read-input.js';
import { csvResponse } from './csv-response.js';
import { ENDPOINTS } from './endpoints.js';
import { markReplay } from './message-routes.js';
import { contentTypeOf, readIdempotencyKey, readJson, readQuery, streamOf } from './read-request.js';
import { pathPart, route } from './router.js';
import type { Waiting } from './waiting.js';

export interface AudienceRouteDependencies {
  readonly ledger: Ledger;
  readonly campaigns: Campaigns;
  readonly findId: FindId;
  readonly waiting: Waiting;
  readonly maxImportBytes: number;
}

/** Rejects are read from the ledger so many at once. */
const REJECTS_PAGE = 1_000;
const IF_CUT = 'Nothing was changed.';

export function audienceRoutes(
  app: Hono,
  { ledger, campaigns, findId, waiting, maxImportBytes }: AudienceRouteDependencies,
): void {
  const limits = { maxBytes: maxImportBytes, ifCut: IF_CUT };
  route(app, ENDPOINTS.beginCampaign, async (c) => {
    const key = readIdempotencyKey(c);
    const { campaign, isNew } = await campaigns.begin(await readJson(c), key);
    c.header('Location', `/v1/campaigns/${campaign.id}`);
    markReplay(c, !isNew);
    return c.json(campaign, isNew ? 201 : 200);
  });

  route(app, ENDPOINTS.defineCampaign, async (c) => {
    const { planOnly } = readQuery(c, ENDPOINTS.defineCampaign.query);
    const how = { isPlanOnly: planOnly !== undefined };
    const { campaign, isNew } = await campaigns.define(campaignIdIn(c), await readJson(c), how);
    c.header('Location', `/v1/campaigns/${campaign.id}`);
    return c.json(campaign, isNew ? 201 : 200);
  });

  route(app, ENDPOINTS.removePlan, async (c) => {
    await ledger.audiences.removePlan(campaignIdIn(c));
    return c.json({ removed: true });
  });

  route(app, ENDPOINTS.listCampaigns, async (c) => {
    const { instance, state, cursor, limit } = readQuery(c, ENDPOINTS.listCampaigns.query);
    const filter = {
      ...(instance === undefined ? {} : { instance }),
      ...(state === undefined ? {} : { state }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(limit === undefined ? {} : { limit }),
    };
    return c.json(await campaigns.list(filter));
  });

  route(app, ENDPOINTS.importRecipients, async (c) => {
    const id = campaignIdIn(c);
    const { audience, unchanged } = await campaigns.importRecipients(id, await recipientsIn(c));
    return c.json({ ...audience, unchanged });
  });

  route(app, ENDPOINTS.getRejectedRecipients, async (c) => {
    const { id } = await campaigns.view(await foundCampaignId(c, findId));
    return csvResponse(c, ['line', 'reason', 'value'], rejectsOf(id));
  });

  route(app, ENDPOINTS.planCampaign, async (c) => {
    const id = await foundCampaignId(c, findId);
    const { sampleLines } = readQuery(c, ENDPOINTS.planCampaign.query);
    return c.json(await campaigns.plan(id, { sampleLines, signal: waiting.signalOf(c) }));
  });

  route(app, ENDPOINTS.sendTest, async (c) => {
    const campaign = campaignIdIn(c);
    const key = readIdempotencyKey(c);
    const { request, begun } = await campaigns.testSend(campaign, await readJson(c), key);
    c.header('Location', `/v1/messages/${begun.id}`);
    markReplay(c, begun.isReplay);
    return c.json({ id: begun.id, state: begun.state, instance: request.instance, kind: request.content.kind }, 202);
  });

  async function recipientsIn(c: Context): Promise<RecipientsFrom> {
    const { delimiter } = readQuery(c, ENDPOINTS.importRecipients.query);
    switch (contentTypeOf(c)) {
      case 'text/csv':
        return { bytes: streamOf(c, limits), format: 'csv', delimiter: delimiter === 'tab' ? '\t' : delimiter };
      case 'application/x-ndjson':
      case 'application/ndjson':
      case 'application/jsonl':
        return { bytes: streamOf(c, limits), format: 'ndjson' };
      case 'application/json': {
        const { group } = readInput(groupRecipientsSchema, await readJson(c), 'The import');
        return { group, signal: waiting.signalOf(c) };
      }
      default:
        throw new AppError(
          'INPUT_INVALID',
          'The import is refused: its Content-Type is none of text/csv, application/x-ndjson and application/json. Say what the body is; nothing was changed.',
        );
    }
  }

  async function* rejectsOf(id: CampaignId): AsyncGenerator<(string | number)[][]> {
    for (let afterLine = 0; ;) {
      const page = await ledger.audiences.rejects(id, afterLine, REJECTS_PAGE);
      yield page.map(({ line, reason, value }) => [line, reason, value]);
      const last = page.at(-1);
      if (last === undefined) return;
      afterLine = last.line;
    }
  }
}

/** As it was given: what changes a campaign takes its whole id. */
export function campaignIdIn(c: Context): CampaignId {
  return campaignIdOf(pathPart(c, 'id'));
}

/** Also by its beginning: for what only reads. */
export async function foundCampaignId(c: Context, findId: FindId): Promise<CampaignId> {
  return campaignIdOf(await findId.campaign(pathPart(c, 'id')));
}

function campaignIdOf(id: string): CampaignId {
  return isCampaignId(id) ? id : campaignUnknown('of this id');
}
