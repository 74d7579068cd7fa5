import type { ServerResponse } from 'node:http';
import type { Json } from './json.js';

/** An answer before it goes on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param json  undefined: an empty body */
export function jsonAnswer(status: number, json: Json | undefined): Answer {
  if (json === undefined) return { status, headers: {}, body: '' };
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(json) };
}

/** Writes the head, whose Date shows the simulator's clock. */
export function writeHead(response: ServerResponse, answer: Answer, nowMs: number): void {
  response.sendDate = false;
  response.writeHead(answer.status, {
    Date: new Date(nowMs).toUTCString(),
    ...answer.headers,
    'Content-Length': Buffer.byteLength(answer.body),
  });
}

export function writeAnswer(response: ServerResponse, answer: Answer, nowMs: number): void {
  writeHead(response, answer, nowMs);
  response.end(answer.body);
}
