import type { Hono } from 'hono';
import type { InstanceConfig, InstanceDirectory } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { MessageRuns } from '../message-runs.js';
import { docsPage } from './docs-page.js';
import { ENDPOINTS } from './endpoints.js';
import type { OpenApiDocument } from './openapi.js';
import { pathPart, route } from './router.js';

export interface ServiceRouteParts {
  readonly runs: MessageRuns;
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly document: OpenApiDocument;
}

export function serviceRoutes(app: Hono, { runs, ledger, instances, document }: ServiceRouteParts): void {
  const answerOf = async (name: string) => {
    const instance = instanceAnswer(instances.get(name));
    const seen = await ledger.instanceStates.current(name);
    return { ...instance, ...(seen && { state: seen.state, stateSince: seen.since, stateSeenAt: seen.seenAt }) };
  };

  route(app, ENDPOINTS.listInstances, async (c) =>
    c.json({ items: await Promise.all(instances.names().map(answerOf)) }),
  );

  route(app, ENDPOINTS.getInstance, async (c) => c.json(await answerOf(pathPart(c, 'name'))));

  route(app, ENDPOINTS.livez, (c) => c.json({ status: 'ok' }));

  route(app, ENDPOINTS.readyz, async (c) => {
    await ledger.ping();
    await runs.reachable();
    return c.json({ status: 'ok' });
  });

  route(app, ENDPOINTS.openapi, (c) => c.json(document));

  const page = docsPage(document);
  route(app, ENDPOINTS.docs, (c) => c.html(page));
}

/** Field by field, so that nothing secret can slip in with a new one. */
function instanceAnswer(instance: InstanceConfig) {
  const { name, idInstance, baseUrl, mediaUrl, capabilities, onlyTo, webhookTokens = [] } = instance;
  return {
    name,
    idInstance,
    baseUrl,
    ...(mediaUrl === undefined ? {} : { mediaUrl }),
    ...(capabilities === undefined ? {} : { capabilities }),
    restricted: onlyTo !== undefined,
    webhookAuthorization: webhookTokens.length > 0,
  };
}
