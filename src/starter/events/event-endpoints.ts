import {
  ALL_EVENTS,
  EVENT_TYPES,
  Secret,
  callbacksEndpointId,
  present,
  type Clock,
  type EventType,
  type InstanceDirectory,
  type Problem,
} from '../../contract/index.js';
import { inputInvalid } from '../../domain/index.js';
import { EVENTS_WAKE, isCallbacksEndpoint, sequenceOf, type EndpointView, type Ledger } from '../../ledger/index.js';
import { checkTarget } from '../check-target.js';
import { eventCommandId, eventEndpointId, requestHash } from '../ids.js';

export interface EndpointRequest {
  readonly instance: string;
  readonly url?: string;
  readonly events?: readonly string[];
  readonly raw?: boolean;
  readonly description?: string;
  readonly authorization?: string;
}

export interface EndpointPatch {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly authorization?: string | null;
  readonly enabled?: boolean;
}

export interface ReplayRequest {
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
}

interface WithSecret {
  readonly endpoint: EndpointView;
  /** Absent where the same request had made it before. */
  readonly secret?: Secret;
}

/** Where events go, as operators and backends change it. But for create and list, AppError EVENT_ENDPOINT_NOT_FOUND. */
export interface EventEndpoints {
  /** @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH */
  create(request: EndpointRequest, key: string): Promise<WithSecret>;
  list(instances: readonly string[] | undefined): Promise<readonly EndpointView[]>;
  view(id: string): Promise<EndpointView>;
  /** @throws AppError INPUT_INVALID */
  change(id: string, patch: EndpointPatch): Promise<EndpointView>;
  /** @throws AppError INPUT_INVALID for what stands for status callbacks */
  remove(id: string): Promise<void>;
  rotateSecret(id: string, keepFormerMs: number): Promise<WithSecret>;
  /** @throws AppError INPUT_INVALID for one without a URL @returns the event */
  test(id: string): Promise<string>;
  /** @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH | EVENT_NOT_FOUND @returns how many */
  replay(
    id: string,
    request: ReplayRequest,
    asked: { readonly key: string; readonly witness: string },
  ): Promise<number>;
}

export interface EventEndpointsDependencies {
  readonly ledger: Pick<Ledger, 'eventEndpoints' | 'events' | 'wakes'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly allowPrivate: boolean;
}

export function createEventEndpoints(dependencies: EventEndpointsDependencies): EventEndpoints {
  const { ledger, instances, clock, allowPrivate } = dependencies;
  const { eventEndpoints } = ledger;

  /** What stands for status callbacks is there for every instance, before its first callback too. */
  async function existing(id: string): Promise<EndpointView> {
    const instance = instances.names().find((name) => callbacksEndpointId(name) === id);
    if (instance !== undefined) await eventEndpoints.ensureCallbacks(instance);
    return eventEndpoints.view(id);
  }

  /** @throws AppError INPUT_INVALID */
  async function ownEndpoint(id: string): Promise<EndpointView> {
    const found = await existing(id);
    if (!isCallbacksEndpoint(found)) return found;
    const message = 'stands for the status callbacks of its instance, of which only the secret can be changed';
    throw inputInvalid(`The change of ${id}`, [{ path: 'id', message }]);
  }

  async function delivering(id: string): Promise<EndpointView> {
    const found = await ownEndpoint(id);
    if (found.url !== undefined) return found;
    const message = 'is missing: events are stored for this endpoint, and delivered nowhere';
    throw inputInvalid(`The request for ${id}`, [{ path: 'url', message }]);
  }

  return {
    async create(request, key) {
      const { instance, url, events = [ALL_EVENTS], raw = false, description, authorization } = request;
      refuse('The endpoint', [
        ...checkTarget('url', url, allowPrivate),
        ...eventProblems(events),
        ...rawProblems(raw, request.events, url),
      ]);
      instances.get(instance);
      return eventEndpoints.create(
        {
          id: eventEndpointId(instance, key),
          instance,
          events,
          raw,
          ...present({ url, description }),
          ...(authorization === undefined ? {} : { authorization: new Secret(authorization) }),
          requestHash: requestHash(request),
        },
        clock.nowMs(),
      );
    },

    list: (of) => eventEndpoints.list(of),
    view: existing,

    async change(id, patch) {
      const { raw, url: knownUrl } = await ownEndpoint(id);
      const { authorization, ...changes } = patch;
      const { url, events = [] } = changes;
      refuse(`The change of ${id}`, [
        ...checkTarget('url', url, allowPrivate),
        ...eventProblems(events),
        ...rawProblems(raw, patch.events, url ?? knownUrl),
      ]);
      const header = typeof authorization === 'string' ? new Secret(authorization) : authorization;
      const all = { ...changes, ...(header === undefined ? {} : { authorization: header }) };
      const changed = await eventEndpoints.change(id, all, clock.nowMs());
      ledger.wakes.announce(EVENTS_WAKE);
      return changed;
    },

    async remove(id) {
      await ownEndpoint(id);
      await eventEndpoints.remove(id);
    },

    async rotateSecret(id, keepFormerMs) {
      await existing(id);
      const nowMs = clock.nowMs();
      return eventEndpoints.rotateSecret(id, nowMs + keepFormerMs, nowMs);
    },

    async test(id) {
      await delivering(id);
      const event = await eventEndpoints.test(id, clock.nowMs());
      ledger.wakes.announce(EVENTS_WAKE);
      return event;
    },

    async replay(id, request, { key, witness }) {
      const { event, from, to } = request;
      await delivering(id);
      if ((event === undefined) === (from === undefined) || (event !== undefined && to !== undefined)) {
        throw inputInvalid('The replay', [{ path: '', message: 'names either an event, or from when and until when' }]);
      }
      const nowMs = clock.nowMs();
      if (event !== undefined) await ledger.events.view(event);
      const range = { fromMs: Date.parse(from ?? ''), toMs: to === undefined ? nowMs : Date.parse(to) };
      const which = event === undefined ? range : { sequence: sequenceOf(event) };
      const command = {
        id: eventCommandId(id, 'replay', key),
        requestHash: requestHash(request),
        requestedBy: witness,
      };
      const replayed = await eventEndpoints.replay(id, which, command, nowMs);
      ledger.wakes.announce(EVENTS_WAKE);
      return replayed;
    },
  };
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
