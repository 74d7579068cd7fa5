import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The listening socket, which can be closed and opened again on the same port: an outage that refuses connections.
 */
export class HttpDoor {
  readonly #server: Server;
  readonly #host: string;
  #port: number;

  /** @param port  0 takes a free one and keeps it */
  constructor(host: string, port: number, handle: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#host = host;
    this.#port = port;
    this.#server = createServer(handle);
    // Longer than any client keeps an idle connection, so that only faults lose responses.
    this.#server.keepAliveTimeout = 65_000;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    const host = this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    return `http://${host}:${this.#port}`;
  }

  /** @throws Error the port is taken (code EADDRINUSE) */
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

  /** Breaks every connection; new ones are refused. */
  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await closed;
  }
}
