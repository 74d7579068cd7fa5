import type { ErrorCode } from '../../contract/index.js';
import type { RouteDefinition } from './route.js';
import { statusesOf } from './problem.js';

/** What a route may answer besides its own problems, by who may use it. */
const COMMON: Readonly<Record<'api' | 'gateway' | 'none', readonly ErrorCode[]>> = {
  api: [
    'API_UNAUTHORIZED',
    'KEY_RATE_LIMITED',
    'KEY_SCOPE_MISSING',
    'LEDGER_UNAVAILABLE',
    'TEMPORAL_UNAVAILABLE',
    'TEMPORAL_SETUP_NEEDED',
    'INTERNAL',
  ],
  gateway: ['LEDGER_UNAVAILABLE', 'INTERNAL'],
  none: ['INTERNAL'],
};

/** The problems that a route may answer, its own and the common ones, by HTTP status. */
export function problemResponses(route: RouteDefinition): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set([
    ...route.problems,
    ...inputProblems(route),
    ...COMMON[typeof route.access === 'string' ? route.access : 'api'],
    ...limitedProblems(route),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([one], [other]) => one - other));
}

/** What a key that is limited to some instances may be answered. */
function limitedProblems({ access }: RouteDefinition): readonly ErrorCode[] {
  return access[1] === 'everything' ? ['KEY_INSTANCES_LIMITED'] : [];
}

/** What is wrong with a request before its route looks at it. */
function inputProblems({ body, query, takesKey }: RouteDefinition): readonly ErrorCode[] {
  if (body !== undefined) return ['INPUT_INVALID', 'INPUT_TOO_LARGE'];
  return query !== undefined || takesKey === true ? ['INPUT_INVALID'] : [];
}
