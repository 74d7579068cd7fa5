import type { TemporalConfig } from '../config/index.js';
import { present, type EncryptionKeys } from '../contract/index.js';

/** Where a Temporal server is, how to be let in, and with which keys its payloads are encrypted. */
export interface TemporalPlace extends Pick<TemporalConfig, 'namespace' | 'connectionOptions' | 'encryption'> {
  /** The address of a Web UI that was started with it. */
  readonly uiUrl?: string | undefined;
}

/** A local dev server: it asks for no key. */
export function localTemporal(
  address: string,
  { namespace, encryption }: { readonly namespace: string; readonly encryption?: EncryptionKeys },
  uiUrl?: string,
): TemporalPlace {
  return { namespace, connectionOptions: () => ({ address }), uiUrl, ...present({ encryption }) };
}
