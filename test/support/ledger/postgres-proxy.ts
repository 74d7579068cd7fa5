import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * The fault of the next matching statement:
 *
 * - `lose-answer`  the server executes it; the connection breaks before its response is passed on
 * - `lose`         the connection breaks before the server gets it
 * - `silence`      the server executes it; neither its response nor anything else is passed on
 */
export type ConnectionFault = 'lose-answer' | 'lose' | 'silence';

/** A TCP proxy in front of a PostgreSQL, which plays these faults. */
export interface PostgresProxy {
  /** The given address, through the proxy. */
  readonly url: string;
  /** Applies once, to the first matching statement from now on. */
  next(statement: RegExp, fault: ConnectionFault): void;
  /** The faults that have not been used. */
  pending(): number;
  close(): Promise<void>;
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let faults: { readonly statement: RegExp; readonly fault: ConnectionFault }[] = [];

  const takeFault = (sent: Buffer): ConnectionFault | undefined => {
    const text = sent.toString('latin1');
    const met = faults.find(({ statement }) => statement.test(text));
    faults = faults.filter((one) => one !== met);
    return met?.fault;
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let fault: ConnectionFault | undefined;
    let response: Buffer = Buffer.alloc(0);
    client.on('data', (sent) => {
      fault ??= takeFault(sent);
      if (fault === 'lose') client.destroy();
      else upstream.write(sent);
    });
    upstream.on('data', (received) => {
      if (fault === undefined) client.write(received);
      else if (fault === 'lose-answer') {
        response = Buffer.concat([response, received]);
        if (isComplete(response)) client.destroy();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    next: (statement, fault) => faults.push({ statement, fault }),
    pending: () => faults.length,
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

/** ReadyForQuery: the statement is over, and outside a transaction it is committed. */
const READY = 'Z'.charCodeAt(0);

/** True when a response, which begins with the first message after a statement, has ended. */
function isComplete(response: Buffer): boolean {
  let at = 0;
  let last: number | undefined;
  // Each message is one byte of kind, then its length, which includes itself and not the kind.
  while (at + 5 <= response.length) {
    last = response[at];
    at += 1 + response.readUInt32BE(at + 1);
  }
  return at === response.length && last === READY;
}
