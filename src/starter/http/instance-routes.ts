import type { Hono } from 'hono';
import type { InstanceDirectory } from '../../contract/index.js';
import type { InstanceStatus } from '../instances/instance-status.js';
import type { PauseInstance } from '../instances/pause-instance.js';
import type { ResumeInstance } from '../instances/resume-instance.js';
import { ENDPOINTS } from './endpoints.js';
import { readIdempotencyKey, readQuery } from './read-request.js';
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
    const key = readIdempotencyKey(c);
    const { timeoutMs } = readQuery(c, ENDPOINTS.pauseInstance.query);
    const wait = { timeoutMs, signal: waiting.signalOf(c) };
    const { pause: active, isStill } = await waiting.held(timeoutMs, () => pause(name, key, wait));
    return c.json({ pause: active, instance: await statusOf(name) }, isStill ? 200 : 202);
  });

  route(app, ENDPOINTS.resumeInstance, async (c) => {
    const name = pathPart(c, 'name');
    const resumed = await resume(name, readIdempotencyKey(c), waiting.signalOf(c));
    return c.json({ resumed, instance: await statusOf(name) });
  });
}
