/** What has to be protected before other machines can reach the API and the webhook receiver. */
import type { MiddlewareHandler } from 'hono';
import { AppError, lacksWebhookToken, type InstanceDirectory, type Problem } from '../../contract/index.js';
import { hostnameOf, isLoopback } from './guard.js';
import { SERVICE_ROUTES } from './routes/service.js';
import { requestedHost } from './sender-place.js';

export interface Protection {
  /** Whether a caller can bring a key. */
  readonly hasKeys: boolean;
  readonly instances: InstanceDirectory;
}

/** @throws AppError CONFIG_INVALID naming everything that is missing to listen there */
export function assertProtected(host: string, { hasKeys, instances }: Protection): void {
  if (isLoopback(host)) return;
  const problems: Problem[] = [];
  if (!hasKeys) {
    const message =
      'is not set, so every caller could send. Make one: export EVERPOST_API_KEYS=$(openssl rand -hex 32)';
    problems.push({ path: 'EVERPOST_API_KEYS', message });
  }
  for (const name of instances.names().filter((one) => lacksWebhookToken(instances.get(one)))) {
    const message =
      'is missing, so every caller could forge receipts, STOPs and states. Make one: everpost doctor --fix';
    problems.push({ path: `${name}.webhookToken`, message });
  }
  if (problems.length === 0) return;
  const missing = problems.map(({ path }) => path).join(', ');
  throw new AppError(
    'CONFIG_INVALID',
    `everpost does not listen on ${host} without ${missing}. Set what is missing, or listen on 127.0.0.1 (EVERPOST_HTTP_HOST).`,
    { problems },
  );
}

/** True where the receiver's public address leads beyond this machine: a proxy passes on what other machines send. */
export function isPublic(publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && !isLoopback(hostnameOf(publicUrl));
}

/** Probes and Prometheus name the address of a container, which cannot be listed beforehand. /metrics needs a key. */
const PROBES: readonly string[] = [SERVICE_ROUTES.livez.path, SERVICE_ROUTES.readyz.path, SERVICE_ROUTES.metrics.path];

/**
 * Lets pass requests that address us by one of these names, or as loopback. A web page whose own name leads to us (DNS
 * rebinding) addresses us by that one.
 * @param hosts  in small letters, without ports; none: every name
 */
export function onlyHosts(hosts: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const host = requestedHost(c)?.toLowerCase() ?? 'localhost';
    if (hosts.length > 0 && !hosts.includes(host) && !isLoopback(host) && !PROBES.includes(c.req.path)) {
      throw new AppError(
        'REQUEST_FORBIDDEN',
        'The Host header names none of the hosts that are served. Add the name to EVERPOST_ALLOWED_HOSTS, and start everpost again.',
      );
    }
    await next();
  };
}
