import type { Context } from 'hono';
import type { ChangeBell } from '../change-bell.js';
import { waitUntil, type WaitUntil } from '../wait-until.js';

/** Long polls: each ends at the latest when its caller is gone or the API closes. */
export interface Waiting {
  until<Value>(c: Context, wait: Omit<WaitUntil<Value>, 'signal'>): Promise<Value>;
  /** Aborted when nobody waits for this request's answer any more. */
  signalOf(c: Context): AbortSignal;
}

export function createWaiting(bell: ChangeBell, closing: AbortSignal): Waiting {
  const signalOf = (c: Context): AbortSignal => AbortSignal.any([c.req.raw.signal, closing]);
  return { signalOf, until: (c, wait) => waitUntil(bell, { ...wait, signal: signalOf(c) }) };
}
