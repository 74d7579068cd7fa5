import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayOptions, Gateway, LateResponse, RateGate } from '../../src/gateway/index.js';
import type { ClockOffset, InstanceConfig } from '../../src/contract/index.js';
import { aGateway, anInstance, errorOf, REQUESTS } from './cast.js';
import { httpResponse, startRawServer, type RawRequest, type RawServer } from './raw-server.js';

const ACCEPTED = httpResponse(200, '{"idMessage":"BAE5"}');
const text = REQUESTS.sendMessage;
const openGate = (acquire: () => Promise<void>): RateGate => ({
  acquire,
  block: () => undefined,
  close: () => undefined,
});

/** 2027-01-15T08:00:00Z */
const BEGIN_MS = 1_800_000_000_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function serve(...listeners: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...listeners);
  closers.push(() => server.close());
  return server;
}

function connect(url: string, options: Partial<GatewayOptions> = {}, instance: Partial<InstanceConfig> = {}): Gateway {
  const gateway = aGateway(anInstance(url, instance), options);
  closers.push(() => gateway.close());
  return gateway;
}

describe('a request before its bytes leave', () => {
  it('is unreachable when the connection is refused', async () => {
    const gateway = connect('http://127.0.0.1:1');
    const error = await errorOf(gateway.call('main', 'sendMessage', text));
    expect(error).toMatchObject({ code: 'GATEWAY_UNREACHABLE', next: 'wait' });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('writes nothing when the deadline passes during the connect', async () => {
    let nowMs = 1_000;
    const closed: Promise<unknown>[] = [];
    const server = await serve(
      () => undefined,
      (socket) => {
        closed.push(once(socket, 'close'));
      },
    );
    // The clock jumps after the call has begun, which is noticed only when bytes are about to leave.
    const clock = { nowMs: () => (server.connections() > 0 ? nowMs + 10_000 : nowMs) };
    const gateway = connect(server.url, { clock });
    const error = await errorOf(gateway.call('main', 'sendMessage', text, { deadlineMs: nowMs + 5_000 }));
    expect(error).toMatchObject({ code: 'GATEWAY_DEADLINE_PASSED', next: 'wait' });
    await Promise.all(closed);
    expect(server.connections()).toBe(1);
    expect(server.receivedBytes()).toBe(0);
    // The instance still works afterwards.
    nowMs = -10_000;
    const later = gateway.call('main', 'sendMessage', text, { deadlineMs: 5_000 });
    (await server.request(0)).socket.write(ACCEPTED);
    expect((await later).response.idMessage).toBe('BAE5');
  });

  it('keeps the deadline by the monotonic clock when the wall clock stands still', async () => {
    const server = await serve(({ socket }) => socket.write(ACCEPTED));
    const slow = openGate(async () => {
      const untilMs = performance.now() + 30;
      while (performance.now() < untilMs) await turn();
    });
    const gateway = connect(server.url, { clock: { nowMs: () => 1_000 }, gate: slow });
    const error = await errorOf(gateway.call('main', 'sendMessage', text, { deadlineMs: 1_010 }));
    expect(error.code).toBe('GATEWAY_DEADLINE_PASSED');
    expect(server.receivedBytes()).toBe(0);
  });

  it('reports only a request that has left as left', async () => {
    const server = await serve(({ socket }) => socket.write(ACCEPTED));
    const gateway = connect(server.url);
    const told: string[] = [];
    await gateway.call('main', 'sendMessage', text, { onLeft: () => told.push('left') });
    await errorOf(
      gateway.call('main', 'sendMessage', text, { deadlineMs: Date.now() - 1, onLeft: () => told.push('late') }),
    );
    expect(told).toEqual(['left']);
  });

  it('is aborted when no caller waits for its response any more', async () => {
    const server = await serve(() => undefined);
    const gateway = connect(server.url);
    const stopping = new AbortController();
    const error = errorOf(gateway.call('main', 'receiveNotification', {}, { stop: stopping.signal }));
    const { socket } = await server.request(0);
    const closed = once(socket, 'close');
    stopping.abort();
    expect(await error).toMatchObject({ code: 'GATEWAY_OUTCOME_UNKNOWN', next: 'ask' });
    await closed;
    const late = await errorOf(gateway.call('main', 'receiveNotification', {}, { stop: stopping.signal }));
    expect(late.code).toBe('GATEWAY_UNREACHABLE');
    expect(server.requests).toHaveLength(1);
  });

  it('gets more time for an operation that is known to take long', async () => {
    const server = await serve(() => undefined);
    const gateway = connect(server.url, { gatewayTimeoutMs: 30 });
    const received = gateway.call('main', 'receiveNotification', {});
    const { socket } = await server.request(0);
    const error = await errorOf(gateway.call('main', 'sendMessage', text));
    expect(error.code).toBe('GATEWAY_OUTCOME_UNKNOWN');
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull');
    expect((await received).response).toEqual({ receiptId: null });
  });

  it('does not wait for slow responses to other instances of the same gateway', async () => {
    const held: RawRequest[] = [];
    const server = await serve((request) => held.push(request));
    const gateway = connect(server.url);
    const slow = Array.from({ length: 300 }, () => gateway.call('main', 'sendMessage', text));
    await server.request(slow.length - 1);
    expect(server.connections()).toBe(slow.length);
    for (const { socket } of held) socket.write(ACCEPTED);
    await Promise.all(slow);
  });

  it('uses a new connection when the kept one was closed while idle', async () => {
    const server = await serve(({ socket }) => socket.write(ACCEPTED));
    const gateway = connect(server.url);
    await gateway.call('main', 'sendMessage', text);
    const [first] = server.requests;
    first?.socket.end();
    if (first !== undefined && !first.socket.closed) await once(first.socket, 'close');
    await gateway.call('main', 'sendMessage', text);
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(2);
  });
});

describe('a request that left without a whole response', () => {
  it('is an unknown outcome, posted once, when the response is not HTTP', async () => {
    const server = await serve(({ socket }) => socket.end('what?\r\n\r\n'));
    const error = await errorOf(connect(server.url).call('main', 'sendMessage', text));
    expect(error).toMatchObject({ code: 'GATEWAY_OUTCOME_UNKNOWN', next: 'ask' });
    expect(server.requests).toHaveLength(1);
  });

  it('is an unknown outcome when the client is closed', async () => {
    const server = await serve(() => undefined);
    const gateway = connect(server.url);
    const call = errorOf(gateway.call('main', 'sendMessage', text));
    await server.request(0);
    await gateway.close();
    expect((await call).code).toBe('GATEWAY_OUTCOME_UNKNOWN');
  });
});

async function lateResponse(response: string): Promise<LateResponse<'sendMessage'>> {
  const server = await serve(() => undefined);
  const gateway = connect(server.url, { gatewayTimeoutMs: 30 });
  return new Promise((onLate, reject) => {
    errorOf(gateway.call('main', 'sendMessage', text, { listenMs: 10_000, onLate }))
      .then((error) => {
        expect(error.code).toBe('GATEWAY_OUTCOME_UNKNOWN');
        // The call may end before the server has read the request.
        return server.request(0).then(({ socket }) => socket.write(response));
      })
      .catch(reject);
  });
}

function failing(): void {
  throw new Error('not now');
}

describe('a late response', () => {
  it('is passed on after the call has ended', async () => {
    expect(await lateResponse(ACCEPTED)).toEqual({ response: { idMessage: 'BAE5' }, httpStatus: 200 });
  });

  it('is passed on as an error when it is one', async () => {
    const late = await lateResponse(httpResponse(400, '{"message":"Validation failed"}'));
    expect(late).toMatchObject({ error: { code: 'GATEWAY_REJECTED', gatewayText: 'Validation failed' } });
  });

  it('is logged when no caller accepts it', async () => {
    const server = await serve(() => undefined);
    await new Promise<void>((resolve, reject) => {
      const gateway = connect(server.url, {
        gatewayTimeoutMs: 30,
        log: ({ message }) => {
          if (message === 'gateway late response ignored') resolve();
        },
      });
      errorOf(gateway.call('main', 'sendMessage', text, { listenMs: 10_000, onLate: failing }))
        .then(() => server.request(0).then(({ socket }) => socket.write(ACCEPTED)))
        .catch(reject);
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is not received after listenMs: the connection is closed', async () => {
    const server = await serve(() => undefined);
    const gateway = connect(server.url, { gatewayTimeoutMs: 20 });
    const late: unknown[] = [];
    const call = gateway.call('main', 'sendMessage', text, { listenMs: 20, onLate: (one) => void late.push(one) });
    expect((await errorOf(call)).code).toBe('GATEWAY_OUTCOME_UNKNOWN');
    const { socket } = await server.request(0);
    if (!socket.closed) await once(socket, 'close');
    expect(late).toEqual([]);
  });
});

describe('the metadata of a response', () => {
  /** Times are after {@link BEGIN_MS}: when the request left, of the Date header, of the headers and of the body. */
  it.each<[string, [number, number, number, number], [number, number] | undefined]>([
    ["shows how far the gateway's clock is from ours, to the second", [0, 10_000, 0, 0], [10_000, 11_000]],
    ['shows less about the clock when the gateway delays the response', [0, 5_000, 5_000, 5_000], [0, 6_000]],
    ['measures the clock by the headers, however long the body takes', [0, 1_000, 1_000, 4_000], [0, 2_000]],
    ['shows nothing about the clock when ours was set back meanwhile', [10_000, 10_000, 0, 0], undefined],
  ])('%s', async (_, times, offset) => {
    const [lowestMs, highestMs] = offset ?? [];
    expect(await offsetsAfter(...times)).toEqual(offset === undefined ? [] : [['main', { lowestMs, highestMs }]]);
  });

  async function offsetsAfter(leftMs: number, dateMs: number, headersMs: number, bodyMs: number) {
    let nowMs = BEGIN_MS + leftMs;
    let onRead = (): void => undefined;
    const server = await serve(() => undefined);
    const offsets: [string, ClockOffset][] = [];
    const gateway = connect(server.url, {
      clock: { nowMs: () => (onRead(), nowMs) },
      onClock: (instance, offset) => offsets.push([instance, offset]),
    });
    const body = '{"idMessage":"1"}';
    const called = gateway.call('main', 'sendMessage', text);
    const { socket } = await server.request(0);
    const response = httpResponse(200, body, { date: new Date(BEGIN_MS + dateMs).toUTCString() });
    nowMs = BEGIN_MS + headersMs;
    if (bodyMs === headersMs) socket.write(response);
    else {
      // The second half is sent once the client has read the clock at the headers.
      const read = new Promise<void>((resolve) => (onRead = resolve));
      socket.write(response.slice(0, -body.length));
      await read;
      nowMs = BEGIN_MS + bodyMs;
      socket.write(body);
    }
    await called;
    return offsets;
  }

  it('returns the response although the observer fails', async () => {
    const server = await serve(({ socket }) =>
      socket.write(httpResponse(200, '{"idMessage":"1"}', { date: 'Fri, 01 Jan 2027 00:00:00 GMT' })),
    );
    const events: string[] = [];
    const gateway = connect(server.url, { onClock: failing, log: ({ message }) => events.push(message) });
    expect((await gateway.call('main', 'sendMessage', text)).response).toEqual({ idMessage: '1' });
    expect(events).toEqual(['gateway onlooker failed', 'gateway responded']);
  });

  it('delays requests of the same instance and operation after a 429, and no others', async () => {
    const server = await serve(({ socket, path }) =>
      socket.write(path.includes('sendMessage') ? httpResponse(429, '', { 'retry-after': '60' }) : ACCEPTED),
    );
    const gateway = connect(server.url);
    const busy = await errorOf(gateway.call('main', 'sendMessage', text));
    expect(busy).toMatchObject({ code: 'GATEWAY_BUSY', next: 'wait', retryAfterMs: 60_000, httpStatus: 429 });
    const held = await errorOf(gateway.call('main', 'sendMessage', text));
    expect(held).toMatchObject({ code: 'GATEWAY_BUSY', next: 'wait' });
    expect(held.retryAfterMs).toBeGreaterThan(50_000);
    await gateway.call('main', 'editMessage', REQUESTS.editMessage);
    expect(server.requests.map(({ path }) => path.split('/')[2])).toEqual(['sendMessage', 'editMessage']);
  });
});
