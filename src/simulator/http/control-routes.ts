import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonResponse, writeResponse, readBody } from './http-door.js';
import type { ControlName } from '../controls.js';
import { readFault, type FaultScript } from './fault-script.js';
import { isObject, type Json, type JsonObject, WireError } from '../wire/wire.js';
import { RequestFields } from '../wire/request-fields.js';
import type { RequestLog } from './request-log.js';
import type { Simulation } from '../simulation.js';
import type { Instance } from '../account/instance.js';

/** The dependencies of the control endpoints. */
export interface ControlledDependencies {
  readonly simulation: Simulation;
  readonly faults: FaultScript;
  readonly requests: RequestLog;
  /** Refuses connections for this much real time, after this response is sent. */
  outage(ms: number): void;
  reset(): Promise<void>;
}

interface ControlCall {
  readonly dependencies: ControlledDependencies;
  /** The variable parts of the path, in order. */
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

type Route = readonly [
  verb: string,
  path: RegExp,
  run: (call: ControlCall) => Json | undefined | Promise<Json | undefined>,
];

const ROUTES: readonly Route[] = [
  ['GET', /^\/_sim\/instances\/(\d+)$/, ({ dependencies, names }) => shown(dependencies, names)],
  [
    'PATCH',
    /^\/_sim\/instances\/(\d+)$/,
    (call) => {
      control(call, 'patch');
      return shown(call.dependencies, call.names);
    },
  ],
  ['POST', /^\/_sim\/instances\/(\d+)\/groups$/, (call) => control(call, 'group')],
  ['POST', /^\/_sim\/instances\/(\d+)\/incoming$/, (call) => control(call, 'incoming')],
  ['POST', /^\/_sim\/instances\/(\d+)\/sent-from-phone$/, (call) => control(call, 'sent-from-phone')],
  ['POST', /^\/_sim\/instances\/(\d+)\/edits$/, (call) => control(call, 'edit')],
  ['POST', /^\/_sim\/instances\/(\d+)\/deletions$/, (call) => control(call, 'deletion')],
  ['POST', /^\/_sim\/instances\/(\d+)\/calls$/, (call) => control(call, 'call')],
  ['POST', /^\/_sim\/instances\/(\d+)\/blocks$/, (call) => control(call, 'block')],
  ['POST', /^\/_sim\/instances\/(\d+)\/device$/, (call) => control(call, 'device')],
  ['POST', /^\/_sim\/instances\/(\d+)\/quota$/, (call) => control(call, 'quota')],
  ['POST', /^\/_sim\/instances\/(\d+)\/stories$/, (call) => control(call, 'story')],
  ['POST', /^\/_sim\/instances\/(\d+)\/accounts$/, (call) => control(call, 'accounts')],
  ['POST', /^\/_sim\/instances\/(\d+)\/receipts$/, (call) => control(call, 'receipt')],
  [
    'POST',
    /^\/_sim\/templates\/([^/]+)\/decision$/,
    ({ dependencies, names, body }) => {
      const idInstance = fieldsOf(body).optionalText('idInstance') ?? '';
      const { idInstance: _, ...decision } = body;
      const given = { ...decision, elementName: decodeURIComponent(names[0] ?? '') };
      return dependencies.simulation.execute({ do: 'control', control: 'decision', idInstance, given });
    },
  ],
  ['POST', /^\/_sim\/files$/, (call) => control(call, 'file')],
  ['POST', /^\/_sim\/notifications\/faults$/, (call) => control(call, 'notification-fault')],
  ['DELETE', /^\/_sim\/notifications\/faults$/, (call) => control(call, 'clear-notification-faults')],
  ['GET', /^\/_sim\/clock$/, ({ dependencies }) => clock(dependencies)],
  [
    'POST',
    /^\/_sim\/clock$/,
    async ({ dependencies, body }) => {
      const fields = fieldsOf(body);
      fields.only(['advanceMs', 'speed']);
      const speed = fields.number('speed');
      const advanceMs = fields.integer('advanceMs', { min: 0 });
      if (speed === undefined && advanceMs === undefined) throw fields.error("'advanceMs' or 'speed' is required");
      if (speed !== undefined && speed <= 0) throw fields.error("'speed' must be larger than 0");
      if (speed !== undefined) dependencies.simulation.setSpeed(speed);
      if (advanceMs !== undefined) await dependencies.simulation.advance(advanceMs);
      return clock(dependencies);
    },
  ],
  [
    'GET',
    /^\/_sim\/faults$/,
    ({ dependencies }) => dependencies.faults.faults.map((fault): JsonObject => ({ ...fault })),
  ],
  [
    'POST',
    /^\/_sim\/faults$/,
    ({ dependencies, body }) => {
      const fault = readFault(body);
      dependencies.faults.add(fault);
      return { ...fault };
    },
  ],
  [
    'DELETE',
    /^\/_sim\/faults$/,
    ({ dependencies }) => {
      dependencies.faults.clear();
      return undefined;
    },
  ],
  [
    'GET',
    /^\/_sim\/delivered$/,
    ({ dependencies, query }) => {
      const chatId = query.get('chatId');
      const { received } = dependencies.simulation.model().phones;
      return received.filter((message) => chatId === null || message.chatId === chatId) as unknown as Json;
    },
  ],
  [
    'GET',
    /^\/_sim\/requests$/,
    ({ dependencies, query }) => {
      const method = query.get('method');
      const { requests } = dependencies.requests;
      return requests.filter((request) => method === null || request.method === method) as unknown as Json;
    },
  ],
  [
    'POST',
    /^\/_sim\/outage$/,
    ({ dependencies, body }) => {
      dependencies.outage(fieldsOf(body).integer('ms', { min: 1 }) ?? 1000);
      return undefined;
    },
  ],
  [
    'POST',
    /^\/_sim\/reset$/,
    async ({ dependencies }) => {
      await dependencies.reset();
      return undefined;
    },
  ],
];

/** Serves one request to `/_sim/…`: 200 with JSON, 204 without a body, 400 and 404 with a message. */
export async function handleControl(
  dependencies: ControlledDependencies,
  request: IncomingMessage,
  serverResponse: ServerResponse,
): Promise<void> {
  const { text } = await readBody(request);
  const { method = '', url = '/' } = request;
  const [path = '/', search = ''] = url.split('?');
  const respond = (status: number, json: Json | undefined): void =>
    writeResponse(serverResponse, jsonResponse(status, json), dependencies.simulation.clock.nowMs());
  try {
    for (const [verb, pattern, run] of ROUTES) {
      const match = verb === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const call = { dependencies, names: match.slice(1), query: new URLSearchParams(search), body: readJson(text) };
      const json = await run(call);
      return respond(json === undefined ? 204 : 200, json);
    }
    throw new WireError(404, `no control endpoint ${method} ${path}`);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    respond(error.status, { message: error.message });
  }
}

function control({ dependencies, names, body }: ControlCall, name: ControlName): Json | undefined {
  return dependencies.simulation.execute({ do: 'control', control: name, idInstance: names[0] ?? '', given: body });
}

function shown({ simulation }: ControlledDependencies, names: readonly string[]): Json {
  return showInstance(simulation.model().instance(names[0] ?? ''));
}

function clock({ simulation }: ControlledDependencies): Json {
  const nowMs = simulation.clock.nowMs();
  const nextDueAtMs = simulation.nextDueAtMs() ?? null;
  return { nowMs, now: new Date(nowMs).toISOString(), speed: simulation.clock.speed, nextDueAtMs };
}

function fieldsOf(body: JsonObject): RequestFields {
  return new RequestFields(body, '');
}

function readJson(text: string): JsonObject {
  if (text === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new WireError(400, 'the body is no JSON');
  }
  if (!isObject(parsed)) throw new WireError(400, 'the body must be a JSON object');
  return parsed as JsonObject;
}

/** An instance as the control endpoint shows it. Times are ISO UTC by the simulator's clock. */
function showInstance(instance: Instance): JsonObject {
  const { idInstance, wid, state, statusInstance, settings, accounts, rateLimits, editAnswersNewId } = instance;
  return {
    idInstance,
    wid,
    state,
    statusInstance,
    settings: { ...settings },
    accounts: { ...accounts },
    rateLimits,
    editAnswersNewId,
    queue: instance.queue.items.map((item) => ({
      ids: item.ids,
      chatId: item.chatId,
      kind: item.content.kind,
      acceptedAt: iso(item.acceptedAtMs),
    })),
    typing: instance.typingShown.map(({ chatId, typingType, fromMs, untilMs }) => ({
      chatId,
      typingType,
      from: iso(fromMs),
      until: iso(untilMs),
    })),
    incoming: instance.journal.incoming().map(({ idMessage, chatId, status, atMs }) => ({
      idMessage,
      chatId,
      status,
      at: iso(atMs),
    })),
    notifications: instance.outbox.waiting.map(({ number, body, createdAtMs }) => ({
      number,
      createdAt: iso(createdAtMs),
      body,
    })),
    notificationFaults: instance.outbox.faults.filter(({ times }) => times > 0).map((fault) => ({ ...fault })),
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
