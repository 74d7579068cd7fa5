/**
 * The rights that a route requires of a key.
 *
 * ACCESS-1 Every route declares the scope that it requires, and what a key that is limited to some instances may reach.
 *    A route without this declaration does not compile.
 * ACCESS-2 For a limited key other instances do not exist: their objects, and campaigns with one of their accounts, are
 *    reported as not found, the instances as not configured, and SQL excludes them from lists.
 */
import {
  AppError,
  type Caller,
  type CampaignId,
  type InstanceDirectory,
  type MessageId,
  type Scope,
  instanceOfCallbacks,
  instanceUnknown,
  isCampaignId,
  templateKeyOf,
  campaignUnknown,
  messageUnknown,
  operationUnknown,
  templateUnknown,
} from '../contract/index.js';
import { isSendOperation } from '../domain/index.js';
import { eventEndpointUnknown, eventUnknown, possibleOptOutUnknown, scheduleUnknown } from '../ledger/index.js';
import { isEditId } from '../starter/index.js';
import { knownOperation } from './operations.js';
import type { Route, RouteDefinition } from './route.js';
import type { RouteDependencies } from './route-dependencies.js';

/** @throws AppError KEY_SCOPE_MISSING | KEY_INSTANCES_LIMITED */
export function assertMayUse({ access, alsoNeeds }: RouteDefinition, caller: Caller): void {
  if (typeof access === 'string') return;
  const [scope, reach] = access;
  assertScope(caller, scope);
  if (alsoNeeds !== undefined) assertScope(caller, alsoNeeds);
  if (reach !== 'everything' || caller.instances === undefined) return;
  throw new AppError(
    'KEY_INSTANCES_LIMITED',
    `The request is refused: it concerns the whole installation, and its API key is limited to ${caller.instances.join(', ')}. Use a key for every instance: everpost key create`,
  );
}

/** @throws AppError KEY_SCOPE_MISSING */
export function assertScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new AppError(
    'KEY_SCOPE_MISSING',
    `The request is refused: it requires the scope ${scope}, and its API key has ${scopes.join(', ')}. Create a key with it: everpost key create --scope ${scope}`,
  );
}

/** A limited key has to name an instance, since a request without one concerns all instances. */
export function assertNamesInstance({ instances }: Caller, instance: string | undefined): void {
  if (instances === undefined || instance !== undefined) return;
  const message = `is missing: this API key is limited to ${instances.join(', ')}`;
  throw new AppError(
    'INPUT_INVALID',
    'The request is refused: it names no instance, and its API key is limited to some. Add the field instance.',
    {
      problems: [{ path: 'instance', message }],
    },
  );
}

/** The directory as a limited key sees it: other instances are not found. */
export function onlyInstances(directory: InstanceDirectory, own: readonly string[]): InstanceDirectory {
  const names = () => directory.names().filter((name) => own.includes(name));
  return {
    names,
    get(name) {
      if (own.includes(name)) return directory.get(name);
      throw instanceUnknown(name, names());
    },
  };
}

/** An object that a path names, for a limited key and for the audit list. */
interface NamedObject {
  /** Undefined if the object does not exist. */
  readonly instance: string | undefined;
  /** Further ones that it belongs to: the accounts of a campaign. @default none */
  readonly others?: readonly string[];
  /** Throws the route's own error for an object that does not exist. */
  readonly refuse: () => void;
}

/** @returns undefined if the path names no object of an instance */
export async function objectInPath(
  { access, problems = [] }: Route,
  params: Readonly<Record<string, string>>,
  dependencies: RouteDependencies,
): Promise<NamedObject | undefined> {
  if (typeof access === 'string') return undefined;
  const { ledger, findId, instances } = dependencies;
  const { id = '', method = '', elementName = '' } = params;
  const instance = params['instance'] ?? params['name'] ?? '';
  switch (access[1]) {
    case 'nothing':
    case 'everything':
    case 'named':
      return undefined;
    case 'instance':
      return { instance, refuse: () => void instances.get(instance) };
    case 'template':
      return { instance, refuse: () => refuse(templateUnknown({ instance, elementName })) };
    case 'message': {
      const whole = await foundMessageId(id, dependencies);
      return { instance: await ledger.ids.instanceOf('message', whole), refuse: () => refuse(messageUnknown(id)) };
    }
    case 'campaign':
    case 'campaignOrNew': {
      const whole = problems.includes('ID_AMBIGUOUS') ? await findId.campaign(id) : id;
      const [found, ...others] = await ledger.ids.instancesOfCampaign(whole);
      const isNew = found === undefined && access[1] === 'campaignOrNew';
      return { instance: found, others, refuse: () => (isNew ? undefined : refuse(campaignUnknown(id))) };
    }
    case 'operation': {
      const found = await instanceOfOperation(method, id, dependencies);
      return { instance: found, refuse: () => refuse(operationUnknown(`${method} ${id}`)) };
    }
    case 'schedule':
      return { instance: await ledger.ids.instanceOf('schedule', id), refuse: () => scheduleUnknown(id) };
    case 'job':
      return { instance: await ledger.ids.instanceOf('job', id), refuse: () => jobUnknown(id) };
    case 'replay':
      return { instance: await ledger.ids.instanceOf('replay', id), refuse: replayUnknown };
    case 'eventEndpoint': {
      const found = instanceOfCallbacks(id) ?? (await ledger.ids.instanceOf('eventEndpoint', id));
      return { instance: found, refuse: () => refuse(eventEndpointUnknown(id)) };
    }
    case 'possibleOptOut':
      return {
        instance: await ledger.ids.instanceOf('possibleOptOut', id),
        refuse: () => refuse(possibleOptOutUnknown(id)),
      };
    case 'event':
      return { instance: await ledger.events.instanceOf(id), refuse: () => refuse(eventUnknown(id)) };
  }
}

function refuse(error: AppError): never {
  throw error;
}

async function instanceOfOperation(method: string, id: string, { ledger, findId }: RouteDependencies) {
  const name = knownOperation(method);
  const template = templateKeyOf(id);
  if (template !== undefined) return template.instance;
  if (isEditId(id)) return ledger.ids.instanceOf('edit', id);
  const messageId = isSendOperation(name) ? await findId.message(id) : undefined;
  if (messageId !== undefined) return ledger.ids.instanceOf('message', messageId);
  return ledger.ids.instanceOf('operation', (await findId.operation(name, id)) ?? id);
}

/** ACCESS-2. @throws AppError the route's own error for an object that does not exist */
export function assertOwn(named: NamedObject | undefined, { instances: own }: Caller): void {
  if (named === undefined || own === undefined) return;
  const { instance, others = [] } = named;
  if (instance === undefined || ![instance, ...others].every((one) => own.includes(one))) named.refuse();
}

export function jobUnknown(id: string): never {
  throw new AppError('OPERATION_NOT_FOUND', `There is no recurring job ${id}. List jobs: everpost job list`);
}

export function replayUnknown(): never {
  throw new AppError(
    'REPLAY_NOT_FOUND',
    'There is no such replay. Check the id: the response that began the replay contains it.',
  );
}

type Finding = Pick<RouteDependencies, 'findId'>;

/** Accepts the beginning of an id. @throws AppError MESSAGE_NOT_FOUND | ID_AMBIGUOUS */
export async function foundMessageId(given: string, { findId }: Finding): Promise<MessageId> {
  const id = await findId.message(given);
  if (id !== undefined) return id;
  throw new AppError(
    'MESSAGE_NOT_FOUND',
    'No message has this id, or an id that begins with it. The beginning of an id needs at least 4 characters. List messages: everpost message list',
  );
}

/** Accepts the beginning of an id, for reading. @throws AppError CAMPAIGN_NOT_FOUND | ID_AMBIGUOUS */
export async function foundCampaignId(given: string, { findId }: Finding): Promise<CampaignId> {
  return wholeCampaignId(await findId.campaign(given));
}

/** Requires the complete id, for changes. @throws AppError CAMPAIGN_NOT_FOUND */
export function wholeCampaignId(given: string): CampaignId {
  if (!isCampaignId(given)) throw campaignUnknown('of this id');
  return given;
}
