import { z } from 'zod';
import { ALL_EVENTS, EVENT_TYPES, parseDurationMs, present, type EventType } from '../../../contract/index.js';
import { exactText, httpUrl } from '../../../contract/schemas.js';
import { pageFields, time } from '../fields.js';
import { reply, route } from '../route.js';

const DEFAULT_PAGE = 50;
const FORMER_SECRET_SIGNS = '24h';

const anyTime = z.iso.datetime({ offset: true });
const eventTypes = Object.keys(EVENT_TYPES) as EventType[];
/** What an HTTP header may hold. */
const headerValue = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'must be 1 to 2000 printable ASCII characters');

const endpointFields = {
  url: httpUrl.exactOptional().describe('Where events are posted. Without it they are only stored, to be listed'),
  events: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe(`Types, or ${ALL_EVENTS} for all: ${eventTypes.join(', ')}. Default: all`),
};
const description = exactText.max(500);
const authorization = headerValue.describe(
  'Sent as the Authorization header, for a bot that expects it. Never shown again',
);

export const newEndpointSchema = z
  .strictObject({
    instance: z.string().min(1),
    ...endpointFields,
    raw: z
      .boolean()
      .exactOptional()
      .describe('Pass on every notification of the gateway unchanged, and nothing else. Default: false'),
    description: description.exactOptional(),
    authorization: authorization.exactOptional(),
  })
  .meta({ id: 'NewEventEndpoint' });

const changeSchema = z
  .strictObject({
    ...endpointFields,
    description: description.nullable().exactOptional(),
    authorization: authorization.nullable().exactOptional(),
    enabled: z.boolean().exactOptional(),
  })
  .meta({ id: 'EventEndpointChange' });

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
    async handle({ body, key }, { eventEndpoints }) {
      const { endpoint, secret } = await eventEndpoints.create(body, key);
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
    async handle({ query: { instance }, caller }, { eventEndpoints, instances }) {
      const own = instance === undefined ? caller.instances : [instances.get(instance).name];
      return reply(200, { items: await eventEndpoints.list(own) });
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
    handle: async ({ params }, { eventEndpoints }) => reply(200, await eventEndpoints.view(params.id)),
  }),
  changeEventEndpoint: route({
    method: 'patch',
    path: '/v1/event-endpoints/{id}',
    access: ['admin', 'eventEndpoint'],
    summary: 'Change an event endpoint, disable it, or enable it again',
    description: 'What waits is due at once, unless it is disabled: then events go on waiting for it.',
    body: changeSchema,
    bodyName: 'The change',
    responses: { 200: { description: 'Changed', schema: endpointSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    handle: async ({ params, body }, { eventEndpoints }) => reply(200, await eventEndpoints.change(params.id, body)),
  }),
  deleteEventEndpoint: route({
    method: 'delete',
    path: '/v1/event-endpoints/{id}',
    access: ['admin', 'eventEndpoint'],
    summary: 'Delete an event endpoint, with what waits for it',
    responses: { 200: { description: 'Deleted', schema: z.object({ deleted: z.string() }) } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id } }, { eventEndpoints }) {
      await eventEndpoints.remove(id);
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
    async handle({ params, body }, { eventEndpoints }) {
      const keepMs = body.keepFormerFor ?? parseDurationMs(FORMER_SECRET_SIGNS);
      const { endpoint, secret } = await eventEndpoints.rotateSecret(params.id, keepMs);
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
    handle: async ({ params }, { eventEndpoints }) => reply(202, { event: await eventEndpoints.test(params.id) }),
  }),
  replayEvents: route({
    method: 'post',
    path: '/v1/event-endpoints/{id}/replays',
    access: ['admin', 'eventEndpoint'],
    summary: 'Deliver stored events again',
    description:
      'One event, or those of a time that the endpoint wants, whether or not it took them before. The same key replays once.',
    body: z
      .strictObject({
        event: z.string().exactOptional().describe('One event, by its id'),
        from: anyTime.exactOptional(),
        to: anyTime.exactOptional().describe('Before this. Default: now'),
      })
      .meta({ id: 'EventReplay' }),
    bodyName: 'The replay',
    takesKey: true,
    responses: {
      202: {
        description: 'They are due',
        schema: z.object({ events: z.number().int().describe('How many') }).meta({ id: 'ReplayedEvents' }),
      },
    },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'EVENT_NOT_FOUND', 'INPUT_INVALID', 'IDEMPOTENCY_MISMATCH'],
    handle: async ({ params, body, key, caller: { witness } }, { eventEndpoints }) =>
      reply(202, { events: await eventEndpoints.replay(params.id, body, { key, witness }) }),
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
