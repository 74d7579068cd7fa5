import type { Clock, InstanceDirectory, Log } from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import {
  campaignRuns,
  followCampaignWith,
  lastRunOf,
  runOccurrenceWith,
  type AskGateway,
  type RunOccurrence,
  type TemporalAccess,
} from '../starter/index.js';
import { openSourceWith } from '../worker/index.js';

export interface RunScheduleDependencies {
  readonly temporal: TemporalAccess;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly gateway: Gateway;
  readonly sources: Parameters<typeof openSourceWith>[0];
  readonly log: Log;
  wake(instance: string): void;
}

/** Creates the function with which a worker runs one occurrence of a schedule. */
export function runScheduleWith({ temporal, gateway, sources, log, ...rest }: RunScheduleDependencies): RunOccurrence {
  const runs = campaignRuns(temporal);
  return runOccurrenceWith({
    ...rest,
    namespace: runs.namespace,
    lastRun: (workflowId) => lastRunOf(temporal, workflowId),
    followCampaign: followCampaignWith({ runs, log }),
    // A worker calls the gateway directly: Temporal retries its attempt.
    askGateway: async <Result>(...[method, instance, request]: Parameters<AskGateway>) =>
      (await gateway.call(instance, method, request)).response as Result,
    openSource: openSourceWith(sources),
  });
}
