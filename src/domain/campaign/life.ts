/**
 * The life of a campaign: what each command does in each state.
 *
 * CAMPLIFE-1 This table alone says which command is allowed in which state, and which state follows. Callers, runs,
 *    schedules and background jobs give the same commands.
 * CAMPLIFE-2 A command that finds its result there already changes nothing (`same`), and is not refused.
 * CAMPLIFE-3 What has not begun goes through {@link beginning} before anything is posted, by whichever command.
 * CAMPLIFE-4 Only a retry, and a recipient who is pending again, take a campaign back from its end.
 */
import { CAMPAIGN_STATES, type CampaignState } from '../../contract/index.js';
import { each } from '../message/cells.js';

export interface CampaignChange {
  /**
   * The state that follows. `begins`: {@link beginning} decides; a campaign that has begun runs. `ends`: its counts
   * decide, and it may still wait. `removed`: there is no row any more. @default the state stays
   */
  readonly to?: CampaignState | 'begins' | 'ends' | 'removed';
}

/** `INPUT_INVALID`: it has begun, so that its start time cannot change. */
export type CampaignRefusal = 'CAMPAIGN_NOT_STARTED' | 'CAMPAIGN_FROZEN' | 'CAMPAIGN_ENDED' | 'INPUT_INVALID';

/** `same`: a command that succeeds and changes nothing. `ignored`: a fact that changes nothing. */
export type CampaignEntry = CampaignChange | 'same' | 'ignored' | { readonly refused: CampaignRefusal };

type Entries = { readonly [State in CampaignState]: CampaignEntry };

const STAYS = {} as const;
const NOT_STARTED = { refused: 'CAMPAIGN_NOT_STARTED' } as const;
const FROZEN = { refused: 'CAMPAIGN_FROZEN' } as const;
const BEGUN = { refused: 'INPUT_INVALID' } as const;
const ENDED = { refused: 'CAMPAIGN_ENDED' } as const;
const OPEN = ['scheduled', 'running', 'paused'] as const;

export const CAMPAIGN_LIFE = {
  /** Its definition, and its recipients. */
  define: others({ draft: STAYS }, FROZEN),
  /** Only a campaign that exists for a plan. */
  delete: others(each(['draft', 'cancelled'], { to: 'removed' }), FROZEN),
  start: others({ draft: { to: 'begins' }, ...each(['cancelling', 'cancelled'], ENDED) }, 'same'),
  pause: others({ draft: NOT_STARTED, ...each(['scheduled', 'running'], { to: 'paused' }), paused: 'same' }, ENDED),
  resume: others({ draft: NOT_STARTED, ...each(['scheduled', 'running'], 'same'), paused: { to: 'begins' } }, ENDED),
  cancel: others(
    { draft: { to: 'cancelled' }, ...each(OPEN, { to: 'cancelling' }), ...each(['cancelling', 'cancelled'], 'same') },
    ENDED,
  ),
  update: others({}, STAYS),
  /** An update with a start time: before it has begun, also if it missed its start. */
  reschedule: others(each(['draft', 'scheduled', 'paused'], STAYS), BEGUN),
  /** If there are recipients to retry. */
  retry: others({ draft: NOT_STARTED, ...each(OPEN, STAYS) }, { to: 'begins' }),
  amend: others({ draft: NOT_STARTED }, STAYS),
  /** An amendment that also cancels who was not posted to. */
  amendAndStop: others({ draft: NOT_STARTED, ...each(OPEN, { to: 'cancelling' }) }, STAYS),

  // What everpost does itself.
  startTimeCame: others({ scheduled: { to: 'begins' } }, 'ignored'),
  tooManyFailures: others({ running: { to: 'paused' } }, 'ignored'),
  lastEnded: others(each(['running', 'paused', 'cancelling'], { to: 'ends' }), 'ignored'),
  /** An operator resolved a message after the end, and its recipient is pending again. */
  pendingAgain: others(each(['completed', 'completed_with_failures', 'expired'], { to: 'running' }), 'ignored'),
} as const satisfies Readonly<Record<string, Entries>>;

export type CampaignCommand = keyof typeof CAMPAIGN_LIFE;

export function campaignEntry(command: CampaignCommand, state: CampaignState): CampaignEntry {
  return CAMPAIGN_LIFE[command][state];
}

function others<const Named extends Partial<Entries>, const Entry extends CampaignEntry>(named: Named, entry: Entry) {
  return { ...each(CAMPAIGN_STATES, entry), ...named };
}
