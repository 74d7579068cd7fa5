import type { Context } from 'hono';
import { AppError, present, type AuditEntry, type Caller, type ErrorCode } from '../../contract/index.js';
import type { Log } from '../log.js';
import { instanceInPath } from './access.js';
import { statusOf } from './problem.js';
import type { Route } from './route.js';
import type { RouteDependencies } from './route-dependencies.js';

/** What a request was about, as far as it is known. */
export interface Touched {
  instance?: string | undefined;
  objectId?: string | undefined;
}

/** AUDIT-1. */
export function mayBeAudited({ access, method }: Route): boolean {
  return method !== 'get' && typeof access !== 'string' && access[0] !== 'read';
}

/**
 * Responds, and records who asked before the response leaves. Where only that fails, the response is sent all the same:
 * the change has happened.
 */
export async function audited(
  c: Context,
  { name, route, caller, dependencies, isInstance, log }: AuditedRequest,
  answer: (touched: Touched) => Promise<Response>,
): Promise<Response> {
  const { ledger, clock } = dependencies;
  const touched: Touched = {};

  async function record(status: number, code?: ErrorCode): Promise<void> {
    if (route.isAudited === false && code !== 'KEY_SCOPE_MISSING') return;
    const { instance = '', objectId } = touched;
    const entry: AuditEntry = {
      at: new Date(clock.nowMs()).toISOString(),
      witness: caller.witness,
      route: name,
      ...present({ objectId, code }),
      // A caller's own word may be anything.
      ...(isInstance(instance) ? { instance } : {}),
      status,
      requestId: c.get('requestId'),
    };
    await ledger.audit.record(entry).catch((error: unknown) => {
      log({ level: 'error', message: 'a request is missing in the audit list', ...entry, error });
    });
  }

  try {
    const response = await answer(touched);
    await record(response.status);
    return response;
  } catch (error) {
    if (error instanceof AppError) await record(statusOf(error), error.code);
    else await record(500, 'INTERNAL');
    throw error;
  }
}

interface AuditedRequest {
  /** The route's. */
  readonly name: string;
  readonly route: Route;
  /** Whether there is one of this name, for whatever caller. */
  readonly isInstance: (name: string) => boolean;
  readonly caller: Caller;
  readonly dependencies: RouteDependencies;
  readonly log: Log;
}

/** For a caller who may reach every instance: that there is no such thing is the handler's to say. */
export async function lookUpInPath(
  route: Route,
  params: Readonly<Record<string, string>>,
  dependencies: RouteDependencies,
): Promise<string | undefined> {
  try {
    return await instanceInPath(route, params, dependencies);
  } catch (error) {
    if (error instanceof AppError && error.next === 'stop') return undefined;
    throw error;
  }
}

/** What a request or a response says of itself. */
export function textIn(value: unknown, field: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  return typeof found === 'string' ? found : undefined;
}
