import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { listening } from '../support/listening.js';

interface ReceivedNotification {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A customer's server, until the test has ended: records requests and answers with the set status. */
export interface WebhookServer {
  readonly url: string;
  readonly received: ReceivedNotification[];
  responseStatus: number;
  /** The bodies of the notifications of a type. */
  ofType(typeWebhook: string): Record<string, unknown>[];
}

export async function startWebhookServer(view: (body: unknown) => unknown = (body) => body): Promise<WebhookServer> {
  const received: ReceivedNotification[] = [];
  const http = createServer((request, response) => {
    void json(request).then((body) => {
      const { method, headers } = request;
      received.push({ method, headers, body: view(body) as ReceivedNotification['body'] });
      response.writeHead(server.responseStatus).end();
    });
  });
  const server: WebhookServer = {
    url: `${await listening(http)}/notifications`,
    received,
    responseStatus: 200,
    ofType: (type) => received.flatMap(({ body }) => (body['typeWebhook'] === type ? [body] : [])),
  };
  return server;
}
