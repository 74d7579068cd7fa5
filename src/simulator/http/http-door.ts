import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../wire/wire.js';

/** The listening socket. It can be closed and opened again on the same port, which makes an outage. */
export class HttpDoor {
  readonly #server: Server;
  readonly #host: string;
  #port: number;

  /** @param port  0 picks a free port, which stays the same */
  constructor(host: string, port: number, handle: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#host = host;
    this.#port = port;
    this.#server = createServer(handle);
    // Clients keep an idle connection for a shorter time, so that only faults lose responses.
    this.#server.keepAliveTimeout = 65_000;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    const host = this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    return `http://${host}:${this.#port}`;
  }

  /** @throws Error if the port is taken (code EADDRINUSE) */
  async open(): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, this.#host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection and refuses new ones. */
  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await closed;
  }
}

/**
 * Prevents that a web page on this machine sends messages, also as a contact, or reads what the phones received. Its request
 * has an Origin, or a host name with a dot that resolves to this machine (DNS rebinding).
 */
export function mayBeWebPage({ headers: { origin, host = '' } }: IncomingMessage): boolean {
  if (origin !== undefined) return true;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  return !isAddress && name.includes('.') && !name.endsWith('.localhost');
}

/** A response before it is written. */
export interface SimulatorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param json  undefined for an empty body */
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

/** More than any operation accepts. The rest of a body is read and discarded. */
const KEPT_BYTES = 16 * 1024 * 1024;

export interface Body {
  readonly text: string;
  readonly bytes: number;
  /** The first bytes, as hex digits. */
  readonly bytesHex: string;
}

/** The whole body as text, and how many bytes it had. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= KEPT_BYTES) chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  return { text: whole.toString('utf8'), bytes, bytesHex: whole.subarray(0, 16).toString('hex') };
}
