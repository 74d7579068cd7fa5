/** A server that receives events. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TakenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface EventTarget {
  readonly url: string;
  /** The received requests, in order. */
  readonly requests: TakenRequest[];
  close(): Promise<void>;
}

/** @param respond by default a success */
export async function anEventTarget(
  respond: (response: ServerResponse, request: TakenRequest) => void = (response) => response.end(),
): Promise<EventTarget> {
  const requests: TakenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const taken = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      requests.push(taken);
      respond(response, taken);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?proof=1`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
