import type { PauseReason, Clock, InstanceConfig, InstanceDirectory } from '../../contract/index.js';
import type { InstancePause, InstanceView, Ledger } from '../../ledger/index.js';

/** One account: its configuration without anything secret, how it is, and what waits for it. Times are ISO UTC. */
export interface InstanceStatus {
  readonly name: string;
  readonly idInstance: string;
  readonly baseUrl: string;
  readonly mediaUrl?: string;
  readonly capabilities?: readonly string[];
  readonly restricted: boolean;
  readonly webhookAuthorization: boolean;
  readonly notifications: 'push' | 'poll';
  /** The gateway's word, e.g. `authorized`; absent until it is known. */
  readonly state?: string;
  readonly stateSince?: string;
  readonly stateSeenAt?: string;
  readonly connection?: NonNullable<InstanceView['connection']>;
  /** Why nothing is sent; empty when it is not paused. */
  readonly pauses: readonly (InstancePause & {
    /** `operator`: an operator resumes it. `authorized`: it ends once the account is authorized. */
    readonly resumedBy: 'operator' | 'authorized';
  })[];
  readonly queue: {
    /** Items in the gateway's queue, whatever their source, as read last. */
    readonly depth?: number;
    readonly readAt?: string;
    readonly releaseIntervalMs?: number;
  };
  readonly waiting: {
    /** Single messages that have not been posted, counted up to 10,000. */
    readonly messages: number;
    readonly campaigns: InstanceView['waitingCampaigns'];
    /** Messages whose response was lost; three of them stop all feeding until it is known what became of them. */
    readonly unknownOutcomes: number;
  };
  readonly lastNotificationAt?: string;
}

/** @returns a function that throws AppError INSTANCE_NOT_FOUND */
export function instanceStatusWith({
  ledger,
  instances,
  clock,
}: {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
}): (name: string) => Promise<InstanceStatus> {
  return async (name) => {
    const config = instances.get(name);
    const view = await ledger.instances.view(name);
    const { depth, readAtMs, releaseIntervalMs } = await ledger.queues.view(name, clock.nowMs());
    const { seen, connection, lastNotificationAt } = view;
    return {
      ...configuration(config),
      ...(seen && { state: seen.state, stateSince: seen.since, stateSeenAt: seen.seenAt }),
      ...(connection && { connection }),
      pauses: view.pauses.map((pause) => ({ ...pause, resumedBy: resumedBy(config, pause.reason) })),
      queue: {
        ...(depth === undefined ? {} : { depth }),
        ...(readAtMs === undefined ? {} : { readAt: new Date(readAtMs).toISOString() }),
        ...(releaseIntervalMs === undefined ? {} : { releaseIntervalMs }),
      },
      waiting: {
        messages: view.pendingMessages,
        campaigns: view.waitingCampaigns,
        unknownOutcomes: view.unknownOutcomes,
      },
      ...(lastNotificationAt === undefined ? {} : { lastNotificationAt }),
    };
  };
}

function resumedBy({ autoResume = [] }: InstanceConfig, reason: PauseReason): 'operator' | 'authorized' {
  return autoResume.some((state) => state === reason) ? 'authorized' : 'operator';
}

/** Field by field, so that nothing secret can slip in with a new one. */
function configuration(instance: InstanceConfig) {
  const { name, idInstance, baseUrl, mediaUrl, capabilities, allowedRecipients, webhookTokens = [] } = instance;
  return {
    name,
    idInstance,
    baseUrl,
    ...(mediaUrl === undefined ? {} : { mediaUrl }),
    ...(capabilities === undefined ? {} : { capabilities }),
    restricted: allowedRecipients !== undefined,
    webhookAuthorization: webhookTokens.length > 0,
    notifications: instance.notifications ?? 'push',
  };
}
