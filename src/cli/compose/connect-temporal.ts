import { Client, Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contract/index.js';
import type { TemporalConfig } from '../../config/index.js';
import { ensureNamespaceAndSearchAttributes } from '../server-setup.js';

/** Where a Temporal server is and how to be let in. */
export interface TemporalPlace extends Pick<TemporalConfig, 'namespace' | 'connectionOptions'> {}

/** A local dev server: it asks for no key. */
export function localTemporal(address: string, namespace: string): TemporalPlace {
  return { namespace, connectionOptions: () => ({ address }) };
}

/** gRPC's own limit is two minutes, for which a server that is back would still look away. */
const RECONNECT_WITHIN_MS = 5_000;

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** A client that connects when it is first used, and again after the server was away. */
export function temporalClient({ namespace, connectionOptions }: TemporalPlace): TemporalClient {
  const { address, tls, apiKey, metadata } = connectionOptions();
  const connection = Connection.lazy({
    channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_WITHIN_MS },
    ...(address === undefined ? {} : { address }),
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata }),
  });
  return { client: new Client({ connection, namespace }), connection, close: () => connection.close() };
}

/**
 * Registers namespace and search attributes where they are missing and that is permitted.
 * @throws AppError TEMPORAL_SETUP_NEEDED with the commands to run | TEMPORAL_UNAVAILABLE
 */
export async function prepareTemporal(place: TemporalPlace): Promise<void> {
  const { connection, close } = temporalClient(place);
  try {
    const { namespace } = place;
    await ensureNamespaceAndSearchAttributes(connection, { namespace, searchAttributes: SEARCH_ATTRIBUTES });
  } finally {
    await close();
  }
}
