import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** One request as it came over the socket. */
export interface RawRequest {
  readonly line: string;
  readonly verb: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly socket: Socket;
}

/** A server below HTTP: the test controls its behaviour to the byte. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly requests: RawRequest[];
  receivedBytes(): number;
  connections(): number;
  /** Resolves with the request of this number, 0 for the first, as soon as it arrives. */
  request(index: number): Promise<RawRequest>;
  close(): Promise<void>;
}

export async function startRawServer(
  onRequest: (request: RawRequest, index: number) => void,
  onConnection: (socket: Socket, index: number) => void = () => undefined,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const waiting: { index: number; resolve: (request: RawRequest) => void }[] = [];
  let receivedBytes = 0;
  let connections = 0;

  const server = createServer((socket) => {
    sockets.add(socket);
    // A test that resets a connection makes its other half fail on purpose.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket, connections++);
    let buffered: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      receivedBytes += chunk.length;
      buffered = Buffer.concat([buffered, chunk]);
      for (let next = takeRequest(buffered, socket); next !== undefined; next = takeRequest(buffered, socket)) {
        buffered = next.rest;
        requests.push(next.request);
        const index = requests.length - 1;
        waiting.filter((one) => one.index === index).forEach((one) => one.resolve(next.request));
        onRequest(next.request, index);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    receivedBytes: () => receivedBytes,
    connections: () => connections,
    request: (index) => {
      const known = requests[index];
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ index, resolve }));
    },
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

/** An HTTP response with its length and a kept connection. */
export function httpResponse(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Text\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function takeRequest(buffered: Buffer, socket: Socket): { request: RawRequest; rest: Buffer } | undefined {
  const headEnd = buffered.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [line = '', ...headerLines] = buffered.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const;
    }),
  );
  const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (buffered.length < bodyEnd) return undefined;
  const [verb = '', path = ''] = line.split(' ');
  const body = buffered.subarray(headEnd + 4, bodyEnd).toString('utf8');
  return { request: { line, verb, path, headers, body, socket }, rest: buffered.subarray(bodyEnd) };
}
