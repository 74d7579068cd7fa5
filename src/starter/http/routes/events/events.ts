import { z } from 'zod';
import { EVENT_TYPES, present, type EventType } from '../../../../contract/index.js';
import { anyTime, pageFields, time } from '../../fields.js';
import { reply, route } from '../../route.js';

const DEFAULT_PAGE = 50;
const eventTypes = Object.keys(EVENT_TYPES) as EventType[];

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

export const EVENT_ROUTES = {
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
    summary: 'An event, and its deliveries',
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
