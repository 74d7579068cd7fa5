import { callbacksEndpointId } from '../../contract/index.js';
import type { ApiClient, ApiResponse } from '../../client/index.js';
import { foundWith, type Finding } from './finding.js';

type Endpoint = ApiResponse<'listEventEndpoints'>['items'][number];

/** Retries come after 5, 10, 20 … seconds: an endpoint that misses those for this long needs an operator. */
const WAITS_TOO_LONG_MS = 10 * 60_000;

/** Which event endpoints are disabled, or take nothing. */
export function checkEvents(api: Pick<ApiClient, 'listEventEndpoints'>, nowMs: number): Promise<readonly Finding[]> {
  return foundWith('events', 'which endpoints take events', async () =>
    (await api.listEventEndpoints()).items.flatMap((endpoint) => eventFindings(endpoint, nowMs)),
  );
}

export function eventFindings(endpoint: Endpoint, nowMs: number): Finding[] {
  const { id, instance, enabled, waiting, waitingSince, problem } = endpoint;
  const subject = `events ${instance}`;
  if (!enabled) return [disabledFinding(subject, endpoint)];
  if (waitingSince === undefined || nowMs - Date.parse(waitingSince) <= WAITS_TOO_LONG_MS) return [];
  const why = problem === undefined ? 'no worker has tried yet' : problem;
  const found = `${waiting} deliveries wait for ${id}, the oldest since ${waitingSince}: ${why}`;
  return [{ subject, verdict: 'broken', found, remedy: remedyOf(endpoint) }];
}

function disabledFinding(subject: string, endpoint: Endpoint): Finding {
  const { id, waiting, disabledReason, disabledAt } = endpoint;
  const byOperator = disabledReason === 'operator';
  const found = `${id} is disabled since ${disabledAt} (${disabledReason}); ${waiting} deliveries wait`;
  const before = byOperator ? '' : 'It answered that it is gone. Repair it, or give its new address with --url. ';
  const remedy = `${before}Enable it: everpost event endpoint update ${id} --enable`;
  return { subject, verdict: byOperator ? 'advice' : 'broken', found, remedy };
}

function remedyOf({ id, instance, problem }: Endpoint): string {
  if (problem === undefined) return 'A worker delivers them: start one with everpost worker.';
  const retried = 'They are retried automatically for three days';
  if (id === callbacksEndpointId(instance)) return `${retried}. Repair what answers the status callbacks.`;
  return `${retried}. Repair the endpoint, or give its new address: everpost event endpoint update ${id} --url URL`;
}
