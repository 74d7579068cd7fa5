import { STATUS_CODES, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonResponse, writeResponse, writeHead, type SimulatorResponse } from './simulator-response.js';
import type { Fault } from './fault-script.js';

/** The response of a fault of kind `status`, or of one that did not accept the request. */
export function faultResponse(fault: Fault): SimulatorResponse {
  const status = fault.status ?? 500;
  const body = fault.body ?? { statusCode: status, message: STATUS_CODES[status] ?? 'Error' };
  const response: SimulatorResponse =
    typeof body === 'string' ? { status, headers: {}, body } : jsonResponse(status, body);
  return { ...response, headers: { ...response.headers, ...fault.headers } };
}

/**
 * Plays a fault on the connection of a response.
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
