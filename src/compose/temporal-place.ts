import type { TemporalConfig } from '../config/index.js';
import { present, type EncryptionKeys } from '../contract/index.js';

/** The address of a Temporal server, its credentials, and the keys that encrypt payloads. */
export interface TemporalPlace extends Pick<TemporalConfig, 'namespace' | 'connectionOptions' | 'encryption'> {
  /** The address of the server's Web UI, if everpost started one. */
  readonly uiUrl?: string | undefined;
}

/** A local dev server, which needs no credentials. */
export function localTemporal(
  address: string,
  { namespace, encryption }: { readonly namespace: string; readonly encryption?: EncryptionKeys },
  uiUrl?: string,
): TemporalPlace {
  return { namespace, connectionOptions: () => ({ address }), uiUrl, ...present({ encryption }) };
}
