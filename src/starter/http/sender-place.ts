/** What a request's headers say about the place that it was sent from. */
import type { Context } from 'hono';
import { hostnameOf, isLoopback } from './guard.js';
import { contentTypeOf } from './read-request.js';

/** Added by a proxy on this machine that passes on what another machine sent. */
const PROXY_HEADERS = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Real-IP'];

/**
 * True where a web page in a browser on this machine may have sent the notification: it names its Origin, or it names
 * us by a host of its own (DNS rebinding). The gateway sends no Origin.
 */
export function isFromWebPage(c: Context): boolean {
  return c.req.header('Origin') !== undefined || !isLoopback(requestedHost(c) ?? 'localhost');
}

/** A page can send anything but JSON without asking first. */
export function isJson(c: Context): boolean {
  return contentTypeOf(c) === 'application/json';
}

export function isProxied(c: Context): boolean {
  return PROXY_HEADERS.some((name) => c.req.header(name) !== undefined);
}

/** The host name by which the request addresses us, without its port. */
export function requestedHost(c: Context): string | undefined {
  const host = c.req.header('Host');
  return host === undefined ? undefined : hostnameOf(`http://${host}`);
}
