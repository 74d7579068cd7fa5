import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly verb: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as JSON; `undefined` without a body. */
  readonly json: unknown;
}

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly raw?: string;
  readonly json?: unknown;
}

/** A gateway that records its requests and gives the set responses; the last one is repeated. */
export interface Recorder {
  readonly url: string;
  readonly requests: RecordedRequest[];
  respondWith(response: ScriptedResponse): void;
  close(): Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  let scripted: ScriptedResponse = { json: {} };
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      requests.push({
        verb: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        bytes,
        json:
          request.headers['content-type'] === 'application/json'
            ? (JSON.parse(bytes.toString('utf8')) as unknown)
            : undefined,
      });
      const { status = 200, headers = {}, raw, json } = scripted;
      const body = raw ?? (json === undefined ? '' : JSON.stringify(json));
      response.writeHead(status, { ...(raw === undefined ? { 'Content-Type': 'application/json' } : {}), ...headers });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    respondWith: (response) => {
      scripted = response;
    },
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
    },
  };
}
