import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { jsonResponse, writeResponse, type SimulatorResponse, readBody, type Body } from './http-door.js';
import { type FaultScript, faultResponse, playFault } from './fault-script.js';
import { isObject, WireError } from '../wire/wire.js';
import type { OperationRequest } from '../operations/operation.js';
import { OPERATIONS } from '../operations/operations.js';
import type { RecordedRequest, RequestLog } from './request-log.js';
import type { Simulation } from '../simulation.js';

/** 100 kb as the gateway's body parser counts it. */
const MAX_BODY_BYTES = 100 * 1024;
const GATEWAY_PATH =
  /^\/{1,2}(?<v3>v3\/)?waInstance(?<idInstance>[^/]*)\/(?<method>[^/]+)\/(?<token>[^/]*)(?:\/(?<item>[^/]+))?\/?$/;
/** Public clients differ in the first letter of some operations, so names are matched case-insensitively. */
const NAMES = new Map(Object.keys(OPERATIONS).map((name) => [name.toLowerCase(), name]));

interface Target {
  readonly v3: boolean;
  readonly idInstance: string;
  readonly method: string;
  readonly token: string;
  /** The part of the path after the token. */
  readonly item: string | undefined;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** `/waInstance{id}/{method}/{token}`: all routes that the gateway's clients use. */
export class GatewayRoutes {
  readonly #simulation: Simulation;
  readonly #faults: FaultScript;
  readonly #requests: RequestLog;
  readonly #stop: AbortSignal;
  readonly #seen = new WeakSet<Socket>();

  constructor(simulation: Simulation, faults: FaultScript, requests: RequestLog, stop: AbortSignal) {
    this.#simulation = simulation;
    this.#faults = faults;
    this.#requests = requests;
    this.#stop = stop;
  }

  async handle(request: IncomingMessage, serverResponse: ServerResponse): Promise<void> {
    const nowMs = (): number => this.#simulation.clock.nowMs();
    const reused = this.#seen.has(request.socket);
    this.#seen.add(request.socket);
    const body = await readBody(request);
    const verb = request.method ?? '';
    const target = readTarget(request.url ?? '/');
    if (target === undefined) {
      writeResponse(serverResponse, this.#refusal(new WireError(404, 'Not Found'), request.url ?? '/'), nowMs());
      return;
    }
    const takesFile = OPERATIONS[target.method]?.takesFile === true;
    const content = takesFile ? { sizeBytes: body.bytes } : readable(body.text);
    const chatId = isObject(content) ? content['chatId'] : undefined;
    const fault = this.#faults.take({ method: target.method, idInstance: target.idInstance, chatId, reused });
    const recorded: RecordedRequest = {
      at: new Date(nowMs()).toISOString(),
      verb,
      idInstance: target.idInstance,
      method: target.method,
      v3: target.v3,
      query: target.query,
      body: content,
      reusedConnection: reused,
      ...(fault === undefined ? {} : { fault: fault.kind }),
      status: null,
    };
    this.#requests.add(recorded);
    const { 'content-type': contentType = '', 'ga-filename': fileName = '' } = request.headers;
    const call = { target, verb, body, contentType, fileName: String(fileName), serverResponse };
    if (fault === undefined) {
      const response = await this.#response(call);
      recorded.status = response.status;
      writeResponse(serverResponse, response, nowMs());
      return;
    }
    const own = fault.accepted ? await this.#response(call, fault.acceptAfterMs) : undefined;
    const response = own === undefined || fault.kind === 'status' ? faultResponse(fault) : own;
    if (await playFault(fault, serverResponse, response, { nowMs, stop: this.#stop }))
      recorded.status = response.status;
  }

  async #response(call: Call, acceptAfterMs?: number): Promise<SimulatorResponse> {
    const { target, verb, body, contentType, fileName } = call;
    try {
      if (verb === 'OPTIONS') return jsonResponse(204, undefined);
      if (!/^\d+$/.test(target.idInstance)) throw new WireError(403, 'Forbidden');
      const { apiTokenInstance } = this.#simulation.model().instance(target.idInstance);
      if (target.token !== apiTokenInstance) throw new WireError(401, 'Unauthorized');
      const operation = OPERATIONS[target.method];
      const isWhole = (target.item === undefined) === (operation?.pathField === undefined);
      if (operation === undefined || !isWhole || verb !== operation.verb) throw new WireError(404, 'Not Found');
      // The bytes of an uploaded file are not kept.
      const file = { contentType, fileName, sizeBytes: body.bytes, bytesHex: body.bytesHex };
      const request = operation.takesFile ? { body: file, query: {} } : this.#readRequest(call, operation.pathField);
      if (operation.holdsMs !== undefined) await this.#hold(call, operation.holdsMs(request));
      if (acceptAfterMs === undefined) {
        return jsonResponse(200, this.#simulation.call(target.idInstance, target.method, request));
      }
      this.#simulation.callLater(target.idInstance, target.method, request, acceptAfterMs);
      return jsonResponse(200, undefined);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.#refusal(error, target.path);
    }
  }

  /** Waits until a notification can be fetched, `holdMs` has passed, or the caller disconnects. */
  async #hold({ target: { idInstance }, serverResponse }: Call, holdMs: number): Promise<void> {
    const { clock } = this.#simulation;
    const gone = new AbortController();
    serverResponse.once('close', () => gone.abort());
    const untilMs = clock.nowMs() + holdMs;
    for (;;) {
      const { settings, outbox } = this.#simulation.model().instance(idInstance);
      const remainingMs = untilMs - clock.nowMs();
      const isEmpty = settings.webhookUrl === '' && outbox.first(clock.nowMs()) === undefined;
      if (!isEmpty || remainingMs <= 0 || gone.signal.aborted) return;
      await this.#simulation.changed(Math.ceil(remainingMs / clock.speed), gone.signal);
    }
  }

  #readRequest({ target, verb, body, contentType }: Call, pathField: string | undefined): OperationRequest {
    const { item } = target;
    const query = pathField === undefined || item === undefined ? target.query : { ...target.query, [pathField]: item };
    if (verb !== 'POST') return { body: {}, query };
    if (body.bytes > MAX_BODY_BYTES) {
      throw new WireError(500, 'request entity too large');
    }
    // A body of another type is ignored, so its fields are missing.
    if (!contentType.startsWith('application/json') || body.text === '') return { body: {}, query };
    const parsed = readable(body.text);
    if (!isObject(parsed)) throw new WireError(400, 'Unexpected token in JSON');
    return { body: parsed, query };
  }

  #refusal(error: WireError, path: string): SimulatorResponse {
    return jsonResponse(error.status, {
      statusCode: error.status,
      timestamp: new Date(this.#simulation.clock.nowMs()).toISOString(),
      path,
      message: error.message,
    });
  }
}

interface Call {
  readonly target: Target;
  readonly verb: string;
  readonly body: Body;
  readonly contentType: string;
  /** From the header GA-Filename. */
  readonly fileName: string;
  readonly serverResponse: ServerResponse;
}

function readTarget(url: string): Target | undefined {
  const [rawPath = '/', search = ''] = url.split('?');
  const parts = GATEWAY_PATH.exec(rawPath)?.groups;
  if (parts === undefined) return undefined;
  const { v3, idInstance = '', method = '', token = '', item } = parts;
  return {
    v3: v3 !== undefined,
    idInstance,
    method: NAMES.get(method.toLowerCase()) ?? method,
    token: decoded(token),
    item,
    path: `/waInstance${idInstance}/${method}/${token}${item === undefined ? '' : `/${item}`}`,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Decodes a segment. One without valid percent-encoding is no token, so it is returned unchanged. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The parsed JSON of a body, or its text if it is not JSON. */
function readable(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
