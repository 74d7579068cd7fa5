import {
  etaWords,
  isPause,
  localTime,
  progressBar,
  rateWords,
  type Amendment,
  type AmendmentPlan,
  type CampaignAccount,
  type CampaignProgress,
  type CampaignState,
  type CampaignView,
  type Remedy,
} from '../../../contract/index.js';
import { FIGURES, percent } from '../../../domain/index.js';
import { counted, factLines, waitingWords } from '../../table.js';
import { duration } from './forecast.js';

/** One line for a campaign: id, name, state, and the number of recipients in each state. */
export function campaignLine(campaign: CampaignProgress): string {
  const { id, name, state, audience } = campaign;
  const named = name === undefined ? id : `${id}  "${name}"`;
  return [named, state, `${audience} recipients`, ...countWords(campaign)].join('  ');
}

/** The number of recipients in each state, in the order of a message's life cycle. */
export function countWords({ counts }: CampaignProgress): string[] {
  return Object.entries(counts).flatMap(([state, recipients]) => (recipients === 0 ? [] : [`${state} ${recipients}`]));
}

/** `30 min`: how long until the last message leaves, for a campaign whose end is known. */
export function leftWords({ etaAt }: Pick<CampaignProgress, 'etaAt'>): string | undefined {
  return etaAt && duration(Math.max(1, Math.round((Date.parse(etaAt) - Date.now()) / 1_000)));
}

/** One line for each account of a pool. */
function accountFacts(
  { instance, accounts, counts }: CampaignView,
  time: (at: string | undefined) => string | undefined,
): Readonly<Record<string, string>> {
  if (accounts.length === 1) return { instance };
  const share = ({ counts: own, perMinute, waiting, outWhy, outText, outSince }: CampaignAccount): string => {
    const posted = Object.entries(own).flatMap(([state, recipients]) =>
      recipients > 0 ? [`${recipients} ${state}`] : [],
    );
    const pace = perMinute === undefined ? [] : [`${perMinute} a minute`];
    const out = outWhy && `gets none since ${time(outSince)}: ${outText ?? outWhy}`;
    const waits = waiting && `waits: ${waiting.code}`;
    return [
      ...(posted.length === 0 ? ['no recipients'] : posted),
      ...pace,
      ...((out ?? waits) ? [out ?? waits ?? ''] : []),
    ].join(', ');
  };
  const given = accounts.reduce((sum, { counts: own }) => sum + own.pending, 0);
  return {
    accounts: `${accounts.length}; ${counts.pending - given} recipients have none yet`,
    ...Object.fromEntries(accounts.map((account) => [`account ${account.instance}`, share(account)])),
  };
}

/** All lines of a campaign. Times are those of its timezone. */
export function campaignStory(campaign: CampaignView): string[] {
  const { highWater, definition, imported } = campaign;
  const time = (at: string | undefined) => at && localTime(at, campaign.timezone);
  const left = leftWords(campaign);
  const facts: Parameters<typeof factLines>[0] = {
    ...accountFacts(campaign, time),
    priority: campaign.priority,
    kind: campaign.content.kind,
    text: campaign.variants === undefined ? contentWords(campaign.content) : undefined,
    'hold-out': campaign.holdOut,
    winner: campaign.winner,
    reference: definition.reference,
    imported:
      imported &&
      `${imported.verdicts.accepted} recipients of ${imported.lines} lines, ${time(imported.importedAt)}${imported.additions === 0 ? '' : `, ${counted(imported.additions, 'addition')}`}`,
    progress:
      campaign.audience === 0 ? undefined : `${progressBar(campaign)}, ${campaign.done} of ${campaign.audience}`,
    replied: campaign.replied === 0 ? undefined : counted(campaign.replied, 'recipient'),
    'opted out': campaign.optedOut === 0 ? undefined : counted(campaign.optedOut, 'recipient'),
    [campaign.waiting !== undefined && isPause(campaign.waiting) ? 'paused' : 'waits']: waitingWords(campaign),
    queue:
      campaign.depth === undefined
        ? undefined
        : `read ${counted(campaign.depth, 'item')} at ${time(campaign.queueReadAt)}`,
    'high water mark': `up to ${highWater} items in the gateway's queue`,
    rate: rateWords(campaign),
    'last message leaves about': etaWords(campaign),
    left: left && `about ${left}`,
    starts: time(campaign.startedAt === undefined ? campaign.startAt : undefined),
    'start was missed': time(campaign.startMissedAt),
    started: time(campaign.startedAt),
    deadline: time(campaign.deadlineAt),
    ended: time(campaign.endedAt),
    'recipients removed': time(campaign.recipientsRemovedAt),
  };
  const commands = (campaign.commands ?? []).map(
    ({ kind, what, askedAt, begunAt, requestedBy }) =>
      `  ${time(askedAt)} ${kind}${what === undefined ? '' : ` (${what})`} by ${requestedBy}${begunAt === undefined ? ', without effect' : ''}`,
  );
  const remedies = campaign.state === 'draft' ? remedyLines(imported?.remedies ?? []) : [];
  const { variants = [], comparison = [] } = campaign;
  const split = [...variants.flatMap(variantLines), ...comparison.map((sentence) => `  ${sentence}`)];
  return [campaignLine(campaign), ...factLines(facts), ...split, ...remedies.map((line) => `  ${line}`), ...commands];
}

/** A variant's content, and its figures with their intervals. */
function variantLines({ name, share, content, results }: NonNullable<CampaignView['variants']>[number]): string[] {
  const figures = FIGURES.map(([figure, words]) => {
    const { count, share: part, low, high } = results[figure];
    return `    ${words.toLowerCase()}: ${count}, ${percent(part)} (${percent(low)} to ${percent(high)})`;
  });
  return [
    `  variant ${name}, ${share}: ${counted(results.recipients, 'recipient')}, ${results.posted} posted`,
    ...(contentWords(content) ?? [content.kind]).map((line) => `    ${line}`),
    ...(results.posted === 0 ? [] : figures),
  ];
}

/** The text, or the name of the template; each line of a text on its own. */
function contentWords({ text, elementName }: CampaignView['content']): readonly string[] | undefined {
  if (typeof text === 'string') return text.split('\n');
  return typeof elementName === 'string' ? [`template ${elementName}`] : undefined;
}

/** What to do about each verdict on the lines of an import. */
export function remedyLines(remedies: readonly Remedy[]): string[] {
  return remedies.map(({ verdict, lines, remedy }) => `${lines} ${verdict}: ${remedy}`);
}

/** End states in which every recipient was posted to. */
export const ALL_POSTED: readonly CampaignState[] = ['completed', 'completed_with_failures'];

/** Shows an operator the effect of an amendment before it begins. */
export function amendmentPlanLines(plan: AmendmentPlan, { stop }: { readonly stop: boolean }): string[] {
  const { audience, editable, reachable, underWay, tooLate, unsent, newText, ownText, notSent, unresolved } = plan;
  const missed = editable - reachable;
  const takes = plan.seconds < 60 ? `${plan.seconds} s` : `about ${Math.ceil(plan.seconds / 60)} min`;
  return linesOf(`${audience} recipients`, [
    [reachable, `can be edited, which takes ${takes}`],
    [missed, 'were sent less than 15 minutes ago, but cannot all be edited in time'],
    [underWay, 'are being sent, and are edited as soon as they are sent'],
    [tooLate, 'were sent more than 15 minutes ago: they keep their text'],
    [unsent, stop ? 'were not posted, and are cancelled' : 'were not posted, and get the new text'],
    [newText, 'already have this text'],
    [ownText, 'have their own text, and keep it'],
    [notSent, 'ended without being sent'],
    [unresolved, 'are unresolved: it is unknown which text they received'],
  ]);
}

/** All lines of an amendment. */
export function amendmentLines(amendment: Omit<Amendment, 'textBefore'>): string[] {
  const { contentVersion, state, counts, expected, begunAt, endedAt, stop } = amendment;
  const fewer = expected === undefined ? 0 : expected.promised - expected.edited;
  const times = endedAt === undefined ? `since ${begunAt}` : `${begunAt} to ${endedAt}`;
  return linesOf(`amendment to text ${contentVersion}${stop ? ', with stop' : ''}: ${state}, ${times}`, [
    [counts.edited, 'edited'],
    [counts.pending, 'still to be edited or confirmed'],
    [expected?.missed ?? 0, 'of these will be too late: all turns before their limit are taken'],
    [Math.max(0, fewer), `fewer will be edited than the ${expected?.promised} of the plan at the start`],
    [counts.unconfirmed, 'unconfirmed: the edit was posted, but not confirmed'],
    [counts.refused, 'refused by the gateway'],
    [counts.tooLate, 'too late: they keep an older text'],
    [counts.notPossible, 'never confirmed as sent'],
    [counts.superseded, 'superseded by a newer edit'],
    [counts.newText, 'sent with the new text'],
    [counts.unsent, 'not posted yet'],
    [counts.ownText, 'with their own text'],
    [counts.notSent, 'ended without being sent'],
    [counts.unresolved, 'unresolved'],
  ]);
}

function linesOf(head: string, facts: readonly (readonly [count: number, words: string])[]): string[] {
  return [head, ...facts.flatMap(([count, words]) => (count === 0 ? [] : [`${String(count).padStart(9)}  ${words}`]))];
}
