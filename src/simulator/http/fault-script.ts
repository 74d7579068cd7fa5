import { isObject, type Json, optionalField, WireError } from '../wire/wire.js';
import { RequestFields } from '../wire/request-fields.js';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonResponse, writeResponse, writeHead, type SimulatorResponse } from './http-door.js';

const KINDS = ['lose-answer', 'late-answer', 'half-answer', 'trickle', 'reset', 'close-on-reuse', 'status'] as const;
const FIELDS = [
  'method',
  'idInstance',
  'chatId',
  'kind',
  'ms',
  'accepted',
  'acceptAfterMs',
  'status',
  'body',
  'headers',
  'times',
];

/** A fault of the next matching requests. Milliseconds are real time, except `acceptAfterMs`. */
export interface Fault {
  /** Only requests to this operation. @default any */
  readonly method?: string;
  readonly idInstance?: string;
  /** Only requests whose body names this chat. */
  readonly chatId?: string;
  readonly kind: (typeof KINDS)[number];
  /** late-answer: the delay · lose-answer: how long the connection stays open · trickle: the time between two bytes. */
  readonly ms?: number;
  /** Whether the gateway accepted the request before the failure. */
  readonly accepted: boolean;
  /** The gateway accepts the request this long after it came, by the simulator's clock. The response is lost. */
  readonly acceptAfterMs?: number;
  readonly status?: number;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  times: number;
}

/** The properties of a request that faults match. */
interface FaultTarget {
  readonly method: string;
  readonly idInstance: string;
  /** The unchecked value from the body. */
  readonly chatId: unknown;
  /** Whether an earlier request used the same connection. */
  readonly reused: boolean;
}

/** Faults in the order in which they were added; each is played `times` times and then removed. */
export class FaultScript {
  #faults: Fault[] = [];

  get faults(): readonly Fault[] {
    return this.#faults;
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault for this request, counted as played. A close-on-reuse waits for a request on a used connection. */
  take(request: FaultTarget): Fault | undefined {
    const fault = this.#faults.find(
      ({ method, idInstance, chatId, kind }) =>
        (method === undefined || method === request.method) &&
        (idInstance === undefined || idInstance === request.idInstance) &&
        (chatId === undefined || chatId === request.chatId) &&
        (kind !== 'close-on-reuse' || request.reused),
    );
    if (fault === undefined) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.#faults = this.#faults.filter((one) => one !== fault);
    return fault;
  }
}

/** Reads a fault from a request. @throws WireError */
export function readFault(given: Record<string, unknown>): Fault {
  const fields = new RequestFields(given, '');
  fields.only(FIELDS);
  const kind = fields.requiredOneOf('kind', KINDS);
  const hasResponse = kind !== 'status' && kind !== 'reset' && kind !== 'close-on-reuse';
  const headers = given['headers'];
  if (headers !== undefined && !isObject(headers)) throw new WireError(400, "'headers' must be an object");
  const acceptAfterMs = fields.integer('acceptAfterMs', { min: 0 });
  return {
    kind,
    accepted: fields.flag('accepted', hasResponse || acceptAfterMs !== undefined),
    times: fields.integer('times', { min: 1 }) ?? 1,
    ...optionalField('method', fields.optionalText('method')),
    ...optionalField('idInstance', fields.optionalText('idInstance')),
    ...optionalField('chatId', fields.optionalText('chatId')),
    ...optionalField('ms', fields.integer('ms', { min: 0 })),
    ...optionalField('acceptAfterMs', acceptAfterMs),
    ...optionalField('status', fields.integer('status', { min: 100, max: 599 })),
    ...optionalField('body', given['body'] as Json | undefined),
    ...optionalField('headers', headers as Record<string, string> | undefined),
  };
}

/** The response of a fault of kind `status`, or of a fault that did not accept the request. */
export function faultResponse(fault: Fault): SimulatorResponse {
  const status = fault.status ?? 500;
  const body = fault.body ?? { statusCode: status, message: STATUS_CODES[status] ?? 'Error' };
  const response: SimulatorResponse =
    typeof body === 'string' ? { status, headers: {}, body } : jsonResponse(status, body);
  return { ...response, headers: { ...response.headers, ...fault.headers } };
}

/**
 * Plays a fault on the connection of a request.
 * @param stop  aborted when the simulator closes: ends every wait
 * @returns whether the caller may have seen a status
 */
export async function playFault(
  fault: Fault,
  serverResponse: ServerResponse,
  response: SimulatorResponse,
  { nowMs, stop }: { readonly nowMs: () => number; readonly stop: AbortSignal },
): Promise<boolean> {
  const { socket } = serverResponse;
  switch (fault.kind) {
    case 'status':
      writeResponse(serverResponse, response, nowMs());
      return true;
    case 'late-answer':
      await wait(fault.ms ?? 1000, undefined, { signal: stop });
      writeResponse(serverResponse, response, nowMs());
      return true;
    case 'lose-answer':
      if (fault.ms !== undefined) await wait(fault.ms, undefined, { signal: stop });
      socket?.destroy();
      return false;
    case 'reset':
      socket?.resetAndDestroy();
      return false;
    case 'close-on-reuse':
      socket?.destroy();
      return false;
    case 'half-answer': {
      const body = Buffer.from(response.body === '' ? '{}' : response.body);
      writeHead(serverResponse, { ...response, body: body.toString() }, nowMs());
      serverResponse.write(body.subarray(0, Math.floor(body.length / 2)), () => socket?.destroy());
      return true;
    }
    case 'trickle': {
      writeHead(serverResponse, response, nowMs());
      for (const byte of Buffer.from(response.body)) {
        await wait(fault.ms ?? 1, undefined, { signal: stop });
        if (serverResponse.destroyed) return true;
        serverResponse.write(Buffer.of(byte));
      }
      serverResponse.end();
      return true;
    }
  }
}
