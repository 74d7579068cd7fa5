/** Someone's server that is told of messages. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CallbackTarget {
  readonly url: string;
  /** The events that came, in the order in which they came. */
  readonly events: { readonly eventId: string; readonly id: string; readonly state: string }[];
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** @param response what it answers to each; by default that it took it */
export async function aCallbackTarget(
  respond: (response: ServerResponse, event: CallbackTarget['events'][number]) => void = (response) => response.end(),
): Promise<CallbackTarget> {
  const events: CallbackTarget['events'] = [];
  const requests: CallbackTarget['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as CallbackTarget['events'][number];
      events.push(event);
      requests.push({ path: request.url ?? '', headers: request.headers });
      respond(response, event);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?proof=1`,
    events,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
