import { isPauseState } from '../../domain/index.js';
import type { InstanceStatus } from '../../api/index.js';
import type { CommandGroup } from '../command-group.js';
import { age, counted, factLines, waitingWords } from '../table.js';

export function addInstanceCommands(program: CommandGroup): void {
  const instance = program.group('instance', 'Show account health; pause and resume accounts.');
  instance.list('list', {
    description: 'List the accounts: state, queue, and messages that wait.',
    isWhole: true,
    help: `QUEUE is the number of items in the gateway's queue at the last reading. WAITING counts single messages that
are not posted yet. UNKNOWN counts messages whose response was lost. NOTIFIED is the age of the last
notification.

Example:
  everpost instance list`,
    call: (api) => api.listInstances(),
    what: 'instances',
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'STATE', value: headline },
      { header: 'QUEUE', value: ({ queue }) => queue.reading?.items, align: 'right' },
      { header: 'WAITING', value: ({ waiting }) => waiting.messages, align: 'right' },
      { header: 'UNKNOWN', value: ({ waiting }) => waiting.unknownOutcomes, align: 'right' },
      { header: 'NOTIFIED', value: ({ lastNotificationAt }) => age(lastNotificationAt), align: 'right' },
      { header: 'GATEWAY', value: ({ idInstance, baseUrl }) => `${idInstance} at ${baseUrl}` },
    ],
  });
  instance.call('show', {
    description: 'Show the state, pauses and queue of an account, and which messages and campaigns wait for it.',
    arguments: { '[name]': 'the account (default: all)' },
    json: 'print the instance as one line of JSON',
    help: `Examples:
  everpost instance show
  everpost instance show main --json`,
    call: async (api, { name }) => (name === undefined ? api.listInstances() : api.getInstance({ name })),
    lines: (shown) => ('items' in shown ? shown.items : [shown]).flatMap(instanceStory),
  });
  instance.call('pause', {
    description: 'Pause an account: nothing is posted until it is resumed.',
    arguments: { '<name>': 'the account' },
    json: 'print { pause, instance } as one line of JSON',
    help: `Messages being posted, and items in the gateway's queue, are still sent. Messages that wait keep their expiry.
Pausing again changes nothing. The pause stays until everpost instance resume.

Example:
  everpost instance pause main`,
    call: (api, { name }) => api.pauseInstance({ name }),
    lines: (paused) => instanceStory(paused.instance),
  });
  instance.call('resume', {
    description: 'Resume a paused account.',
    arguments: { '<name>': 'the account' },
    json: 'print { resumed, instance } as one line of JSON',
    help: `After a yellow card, a block or a suspension, check the account first: the cause may pause it again. An
account is resumed only while it is authorized. Campaigns resume immediately, single messages within 30
seconds.

Exit code: 0 not paused now; 1 not authorized yet, and still paused.

Example:
  everpost instance resume main`,
    call: (api, { name }) => api.resumeInstance({ name }),
    lines({ resumed, instance: shown }, { name }) {
      const reasons = resumed.map(({ reason, since }) => `${reason} since ${since}`);
      const head = reasons.length === 0 ? `${name} was not paused` : `${name} is resumed (${reasons.join(', ')})`;
      return [head, ...instanceStory(shown).slice(1)];
    },
  });
}

/** All lines of an account. */
export function instanceStory(instance: InstanceStatus): string[] {
  const { name, stateSince, connection, queue, waiting, today, wentBack, notifications, lastNotificationAt } = instance;
  const { reading, estimate, releaseIntervalMs, standstill } = queue;
  const { messages, campaigns, unknownOutcomes } = waiting;
  const seen = stateSince === undefined ? '' : ` since ${stateSince}, seen ${instance.stateSeenAt}`;
  return [
    `${name}  ${headline(instance)}`,
    ...factLines({
      state: `${instance.state ?? NOT_SEEN}${seen}`,
      connection: connection && `${connection.status} since ${connection.since}`,
      paused: instance.pauses.map((pause) => pauseWords(name, pause)),
      queue: reading === undefined ? 'not read yet' : `read ${counted(reading.items, 'item')} at ${reading.at}`,
      estimated: estimate && `${counted(estimate.items, 'item')} at ${estimate.at}`,
      standstill:
        standstill &&
        `the gateway's queue of ${counted(standstill.items, 'item')} has released nothing since ${standstill.since}. ${standstill.remedy}`,
      released: releaseIntervalMs === undefined ? undefined : `one every ${releaseIntervalMs / 1_000} s`,
      dispatch: dispatchWords(instance),
      waiting: `${counted(messages, 'single message')}, ${counted(campaigns.length, 'campaign')}`,
      campaign: campaigns.map((campaign) => `${campaign.id}: ${waitingWords(campaign)}`),
      closed: instance.closed.map(({ messages: which, code, text, until }) => {
        const what = which === 'all' ? 'all but urgent messages' : 'marketing messages';
        return `${what}: ${code}${text === undefined ? '' : ` (${text})`}${until === undefined ? '' : ` until ${until}`}`;
      }),
      today: today && `${today.posted} of ${today.cap} posted, until ${today.until}`,
      unknown: unknownOutcomes === 0 ? undefined : `${counted(unknownOutcomes, 'message')} whose response was lost`,
      // What became unknown with the restore of an older copy, and what to do.
      'went back':
        wentBack &&
        `the ledger was found at ${wentBack.foundAt} to be an older copy${wentBack.knownUntil === undefined ? '' : `; what happened after ${wentBack.knownUntil} may be unknown to it`}. ${counted(wentBack.unresolved, 'message')} may have been sent since. Have the gateway show which: everpost message resolve --reason LEDGER_WENT_BACK --by-evidence --instance ${name}`,
      notifications: `${notifications}, ${lastNotificationAt === undefined ? 'none yet' : `last ${lastNotificationAt}`}`,
    }),
  ];
}

const NOT_SEEN = 'not seen yet';

function headline({ state = NOT_SEEN, pauses, queue }: InstanceStatus): string {
  if (pauses.length > 0) return `paused (${pauses.map((pause) => pause.reason).join(', ')})`;
  return queue.standstill === undefined ? state : `${state}, queue stands still`;
}

function pauseWords(name: string, { reason, since, witness, resumedBy }: InstanceStatus['pauses'][number]): string {
  const resume = `everpost instance resume ${name}`;
  if (!isPauseState(reason))
    return `by an operator (${witness}) since ${since}; nothing is posted. Resume it: ${resume}`;
  const how = resumedBy === 'operator' ? `resume it: ${resume}` : 'it is resumed automatically';
  return `${reason} since ${since}, reported by ${witness}; nothing is posted. Once the account is authorized, ${how}`;
}

function dispatchWords({ dispatcher }: InstanceStatus): string | undefined {
  const { worker, servedSince, seenAt, inFlight = 0, window } = dispatcher;
  if (worker === undefined) return undefined;
  if (servedSince === undefined) return `idle, last served by ${worker} at ${seenAt}`;
  const most = window === undefined ? '' : ` of at most ${window}`;
  return `served by ${worker} since ${servedSince}, ${inFlight}${most} requests under way`;
}
