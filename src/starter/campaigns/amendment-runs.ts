import { AMEND_ACTIVITY, amendActivityId, type AmendInput, type CampaignId } from '../../contract/index.js';
import type { Log } from '../log.js';
import type { TemporalAccess } from '../temporal-call.js';
import { startActivity } from '../activity-runs.js';

/** The standalone activity that posts the edits of a campaign's amendments. */
export interface AmendmentRuns {
  /** Does nothing while one runs. @throws AppError TEMPORAL_UNAVAILABLE */
  start(id: CampaignId): Promise<void>;
}

/** After this time another worker replaces one that died. */
const HEARTBEAT_TIMEOUT = '10 seconds';
/** The gateway keeps a message for a day; its edit waits for it to be sent. */
const LONGEST = '2 days';
const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const;

export function amendmentRuns(access: TemporalAccess): AmendmentRuns {
  return {
    start(id) {
      const input: AmendInput = { campaignId: id };
      return startActivity(access, `amendment of campaign ${id}`, AMEND_ACTIVITY, {
        id: amendActivityId(id),
        args: [input],
        startToCloseTimeout: LONGEST,
        scheduleToCloseTimeout: LONGEST,
        heartbeatTimeout: HEARTBEAT_TIMEOUT,
        retry: RETRY,
        idReusePolicy: 'ALLOW_DUPLICATE',
        summary: `amends campaign ${id}`,
      });
    },
  };
}

/** Starts the activity without waiting for it. Never throws: the sweeper starts one that is missing. */
export type StartAmendment = (id: CampaignId) => Promise<void>;

export function startAmendmentWith({ runs, log }: { readonly runs: AmendmentRuns; readonly log: Log }): StartAmendment {
  return async (id) => {
    try {
      await runs.start(id);
    } catch (error) {
      log({ level: 'warn', message: 'an amendment begins later; it is started by itself', id, error });
    }
  };
}
