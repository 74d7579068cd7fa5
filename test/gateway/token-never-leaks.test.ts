import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_NAMES, Secret, type AppError, type InstanceConfig } from '../../src/contract/index.js';
import type { GatewayLogEntry, GatewayOptions, LateResponse } from '../../src/gateway/index.js';
import { aGateway, anInstance, errorOf, REQUESTS } from './cast.js';
import { httpResponse, startRawServer, type RawRequest, type RawServer } from './raw-server.js';

/** Characters that need encoding, so that each form of the token is a different string. */
const TOKEN = 't0k/en+%ü';
const encoded = encodeURIComponent(TOKEN);
const FORMS = [
  TOKEN,
  encoded,
  encoded.toLowerCase(),
  encodeURI(TOKEN),
  encodeURIComponent(encoded),
  JSON.stringify(TOKEN).slice(1, -1).replaceAll('/', '\\/'),
  TOKEN.replace('ü', '\\u00fc'),
  Buffer.from(TOKEN).toString('latin1'),
  [...Buffer.from(TOKEN)].map((byte) => `%${byte.toString(16)}`).join(''),
];
/** Traces of any form of it, also of a half decoded one. */
const TRACES = [...FORMS, 't0k', '%74%30%6b'].map((form) => form.toLowerCase());

/** A body that repeats the path of the request with the token in every form. */
function echo({ path }: RawRequest): string {
  return FORMS.map((form) => `Cannot serve ${path} nor /waInstance1101000001/x/${form} with token ${form}`).join(' ');
}

type Ending = (request: RawRequest) => void;
const respondWith =
  (status: number, body: (request: RawRequest) => string, headers: Record<string, string> = {}): Ending =>
  (request) =>
    request.socket.write(httpResponse(status, body(request), { ...headers, location: request.path }));

const STATUSES = [302, 400, 401, 403, 404, 413, 418, 429, 466, 499, 500, 502, 503, 504];
const ENDINGS: Readonly<Record<string, Ending>> = {
  ...Object.fromEntries(
    STATUSES.map((status) => [`${status} with a text that repeats the path`, respondWith(status, echo)]),
  ),
  ...Object.fromEntries(
    [400, 500].flatMap((status) => [
      [
        `${status} with a JSON that repeats the path`,
        respondWith(status, (request) => JSON.stringify({ path: request.path, message: echo(request) })),
      ],
      [
        `${status} with a JSON of another shape`,
        respondWith(status, (request) => JSON.stringify({ invokeStatus: { url: echo(request) } })),
      ],
    ]),
  ),
  '200 with a strange text': respondWith(200, echo),
  '200 with a strange JSON': respondWith(200, (request) =>
    JSON.stringify({ [echo(request)]: echo(request), [TOKEN]: 1, idMessage: 1, wid: 1 }),
  ),
  '200 with a strange list': respondWith(200, (request) => JSON.stringify([echo(request)])),
  '200 with a refusal': respondWith(200, (request) =>
    JSON.stringify(`Error: ${echo(request)} Invalid category provided`),
  ),
  'a reset': ({ socket }) => socket.resetAndDestroy(),
  'a closed connection': ({ socket }) => socket.end(),
  'half a response': (request) => request.socket.end(httpResponse(200, echo(request)).slice(0, -9)),
  'no HTTP at all': (request) => request.socket.end(`${echo(request)}\r\n\r\n`),
  'a header that is none': (request) => request.socket.end(`HTTP/1.1 200 OK\r\n${TOKEN} ${request.path}\r\n\r\n`),
};

let ending: Ending = () => undefined;
let server: RawServer;
let logged: GatewayLogEntry[] = [];
beforeAll(async () => {
  server = await startRawServer((request) => ending(request));
});
afterAll(() => server.close());

function connect(baseUrl: string, options: Partial<GatewayOptions> = {}, instance: Partial<InstanceConfig> = {}) {
  logged = [];
  return aGateway(anInstance(baseUrl, { apiTokenInstance: new Secret(TOKEN), ...instance }), {
    log: (entry) => logged.push(entry),
    ...options,
  });
}

/** Everything that a log or a serialiser can show of a value. */
function everythingOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null || seen.has(value)) return inspect(value);
  seen.add(value);
  const properties = Reflect.ownKeys(value).map(
    (key) => `${String(key)}=${everythingOf(Reflect.get(value, key), seen)}`,
  );
  return [
    JSON.stringify(value),
    inspect(value, { depth: null, showHidden: true, getters: true }),
    value instanceof Error ? `${value.toString()} ${value.stack} ${everythingOf(value.cause, seen)}` : '',
    ...properties,
  ].join('\n');
}

function expectNoToken(...values: unknown[]): void {
  const everything = values
    .map((value) => everythingOf(value))
    .join('\n')
    .toLowerCase();
  expect(TRACES.filter((trace) => everything.includes(trace))).toEqual([]);
}

describe('the token', () => {
  it('is found by this test when it is present', () => {
    expect(() => expectNoToken(new Error('x', { cause: { path: `/${encoded}` } }))).toThrow();
    expect(() => expectNoToken({ deep: { deeper: [Buffer.from(TOKEN).toString('latin1')] } })).toThrow();
  });

  it.each(OPERATION_NAMES)('is in no error and no log of %s, for every failure', async (name) => {
    const errors: AppError[] = [];
    // Without the pause after each 429, which another test covers.
    const gate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };
    const gateway = connect(server.url, { gate });
    for (const end of Object.values(ENDINGS)) {
      ending = end;
      errors.push(await errorOf(gateway.call('main', name, REQUESTS[name])));
    }
    await gateway.close();
    expect(errors.map(({ code }) => code)).toContain('GATEWAY_OUTCOME_UNKNOWN');
    expect(logged).toHaveLength(errors.length);
    expectNoToken(logged, ...errors);
  });

  it.each(OPERATION_NAMES)('is in no error and no log of %s when nothing could be sent', async (name) => {
    const nowhere = connect('http://127.0.0.1:1');
    const refused = await errorOf(nowhere.call('main', name, REQUESTS[name]));
    expect(refused.code).toBe('GATEWAY_UNREACHABLE');
    const late = await errorOf(nowhere.call('main', name, REQUESTS[name], { deadlineMs: 0 }));
    expect(late.code).toBe('GATEWAY_DEADLINE_PASSED');
    await nowhere.close();
    const closed = await errorOf(nowhere.call('main', name, REQUESTS[name]));
    expectNoToken(refused, late, closed, logged);

    const unfit = connect(`not a url ${TOKEN.slice(0, 2)}`, {}, { paths: { [name]: 'ü \n' } });
    expectNoToken(await errorOf(unfit.call('main', name, REQUESTS[name])), logged);
    const wrongPath = connect(server.url, {}, { paths: { [name]: 'ü \n' } });
    ending = respondWith(404, echo);
    expectNoToken(await errorOf(wrongPath.call('main', name, REQUESTS[name])), logged);
    await Promise.all([unfit.close(), wrongPath.close()]);
  });

  it.each(OPERATION_NAMES)('is in no error of %s when the response never comes', async (name) => {
    ending = () => undefined;
    const gateway = connect(server.url, { gatewayTimeoutMs: 20 });
    const error = await errorOf(gateway.call('main', name, REQUESTS[name]));
    await gateway.close();
    expect(error.code).toBe('GATEWAY_OUTCOME_UNKNOWN');
    expectNoToken(error, logged);
  });

  it.each(['sendMessage', 'createTemplate', 'setSettings'] as const)('is in no late response to %s', async (name) => {
    const arrived = new Promise<RawRequest>((resolve) => {
      ending = resolve;
    });
    const gateway = connect(server.url, { gatewayTimeoutMs: 20 });
    const late = await new Promise<LateResponse<typeof name>>((onLate, reject) => {
      errorOf(gateway.call('main', name, REQUESTS[name], { listenMs: 10_000, onLate }))
        .then(async (error) => {
          expectNoToken(error);
          respondWith(400, echo)(await arrived);
        })
        .catch(reject);
    });
    await gateway.close();
    expect(late).toMatchObject({ error: { code: 'GATEWAY_REJECTED' } });
    expectNoToken(late, logged);
  });

  it('is in no error of a request that contains it', async () => {
    const gateway = connect(server.url);
    const request = { chatId: TOKEN, message: TOKEN };
    // The error shows the caller the name of an unknown field, and not its value.
    expectNoToken(await errorOf(gateway.call('main', 'sendMessage', request)), logged);
    await gateway.close();
  });

  it('is not in the printed form of the client', async () => {
    const gateway = connect(server.url);
    ending = respondWith(404, echo);
    await errorOf(gateway.call('main', 'sendMessage', REQUESTS.sendMessage));
    expectNoToken(gateway);
    await gateway.close();
  });
});
