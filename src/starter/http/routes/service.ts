import { z } from 'zod';
import { docsPage } from '../openapi/docs-page.js';
import { reply, route } from '../route.js';

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

/** About the API itself. */
export const SERVICE_ROUTES = {
  livez: route({
    method: 'get',
    path: '/livez',
    access: 'none',
    summary: 'The process runs',
    responses: { 200: { description: 'It does', schema: healthSchema } },
    problems: [],
    handle: async () => reply(200, { status: 'ok' as const }),
  }),
  readyz: route({
    method: 'get',
    path: '/readyz',
    access: 'none',
    summary: 'The ledger can be reached',
    description: 'Temporal may be away: messages are taken then, and sent when it is back.',
    responses: { 200: { description: 'It can', schema: healthSchema } },
    problems: ['LEDGER_UNAVAILABLE'],
    // Temporal is no part of it: while it is away, everything that is written to the ledger is taken.
    async handle(_request, { ledger }) {
      await ledger.ping();
      return reply(200, { status: 'ok' as const });
    },
  }),
  metrics: route({
    method: 'get',
    path: '/metrics',
    access: ['read', 'everything'],
    summary: 'Metrics for Prometheus',
    description:
      'Of the ledger, for all instances, and of this process. docs/metrics.md describes each. While the ledger is away, everpost_ledger_up is 0 and its metrics are absent.',
    responses: { 200: { description: "Prometheus' text format", rawTypes: ['text/plain'] } },
    problems: [],
    async handle({ c }, { metrics }) {
      const { contentType, text } = await metrics();
      return c.body(text, 200, { 'Content-Type': contentType });
    },
  }),
  openapi: route({
    method: 'get',
    path: '/openapi.json',
    access: 'none',
    summary: 'This document',
    responses: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
    problems: [],
    handle: async (_request, { document }) => reply(200, { ...document() }),
  }),
  docs: route({
    method: 'get',
    path: '/docs',
    access: 'none',
    summary: 'This document as a page',
    responses: { 200: { description: 'HTML', rawTypes: ['text/html'] } },
    problems: [],
    handle: async ({ c }, { document }) => c.html(docsPage(document())),
  }),
} as const;
