import type { TemporalConfig } from '../config/index.js';

/** Where a Temporal server is and how to be let in. */
export interface TemporalPlace extends Pick<TemporalConfig, 'namespace' | 'connectionOptions'> {}

/** A local dev server: it asks for no key. */
export function localTemporal(address: string, namespace: string): TemporalPlace {
  return { namespace, connectionOptions: () => ({ address }) };
}
