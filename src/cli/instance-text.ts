import { isPauseState } from '../domain/index.js';
import type { InstanceStatus } from '../starter/index.js';
import { waitingWords } from './campaign-text.js';

/** All lines of an account. */
export function instanceStory(instance: InstanceStatus): string[] {
  const { name, state, stateSince, stateSeenAt, connection, notifications, lastNotificationAt } = instance;
  const seen = stateSince === undefined ? '' : ` since ${stateSince}, seen ${stateSeenAt}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['state', `${state ?? 'not seen yet'}${seen}`],
    ['connection', connection && `${connection.status} since ${connection.since}`],
    ...instance.pauses.map((pause) => ['paused', pauseWords(name, pause)] as const),
    ['queue', queueWords(instance)],
    ['released', releaseWords(instance)],
    ['dispatch', dispatchWords(instance)],
    ['waiting', countWords(instance)],
    ...instance.waiting.campaigns.map((campaign) => ['campaign', `${campaign.id}: ${waitingWords(campaign)}`] as const),
    ...instance.closed.map((closed) => ['closed', closedWords(closed)] as const),
    ['today', todayWords(instance)],
    ['unknown', unknownWords(instance)],
    [
      'notifications',
      `${notifications}, ${lastNotificationAt === undefined ? 'none yet' : `last ${lastNotificationAt}`}`,
    ],
  ];
  const lines = facts.flatMap(([fact, words]) => (words === undefined ? [] : [`  ${fact}: ${words}`]));
  return [`${name}  ${headline(instance)}`, ...lines];
}

export function headline({ state, pauses }: InstanceStatus): string {
  if (pauses.length > 0) return `paused (${pauses.map((pause) => pause.reason).join(', ')})`;
  return state ?? 'not seen yet';
}

function pauseWords(name: string, { reason, since, witness, resumedBy }: InstanceStatus['pauses'][number]): string {
  const resume = `everpost instance resume ${name}`;
  if (!isPauseState(reason))
    return `by an operator (${witness}) since ${since}; nothing is posted. Resume it: ${resume}`;
  const how = resumedBy === 'operator' ? `resume it: ${resume}` : 'it is resumed automatically';
  return `${reason} since ${since}, reported by ${witness}; nothing is posted. Once the account is authorized, ${how}`;
}

function queueWords({ queue: { depth, readAt } }: InstanceStatus): string {
  if (depth === undefined) return 'not read yet';
  return `${depth} items${readAt === undefined ? '' : `, read ${readAt}`}`;
}

function releaseWords({ queue: { releaseIntervalMs } }: InstanceStatus): string | undefined {
  return releaseIntervalMs === undefined ? undefined : `one every ${releaseIntervalMs / 1_000} s`;
}

function dispatchWords({ dispatcher }: InstanceStatus): string | undefined {
  const { worker, servedSince, seenAt, inFlight = 0, window } = dispatcher;
  if (worker === undefined) return undefined;
  if (servedSince === undefined) return `idle, last served by ${worker} at ${seenAt}`;
  const most = window === undefined ? '' : ` of at most ${window}`;
  return `served by ${worker} since ${servedSince}, ${inFlight}${most} requests under way`;
}

function closedWords({ messages, code, text, until }: InstanceStatus['closed'][number]): string {
  const what = messages === 'all' ? 'all but urgent messages' : 'marketing messages';
  const why = text === undefined ? code : `${code} (${text})`;
  return `${what}: ${why}${until === undefined ? '' : ` until ${until}`}`;
}

function todayWords({ today }: InstanceStatus): string | undefined {
  return today && `${today.posted} of ${today.cap} posted, until ${today.until}`;
}

function countWords({ waiting: { messages, campaigns } }: InstanceStatus): string {
  return `${counted(messages, 'single message')}, ${counted(campaigns.length, 'campaign')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function unknownWords({ waiting: { unknownOutcomes: open } }: InstanceStatus): string | undefined {
  if (open === 0) return undefined;
  return `${counted(open, 'message')} whose response was lost`;
}
