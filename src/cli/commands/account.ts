/** Commands for gateway operations, and for stories, groups and chats of an account, and for the recurring jobs that read them. */
import type { ApiClient } from '../../client/index.js';
import {
  AppError,
  OPERATIONS,
  isOperationName,
  parseDurationMs,
  present,
  type GroupSnapshot,
  type OperationFacts,
  type RecurringJob,
  type StoredStory,
} from '../../contract/index.js';
import type { OperationResponse } from '../../api/index.js';
import type { CallContext, CommandGroup } from '../command-group.js';
import { withApi, ExitCode } from '../command-context.js';
import { INSTANCE, byDefault, readJsonOption, timeoutOption } from '../options.js';
import { words } from '../table.js';
import { agrees } from '../terminal.js';

const JSON_HELP = 'print the result as one line of JSON';
const GROUP = { '<group>': 'id of the group, e.g. 120363043968066561@g.us' } as const;

export function addAccountCommands(program: CommandGroup): void {
  const story = program.group('story', 'Store incoming stories, each once.');
  story.call('follow', {
    description: 'Store the incoming stories of an account, now and repeatedly.',
    options: {
      ...INSTANCE,
      '--every <time>': byDefault('1h', 'interval, e.g. 30m or 6h; the gateway shows a story for one day'),
    },
    json: JSON_HELP,
    call: (api, { every }, { instance }) => beginJob(api, every, { kind: 'stories' }, instance),
    lines: jobLine,
  });
  story.list('list', {
    description: 'List stored stories, newest first.',
    options: { '--instance <name>': 'only stories of this account (default: all)' },
    call: (api, query) => api.listStories({ query }),
    what: 'stories',
    columns: [
      { header: 'AT', value: ({ at }) => at },
      { header: 'INSTANCE', value: ({ instance }) => instance },
      { header: 'FROM', value: ({ story: shown }) => textOf(shown, 'senderId') },
      { header: 'KIND', value: ({ story: shown }) => textOf(shown, 'typeMessage') },
      { header: 'TEXT', value: ({ story: shown }) => textOf(shown, 'textMessage') ?? textOf(shown, 'caption') },
    ],
  });

  const group = program.group('group', 'Store the data of groups, and show what changed.');
  group.call('snapshot', {
    description: 'Store the current data of a group, and show what changed since the last snapshot.',
    arguments: GROUP,
    options: INSTANCE,
    json: JSON_HELP,
    call: async (api, { group: groupId }, { instance }) => api.takeSnapshot({ instance: await instance(), groupId }),
    lines: snapshotLines,
  });
  group.call('changes', {
    description: 'Show what changed in a group, newest first.',
    arguments: GROUP,
    options: INSTANCE,
    json: 'print { items } as one line of JSON',
    call: async (api, { group: groupId }, { instance }) => api.listSnapshots({ instance: await instance(), groupId }),
    lines: ({ items }) => items.flatMap(snapshotLines),
  });
  group.call('follow', {
    description: 'Store the data of a group now, and repeatedly if it has changed.',
    arguments: GROUP,
    options: { ...INSTANCE, '--every <time>': byDefault('1d', 'interval, e.g. 6h or 1d') },
    json: JSON_HELP,
    call: (api, { group: groupId, every }, { instance }) => beginJob(api, every, { kind: 'group', groupId }, instance),
    lines: jobLine,
  });

  program.group('chat', 'Mark the messages of a chat as read.').call('read', {
    description: 'Mark the unread messages of a chat as read, or one of them.',
    arguments: { '<chat>': 'chat id or phone number' },
    options: {
      '--message <id>': "the gateway's id of one incoming message (default: all unread ones)",
      ...INSTANCE,
      '--key <key>': 'idempotency key: the same key runs once',
      ...timeoutOption('how long to wait for the result'),
    },
    json: JSON_HELP,
    async call(api, { chat: chatId, message: idMessage, key, timeout }, { instance }) {
      const body = { instance: await instance(), request: { chatId, ...present({ idMessage }) } };
      return api.beginOperation({ method: 'readChat', body, query: { wait: 'true' }, key, waitMs: timeout });
    },
    exitCode: (job) => (job.state === 'done' && !isRead(job) ? ExitCode.failed : operationExitCode(job)),
    lines(job) {
      if (job.state === 'done') return isRead(job) ? 'read' : 'not read';
      return [job.state, job.code, job.text].join(' ').trimEnd();
    },
  });

  const job = program.group('job', 'List and stop recurring jobs.');
  job.list('list', {
    description: 'List recurring jobs.',
    isWhole: true,
    call: (api) => api.listJobs(),
    what: 'jobs',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'INSTANCE', value: ({ instance }) => instance },
      { header: 'EVERY', value: ({ everyMs }) => `${Math.round(everyMs / 60_000)}m`, align: 'right' },
      { header: 'LAST', value: ({ lastAt }) => lastAt },
      { header: 'NEXT', value: ({ nextAt }) => nextAt },
      { header: 'GROUP', value: ({ groupId }) => groupId },
      { header: 'PROBLEM', value: ({ problem }) => problem },
    ],
  });
  job.add('stop', {
    description: 'Stop a job. The data it stored is kept.',
    arguments: { '<id>': 'id of the job, from everpost job list' },
    async action({ id }) {
      await withApi(job.context, (api) => api.stopJob({ id }));
      job.context.terminal.out(`${id}  stopped`);
    },
  });
}

function textOf(story: StoredStory['story'], field: string): string | undefined {
  const value = story[field];
  return typeof value === 'string' ? value : undefined;
}

function snapshotLines({ takenAt, seenUntil, fields, participants, changes }: GroupSnapshot): string[] {
  const { subject = '' } = fields;
  const head = `${takenAt} to ${seenUntil}  "${String(subject)}"  ${participants.length} participants`;
  if (changes === undefined) return [head];
  const { joined, left, becameAdmin, noLongerAdmin, fields: changed } = changes;
  return [
    head,
    ...joined.map((id) => `  joined: ${id}`),
    ...left.map((id) => `  left: ${id}`),
    ...becameAdmin.map((id) => `  became admin: ${id}`),
    ...noLongerAdmin.map((id) => `  no longer admin: ${id}`),
    ...changed.map(({ name, before, after }) => `  ${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`),
  ];
}

function isRead({ result }: { readonly result?: unknown }): boolean {
  return (result as { setRead?: unknown } | undefined)?.setRead === true;
}

async function beginJob(
  api: ApiClient,
  every: string,
  what: Pick<RecurringJob, 'kind'> & { readonly groupId?: string },
  instance: CallContext['instance'],
) {
  let everyMinutes: number;
  try {
    everyMinutes = parseDurationMs(every) / 60_000;
  } catch (error) {
    throw new AppError('INPUT_INVALID', `--every ${every} ${String(error instanceof Error ? error.message : error)}.`);
  }
  return api.beginJob({ body: { instance: await instance(), ...what, everyMinutes } });
}

function jobLine({ id, nextAt }: RecurringJob, { every }: { readonly every: string }): string {
  return `${id}  every ${every}, next at ${nextAt}`;
}

export function addOperationCommands(program: CommandGroup): void {
  const operation = program.group('operation', 'Run gateway operations as durable jobs.');
  operation.call('run', {
    description: 'Run one gateway operation as a durable job.',
    arguments: { '<method>': 'the operation, e.g. getSettings; see everpost operation list' },
    options: {
      ...INSTANCE,
      '--body <json>': "the operation's fields under the gateway's names: JSON, @file, or - for standard input",
      '--key <key>': 'idempotency key: the same key and body run once',
      '--yes': 'skip the confirmation, which clearMessagesQueue asks for',
      ...timeoutOption('how long to wait for the result'),
    },
    json: 'print the job as one line of JSON',
    help: `Exit code: 0 done, 1 failed, 2 wrong use, 3 not done in time, or outcome unknown.

Examples:
  everpost operation run getStateInstance --instance main
  everpost operation run readChat --instance main --body '{"chatId":"15551234567@c.us"}'
  everpost operation run setSettings --instance main --body @settings.json --key settings-2
  everpost operation run reboot --instance main
  everpost operation run clearMessagesQueue --instance main --yes`,
    async call(api, { method, body: given = '{}', key, timeout, yes }, { terminal, instance }) {
      const request = await readJsonOption('--body', given, terminal);
      const body = { instance: await instance(), request };
      const { destroys }: Partial<OperationFacts> = isOperationName(method) ? OPERATIONS[method] : {};
      if (!yes && destroys !== undefined) {
        const question = `${method} of ${body.instance} ${destroys}. Run it?`;
        const inScript = `everpost operation run ${method} --instance ${body.instance} --yes`;
        if (!(await agrees(terminal, question, `nothing was done. In a script: ${inScript}`)))
          throw new AppError('INPUT_INVALID', `Nothing was done: ${method} was not confirmed.`);
      }
      return api.beginOperation({ method, body, query: { wait: 'true' }, key, waitMs: timeout });
    },
    exitCode: operationExitCode,
    lines: ({ id, state, result, code, text }) =>
      state === 'done' ? JSON.stringify(result ?? null, undefined, 2).split('\n') : words([id, state, code, text]),
  });
  operation.add('list', {
    description:
      'List the operations with HTTP method, whether a retry is safe, the scopes that an API key needs, and beta.',
    options: { '--json': 'print the operations as one line of JSON' },
    action({ json }) {
      const { terminal } = operation.context;
      const rows = Object.entries<OperationFacts>(OPERATIONS).map(([name, facts]) => ({ name, ...facts }));
      if (json) return terminal.out(JSON.stringify(rows));
      for (const { name, verb, durability, scopes, beta } of rows) {
        const facts = [name.padEnd(22), verb.padEnd(5), durability.padEnd(11), scopes.join(',').padEnd(15)];
        terminal.out([...facts, beta ? 'beta' : ''].join(' ').trimEnd());
      }
    },
  });
}

function operationExitCode({ state }: OperationResponse): ExitCode {
  switch (state) {
    case 'done':
      return ExitCode.done;
    case 'failed':
      return ExitCode.failed;
    case 'pending':
    case 'sending':
    case 'may_have_happened':
      return ExitCode.notReached;
  }
}
