/**
 * The metrics of Temporal's SDK. Its native part can only serve them itself: it listens on a port of loopback, from which
 * this process reads them for its own `/metrics`.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const READ_WITHIN_MS = 1_000;

export function createSdkTelemetry() {
  let address: string | undefined;
  return {
    /** @returns the address at which Temporal's runtime has to serve them */
    async open(): Promise<string> {
      if (address !== undefined) return address;
      // The runtime cannot say which port it got, so that it has to be given a free one.
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      address = `127.0.0.1:${port}`;
      return address;
    },
    /** In Prometheus' text format; empty while nothing serves them (METRICS-4). */
    async read(): Promise<string> {
      if (address === undefined) return '';
      try {
        const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(READ_WITHIN_MS) });
        return response.ok ? await response.text() : '';
      } catch {
        return '';
      }
    },
  };
}
