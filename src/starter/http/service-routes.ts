import type { Hono } from 'hono';
import type { Ledger } from '../../ledger/index.js';
import type { MessageRuns } from '../message-runs.js';
import { docsPage } from './docs-page.js';
import { ENDPOINTS } from './endpoints.js';
import type { OpenApiDocument } from './openapi.js';
import { MAX_NOTIFICATION_BYTES, readBody } from './read-request.js';
import { pathPart, route } from './router.js';

/** Takes the gateway's notifications; the webhooks room's receiver is one. */
export interface NotificationReceiver {
  receive(instance: string, authorization: string | undefined, rawBody: Uint8Array): Promise<unknown>;
}

export interface ServiceRouteParts {
  readonly runs: MessageRuns;
  readonly ledger: Ledger;
  readonly receiver: NotificationReceiver;
  readonly document: OpenApiDocument;
}

export function serviceRoutes(app: Hono, { runs, ledger, receiver, document }: ServiceRouteParts): void {
  route(app, ENDPOINTS.receiveNotification, async (c) => {
    const body = await readBody(c.req.raw, MAX_NOTIFICATION_BYTES);
    await receiver.receive(pathPart(c, 'instance'), c.req.header('Authorization'), body);
    return c.body(null, 200);
  });

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
