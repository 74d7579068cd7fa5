import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { dataConverter } from '../codec/index.js';
import { SEARCH_ATTRIBUTES, present } from '../contract/index.js';
import { ensureNamespaceAndSearchAttributes } from './server-setup.js';
import type { TemporalPlace } from './temporal-place.js';

/** gRPC's own limit is two minutes, for which a server that is back would still look away. */
const RECONNECT_WITHIN_MS = 5_000;

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** A client that connects when it is first used, and again after the server was away. */
export function temporalClient({ namespace, connectionOptions, encryption }: TemporalPlace): TemporalClient {
  const { address, tls, apiKey, metadata } = connectionOptions();
  let isClosed = false;
  const connection = Connection.lazy({
    interceptors: [retryingUntil(() => isClosed)],
    channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_WITHIN_MS },
    ...present({ address, tls, apiKey, metadata }),
  });
  const close = async () => {
    isClosed = true;
    await connection.close();
  };
  return { client: new Client({ connection, namespace, dataConverter: dataConverter(encryption) }), connection, close };
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Parameters<Interceptor>[1]>;

/**
 * Retries as the SDK does by default, but not on a closed connection: there its timer would throw, which ends the
 * process.
 */
function retryingUntil(isClosed: () => boolean): Interceptor {
  const { retryableDecider, ...options } = defaultGrpcRetryOptions();
  const retrying = makeGrpcRetryInterceptor({
    ...options,
    retryableDecider: (attempt, status) => !isClosed() && retryableDecider(attempt, status),
  });
  return (call, nextCall) => retrying(call, (next) => (isClosed() ? closedCall() : nextCall(next)));
}

/** gRPC's number for it. */
const UNAVAILABLE = 14;

function closedCall(): Call {
  const nothing = () => undefined;
  return {
    start(metadata, listener) {
      setImmediate(() => {
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.({ code: UNAVAILABLE, details: 'The connection was closed', metadata });
      });
    },
    getPeer: () => 'none',
    getAuthContext: () => null,
    cancelWithStatus: nothing,
    sendMessage: nothing,
    sendMessageWithContext: nothing,
    startRead: nothing,
    halfClose: nothing,
  };
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
