import { parseUrl } from './values.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname) || hostname === '::1';
}

/** True for a URL that is not on this machine: a proxy then forwards requests of other machines. */
export function isPublic(url: string | undefined): boolean {
  return url !== undefined && !isLoopback(hostnameOf(url));
}

export function hostnameOf(url: string): string {
  return parseUrl(url)?.hostname ?? '';
}
