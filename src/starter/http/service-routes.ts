import type { Hono } from 'hono';
import type { Ledger } from '../../ledger/index.js';
import { docsPage } from './docs-page.js';
import { ENDPOINTS } from './endpoints.js';
import type { OpenApiDocument } from './openapi.js';
import { route } from './router.js';

export interface ServiceRouteDependencies {
  readonly ledger: Pick<Ledger, 'ping'>;
  readonly document: OpenApiDocument;
}

export function serviceRoutes(app: Hono, { ledger, document }: ServiceRouteDependencies): void {
  route(app, ENDPOINTS.livez, (c) => c.json({ status: 'ok' }));

  // Temporal is no part of it: while it is away, everything that is written to the ledger is taken.
  route(app, ENDPOINTS.readyz, async (c) => {
    await ledger.ping();
    return c.json({ status: 'ok' });
  });

  route(app, ENDPOINTS.openapi, (c) => c.json(document));

  const page = docsPage(document);
  route(app, ENDPOINTS.docs, (c) => c.html(page));
}
