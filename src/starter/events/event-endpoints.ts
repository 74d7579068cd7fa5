/** Where events go, as operators and backends change it. */
import { z } from 'zod';
import {
  ALL_EVENTS,
  EVENT_TYPES,
  Secret,
  callbacksEndpointId,
  present,
  type EventType,
  type Problem,
} from '../../contract/index.js';
import { exactText, httpUrl } from '../../contract/schemas.js';
import { inputInvalid } from '../../domain/index.js';
import { EVENTS_WAKE, isCallbacksEndpoint, sequenceOf, type EndpointView } from '../../ledger/index.js';
import type { AskedFor } from '../begin-message.js';
import { checkTarget } from '../check-target.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { eventCommandId, eventEndpointId, requestHash } from '../ids.js';

export const anyTime = z.iso.datetime({ offset: true });
export const eventTypes = Object.keys(EVENT_TYPES) as EventType[];
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

export const endpointChangeSchema = z
  .strictObject({
    ...endpointFields,
    description: description.nullable().exactOptional(),
    authorization: authorization.nullable().exactOptional(),
    enabled: z.boolean().exactOptional(),
  })
  .meta({ id: 'EventEndpointChange' });

export const replaySchema = z
  .strictObject({
    event: z.string().exactOptional().describe('One event, by its id'),
    from: anyTime.exactOptional(),
    to: anyTime.exactOptional().describe('Before this. Default: now'),
  })
  .meta({ id: 'EventReplay' });

/**
 * @returns without a secret where the same request had made it before
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
export async function createEndpoint(
  { ledger, instances, clock, allowPrivateCallbacks }: RouteDependencies,
  request: z.output<typeof newEndpointSchema>,
  key: string,
): Promise<{ readonly endpoint: EndpointView; readonly secret?: Secret }> {
  const { instance, url, events = [ALL_EVENTS], raw = false, description: words, authorization: header } = request;
  refuse('The endpoint', [
    ...checkTarget('url', url, allowPrivateCallbacks),
    ...eventProblems(events),
    ...rawProblems(raw, request.events, url),
  ]);
  instances.get(instance);
  return ledger.eventEndpoints.create(
    {
      id: eventEndpointId(instance, key),
      instance,
      events,
      raw,
      ...present({ url, description: words }),
      ...(header === undefined ? {} : { authorization: new Secret(header) }),
      requestHash: requestHash(request),
    },
    clock.nowMs(),
  );
}

/**
 * What stands for status callbacks is there for every instance, before its first callback too.
 * @throws AppError EVENT_ENDPOINT_NOT_FOUND
 */
export async function existingEndpoint({ ledger, instances }: RouteDependencies, id: string): Promise<EndpointView> {
  const instance = instances.names().find((name) => callbacksEndpointId(name) === id);
  if (instance !== undefined) await ledger.eventEndpoints.ensureCallbacks(instance);
  return ledger.eventEndpoints.view(id);
}

/** @throws AppError EVENT_ENDPOINT_NOT_FOUND | INPUT_INVALID for what stands for status callbacks */
export async function ownEndpoint(dependencies: RouteDependencies, id: string): Promise<EndpointView> {
  const found = await existingEndpoint(dependencies, id);
  if (!isCallbacksEndpoint(found)) return found;
  const message = 'stands for the status callbacks of its instance, of which only the secret can be changed';
  throw inputInvalid(`The change of ${id}`, [{ path: 'id', message }]);
}

/** @throws AppError EVENT_ENDPOINT_NOT_FOUND | INPUT_INVALID for one without a URL, and as {@link ownEndpoint} */
export async function deliveringEndpoint(dependencies: RouteDependencies, id: string): Promise<EndpointView> {
  const found = await ownEndpoint(dependencies, id);
  if (found.url !== undefined) return found;
  const message = 'is missing: events are stored for this endpoint, and delivered nowhere';
  throw inputInvalid(`The request for ${id}`, [{ path: 'url', message }]);
}

/** @throws AppError EVENT_ENDPOINT_NOT_FOUND | INPUT_INVALID */
export async function changeEndpoint(
  dependencies: RouteDependencies,
  id: string,
  patch: z.output<typeof endpointChangeSchema>,
): Promise<EndpointView> {
  const { ledger, clock, allowPrivateCallbacks } = dependencies;
  const { raw, url: knownUrl } = await ownEndpoint(dependencies, id);
  const { authorization: given, ...changes } = patch;
  const { url, events = [] } = changes;
  refuse(`The change of ${id}`, [
    ...checkTarget('url', url, allowPrivateCallbacks),
    ...eventProblems(events),
    ...rawProblems(raw, patch.events, url ?? knownUrl),
  ]);
  const header = typeof given === 'string' ? new Secret(given) : given;
  const all = { ...changes, ...(header === undefined ? {} : { authorization: header }) };
  const changed = await ledger.eventEndpoints.change(id, all, clock.nowMs());
  ledger.wakes.announce(EVENTS_WAKE);
  return changed;
}

/**
 * @returns how many
 * @throws AppError EVENT_ENDPOINT_NOT_FOUND | INPUT_INVALID | IDEMPOTENCY_MISMATCH | EVENT_NOT_FOUND
 */
export async function replayEvents(
  dependencies: RouteDependencies,
  id: string,
  request: z.output<typeof replaySchema>,
  { key, witness }: AskedFor,
): Promise<number> {
  const { ledger, clock } = dependencies;
  const { event, from, to } = request;
  await deliveringEndpoint(dependencies, id);
  if ((event === undefined) === (from === undefined) || (event !== undefined && to !== undefined)) {
    throw inputInvalid('The replay', [{ path: '', message: 'names either an event, or from when and until when' }]);
  }
  const nowMs = clock.nowMs();
  if (event !== undefined) await ledger.events.view(event);
  const range = { fromMs: Date.parse(from ?? ''), toMs: to === undefined ? nowMs : Date.parse(to) };
  const which = event === undefined ? range : { sequence: sequenceOf(event) };
  const command = { id: eventCommandId(id, 'replay', key), requestHash: requestHash(request), requestedBy: witness };
  const replayed = await ledger.eventEndpoints.replay(id, which, command, nowMs);
  ledger.wakes.announce(EVENTS_WAKE);
  return replayed;
}

/** @throws AppError INPUT_INVALID */
function refuse(what: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw inputInvalid(what, problems);
}

function eventProblems(events: readonly string[]): Problem[] {
  return events.flatMap((type, at) =>
    type === ALL_EVENTS || isEventType(type)
      ? []
      : [{ path: `events[${at}]`, message: `is none of ${Object.keys(EVENT_TYPES).join(', ')} and *` }],
  );
}

function rawProblems(raw: boolean, events: readonly string[] | undefined, url: string | undefined): Problem[] {
  if (!raw) return [];
  return [
    ...(url === undefined ? [{ path: 'url', message: 'is missing: notifications are passed on to it' }] : []),
    ...(events?.some((type) => type !== ALL_EVENTS)
      ? [{ path: 'events', message: 'must be left out: with raw every notification is passed on' }]
      : []),
  ];
}

function isEventType(word: string): word is EventType {
  return Object.hasOwn(EVENT_TYPES, word);
}
