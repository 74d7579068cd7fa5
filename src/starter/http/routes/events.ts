import { z } from 'zod';
import { parseDurationMs, present } from '../../../contract/index.js';
import {
  anyTime,
  changeEndpoint,
  createEndpoint,
  deliveringEndpoint,
  endpointChangeSchema,
  eventTypes,
  existingEndpoint,
  newEndpointSchema,
  ownEndpoint,
  replayEvents,
  replaySchema,
} from '../../events/event-endpoints.js';
import { EVENTS_WAKE } from '../../../ledger/index.js';
import { pageFields, time } from '../fields.js';
import { reply, route } from '../route.js';

const DEFAULT_PAGE = 50;
const FORMER_SECRET_SIGNS = '24h';

const shownFields = {
  id: z.string(),
  instance: z.string(),
  url: z.string().optional(),
  events: z.array(z.string()),
  raw: z.boolean(),
  description: z.string().optional(),
  hasAuthorization: z.boolean().describe('Whether it is sent an Authorization header of its own'),
  enabled: z.boolean(),
  disabledReason: z.string().optional().describe('`operator`, or what the endpoint answered: `HTTP 410`'),
  disabledAt: time.optional(),
  createdAt: time,
  formerSecretsUntil: time.optional().describe('Until when former secrets sign as well'),
  waiting: z.number().int().describe('Deliveries that have not ended'),
  waitingSince: time.optional().describe('Since when the oldest of those waits'),
  problem: z.string().optional().describe('Why its last try failed'),
  failed: z.number().int().describe('Deliveries that were set aside after three days; a replay delivers them again'),
};
const endpointSchema = z.object(shownFields).meta({ id: 'EventEndpoint' });
const withSecretSchema = z
  .object({
    ...shownFields,
    secret: z
      .string()
      .optional()
      .describe('The key that signs, shown this once. Absent where the same request had made it before'),
  })
  .meta({ id: 'EventEndpointWithSecret' });

const eventFields = {
  id: z.string(),
  type: z.enum(eventTypes),
  timestamp: time,
  instance: z.string(),
  data: z.unknown().describe('Of a notification its body, unchanged'),
};
const eventSchema = z.object(eventFields).meta({ id: 'Event' });
const deliverySchema = z
  .object({
    endpointId: z.string(),
    tries: z.number().int(),
    deliveredAt: time.optional(),
    givenUpAt: time.optional(),
    problem: z.string().optional().describe('Why its last try failed'),
    nextTryAt: time.optional(),
  })
  .meta({ id: 'EventDelivery' });

const duration = z.string().transform((text, context) => {
  try {
    return parseDurationMs(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a duration, e.g. 24h' });
    return z.NEVER;
  }
});

export const EVENT_ROUTES = {
  createEventEndpoint: route({
    method: 'post',
    path: '/v1/event-endpoints',
    access: ['admin', 'named'],
    summary: 'Have the events of an instance delivered',
    description:
      'From the response on every event that it names is recorded with what it reports, and posted at least once, signed by Standard Webhooks, in order for each chat. The same key creates one.',
    body: newEndpointSchema,
    bodyName: 'The endpoint',
    takesKey: true,
    responses: {
      200: { description: 'It was there, made from the same request', schema: withSecretSchema },
      201: { description: 'Created, with its secret', schema: withSecretSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'INPUT_TOO_LARGE'],
    async handle({ body, key }, dependencies) {
      const { endpoint, secret } = await createEndpoint(dependencies, body, key);
      const location = `/v1/event-endpoints/${endpoint.id}`;
      if (secret === undefined) return reply(200, endpoint, { location, isReplay: true });
      return reply(201, { ...endpoint, secret: secret.reveal() }, { location });
    },
  }),
  listEventEndpoints: route({
    method: 'get',
    path: '/v1/event-endpoints',
    access: ['read', 'named'],
    summary: 'List event endpoints, with what waits for them',
    query: z.strictObject({ instance: z.string().exactOptional() }),
    responses: { 200: { description: 'All of them', schema: z.object({ items: z.array(endpointSchema) }) } },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND'],
    async handle({ query: { instance }, caller }, { ledger, instances }) {
      const own = instance === undefined ? caller.instances : [instances.get(instance).name];
      return reply(200, { items: await ledger.eventEndpoints.list(own) });
    },
  }),
  getEventEndpoint: route({
    method: 'get',
    path: '/v1/event-endpoints/{id}',
    access: ['read', 'eventEndpoint'],
    summary: 'An event endpoint, with what waits for it',
    description: '`callbacks-<instance>` stands for the status callbacks of an instance.',
    responses: { 200: { description: 'As it stands', schema: endpointSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND'],
    handle: async ({ params }, dependencies) => reply(200, await existingEndpoint(dependencies, params.id)),
  }),
  changeEventEndpoint: route({
    method: 'patch',
    path: '/v1/event-endpoints/{id}',
    access: ['admin', 'eventEndpoint'],
    summary: 'Change an event endpoint, disable it, or enable it again',
    description: 'What waits is due at once, unless it is disabled: then events go on waiting for it.',
    body: endpointChangeSchema,
    bodyName: 'The change',
    responses: { 200: { description: 'Changed', schema: endpointSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    handle: async ({ params, body }, dependencies) => reply(200, await changeEndpoint(dependencies, params.id, body)),
  }),
  deleteEventEndpoint: route({
    method: 'delete',
    path: '/v1/event-endpoints/{id}',
    access: ['admin', 'eventEndpoint'],
    summary: 'Delete an event endpoint, with what waits for it',
    responses: { 200: { description: 'Deleted', schema: z.object({ deleted: z.string() }) } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id } }, dependencies) {
      await ownEndpoint(dependencies, id);
      await dependencies.ledger.eventEndpoints.remove(id);
      return reply(200, { deleted: id });
    },
  }),
  rotateEventSecret: route({
    method: 'post',
    path: '/v1/event-endpoints/{id}/rotate-secret',
    access: ['admin', 'eventEndpoint'],
    summary: 'Make a new secret for an event endpoint',
    description: 'The former one signs as well for a while, so that no event is refused meanwhile.',
    body: z
      .strictObject({
        keepFormerFor: duration
          .exactOptional()
          .describe(`How long the former secret signs too. Default: ${FORMER_SECRET_SIGNS}`),
      })
      .meta({ id: 'SecretRotation' }),
    bodyName: 'The rotation',
    responses: { 200: { description: 'With the new secret', schema: withSecretSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id }, body }, dependencies) {
      const { ledger, clock } = dependencies;
      const keepMs = body.keepFormerFor ?? parseDurationMs(FORMER_SECRET_SIGNS);
      await existingEndpoint(dependencies, id);
      const nowMs = clock.nowMs();
      const { endpoint, secret } = await ledger.eventEndpoints.rotateSecret(id, nowMs + keepMs, nowMs);
      return reply(200, { ...endpoint, ...present({ secret: secret?.reveal() }) });
    },
  }),
  testEventEndpoint: route({
    method: 'post',
    path: '/v1/event-endpoints/{id}/test',
    access: ['admin', 'eventEndpoint'],
    summary: 'Post an event of type endpoint.test to one endpoint',
    description: 'GET /v1/events/{id} shows what became of it. An endpoint with raw gets it as well.',
    responses: { 202: { description: 'Recorded', schema: z.object({ event: z.string() }) } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id } }, dependencies) {
      const { ledger, clock } = dependencies;
      await deliveringEndpoint(dependencies, id);
      const event = await ledger.eventEndpoints.test(id, clock.nowMs());
      ledger.wakes.announce(EVENTS_WAKE);
      return reply(202, { event });
    },
  }),
  replayEvents: route({
    method: 'post',
    path: '/v1/event-endpoints/{id}/replays',
    access: ['admin', 'eventEndpoint'],
    summary: 'Deliver stored events again',
    description:
      'One event, or those of a time that the endpoint wants, whether or not it took them before. The same key replays once.',
    body: replaySchema,
    bodyName: 'The replay',
    takesKey: true,
    responses: {
      202: {
        description: 'They are due',
        schema: z.object({ events: z.number().int().describe('How many') }).meta({ id: 'ReplayedEvents' }),
      },
    },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'EVENT_NOT_FOUND', 'INPUT_INVALID', 'IDEMPOTENCY_MISMATCH'],
    handle: async ({ params, body, key, caller: { witness } }, dependencies) =>
      reply(202, { events: await replayEvents(dependencies, params.id, body, { key, witness }) }),
  }),
  listEvents: route({
    method: 'get',
    path: '/v1/events',
    access: ['read', 'named'],
    summary: 'Stored events, the oldest first',
    description:
      'Ask again with the cursor for what comes after it: none is left out, whatever is lost in between. Events are stored for instances that have an endpoint.',
    query: z.strictObject({
      instance: z.string().exactOptional(),
      type: z.enum(eventTypes).exactOptional(),
      since: anyTime.exactOptional().describe('Those from then on'),
      from: z.enum(['end']).exactOptional().describe('Without a cursor: no event, and the cursor of what comes next'),
      ...pageFields,
    }),
    responses: {
      200: {
        description: 'One page; `cursor` goes on after it, also where nothing is left',
        schema: z.object({ items: z.array(eventSchema), cursor: z.string() }).meta({ id: 'EventList' }),
      },
    },
    problems: ['INPUT_INVALID'],
    async handle({ query: { since, from, limit = DEFAULT_PAGE, ...filter }, caller: { instances } }, { ledger }) {
      const sinceMs = since === undefined ? undefined : Date.parse(since);
      const page = await ledger.events.list({
        ...filter,
        limit,
        fromEnd: from === 'end',
        ...present({ sinceMs, instances }),
      });
      return reply(200, page);
    },
  }),
  getEvent: route({
    method: 'get',
    path: '/v1/events/{id}',
    access: ['read', 'event'],
    summary: 'An event, and what became of its deliveries',
    responses: {
      200: {
        description: 'As it stands',
        schema: z.object({ ...eventFields, deliveries: z.array(deliverySchema) }).meta({ id: 'EventWithDeliveries' }),
      },
    },
    problems: ['EVENT_NOT_FOUND'],
    handle: async ({ params }, { ledger }) => reply(200, await ledger.events.view(params.id)),
  }),
} as const;
