import { z } from 'zod';
import type { ApiOptions, RouteDependencies } from '../route-dependencies.js';
import { instanceFilter, reply, route } from '../route.js';
import { checkLedger, createDoctor, type Doctor, type LedgerReads } from '../../doctor/index.js';
import { present } from '../../contract/index.js';
import { time } from '../../contract/schemas.js';
import { shownSchedule } from '../schedules.js';
import { instanceStates } from './instances/instances.js';

const findingSchema = z
  .object({
    verdict: z
      .enum(['ok', 'advice', 'broken', 'unknown'])
      .describe('`advice`: it works, but can be improved. `unknown`: it could not be checked'),
    subject: z.string().describe('The checked part, e.g. `temporal` or `instance main`'),
    instance: z.string().optional().describe('Whose finding it is. Absent: of the whole installation'),
    found: z.string().describe('What was found'),
    remedy: z.string().optional().describe('What an operator can do'),
    isFixable: z.boolean().optional().describe('True if `everpost doctor --fix` corrects it'),
    at: time.describe('When it was found'),
  })
  .meta({ id: 'Finding' });

export const FINDING_ROUTES = {
  listFindings: route('GET /v1/findings', {
    access: ['read', 'named'],
    summary: 'Examine ledger, accounts and Temporal, as the doctor does',
    description:
      'Findings are kept for some seconds, those of accounts for a minute: repeated requests get the same ones, with the time at which they were found. What has not responded within 15 seconds is `unknown`, and continues. A key for some instances gets their findings alone.',
    query: z.strictObject({ instance: instanceFilter }),
    takesLong: true,
    responses: {
      200: { description: 'The findings, also those that are ok', schema: z.object({ items: z.array(findingSchema) }) },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    async handle({ query: { instance }, caller }, { doctor, instances }) {
      const names = instance === undefined ? instances.names() : [instances.get(instance).name];
      const isWhole = instance === undefined && caller.instances === undefined;
      return reply(200, { items: await doctor.examine(names, isWhole) });
    },
  }),
} as const;

const DAY_MS = 24 * 60 * 60_000;

/** @param examination  absent: only the ledger is examined */
export function doctorOf(
  dependencies: Pick<RouteDependencies, 'ledger' | 'instances' | 'clock'>,
  examination: ApiOptions['examination'],
): Doctor {
  const { ledger, instances: directory, clock } = dependencies;
  /** @param names  absent: all instances */
  const readsOf = (names: readonly string[] | undefined): LedgerReads => ({
    // An instance that is well has no finding.
    async listInstances() {
      const unwell = await ledger.views.unwell(names ?? directory.names());
      return { items: await instanceStates(dependencies, unwell) };
    },
    async listNotifications() {
      const sinceMs = clock.nowMs() - DAY_MS;
      return { items: await ledger.notifications.summaries(names ?? directory.names(), sinceMs, { among: names }) };
    },
    listEventEndpoints: async () => ({ items: await ledger.eventEndpoints.list(names) }),
    async listSchedules({ query: { limit } }) {
      const { items } = await ledger.schedules.list({ limit, isFailing: false, ...present({ instances: names }) });
      const health = await ledger.schedules.healthOf(items.map(({ id }) => id));
      // As Temporal was last seen: it is not asked about each of them.
      return { items: items.map((schedule) => shownSchedule(schedule, health.get(schedule.id))) };
    },
  });
  return createDoctor({
    clock,
    ledger: (instances) => checkLedger(readsOf(instances), clock.nowMs()),
    temporal: async () => (await examination?.temporal()) ?? [],
    account: async (instance) => (await examination?.account(instance)) ?? [],
  });
}
