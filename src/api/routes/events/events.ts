import { z } from 'zod';
import { EVENT_ORDERS, EVENT_TYPES, present, type EventType } from '../../../contract/index.js';
import { reply, route, instanceFilter } from '../../route.js';
import { pageFields, time, timeSchema } from '../../../contract/schemas.js';

const DEFAULT_PAGE = 50;
const eventTypes = Object.keys(EVENT_TYPES) as EventType[];

const eventFields = {
  id: z.string(),
  type: z.enum(eventTypes),
  timestamp: time,
  instance: z.string(),
  data: z.unknown().describe("The unchanged body of a notification, or the data of everpost's own event"),
};
const eventSchema = z.object(eventFields).meta({ id: 'Event' });
const deliverySchema = z
  .object({
    endpointId: z.string().describe('The endpoint'),
    tries: z.number().int().describe('Number of tries'),
    deliveredAt: time.optional().describe('When the endpoint accepted the event'),
    givenUpAt: time.optional().describe('When the delivery was set aside'),
    problem: z.string().optional().describe('Why the last try failed'),
    nextTryAt: time.optional().describe('When the next try is due'),
  })
  .meta({ id: 'EventDelivery' });

export const EVENT_ROUTES = {
  listEvents: route('GET /v1/events', {
    access: ['read', 'named'],
    summary: 'List stored events',
    description:
      'Oldest first by default: repeat the request with the cursor to read later events. None is left out, even if deliveries fail. Events are stored for instances that have an endpoint.',
    query: z.strictObject({
      instance: instanceFilter,
      type: z.enum(eventTypes).exactOptional().describe('Only events of this type. Default: all'),
      since: timeSchema.exactOptional().describe('Only events from this time on. Default: all'),
      from: z
        .enum(['end'])
        .exactOptional()
        .describe(
          '`end` without a cursor returns no events, only the cursor for later ones. Default: from the oldest event',
        ),
      order: z
        .enum(EVENT_ORDERS)
        .exactOptional()
        .describe('`newest` begins with the newest event, and its cursor continues with older ones. Default: oldest'),
      ...pageFields,
    }),
    responses: {
      200: {
        description: 'One page. `cursor` continues after it, also if no more events exist yet',
        schema: z.object({ items: z.array(eventSchema), cursor: z.string() }).meta({ id: 'EventList' }),
      },
    },
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
  getEvent: route('GET /v1/events/{id}', {
    access: ['read', 'event'],
    summary: 'Retrieve an event',
    responses: {
      200: {
        description: 'The event and its deliveries',
        schema: z.object({ ...eventFields, deliveries: z.array(deliverySchema) }).meta({ id: 'EventWithDeliveries' }),
      },
    },
    problems: ['EVENT_NOT_FOUND'],
    handle: async ({ params }, { ledger }) => reply(200, await ledger.events.view(params.id)),
  }),
} as const;
