/** Requests that break off, and bytes that are no request, on the server's own sockets. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/contract/index.js';
import { createReceiver, createIncoming } from '../../../src/webhooks/index.js';
import { createMetrics } from '../../../src/metrics/index.js';
import type { Route } from '../../../src/api/route.js';
import { ROUTES } from '../../../src/api/routes/routes.js';
import { eventually } from '../../support/eventually.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { SYSTEM_CLOCK, aDirectory, anInstance, ownApi } from '../api-parts.js';

const ledger = useLedger();

/** A server on a socket, and the requests that it has recorded. */
async function aServer() {
  const instances = aDirectory(anInstance());
  const requests: ApiRequest[] = [];
  const apiRequested = (request: ApiRequest): void => void requests.push(request);
  const metrics = {
    ...createMetrics({ ledger, instances, clock: SYSTEM_CLOCK, taskQueues: () => Promise.resolve([]) }),
    apiRequested,
  };
  const common = { ledger, instances, clock: SYSTEM_CLOCK, log: () => undefined };
  const receiver = createReceiver({
    ...common,
    incoming: createIncoming(common),
  });
  const parts = await ownApi({ ledger, instances, metrics, receiver });
  const { port } = await parts.uncompared.listen({ host: '127.0.0.1', port: 0 });
  return { port, requests, logged: parts.logged, receiver };
}

const READING_A_BODY = Object.entries<Route>(ROUTES)
  .filter(
    ([name, { body, rawBodies }]) => body !== undefined || rawBodies !== undefined || name === 'receiveNotification',
  )
  .flatMap(([name, route]) =>
    ['application/json', ...Object.keys(route.rawBodies ?? {})].map((type) => ({ name, route, type })),
  );

describe('a client that disconnects within its body', () => {
  it('is not reported as a bug, whatever the route', async () => {
    const server = await aServer();
    for (const { route, type } of READING_A_BODY) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'instance' ? 'main' : 'none'));
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `${route.method.toUpperCase()} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer hook-token\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"instance":`,
      );
      socket.destroySoon();
      await once(socket, 'close');
    }
    await eventually(() => expect(server.requests).toHaveLength(READING_A_BODY.length));
    expect(server.requests.filter(({ status }) => status >= 500)).toEqual([]);
    expect(server.logged).toEqual([]);
    await server.receiver.close();
  });
});

const HOST = 'Host: 127.0.0.1\r\n';
const SEND = `POST /v1/messages HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

describe('bytes that are no request of the API', () => {
  it.each([
    ['a negative length', `${SEND}Content-Length: -1\r\n\r\n{}`],
    ['a length that is no number', `${SEND}Content-Length: 1e3\r\n\r\n{}`],
    ['a length beyond all numbers', `${SEND}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['a length over the limit', `${SEND}Content-Length: 999999999999\r\n\r\n{}`],
    ['two lengths', `${SEND}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${SEND}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['an unknown transfer encoding', `${SEND}Transfer-Encoding: gzip\r\n\r\n{}`],
    ['chunked twice', `${SEND}Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk without its size', `${SEND}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
    ['a chunk of a negative size', `${SEND}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n`],
    ['a header with NUL', `GET /livez HTTP/1.1\r\n${HOST}X: \0\r\n\r\n`],
    ['a header without a name', `GET /livez HTTP/1.1\r\n${HOST}: x\r\n\r\n`],
    ['no host', 'GET /v1/messages HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET /v1/messages HTTP/1.1\r\n${HOST}Host: evil.example\r\nConnection: close\r\n\r\n`],
    ['a host that is none', 'GET /v1/messages HTTP/1.1\r\nHost: [::\r\nConnection: close\r\n\r\n'],
    ['an address of another scheme', `GET ftp://x HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['a path that is none', `GET //\\ HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['a star', `OPTIONS * HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['a path of broken escapes', `GET /v1/messages/%ED%A0%80%zz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['an unknown method', `BREW /v1/messages HTTP/1.1\r\n${HOST}\r\n`],
    ['a method of WebDAV', `PROPFIND /v1/messages HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a later version', `GET /livez HTTP/9.9\r\n${HOST}\r\n`],
  ])('are refused: %s', async (_, bytes) => {
    const server = await aServer();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    // The server closes it: the response of a request whose client closed first is lost.
    socket.write(bytes);

    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(server.requests.filter(({ status }) => status >= 500)).toEqual([]);
    expect(server.logged).toEqual([]);
    await server.receiver.close();
  });
});
