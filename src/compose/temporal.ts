/** Temporal's client, and the setup that a server needs. */
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { dataConverter } from '../codec/index.js';
import { msToTs } from '@temporalio/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, SEARCH_ATTRIBUTES, present, type SearchAttributeKind } from '../contract/index.js';
import type { TemporalPlace } from './temporal-place.js';

/** gRPC's default is two minutes, for which a server that is back would seem unavailable. */
const RECONNECT_WITHIN_MS = 5_000;

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** A client that connects at its first use, and again after an outage of the server. */
export function temporalClient({ namespace, connectionOptions, encryption }: TemporalPlace): TemporalClient {
  const { address, tls, apiKey, metadata } = connectionOptions();
  let isClosed = false;
  // Retries as the SDK does by default, but not on a closed connection, where the timer would throw and end the process.
  const { retryableDecider, ...options } = defaultGrpcRetryOptions();
  const retrying = makeGrpcRetryInterceptor({
    ...options,
    retryableDecider: (attempt, status) => !isClosed && retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({
    interceptors: [(call, nextCall) => retrying(call, (next) => (isClosed ? closedCall() : nextCall(next)))],
    channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_WITHIN_MS },
    ...present({ address, tls, apiKey, metadata }),
  });
  const close = async () => {
    isClosed = true;
    await connection.close();
  };
  return { client: new Client({ connection, namespace, dataConverter: dataConverter(encryption) }), connection, close };
}

/** gRPC's status code. */
const UNAVAILABLE = 14;

function closedCall(): ReturnType<Parameters<NonNullable<ConnectionOptions['interceptors']>[number]>[1]> {
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

/** What everpost needs on a server. */
export interface ServerSetup {
  readonly namespace: string;
  readonly searchAttributes: Readonly<Record<string, SearchAttributeKind>>;
}

/** Prepares a server as {@link ensureServerSetup}, with a connection for it alone. */
export async function prepareTemporal(place: TemporalPlace): Promise<void> {
  const { connection, close } = temporalClient(place);
  try {
    await ensureServerSetup(connection, { namespace: place.namespace, searchAttributes: SEARCH_ATTRIBUTES });
  } finally {
    await close();
  }
}

/**
 * Prepares a self-hosted server for everpost: registers the missing parts, if the credentials permit it, and returns
 * when the server can be used. Changes nothing on a complete server. Several workers may call it at the same time.
 * @throws AppError TEMPORAL_SETUP_NEEDED with the commands to run | TEMPORAL_UNAVAILABLE
 */
export async function ensureServerSetup(connection: Connection, setup: ServerSetup): Promise<void> {
  await ensureNamespace(connection, setup);
  await ensureSearchAttributes(connection, setup);
  await untilUsable(connection, setup);
}

/** The commands of Temporal's CLI that do the same, for an operator with more rights. */
export function setupCommands(setup: ServerSetup): readonly string[] {
  const { namespace, searchAttributes } = setup;
  return [
    `temporal operator namespace create --namespace ${namespace} --retention ${RETENTION_HOURS}h`,
    ...Object.entries(searchAttributes).map(
      ([name, kind]) =>
        `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${kind}`,
    ),
  ];
}

/** Retention of closed workflows in a new namespace. */
const RETENTION_HOURS = 72;

/** Limit for the server to know a new namespace or attribute in all its services. */
const USABLE_TIMEOUT_MS = 90_000;

/** The client would retry an unavailable server for a minute, which is too long for an operator at a terminal. */
const FIRST_RESPONSE = { tries: 5, eachMs: 3_000 };

/** The gRPC codes that this module distinguishes. */
const Grpc = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  unimplemented: 12,
  unauthenticated: 16,
} as const;
const NOT_PERMITTED: readonly number[] = [Grpc.permissionDenied, Grpc.unimplemented, Grpc.unauthenticated];

/** The numbers of Temporal's IndexedValueType. @source temporal/api/enums/v1/common.proto */
const INDEXED_VALUE_TYPE: Readonly<Record<SearchAttributeKind, number>> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

async function ensureNamespace(connection: Connection, setup: ServerSetup) {
  const { namespace } = setup;
  try {
    await firstResponse(connection, () => connection.workflowService.describeNamespace({ namespace }));
    return;
  } catch (error) {
    if (grpcCode(error) !== Grpc.notFound) throw unavailable(error, connection, setup);
  }
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION_HOURS * 3_600_000),
    });
  } catch (error) {
    if (grpcCode(error) === Grpc.alreadyExists) return; // registered by another worker
    const what = `namespace "${namespace}" does not exist, and these credentials may not register it`;
    throw setupNeeded(what, setup, error);
  }
}

/**
 * Makes several short attempts, because an embedded ledger that opens at the same time may block this process longer
 * than one deadline.
 */
async function firstResponse<T>(connection: Connection, call: () => Promise<T>) {
  for (let tries = 1; ; tries++) {
    try {
      return await connection.withDeadline(Date.now() + FIRST_RESPONSE.eachMs, call);
    } catch (error) {
      if (grpcCode(error) !== Grpc.deadlineExceeded || tries === FIRST_RESPONSE.tries) throw error;
    }
  }
}

async function ensureSearchAttributes(connection: Connection, setup: ServerSetup) {
  const { namespace, searchAttributes } = setup;
  const wanted = Object.entries(searchAttributes);
  const known = await listSearchAttributes(connection, setup);
  // Credentials that may not read the list may still use its entries: untilUsable decides.
  if (known === undefined) return;

  const otherKind = wanted.filter(([name, kind]) => name in known && known[name] !== INDEXED_VALUE_TYPE[kind]);
  if (otherKind.length > 0) {
    const names = otherKind.map(([name, kind]) => `${name} (must be ${kind})`).join(', ');
    throw new AppError(
      'TEMPORAL_SETUP_NEEDED',
      `Search attributes in namespace "${namespace}" have another type: ${names}. ` +
        `Use another namespace (TEMPORAL_NAMESPACE), or remove them with: temporal operator search-attribute remove ` +
        `--namespace ${namespace} ${otherKind.map(([name]) => `--name ${name}`).join(' ')}`,
    );
  }
  const missing = wanted.filter(([name]) => !(name in known));
  if (missing.length === 0) return;
  try {
    await retryUntilReady([Grpc.notFound], () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map(([name, kind]) => [name, INDEXED_VALUE_TYPE[kind]])),
      }),
    );
  } catch (error) {
    const names = missing.map(([name]) => name);
    // Another worker may have added them between our check and our request.
    const now = await listSearchAttributes(connection, setup);
    if (names.every((name) => now !== undefined && name in now)) return;
    const what = `search attributes ${names.join(', ')} are missing in namespace "${namespace}", and these credentials may not add them`;
    throw setupNeeded(what, setup, error);
  }
}

/** @returns kinds by name, or undefined when these credentials may not read them */
async function listSearchAttributes(
  connection: Connection,
  setup: ServerSetup,
): Promise<Readonly<Record<string, number>> | undefined> {
  const { namespace } = setup;
  try {
    const list = () => connection.operatorService.listSearchAttributes({ namespace });
    return (await retryUntilReady([Grpc.notFound], list)).customAttributes;
  } catch (error) {
    const code = grpcCode(error);
    if (code !== undefined && NOT_PERMITTED.includes(code)) return undefined;
    throw unavailable(error, connection, setup);
  }
}

/** The server refuses a query on the attributes until it can use them. */
async function untilUsable(connection: Connection, setup: ServerSetup) {
  const { namespace, searchAttributes } = setup;
  const query = Object.keys(searchAttributes)
    .map((name) => `${name} IS NOT NULL`)
    .join(' AND ');
  try {
    await retryUntilReady([Grpc.notFound, Grpc.invalidArgument], () =>
      connection.workflowService.listWorkflowExecutions({ namespace, query, pageSize: 1 }),
    );
  } catch (error) {
    if (grpcCode(error) !== Grpc.invalidArgument) throw unavailable(error, connection, setup);
    throw setupNeeded(`search attributes are not usable in namespace "${namespace}"`, setup, error);
  }
}

/**
 * The services of the server learn about a new namespace or attribute one after the other, since their caches last up
 * to a minute. Until then they respond with one of these codes.
 */
async function retryUntilReady<T>(passingCodes: readonly number[], call: () => Promise<T>) {
  const until = Date.now() + USABLE_TIMEOUT_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const code = grpcCode(error);
      if (code === undefined || !passingCodes.includes(code) || Date.now() > until) throw error;
    }
    await delay(250);
  }
}

function setupNeeded(what: string, setup: ServerSetup, cause: unknown): AppError {
  return new AppError(
    'TEMPORAL_SETUP_NEEDED',
    `Temporal is not set up for everpost: ${what}. Run the missing ones of these commands, with sufficient rights (on Temporal Cloud: those of docs/scale.md):\n` +
      setupCommands(setup)
        .map((command) => `  ${command}`)
        .join('\n'),
    { cause },
  );
}

function unavailable(cause: unknown, connection: Connection, setup: ServerSetup): AppError {
  // gRPC's message begins with its status, as in "14 UNAVAILABLE: …"; the rest describes its own retries.
  const status = isGrpcServiceError(cause) ? cause.message.split(':')[0] : String(cause);
  const code = grpcCode(cause);
  const isRefused = code === Grpc.unauthenticated || code === Grpc.permissionDenied;
  return new AppError(
    'TEMPORAL_UNAVAILABLE',
    `Temporal at ${connection.options.address} ${isRefused ? 'refused our credentials' : 'did not respond'} for namespace "${setup.namespace}": ${status}. ` +
      (isRefused
        ? 'Check TEMPORAL_API_KEY or TEMPORAL_TLS, and that they may use this namespace.'
        : 'Check that the server runs, and TEMPORAL_ADDRESS, TEMPORAL_API_KEY and TEMPORAL_TLS.'),
    { cause },
  );
}

function grpcCode(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}
