/** Every route of the API, and a path of it whose parameters are valid. */
import { messageId } from '../../src/index.js';
import type { Route } from '../../src/api/route.js';
import { ROUTES } from '../../src/api/routes/routes.js';

/** Paths with a valid beginning, so that the rest is checked. */
const KNOWN = { method: 'getStateInstance', name: 'main', instance: 'main', to: '15550000001' } as const;

export function pathOf({ path }: Route): string {
  // A message's id is checked before the body: it has to be valid.
  const before = path.replace('/v1/messages/{id}', `/v1/messages/${messageId('main', 'unknown')}`);
  return before.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name in KNOWN ? KNOWN[name as keyof typeof KNOWN] : 'none',
  );
}

export const ALL = Object.entries<Route>(ROUTES).map(([name, route]) => ({ name, route }));
export const TAKING_JSON = ALL.filter(({ route }) => route.body !== undefined);
export const TAKING_A_QUERY = ALL.filter(({ route }) => route.query !== undefined);
