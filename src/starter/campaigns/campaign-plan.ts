import type { Clock, InstanceDirectory, Problem } from '../../contract/index.js';
import type { PlanPeriod, PlannedReason } from '../../domain/index.js';
import type { AudienceView, CampaignView, Ledger, MissingValue } from '../../ledger/index.js';
import type { CheckOperation } from '../message-request.js';
import type { AskGateway } from './ask-gateway.js';

/** One recipient's message, as it would be sent. */
export interface PlanSample {
  readonly line: number;
  readonly chatId: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** What keeps it from being sent. */
  readonly problems: readonly Problem[];
}

/** What prevents the start of a campaign, or should be known before it. */
export interface PlanWarning {
  readonly code:
    | 'NO_RECIPIENTS'
    | 'IMPORT_UNFINISHED'
    | 'VALUES_MISSING'
    | 'CONTENT_REFUSED'
    | 'SUPPRESSED'
    | 'FREQUENCY_CAP'
    | 'TEMPLATE_NOT_FOUND'
    | 'TEMPLATE_PARAMETERS'
    | 'TEMPLATE_REFUSED'
    | 'TEMPLATE_NOT_APPROVED'
    | 'DEADLINE_TOO_SOON'
    | 'QUEUE_UNKNOWN'
    | 'PACE_ASSUMED';
  readonly text: string;
}

export interface CampaignPlan {
  readonly id: string;
  readonly instance: string;
  readonly state: CampaignView['state'];
  readonly audience: number;
  /** Absent before the first import. */
  readonly imported?: AudienceView;
  /**
   * Variables without a fallback that a recipient has no value for: until there are none the campaign does not start.
   */
  readonly missing: readonly MissingValue[];
  /** Recipients whose message the gateway would refuse: they end `rejected`, and all others are sent to. */
  readonly refused: { readonly recipients: number; readonly firstLine?: number; readonly problems: readonly Problem[] };
  /** Recipients on the suppression list: they end `suppressed`, unless they are taken off it before. */
  readonly suppressed: { readonly recipients: number; readonly firstLine?: number };
  /** Recipients who have had as many marketing messages as the instance's frequency cap allows: they end `suppressed`. */
  readonly overFrequencyCap: { readonly recipients: number; readonly firstLine?: number };
  readonly samples: readonly PlanSample[];
  readonly forecast: Forecast;
  readonly warnings: readonly PlanWarning[];
  /** Whether a start would be taken now. */
  readonly canStart: boolean;
}

/** How long it takes, as things are. */
export interface Forecast {
  /** Still to be sent to. */
  readonly recipients: number;
  /** Items in the gateway's queue, whatever their source. Absent when it is not known. */
  readonly depth?: number;
  /** `read`: just now; `estimated`: from the last reading and what came and went since. */
  readonly depthFrom?: 'read' | 'estimated';
  /** ISO UTC: the reading it rests on. */
  readonly depthReadAt?: string;
  readonly releaseIntervalMs: number;
  /**
   * `learned`: from the queue while others were sent to; `settings`: what the account is set to; `assumed`: not known.
   */
  readonly intervalFrom: 'learned' | 'settings' | 'assumed';
  /** ISO UTC: now, or its start time. */
  readonly startsAt: string;
  /** ISO UTC: when the last one leaves the gateway's queue, if nothing else is sent. Absent when none is posted. */
  readonly finishesAt?: string;
  /** From the start to that. */
  readonly durationSeconds: number;
  /** Recipients who are not posted to before the deadline: they end expired. */
  readonly notPosted: number;
  /** The timezone of the rows. */
  readonly timezone: string;
  readonly by: PlanPeriod;
  /** Hours or days in which something is posted or leaves. */
  readonly rows: readonly {
    readonly from: string;
    readonly until: string;
    readonly posted: number;
    /** Released by the gateway's queue. */
    readonly left: number;
  }[];
  /** When nothing is posted, and why. */
  readonly waits: readonly { readonly from: string; readonly until: string; readonly reason: PlannedReason }[];
}

export interface PlanDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly checkOperation: CheckOperation;
  readonly askGateway: AskGateway;
}
