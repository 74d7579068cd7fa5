import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedNotification {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  readonly atMs: number;
}

/** A customer's server: records requests and answers with the set status. */
export interface WebhookServer {
  readonly url: string;
  readonly received: ReceivedNotification[];
  responseStatus: number;
  ofType(typeWebhook: string): ReceivedNotification[];
  close(): Promise<void>;
}

export async function startWebhookServer(view: (body: unknown) => unknown): Promise<WebhookServer> {
  const received: ReceivedNotification[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      received.push({
        method: request.method ?? '',
        headers: request.headers,
        body: view(body) as Record<string, unknown>,
        atMs: performance.now(),
      });
      response.writeHead(server.responseStatus).end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: WebhookServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/notifications`,
    received,
    responseStatus: 200,
    ofType: (typeWebhook) => received.filter(({ body }) => body['typeWebhook'] === typeWebhook),
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
    },
  };
  return server;
}
