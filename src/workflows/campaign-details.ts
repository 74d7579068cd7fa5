import { isHold, type CampaignProgress, type FeedingPlan } from '../contract/index.js';

const BAR_CELLS = 20;
const MINUTE_MS = 60_000;

/** What the Web UI shows of a campaign, in Markdown: counts and times, no phone number and no text. */
export function campaignDetails(campaign: CampaignProgress): string {
  const { state, audience, counts, waterMarks, waiting } = campaign;
  const isHeld = waiting !== undefined && isHold(waiting);
  const done = audience - counts.planned;
  const share = audience === 0 ? 0 : done / audience;
  const bar = '█'.repeat(Math.round(share * BAR_CELLS)).padEnd(BAR_CELLS, '░');
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['State', `**${state}**`],
    [
      isHeld ? 'Held' : 'Waits for',
      waiting && [waiting.code, waiting.text].filter((word) => word !== undefined).join(': '),
    ],
    [isHeld ? 'Held since' : 'Waits since', waiting?.since],
    ['Instance', campaign.instance],
    ['Priority', campaign.priority],
    ['In the gateway’s queue', campaign.depth?.toString()],
    ['Fed between', `${waterMarks.lowWater} and ${waterMarks.highWater}`],
    ['Rate', campaign.releaseIntervalMs === undefined ? undefined : rate(campaign.releaseIntervalMs)],
    ['Last one leaves about', campaign.etaAt],
    ['Deadline', campaign.deadlineAt],
    ['Started', campaign.startedAt],
    ['Ended', campaign.endedAt],
  ];
  const people = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `\`${bar}\` ${Math.floor(share * 100)} %: ${done} of ${audience} posted to or ended`,
    '',
    ...table(facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))),
    '',
    ...table(people.map(([name, count]) => [name, String(count)] as const)),
  ].join('\n');
}

/** The Web UI leaves no room between columns: a wide space, which is not cut off, does. */
const GAP = '\u2003';

function table(rows: readonly (readonly [string, string])[]): string[] {
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name}${GAP} | ${value.replaceAll('|', '\\|')} |`)];
}

function rate(intervalMs: number): string {
  return `one every ${intervalMs / 1_000} s, ${Math.round(MINUTE_MS / intervalMs)} a minute`;
}

/** What is to be done yet, as far as the last look shows. */
export function feedingPlan(campaign: CampaignProgress, nowMs: number, nextLookAtMs: number | undefined): FeedingPlan {
  const { id, instance, priority, waterMarks, counts, releaseIntervalMs, etaAt, deadlineAt } = campaign;
  return {
    id,
    instance,
    priority,
    waterMarks,
    planned: counts.planned,
    ...(releaseIntervalMs === undefined ? {} : { releaseIntervalMs }),
    ...(etaAt === undefined ? {} : { etaAt, remainingMs: Math.max(0, Date.parse(etaAt) - nowMs) }),
    ...(deadlineAt === undefined ? {} : { deadlineAt }),
    ...(nextLookAtMs === undefined ? {} : { nextLookAt: new Date(nextLookAtMs).toISOString() }),
  };
}
