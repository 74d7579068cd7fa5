import type { ServerResponse } from 'node:http';
import type { Json } from './json.js';

/** A response before it goes on the wire. */
export interface SimulatorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param json  undefined: an empty body */
export function jsonResponse(status: number, json: Json | undefined): SimulatorResponse {
  if (json === undefined) return { status, headers: {}, body: '' };
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(json) };
}

/** Writes the head, whose Date shows the simulator's clock. */
export function writeHead(serverResponse: ServerResponse, response: SimulatorResponse, nowMs: number): void {
  serverResponse.sendDate = false;
  serverResponse.writeHead(response.status, {
    Date: new Date(nowMs).toUTCString(),
    ...response.headers,
    'Content-Length': Buffer.byteLength(response.body),
  });
}

export function writeResponse(serverResponse: ServerResponse, response: SimulatorResponse, nowMs: number): void {
  writeHead(serverResponse, response, nowMs);
  serverResponse.end(response.body);
}
