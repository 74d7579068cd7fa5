import type { InstancePause } from '../ledger/index.js';
import type { InstanceStatus } from '../starter/index.js';
import type { ApiRequests } from './api-requests.js';

export interface PausedInstance {
  readonly pause: InstancePause;
  readonly instance: InstanceStatus;
}

export interface ResumedInstance {
  readonly resumed: readonly InstancePause[];
  readonly instance: InstanceStatus;
}

/** What commands ask of the API about instances. */
export interface InstanceCalls {
  instances(): Promise<readonly InstanceStatus[]>;
  instance(name: string): Promise<InstanceStatus>;
  pauseInstance(name: string): Promise<PausedInstance>;
  resumeInstance(name: string): Promise<ResumedInstance>;
}

export function instanceCalls({ ask }: Pick<ApiRequests, 'ask'>): InstanceCalls {
  const pathOf = (name: string): string => `/v1/instances/${encodeURIComponent(name)}`;
  return {
    instances: async () => (await ask<{ items: readonly InstanceStatus[] }>('GET', '/v1/instances')).items,
    instance: (name) => ask('GET', pathOf(name)),
    pauseInstance: (name) => ask('POST', `${pathOf(name)}/pause`),
    resumeInstance: (name) => ask('POST', `${pathOf(name)}/resume`),
  };
}
