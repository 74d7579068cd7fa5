import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { CAMPAIGN_END_STATES, type CampaignId } from '../../contract/index.js';
import { updateCampaignSchema, retryCampaignSchema } from '../../contract/schemas.js';
import type { Ledger, ReportRow } from '../../ledger/index.js';
import type { Campaigns } from '../campaigns/campaigns.js';
import { templateProblems } from '../campaigns/read-campaign.js';
import type { CampaignSteering, Granted, Wish } from '../campaigns/steer-campaign.js';
import type { FindId } from '../find-id.js';
import type { CheckOperation } from '../message-request.js';
import { inputInvalid, readInput } from '../read-input.js';
import { campaignIdIn, foundCampaignId } from './audience-routes.js';
import { csvResponse } from './csv-response.js';
import { ENDPOINTS } from './endpoints.js';
import { markReplay } from './message-routes.js';
import { readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { reportJson, reportNdjson, REPORT_COLUMNS, reportCells } from './report-formats.js';
import { route } from './router.js';
import type { Waiting } from './waiting.js';

export interface CampaignRouteDependencies {
  readonly ledger: Ledger;
  readonly campaigns: Campaigns;
  readonly findId: FindId;
  readonly steering: CampaignSteering;
  readonly checkOperation: CheckOperation;
  readonly waiting: Waiting;
}

/** Recipients read from the ledger at once, for a report of every recipient. */
const REPORT_PAGE = 1_000;

type ReportFilter = z.output<typeof ENDPOINTS.getReportCsv.query>;

export function campaignRoutes(app: Hono, dependencies: CampaignRouteDependencies): void {
  const { ledger, campaigns, findId, steering, checkOperation, waiting } = dependencies;

  route(app, ENDPOINTS.getCampaign, async (c) => {
    const id = await foundCampaignId(c, findId);
    const { wait, timeoutMs } = readQuery(c, ENDPOINTS.getCampaign.query);
    if (wait !== undefined) {
      const isDone = (state: Awaited<ReturnType<typeof ledger.campaigns.state>>): boolean =>
        state === undefined || CAMPAIGN_END_STATES.includes(state);
      await waiting.until(c, { id, reads: 'campaign', read: () => ledger.campaigns.state(id), isDone, timeoutMs });
    }
    return c.json(await campaigns.view(id));
  });

  route(app, ENDPOINTS.startCampaign, async (c) => {
    const id = campaignIdIn(c);
    const { isReplay } = await steering.start(id);
    c.header('Location', `/v1/campaigns/${id}`);
    markReplay(c, isReplay);
    return c.json(await campaigns.view(id), isReplay ? 200 : 202);
  });

  route(app, ENDPOINTS.pauseCampaign, (c) => granted(c, (id, wish) => steering.pause(id, wish)));
  route(app, ENDPOINTS.resumeCampaign, (c) => granted(c, (id, wish) => steering.resume(id, wish)));
  route(app, ENDPOINTS.cancelCampaign, (c) => granted(c, (id, wish) => steering.cancel(id, wish)));

  route(app, ENDPOINTS.updateCampaign, (c) =>
    granted(c, async (id, wish) => {
      const change = readInput(updateCampaignSchema, await readJson(c), `The change of campaign ${id}`);
      const problems = change.content === undefined ? [] : templateProblems(change.content, checkOperation);
      if (problems.length > 0) throw inputInvalid(`The change of campaign ${id}`, problems);
      return steering.update(id, change, wish);
    }),
  );

  route(app, ENDPOINTS.retryCampaign, (c) =>
    granted(c, async (id, wish) => {
      const retry = readInput(retryCampaignSchema, await readJson(c), `The retry of campaign ${id}`);
      return steering.retry(id, retry, wish);
    }),
  );

  route(app, ENDPOINTS.listRecipients, async (c) => {
    const id = await foundCampaignId(c, findId);
    const { cursor = '0', limit, ...filter } = readQuery(c, ENDPOINTS.listRecipients.query);
    const { items, afterLine } = await reportPage(id, filter, Number(cursor), limit);
    return c.json({ items, ...(afterLine === undefined ? {} : { cursor: String(afterLine) }) });
  });

  route(app, ENDPOINTS.getReportCsv, async (c) =>
    csvResponse(c, REPORT_COLUMNS, cellsOf((await allRecipients(c)).pages)),
  );

  route(app, ENDPOINTS.getReportNdjson, async (c) => reportNdjson(c, (await allRecipients(c)).pages));

  route(app, ENDPOINTS.getReportJson, async (c) => {
    const { campaign, pages } = await allRecipients(c);
    return reportJson(c, campaign, pages);
  });

  async function granted<Result extends object>(
    c: Context,
    ask: (id: CampaignId, wish: Wish) => Promise<Granted<Result>>,
  ): Promise<Response> {
    const id = campaignIdIn(c);
    const key = readIdempotencyKey(c);
    const { timeoutMs } = readQuery(c, ENDPOINTS.pauseCampaign.query);
    const response = await waiting.held(timeoutMs, () => ask(id, { key, timeoutMs, signal: waiting.signalOf(c) }));
    if (response !== 'waiting') return c.json(response, 200);
    return c.json(await steering.progress(id), 202);
  }

  function reportPage(id: CampaignId, { state, reason }: ReportFilter, afterLine: number, limit: number) {
    const filter = { ...(state === undefined ? {} : { states: state }), ...(reason === undefined ? {} : { reason }) };
    return ledger.campaigns.report(id, { ...filter, afterLine, limit });
  }

  /** The first page is read before the response begins, so that a problem is still answered as one. */
  async function allRecipients(c: Context) {
    const campaign = await campaigns.view(await foundCampaignId(c, findId));
    const { id } = campaign;
    const filter = readQuery(c, ENDPOINTS.getReportCsv.query);
    const first = await reportPage(id, filter, 0, REPORT_PAGE);
    const pages = (async function* () {
      for (let page = first; ; page = await reportPage(id, filter, page.afterLine, REPORT_PAGE)) {
        yield page.items;
        if (page.afterLine === undefined) return;
      }
    })();
    return { campaign, pages };
  }

  async function* cellsOf(pages: AsyncIterable<readonly ReportRow[]>) {
    for await (const rows of pages) yield rows.map(reportCells);
  }
}
