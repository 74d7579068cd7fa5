/**
 * The rights that a route requires of a key.
 *
 * ACCESS-1 Every route declares the scope that it requires, and what a key that is limited to some instances may reach.
 *    A route without this declaration does not compile.
 * ACCESS-2 For a limited key other instances do not exist: their objects are reported as not found, the instances as
 *    not configured, and SQL excludes them from lists.
 */
import {
  AppError,
  type Caller,
  type CampaignId,
  type InstanceDirectory,
  type MessageId,
  type Scope,
  instanceOfCallbacks,
  isCampaignId,
  templateKeyOf,
} from '../../contract/index.js';
import { scheduleUnknown } from '../schedules/schedules.js';
import { campaignUnknown } from '../campaigns/campaigns.js';
import { eventEndpointUnknown, eventUnknown } from '../../ledger/index.js';
import { isSendOperation } from '../messages/content-fields.js';
import { messageUnknown } from '../everpost.js';
import { isEditId } from '../ids.js';
import { knownOperation, operationUnknown } from '../operations.js';
import { templateUnknown } from '../templates.js';
import type { Route, RouteDefinition } from './route.js';
import type { RouteDependencies } from './route-dependencies.js';

type Params = Readonly<Record<string, string>>;

/** @throws AppError KEY_SCOPE_MISSING | KEY_INSTANCES_LIMITED */
export function assertMayUse({ access }: RouteDefinition, caller: Caller): void {
  if (typeof access === 'string') return;
  const [scope, reach] = access;
  assertScope(caller, scope);
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
      throw new AppError(
        'INSTANCE_NOT_FOUND',
        `Instance ${name} is not known. Use one of: ${names().join(', ')}; or add it to EVERPOST_INSTANCES_FILE.`,
      );
    },
  };
}

/**
 * The instance of the object that a path names, for a limited key and for the audit list.
 * @returns undefined if the path names no object of an instance, or one that does not exist
 */
export async function instanceInPath(
  route: Route,
  params: Params,
  dependencies: RouteDependencies,
): Promise<string | undefined> {
  const { access, problems = [] } = route;
  if (typeof access === 'string') return undefined;
  const { ledger, findId } = dependencies;
  const { id = '', method = '' } = params;
  switch (access[1]) {
    case 'nothing':
    case 'everything':
    case 'named':
      return undefined;
    case 'instance':
    case 'template':
      return params['instance'] ?? params['name'];
    case 'message':
      return ledger.ids.instanceOf('message', await foundMessageId(id, dependencies));
    case 'campaign':
    case 'campaignOrNew': {
      const whole = problems.includes('ID_AMBIGUOUS') ? await findId.campaign(id) : id;
      return ledger.ids.instanceOf('campaign', whole);
    }
    case 'operation':
      return instanceOfOperation(method, id, dependencies);
    case 'schedule':
    case 'job':
    case 'replay':
      return ledger.ids.instanceOf(access[1], id);
    case 'eventEndpoint':
      return instanceOfCallbacks(id) ?? ledger.ids.instanceOf('eventEndpoint', id);
    case 'event':
      return ledger.events.instanceOf(id);
  }
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
export function assertOwn(
  { access }: Route,
  instance: string | undefined,
  params: Params,
  { instances: own }: Caller,
  { instances }: RouteDependencies,
): void {
  if (typeof access === 'string' || own === undefined) return;
  if (instance !== undefined && own.includes(instance)) return;
  const { id = '', method = '', elementName = '' } = params;
  switch (access[1]) {
    case 'nothing':
    case 'everything':
    case 'named':
      return;
    case 'instance':
      instances.get(instance ?? '');
      return;
    case 'template':
      throw templateUnknown({ instance: instance ?? '', elementName });
    case 'message':
      throw messageUnknown(id);
    case 'campaignOrNew':
      if (instance === undefined) return;
      return campaignUnknown(id);
    case 'campaign':
      return campaignUnknown(id);
    case 'schedule':
      return scheduleUnknown(id);
    case 'operation':
      throw operationUnknown(method, id);
    case 'job':
      throw jobUnknown(id);
    case 'replay':
      throw replayUnknown();
    case 'eventEndpoint':
      throw eventEndpointUnknown(id);
    case 'event':
      throw eventUnknown(id);
  }
}

export function jobUnknown(id: string): AppError {
  return new AppError('OPERATION_NOT_FOUND', `There is no recurring job ${id}. List jobs: everpost job list`);
}

export function replayUnknown(): AppError {
  return new AppError(
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
  return isCampaignId(given) ? given : campaignUnknown('of this id');
}
