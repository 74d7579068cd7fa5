import type { Hono } from 'hono';
import type { InstanceDirectory } from '../../contract/index.js';
import type { InstanceStatus } from '../instances/instance-status.js';
import type { ResumeInstance } from '../instances/resume-instance.js';
import { ENDPOINTS } from './endpoints.js';
import { readIdempotencyKey } from './read-request.js';
import { pathPart, route } from './router.js';
import type { Waiting } from './waiting.js';

export interface InstanceRouteDependencies {
  readonly instances: InstanceDirectory;
  readonly statusOf: (name: string) => Promise<InstanceStatus>;
  readonly resume: ResumeInstance;
  readonly waiting: Waiting;
}

export function instanceRoutes(app: Hono, { instances, statusOf, resume, waiting }: InstanceRouteDependencies): void {
  route(app, ENDPOINTS.listInstances, async (c) =>
    c.json({ items: await Promise.all(instances.names().map(statusOf)) }),
  );

  route(app, ENDPOINTS.getInstance, async (c) => c.json(await statusOf(pathPart(c, 'name'))));

  route(app, ENDPOINTS.resumeInstance, async (c) => {
    const name = pathPart(c, 'name');
    const resumed = await resume(name, readIdempotencyKey(c), waiting.signalOf(c));
    return c.json({ resumed, instance: await statusOf(name) });
  });
}
