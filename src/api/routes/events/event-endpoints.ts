import { z } from 'zod';
import {
  ALL_EVENTS,
  EVENT_TYPES,
  Secret,
  callbacksEndpointId,
  parseDurationMs,
  present,
  type Problem,
} from '../../../contract/index.js';
import { durationSchema, exactText, httpUrl, pageFields, time, timeSchema } from '../../../contract/schemas.js';
import { inputInvalid } from '../../../domain/index.js';
import {
  DELIVERY_STATES,
  EVENTS_WAKE,
  eventUnknown,
  isCallbacksEndpoint,
  sequenceOf,
  type EndpointView,
} from '../../../ledger/index.js';
import { checkTarget, commandId, eventEndpointId, requestHash } from '../../../starter/index.js';
import type { RouteDependencies } from '../../route-dependencies.js';
import { reply, route, instanceFilter, onePage } from '../../route.js';

const EVENT_NAMES = Object.keys(EVENT_TYPES);

const FORMER_SECRET_SIGNS = '24h';

/** The value of an HTTP header. */
const headerValue = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'must be 1 to 2000 printable ASCII characters');

const endpointFields = {
  url: httpUrl
    .exactOptional()
    .describe('URL to which events are posted. Absent: events are only stored, and can be listed'),
  events: z
    .array(
      z
        .string()
        .refine(
          (type) => type === ALL_EVENTS || EVENT_NAMES.includes(type),
          `is not one of ${EVENT_NAMES.join(', ')} and *`,
        ),
    )
    .min(1)
    .exactOptional()
    .describe(`Event types, or ${ALL_EVENTS} for all: ${EVENT_NAMES.join(', ')}. Default: all`),
};
const descriptionSchema = exactText.max(500).describe('A text of yours that responses repeat');
const authorizationSchema = headerValue.describe(
  'Value of the Authorization header of each delivery. Responses never show it. Give it again with a URL of another origin',
);

export const newEndpointSchema = z
  .strictObject({
    instance: z.string().min(1).describe('Name of the configured instance'),
    ...endpointFields,
    raw: z
      .boolean()
      .exactOptional()
      .describe('True delivers every notification of the gateway unchanged, and nothing else. Default: false'),
    description: descriptionSchema.exactOptional(),
    authorization: authorizationSchema.exactOptional(),
  })
  .meta({ id: 'NewEventEndpoint' });

const endpointChangeSchema = z
  .strictObject({
    ...endpointFields,
    description: descriptionSchema.nullable().exactOptional(),
    authorization: authorizationSchema.nullable().exactOptional(),
    enabled: z.boolean().exactOptional().describe('False stops deliveries, true resumes them'),
  })
  .meta({ id: 'EventEndpointChange' });

const replaySchema = z
  .strictObject({
    event: z.string().exactOptional().describe('Id of one event'),
    from: timeSchema.exactOptional().describe('Events from this time on'),
    to: timeSchema.exactOptional().describe('Events before this time. Default: now'),
  })
  .meta({ id: 'EventReplay' });

const shownFields = {
  id: z.string().describe('Id of the endpoint'),
  instance: z.string().describe('The instance whose events it gets'),
  url: z.string().optional().describe('URL to which events are posted. Absent: events are only stored'),
  events: z.array(z.string()).describe('Event types, or `*`'),
  raw: z.boolean().describe('True if it gets every notification of the gateway unchanged, and nothing else'),
  description: z.string().optional().describe('The text of the request'),
  hasAuthorization: z.boolean().describe('True if deliveries have an Authorization header'),
  enabled: z.boolean().describe('False while deliveries are stopped'),
  disabledReason: z.string().optional().describe('`operator`, or the response of the endpoint: `HTTP 410`'),
  disabledAt: time.optional().describe('When deliveries were stopped'),
  createdAt: time.describe('When the endpoint was created'),
  formerSecretsUntil: time.optional().describe('Until when former secrets also sign'),
  waiting: z.number().int().describe('Deliveries that have not ended, counted up to 10000'),
  waitingSince: time.optional().describe('Since when the oldest of them waits'),
  problem: z.string().optional().describe('Why its last try failed'),
  secretsProblem: z
    .string()
    .optional()
    .describe('Why nothing can be delivered: the encryption key of the secret or of the header is missing'),
  failed: z
    .number()
    .int()
    .describe('Deliveries that were set aside after three days, counted up to 10000. A replay delivers them again'),
};
const endpointSchema = z.object(shownFields).meta({ id: 'EventEndpoint' });
const withSecretSchema = z
  .object({
    ...shownFields,
    secret: z
      .string()
      .optional()
      .describe(
        'The key that signs deliveries, shown only once. Absent if the same request had created the endpoint before',
      ),
  })
  .meta({ id: 'EventEndpointWithSecret' });

const endpointDeliverySchema = z
  .object({
    event: z.string().describe('Id of the event'),
    instance: z.string().describe('The instance of the event'),
    type: z.string().describe('Its type'),
    timestamp: time.describe('When it happened'),
    tries: z.number().int().describe('Number of tries'),
    problem: z.string().optional().describe('Why the last try failed'),
    nextTryAt: time.optional().describe('When the next try is due'),
    givenUpAt: time.optional().describe('When the delivery was set aside'),
  })
  .meta({ id: 'EndpointDelivery' });

export const EVENT_ENDPOINT_ROUTES = {
  createEventEndpoint: route('POST /v1/event-endpoints', {
    access: ['admin', 'named'],
    summary: 'Create an event endpoint',
    description:
      'Every event that the endpoint subscribes to is recorded together with the change that it reports. It is posted at least once, signed as in Standard Webhooks, and in order for each chat.',
    body: newEndpointSchema,
    bodyName: 'The endpoint',
    takesKey: true,
    responses: {
      200: { description: 'The same request had created the endpoint', schema: withSecretSchema },
      201: { description: 'The endpoint, with its secret', schema: withSecretSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ body, key }, { ledger, instances, clock, allowPrivateCallbacks }) {
      const { instance, url, events = [ALL_EVENTS], raw = false, description, authorization: header } = body;
      refuse('The endpoint', [
        ...checkTarget('url', url, allowPrivateCallbacks),
        ...rawProblems(raw, body.events, url),
      ]);
      instances.get(instance);
      const { endpoint, secret } = await ledger.eventEndpoints.create(
        {
          id: eventEndpointId(instance, key),
          instance,
          events,
          raw,
          ...present({ url, description }),
          ...(header === undefined ? {} : { authorization: new Secret(header) }),
          requestHash: requestHash(body),
        },
        clock.nowMs(),
      );
      const location = `/v1/event-endpoints/${endpoint.id}`;
      if (secret === undefined) return reply(200, endpoint, { location, isReplay: true });
      return reply(201, { ...endpoint, secret: secret.reveal() }, { location });
    },
  }),
  listEventEndpoints: route('GET /v1/event-endpoints', {
    access: ['read', 'named'],
    summary: 'List event endpoints',
    query: z.strictObject({ instance: instanceFilter }),
    responses: {
      200: {
        description: 'All endpoints, with their waiting deliveries',
        schema: z.object({ items: z.array(endpointSchema) }),
      },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    async handle({ query: { instance }, caller }, { ledger, instances }) {
      const own = instance === undefined ? caller.instances : [instances.get(instance).name];
      return reply(200, { items: await ledger.eventEndpoints.list(own) });
    },
  }),
  getEventEndpoint: route('GET /v1/event-endpoints/{id}', {
    access: ['read', 'eventEndpoint'],
    summary: 'Retrieve an event endpoint',
    description: "`callbacks-<instance>` is the endpoint of an instance's status callbacks.",
    responses: { 200: { description: 'The endpoint, with its waiting deliveries', schema: endpointSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND'],
    handle: async ({ params }, dependencies) => reply(200, await existingEndpoint(dependencies, params.id)),
  }),
  listEndpointDeliveries: route('GET /v1/event-endpoints/{id}/deliveries', {
    access: ['read', 'eventEndpoint'],
    summary: 'List the deliveries of an event endpoint that wait or failed',
    query: z.strictObject({
      state: z
        .enum(DELIVERY_STATES)
        .default('waiting')
        .describe(
          '`waiting`: not delivered yet, oldest first. `failed`: set aside after three days, newest first. Default: waiting',
        ),
      ...pageFields,
    }),
    responses: onePage(endpointDeliverySchema, 'EndpointDeliveryList'),
    problems: ['EVENT_ENDPOINT_NOT_FOUND'],
    async handle({ params: { id }, query }, dependencies) {
      await existingEndpoint(dependencies, id);
      return reply(200, await dependencies.ledger.events.deliveriesTo(id, query));
    },
  }),
  changeEventEndpoint: route('PATCH /v1/event-endpoints/{id}', {
    access: ['admin', 'eventEndpoint'],
    summary: 'Update an event endpoint, or disable or enable it',
    description:
      'Waiting deliveries are due at once. While the endpoint is disabled, they wait. A stored Authorization header is not sent to another origin (scheme, host and port): a change of the URL to one needs `authorization` too, the header for it or null.',
    body: endpointChangeSchema,
    bodyName: 'The change',
    responses: { 200: { description: 'The endpoint after the change', schema: endpointSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND'],
    async handle({ params: { id }, body }, dependencies) {
      const { ledger, clock, allowPrivateCallbacks } = dependencies;
      const { raw, url: knownUrl } = await ownEndpoint(dependencies, id);
      const { authorization, ...changes } = body;
      const { url, events } = changes;
      refuse(`The change of ${id}`, [
        ...checkTarget('url', url, allowPrivateCallbacks),
        ...rawProblems(raw, events, url ?? knownUrl),
      ]);
      const header = typeof authorization === 'string' ? new Secret(authorization) : authorization;
      const change = { ...changes, ...(header === undefined ? {} : { authorization: header }) };
      const changed = await ledger.eventEndpoints.change(id, change, clock.nowMs());
      ledger.wakes.announce(EVENTS_WAKE);
      return reply(200, changed);
    },
  }),
  deleteEventEndpoint: route('DELETE /v1/event-endpoints/{id}', {
    access: ['admin', 'eventEndpoint'],
    summary: 'Delete an event endpoint and its waiting deliveries',
    responses: { 200: { description: 'The endpoint is deleted', schema: z.object({ deleted: z.string() }) } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id } }, dependencies) {
      await ownEndpoint(dependencies, id);
      await dependencies.ledger.eventEndpoints.remove(id);
      return reply(200, { deleted: id });
    },
  }),
  rotateEventSecret: route('POST /v1/event-endpoints/{id}/rotate-secret', {
    access: ['admin', 'eventEndpoint'],
    summary: 'Rotate the secret of an event endpoint',
    description: 'The former secret also signs for a while, so that no event is rejected in the meantime.',
    body: z
      .strictObject({
        keepFormerFor: durationSchema
          .default(FORMER_SECRET_SIGNS)
          .describe(`How long the former secret also signs. Default: ${FORMER_SECRET_SIGNS}`),
      })
      .meta({ id: 'SecretRotation' }),
    bodyName: 'The rotation',
    responses: { 200: { description: 'The endpoint, with the new secret', schema: withSecretSchema } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND'],
    async handle({ params: { id }, body }, dependencies) {
      const { ledger, clock } = dependencies;
      const keepMs = parseDurationMs(body.keepFormerFor);
      await existingEndpoint(dependencies, id);
      const nowMs = clock.nowMs();
      const { endpoint, secret } = await ledger.eventEndpoints.rotateSecret(id, nowMs + keepMs, nowMs);
      return reply(200, { ...endpoint, ...present({ secret: secret?.reveal() }) });
    },
  }),
  testEventEndpoint: route('POST /v1/event-endpoints/{id}/test', {
    access: ['admin', 'eventEndpoint'],
    summary: 'Send a test event to an event endpoint',
    description:
      'Posts an event of type endpoint.test, also to an endpoint with `raw`. GET /v1/events/{id} shows its deliveries.',
    responses: { 202: { description: 'The event is recorded', schema: z.object({ event: z.string() }) } },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'INPUT_INVALID'],
    async handle({ params: { id } }, dependencies) {
      const { ledger, clock } = dependencies;
      await deliveringEndpoint(dependencies, id);
      const event = await ledger.eventEndpoints.test(id, clock.nowMs());
      ledger.wakes.announce(EVENTS_WAKE);
      return reply(202, { event });
    },
  }),
  replayEvents: route('POST /v1/event-endpoints/{id}/replays', {
    access: ['admin', 'eventEndpoint'],
    summary: 'Replay stored events to an event endpoint',
    description:
      'Delivers one event again, or all events of a period that the endpoint subscribes to, whether or not they were delivered before.',
    body: replaySchema,
    bodyName: 'The replay',
    takesKey: true,
    responses: {
      202: {
        description: 'The events are due',
        schema: z
          .object({ events: z.number().int().describe('How many events are delivered again') })
          .meta({ id: 'ReplayedEvents' }),
      },
    },
    problems: ['EVENT_ENDPOINT_NOT_FOUND', 'EVENT_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { id }, body, key, caller: { witness } }, dependencies) {
      const { ledger, clock } = dependencies;
      const { event, from, to } = body;
      const { instance } = await deliveringEndpoint(dependencies, id);
      if ((event === undefined) === (from === undefined) || (event !== undefined && to !== undefined)) {
        const message = 'contains neither one event nor a period: give event, or from and until';
        throw inputInvalid('The replay', [{ path: '', message }]);
      }
      const nowMs = clock.nowMs();
      if (event !== undefined && (await ledger.events.instanceOf(event)) !== instance) throw eventUnknown(event);
      const range = { fromMs: Date.parse(from ?? ''), toMs: to === undefined ? nowMs : Date.parse(to) };
      const which = event === undefined ? range : { sequence: sequenceOf(event) };
      const command = {
        id: commandId('event endpoint', id, 'replay', key),
        requestHash: requestHash(body),
        requestedBy: witness,
      };
      const events = await ledger.eventEndpoints.replay(id, which, command, nowMs);
      ledger.wakes.announce(EVENTS_WAKE);
      return reply(202, { events });
    },
  }),
} as const;

/**
 * Every instance has the endpoint of its status callbacks, also before its first callback.
 * @throws AppError EVENT_ENDPOINT_NOT_FOUND
 */
async function existingEndpoint({ ledger, instances }: RouteDependencies, id: string): Promise<EndpointView> {
  const instance = instances.names().find((name) => callbacksEndpointId(name) === id);
  if (instance !== undefined) await ledger.eventEndpoints.ensureCallbacks(instance);
  return ledger.eventEndpoints.view(id);
}

/** @throws AppError EVENT_ENDPOINT_NOT_FOUND | INPUT_INVALID for the endpoint of status callbacks */
async function ownEndpoint(dependencies: RouteDependencies, id: string): Promise<EndpointView> {
  const found = await existingEndpoint(dependencies, id);
  if (!isCallbacksEndpoint(found)) return found;
  const message = "is the endpoint of its instance's status callbacks, of which only the secret can be changed";
  throw inputInvalid(`The change of ${id}`, [{ path: 'id', message }]);
}

/**
 * @throws AppError EVENT_ENDPOINT_NOT_FOUND | INPUT_INVALID for an endpoint without a URL, and like {@link ownEndpoint}
 */
async function deliveringEndpoint(dependencies: RouteDependencies, id: string): Promise<EndpointView> {
  const found = await ownEndpoint(dependencies, id);
  if (found.url !== undefined) return found;
  const message = 'is missing: events of this endpoint are only stored';
  throw inputInvalid(`The request for ${id}`, [{ path: 'url', message }]);
}

/** @throws AppError INPUT_INVALID */
function refuse(what: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw inputInvalid(what, problems);
}

function rawProblems(raw: boolean, events: readonly string[] | undefined, url: string | undefined): Problem[] {
  if (!raw) return [];
  return [
    ...(url === undefined ? [{ path: 'url', message: 'is missing: raw delivers notifications to it' }] : []),
    ...(events?.some((type) => type !== ALL_EVENTS)
      ? [{ path: 'events', message: 'must be absent: raw delivers every notification' }]
      : []),
  ];
}
