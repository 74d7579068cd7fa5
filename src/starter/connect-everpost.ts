import { dataConverter } from '../codec/index.js';
import { parseEncryptionKeys, present } from '../contract/index.js';
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { createEverpost } from './everpost.js';
import type { ConnectedEverpost, ConnectOptions } from './everpost-types.js';

/**
 * The typed client with a connection of its own, made when it is first used. Temporal's own variables
 * (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY` …) and configuration file say where the server is;
 * options come before them.
 */
export function connectEverpost({
  address,
  namespace,
  encryptionKeys,
  ...options
}: ConnectOptions = {}): ConnectedEverpost {
  const configured = loadClientConnectConfig();
  const connection = Connection.lazy({
    ...configured.connectionOptions,
    ...present({ address }),
  });
  const clientNamespace = namespace ?? configured.namespace;
  const keys = encryptionKeys === undefined ? undefined : parseEncryptionKeys(encryptionKeys);
  const client = new Client({
    connection,
    dataConverter: dataConverter(keys),
    ...present({ namespace: clientNamespace }),
  });
  return { ...createEverpost({ ...options, client }), close: () => connection.close() };
}
