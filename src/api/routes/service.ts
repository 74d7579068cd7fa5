import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { reply, route } from '../route.js';

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

const readinessSchema = healthSchema
  .extend({ ledger: z.string().describe('Id of the ledger, by which `everpost doctor` distinguishes two stacks') })
  .meta({ id: 'Readiness' });

/** Routes about the API itself. */
export const SERVICE_ROUTES = {
  livez: route('GET /livez', {
    access: 'none',
    summary: 'Check that the process runs',
    responses: { 200: { description: 'The process runs', schema: healthSchema } },
    handle: async () => reply(200, { status: 'ok' as const }),
  }),
  readyz: route('GET /readyz', {
    access: 'none',
    summary: 'Check that the ledger is reachable',
    description: 'Temporal may be unavailable: messages are accepted and are sent later.',
    responses: { 200: { description: 'The ledger is reachable', schema: readinessSchema } },
    problems: ['LEDGER_UNAVAILABLE'],
    // Temporal is not checked: everything that is written to the ledger is accepted while it is unavailable.
    async handle(_request, { ledger }) {
      await ledger.ping();
      return reply(200, { status: 'ok' as const, ledger: ledger.id });
    },
  }),
  metrics: route('GET /metrics', {
    access: ['read', 'everything'],
    summary: 'Read metrics for Prometheus',
    description:
      'Metrics of the ledger, for all instances, of Temporal, and of this process; see docs/metrics.md. While the ledger is unavailable, everpost_ledger_up is 0 and its metrics are absent; the same holds for Temporal.',
    responses: { 200: { description: "Prometheus' text format", rawTypes: ['text/plain'] } },
    async handle({ c }, { metrics }) {
      const { contentType, text } = await metrics.ofService();
      return c.body(text, 200, { 'Content-Type': contentType });
    },
  }),
  openapi: route('GET /openapi.json', {
    access: 'none',
    summary: 'Read the OpenAPI document',
    responses: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
    // The package has the document: generating it would hold up the other requests of the process.
    async handle() {
      const text = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8');
      return reply(200, JSON.parse(text) as { readonly openapi: string });
    },
  }),
} as const;
