import {
  etaWords,
  isPause,
  progressBar,
  rateWords,
  type DispatchPlan,
  type PacedProgress,
  present,
} from '../contract/index.js';
import { detailsTable } from './details-table.js';

/** What the Web UI shows of a campaign, in Markdown: its name, counts and times, no phone number and no text. */
export function campaignDetails(campaign: PacedProgress): string {
  const { state, audience, counts, highWater, waiting } = campaign;
  const isPaused = waiting !== undefined && isPause(waiting);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Name', campaign.name],
    ['State', `**${state}**`],
    [
      isPaused ? 'Paused' : 'Waits for',
      waiting && [waiting.code, waiting.text].filter((word) => word !== undefined).join(': '),
    ],
    [isPaused ? 'Paused since' : 'Waits since', waiting?.since],
    ['Waits until', waiting?.until],
    ['Instance', campaign.instance],
    ['Priority', campaign.priority],
    ['In the gateway’s queue', campaign.depth?.toString()],
    ['Fills the queue up to', String(highWater)],
    ['Rate', rateWords(campaign)],
    ['Last one leaves about', etaWords(campaign)],
    ['As of', campaign.asOf],
    ['Deadline', campaign.deadlineAt],
    ['Starts', campaign.startedAt === undefined ? campaign.startAt : undefined],
    ['Start was missed', campaign.startMissedAt],
    ['Started', campaign.startedAt],
    ['Ended', campaign.endedAt],
  ];
  const recipients = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `\`${progressBar(campaign)}\`: ${campaign.done} of ${audience} posted to or ended`,
    '',
    ...detailsTable(facts),
    '',
    ...detailsTable(recipients.map(([name, count]) => [name, String(count)] as const)),
  ].join('\n');
}

/** What remains to be done, by the last poll. */
export function dispatchPlan(campaign: PacedProgress, nextPollAtMs: number | undefined): DispatchPlan {
  const { id, instance, priority, highWater, counts, releaseIntervalMs, asOf, etaAt, etaUnknown, deadlineAt } =
    campaign;
  return {
    id,
    instance,
    priority,
    highWater,
    pending: counts.pending,
    ...present({ releaseIntervalMs }),
    ...(etaAt === undefined || asOf === undefined ? {} : { etaAt, remainingMs: Date.parse(etaAt) - Date.parse(asOf) }),
    ...present({ etaUnknown, deadlineAt }),
    ...(nextPollAtMs === undefined ? {} : { nextPollAt: new Date(nextPollAtMs).toISOString() }),
  };
}
