import { present } from '../../contract/index.js';
import type { Clock, PauseReason, InstanceConfig, InstanceDirectory } from '../../contract/index.js';
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
  readonly messageWorkflows: 'always' | 'on_demand';
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
  /** The shift that serves the instance, or that served it last; empty before the first. */
  readonly dispatcher: {
    readonly worker?: string;
    /** Absent while no shift serves it, because nothing is due. */
    readonly servedSince?: string;
    readonly seenAt?: string;
    /** POSTs under way, and how many there may be. */
    readonly inFlight?: number;
    readonly window?: number;
  };
  readonly waiting: {
    /** Single messages that have not been posted, counted up to 10,000. */
    readonly messages: number;
    readonly campaigns: InstanceView['waitingCampaigns'];
    /** Messages whose response was lost, and of which it is not known yet whether they were accepted. */
    readonly unknownOutcomes: number;
  };
  /** What its hours and limits keep back now. */
  readonly closed: InstanceView['closed'];
  /** Absent without a daily cap. */
  readonly today?: NonNullable<InstanceView['today']>;
  readonly lastNotificationAt?: string;
}

/** @returns a function that throws AppError INSTANCE_NOT_FOUND */
export function instanceStatusWith({
  ledger,
  instances,
  clock,
}: {
  readonly ledger: Pick<Ledger, 'instances' | 'dispatch'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
}): (name: string) => Promise<InstanceStatus> {
  return async (name) => {
    const config = instances.get(name);
    const view = await ledger.instances.view(name, clock.nowMs());
    const { depth, depthReadAt, releaseIntervalMs, ...dispatcher } = await ledger.dispatch.view(name);
    const { seen, connection, lastNotificationAt } = view;
    return {
      ...configuration(config),
      ...(seen && { state: seen.state, stateSince: seen.since, stateSeenAt: seen.seenAt }),
      ...(connection && { connection }),
      pauses: view.pauses.map((pause) => ({ ...pause, resumedBy: resumedBy(config, pause.reason) })),
      queue: {
        ...present({ depth, readAt: depthReadAt, releaseIntervalMs }),
      },
      dispatcher,
      waiting: {
        messages: view.pendingMessages,
        campaigns: view.waitingCampaigns,
        unknownOutcomes: view.unknownOutcomes,
      },
      closed: view.closed,
      ...present({ today: view.today, lastNotificationAt }),
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
    ...present({ mediaUrl, capabilities }),
    restricted: allowedRecipients !== undefined,
    webhookAuthorization: webhookTokens.length > 0,
    notifications: instance.notifications ?? 'push',
    messageWorkflows: instance.messageWorkflows ?? 'always',
  };
}
