import type { CommandGroup } from '../command-group.js';
import { headline, instanceStory } from '../instance-text.js';
import { age } from '../table.js';

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
      { header: 'QUEUE', value: ({ queue }) => queue.depth, align: 'right' },
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
