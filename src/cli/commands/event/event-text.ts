import { Option } from 'commander';
import type { ApiResponse } from '../../../client/index.js';
import { EVENT_TYPES, type EventType } from '../../../contract/index.js';
import { oneLine, factLines, type Column } from '../../table.js';

export type EndpointResponse = ApiResponse<'getEventEndpoint'>;
export type EventResponse = ApiResponse<'listEvents'>['items'][number];

export const ENDPOINT_COLUMNS: readonly Column<EndpointResponse>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'INSTANCE', value: ({ instance }) => instance },
  { header: 'STATE', value: ({ enabled, disabledReason }) => (enabled ? 'enabled' : `disabled (${disabledReason})`) },
  { header: 'WAITING', value: ({ waiting }) => waiting, align: 'right' },
  { header: 'FAILED', value: ({ failed }) => failed, align: 'right' },
  { header: 'EVENTS', value: eventsOf },
  { header: 'URL', value: ({ url }) => url },
];

/** Facts of an endpoint, line by line. */
export function endpointStory(endpoint: EndpointResponse): string[] {
  const { enabled, waiting, waitingSince, problem } = endpoint;
  const facts: Readonly<Record<string, string | undefined>> = {
    instance: endpoint.instance,
    url: endpoint.url ?? 'none: events are only stored',
    events: eventsOf(endpoint),
    description: endpoint.description,
    authorization: endpoint.hasAuthorization ? 'set' : undefined,
    disabled: enabled ? undefined : `${endpoint.disabledReason} since ${endpoint.disabledAt}`,
    waiting:
      waiting === 0 ? undefined : `${waiting} since ${waitingSince}${problem === undefined ? '' : `: ${problem}`}`,
    failed:
      endpoint.failed === 0 ? undefined : `${endpoint.failed}, deliver again: everpost event replay ${endpoint.id}`,
    'former secrets': endpoint.formerSecretsUntil && `sign until ${endpoint.formerSecretsUntil}`,
    enable: enabled ? undefined : `everpost event endpoint update ${endpoint.id} --enable`,
  };
  return [`${endpoint.id}  ${enabled ? 'enabled' : 'disabled'}`, ...factLines(facts)];
}

/** One event in one line: time, account, type, id and data. */
export function eventLine({ id, timestamp, instance, type, data }: EventResponse): string {
  return oneLine([timestamp, instance, type, id, JSON.stringify(data)].join('  '));
}

export function typeOption(): Option {
  return new Option('--type <type>', 'only events of this type').choices(Object.keys(EVENT_TYPES));
}

export interface EventFilterOptions {
  readonly instance?: string;
  readonly type?: EventType;
}

function eventsOf({ raw, events }: EndpointResponse): string {
  return raw ? 'every notification, unchanged' : events.join(', ');
}
