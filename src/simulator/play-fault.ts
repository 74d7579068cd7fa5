import { STATUS_CODES, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonAnswer, writeAnswer, writeHead, type Answer } from './answer.js';
import type { Fault } from './fault-script.js';

/** The answer that a fault of kind `status`, or one that did not let the request in, gives. */
export function faultAnswer(fault: Fault): Answer {
  const status = fault.status ?? 500;
  const body = fault.body ?? { statusCode: status, message: STATUS_CODES[status] ?? 'Error' };
  const answer: Answer = typeof body === 'string' ? { status, headers: {}, body } : jsonAnswer(status, body);
  return { ...answer, headers: { ...answer.headers, ...fault.headers } };
}

/**
 * Lets an answer go wrong on the connection.
 * @param stop  the simulator closes: whatever waits is given up
 * @returns whether the caller may have seen a status
 */
export async function playFault(
  fault: Fault,
  response: ServerResponse,
  answer: Answer,
  { nowMs, stop }: { readonly nowMs: () => number; readonly stop: AbortSignal },
): Promise<boolean> {
  const { socket } = response;
  switch (fault.kind) {
    case 'status':
      writeAnswer(response, answer, nowMs());
      return true;
    case 'late-answer':
      await wait(fault.ms ?? 1000, undefined, { signal: stop });
      writeAnswer(response, answer, nowMs());
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
      const body = Buffer.from(answer.body === '' ? '{}' : answer.body);
      writeHead(response, { ...answer, body: body.toString() }, nowMs());
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => socket?.destroy());
      return true;
    }
    case 'trickle': {
      writeHead(response, answer, nowMs());
      for (const byte of Buffer.from(answer.body)) {
        await wait(fault.ms ?? 1, undefined, { signal: stop });
        if (response.destroyed) return true;
        response.write(Buffer.of(byte));
      }
      response.end();
      return true;
    }
  }
}
