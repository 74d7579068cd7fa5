import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '../support/listening.js';

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

/** A gateway that records its requests and gives the set responses; the last one is repeated. Ends with the test. */
export interface Recorder {
  readonly url: string;
  readonly requests: RecordedRequest[];
  respondWith(response: ScriptedResponse): void;
}

export async function startRecorder(): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  let scripted: ScriptedResponse = { json: {} };
  const http = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { method: verb = '', url: path = '', headers } = request;
      const isJson = headers['content-type'] === 'application/json';
      const json: unknown = isJson ? JSON.parse(bytes.toString('utf8')) : undefined;
      requests.push({ verb, path, headers, bytes, json });
      const { status = 200, raw } = scripted;
      const type = raw === undefined ? { 'Content-Type': 'application/json' } : {};
      response.writeHead(status, { ...type, ...scripted.headers });
      response.end(raw ?? JSON.stringify(scripted.json) ?? '');
    });
  });
  return { url: await listening(http), requests, respondWith: (response) => void (scripted = response) };
}
