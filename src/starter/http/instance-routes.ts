import type { Hono } from 'hono';
import type { InstanceDirectory } from '../../contract/index.js';
import type { InstanceStatus } from '../instances/instance-status.js';
import type { PauseInstance } from '../instances/pause-instance.js';
import type { ResumeInstance } from '../instances/resume-instance.js';
import { ENDPOINTS } from './endpoints.js';
import { readIdempotencyKey } from './read-request.js';
import { pathPart, route } from './router.js';
import type { Waiting } from './waiting.js';

export interface InstanceRouteDependencies {
  readonly instances: InstanceDirectory;
  readonly statusOf: (name: string) => Promise<InstanceStatus>;
  readonly pause: PauseInstance;
  readonly resume: ResumeInstance;
  readonly waiting: Waiting;
}

export function instanceRoutes(app: Hono, dependencies: InstanceRouteDependencies): void {
  const { instances, statusOf, pause, resume, waiting } = dependencies;
  route(app, ENDPOINTS.listInstances, async (c) =>
    c.json({ items: await Promise.all(instances.names().map(statusOf)) }),
  );

  route(app, ENDPOINTS.getInstance, async (c) => c.json(await statusOf(pathPart(c, 'name'))));

  route(app, ENDPOINTS.pauseInstance, async (c) => {
    const name = pathPart(c, 'name');
    const active = await pause(name, readIdempotencyKey(c));
    return c.json({ pause: active, instance: await statusOf(name) });
  });

  route(app, ENDPOINTS.resumeInstance, async (c) => {
    const name = pathPart(c, 'name');
    const resumed = await resume(name, readIdempotencyKey(c), waiting.signalOf(c));
    return c.json({ resumed, instance: await statusOf(name) });
  });
}
