import type { Hono } from 'hono';
import type { Ledger } from '../../ledger/index.js';
import type { MessageRuns } from '../message-runs.js';
import { docsPage } from './docs-page.js';
import { ENDPOINTS } from './endpoints.js';
import type { OpenApiDocument } from './openapi.js';
import { route } from './router.js';

export interface ServiceRouteDependencies {
  readonly runs: MessageRuns;
  readonly ledger: Ledger;
  readonly document: OpenApiDocument;
}

export function serviceRoutes(app: Hono, { runs, ledger, document }: ServiceRouteDependencies): void {
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
