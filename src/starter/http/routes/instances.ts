import { z } from 'zod';
import { instanceSchema, instanceStatus, pauseFields } from '../../instances/instance-status.js';
import { pauseInstance } from '../../instances/pause-instance.js';
import { resumeInstance } from '../../instances/resume-instance.js';
import { waitMs } from '../fields.js';
import { reply, route } from '../route.js';

/** Longer than a POST may take by default. */
const PAUSE_WAIT_MS = 25_000;

const pausedInstanceSchema = z
  .object({ pause: z.object(pauseFields), instance: instanceSchema })
  .meta({ id: 'PausedInstance' });

export const INSTANCE_ROUTES = {
  listInstances: route({
    method: 'get',
    path: '/v1/instances',
    access: ['read', 'named'],
    summary: 'The configured instances, without their tokens, and how they are',
    responses: { 200: { description: 'All of them', schema: z.object({ items: z.array(instanceSchema) }) } },
    problems: [],
    async handle(_request, dependencies) {
      const names = dependencies.instances.names();
      return reply(200, { items: await Promise.all(names.map((name) => instanceStatus(dependencies, name))) });
    },
  }),
  getInstance: route({
    method: 'get',
    path: '/v1/instances/{name}',
    access: ['read', 'instance'],
    summary: 'One instance, without its tokens, and how it is',
    responses: { 200: { description: 'Configuration, state, pauses, and what waits', schema: instanceSchema } },
    problems: ['INSTANCE_NOT_FOUND'],
    handle: async ({ params: { name } }, dependencies) => reply(200, await instanceStatus(dependencies, name)),
  }),
  pauseInstance: route({
    method: 'post',
    path: '/v1/instances/{name}/pause',
    access: ['admin', 'instance'],
    summary: 'Pause an instance',
    description:
      "No message of the instance is posted until it is resumed. Answers when no POST is under way any more; items in the gateway's queue still go out. An operator's pause does not end by itself. The same key pauses once: a later resume stays.",
    query: z.strictObject({ timeoutMs: waitMs(PAUSE_WAIT_MS) }),
    takesKey: true,
    responses: {
      200: { description: "The operator's pause, and how the instance is now", schema: pausedInstanceSchema },
      202: { description: 'It is paused, and a POST that began before is under way', schema: pausedInstanceSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { name }, query: { timeoutMs }, key, caller: { witness }, c }, dependencies) {
      const { waiting } = dependencies;
      const wait = { timeoutMs, witness, signal: waiting.signalOf(c) };
      const { pause, isStill } = await waiting.held(timeoutMs, () => pauseInstance(dependencies, name, key, wait));
      return reply(isStill ? 200 : 202, { pause, instance: await instanceStatus(dependencies, name) });
    },
  }),
  resumeInstance: route({
    method: 'post',
    path: '/v1/instances/{name}/resume',
    access: ['admin', 'instance'],
    summary: 'Resume a paused instance',
    description:
      'Ends all pauses of the instance. After a yellow card, a block or a suspension it is refused until the account is authorized again. Without a pause it changes nothing. The same key resumes once: a pause that came later stays.',
    takesKey: true,
    responses: {
      200: {
        description: 'The pauses that it ended, and how the instance is now',
        schema: z
          .object({ resumed: z.array(z.object(pauseFields)), instance: instanceSchema })
          .meta({ id: 'ResumedInstance' }),
      },
    },
    problems: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_AUTHORIZED', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { name }, key, caller: { witness }, c }, dependencies) {
      const how = { witness, signal: dependencies.waiting.signalOf(c) };
      const resumed = await resumeInstance(dependencies, name, key, how);
      return reply(200, { resumed, instance: await instanceStatus(dependencies, name) });
    },
  }),
} as const;
