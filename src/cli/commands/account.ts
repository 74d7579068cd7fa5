/** The account's other work: stories, groups, chats, and the jobs that read them again and again. */
import type { Command } from 'commander';
import {
  AppError,
  parseDurationMs,
  present,
  type GroupChanges,
  type GroupSnapshot,
  type RecurringJob,
  type StoredStory,
} from '../../contract/index.js';
import { timeoutOption, withApi, type CommandContext, type JsonOption } from '../command-context.js';
import { ExitCode } from '../exit-code.js';
import { INSTANCE_OPTION, withInstance } from '../instance-option.js';
import { pageOptions, type PageOptions, showPage, type Column } from '../table.js';

interface Options extends JsonOption {
  readonly instance?: string;
}

const JSON_OPTION = ['--json', 'print it as one line of JSON'] as const;

export function addAccountCommands(program: Command, context: CommandContext): void {
  addStory(program.command('story').description('Store incoming stories, each once.'), context);
  addGroup(program.command('group').description('Store the data of groups, and show what changed.'), context);
  addChat(program.command('chat').description('Mark the messages of a chat as read.'), context);
  addJob(program.command('job').description('List and stop what is read again and again.'), context);
}

function addStory(story: Command, context: CommandContext): void {
  story
    .command('follow')
    .description('Store the incoming stories of an account, now and again and again.')
    .option(...INSTANCE_OPTION)
    .option('--every <time>', 'how often, e.g. 30m or 6h; the gateway shows stories for a day', '1h')
    .option(...JSON_OPTION)
    .action(async ({ every, ...options }: Options & { readonly every: string }) => {
      await follow(context, { ...options, every, kind: 'stories' });
    });
  pageOptions(
    story
      .command('list')
      .description('List stored stories, newest first.')
      .option('--instance <name>', 'only of this account (default: all)'),
  ).action(async ({ json, ...query }: Pick<Options, 'instance'> & PageOptions) => {
    const page = await withApi(context, (api) => api.listStories({ query }));
    showPage(context, json, { columns: STORY_COLUMNS, page, what: 'stories' });
  });
}

const STORY_COLUMNS: readonly Column<StoredStory>[] = [
  { header: 'AT', value: ({ at }) => at },
  { header: 'INSTANCE', value: ({ instance }) => instance },
  { header: 'FROM', value: ({ story }) => textOf(story, 'senderId') },
  { header: 'KIND', value: ({ story }) => textOf(story, 'typeMessage') },
  { header: 'TEXT', value: ({ story }) => textOf(story, 'textMessage') ?? textOf(story, 'caption') },
];

function textOf(story: StoredStory['story'], field: string): string | undefined {
  const value = story[field];
  return typeof value === 'string' ? value : undefined;
}

function addGroup(group: Command, context: CommandContext): void {
  const GROUP = ['<group>', 'id of the group, e.g. 120363043968066561@g.us'] as const;
  group
    .command('snapshot')
    .description('Store the data of a group as it is now, and show what changed since it was stored last.')
    .argument(...GROUP)
    .option(...INSTANCE_OPTION)
    .option(...JSON_OPTION)
    .action(async (groupId: string, { instance: given, json }: Options) => {
      const snapshot = await withInstance(context, given, (api, instance) => api.takeSnapshot({ instance, groupId }));
      show(context, json ? [JSON.stringify(snapshot)] : snapshotLines(snapshot));
    });
  group
    .command('changes')
    .description('Show what changed in a group, newest first.')
    .argument(...GROUP)
    .option(...INSTANCE_OPTION)
    .option('--json', 'print { items } as one line of JSON')
    .action(async (groupId: string, { instance: given, json }: Options) => {
      const page = await withInstance(context, given, (api, instance) => api.listSnapshots({ instance, groupId }));
      show(context, json ? [JSON.stringify(page)] : page.items.flatMap(snapshotLines));
    });
  group
    .command('follow')
    .description('Store the data of a group, now and again and again, whenever it has changed.')
    .argument(...GROUP)
    .option(...INSTANCE_OPTION)
    .option('--every <time>', 'how often, e.g. 6h or 1d', '1d')
    .option(...JSON_OPTION)
    .action(async (groupId: string, { every, ...options }: Options & { readonly every: string }) => {
      await follow(context, { ...options, every, kind: 'group', groupId });
    });
}

function snapshotLines({ takenAt, seenUntil, fields, participants, changes }: GroupSnapshot): string[] {
  const { subject = '' } = fields;
  const head = `${takenAt} to ${seenUntil}  "${String(subject)}"  ${participants.length} participants`;
  return [head, ...(changes === undefined ? [] : changeLines(changes).map((line) => `  ${line}`))];
}

function changeLines({ joined, left, becameAdmin, noLongerAdmin, fields }: GroupChanges): string[] {
  return [
    ...joined.map((id) => `joined: ${id}`),
    ...left.map((id) => `left: ${id}`),
    ...becameAdmin.map((id) => `became admin: ${id}`),
    ...noLongerAdmin.map((id) => `no longer admin: ${id}`),
    ...fields.map(({ name, before, after }) => `${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`),
  ];
}

function addChat(chat: Command, context: CommandContext): void {
  chat
    .command('read')
    .description('Mark the unread messages of a chat as read, or one of them.')
    .argument('<chat>', 'chat id or phone number')
    .option('--message <id>', "the gateway's id of one incoming message (default: all unread ones)")
    .option(...INSTANCE_OPTION)
    .option('--key <key>', 'idempotency key: the same key runs once')
    .addOption(timeoutOption('how long to wait for its result'))
    .option(...JSON_OPTION)
    .action(async (chatId: string, options: Options & { message?: string; key?: string; timeout: number }) => {
      const { message: idMessage, key, timeout, json } = options;
      const request = { chatId, ...present({ idMessage }) };
      const job = await withInstance(context, options.instance, (api, instance) => {
        const body = { instance, request };
        return api.beginOperation({ method: 'readChat', body, query: { wait: 'true' }, key, waitMs: timeout });
      });
      const isRead = (job.result as { setRead?: unknown } | undefined)?.setRead === true;
      if (job.state !== 'done') context.exitCode = job.state === 'failed' ? ExitCode.failed : ExitCode.notReached;
      else if (!isRead) context.exitCode = ExitCode.failed;
      const words = job.state === 'done' ? (isRead ? 'read' : 'not read') : [job.state, job.code, job.text].join(' ');
      context.terminal.out(json ? JSON.stringify(job) : words.trimEnd());
    });
}

function addJob(job: Command, context: CommandContext): void {
  job
    .command('list')
    .description('List the jobs that read something again and again.')
    .option('--json', 'print { items } as one line of JSON')
    .action(async ({ json }: Options) => {
      const page = await withApi(context, (api) => api.listJobs());
      showPage(context, json, { columns: JOB_COLUMNS, page, what: 'jobs' });
    });
  job
    .command('stop')
    .description('Stop such a job. What it stored is kept.')
    .argument('<id>', 'the job, as everpost job list shows it')
    .action(async (id: string) => {
      await withApi(context, (api) => api.stopJob({ id }));
      context.terminal.out(`${id}  stopped`);
    });
}

const JOB_COLUMNS: readonly Column<RecurringJob>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'INSTANCE', value: ({ instance }) => instance },
  { header: 'EVERY', value: ({ everyMs }) => `${Math.round(everyMs / 60_000)}m`, align: 'right' },
  { header: 'LAST', value: ({ lastAt }) => lastAt },
  { header: 'NEXT', value: ({ nextAt }) => nextAt },
  { header: 'GROUP', value: ({ groupId }) => groupId },
  { header: 'PROBLEM', value: ({ problem }) => problem },
];

async function follow(
  context: CommandContext,
  { instance: given, every, json, ...what }: Options & { every: string; kind: RecurringJob['kind']; groupId?: string },
): Promise<void> {
  const everyMinutes = minutesOf(every);
  const job = await withInstance(context, given, (api, instance) =>
    api.beginJob({ body: { instance, ...what, everyMinutes } }),
  );
  show(context, [json ? JSON.stringify(job) : `${job.id}  every ${every}, next at ${job.nextAt}`]);
}

function minutesOf(every: string): number {
  try {
    return parseDurationMs(every) / 60_000;
  } catch (error) {
    throw new AppError('INPUT_INVALID', `--every ${every} ${String(error instanceof Error ? error.message : error)}.`);
  }
}

function show({ terminal }: CommandContext, lines: readonly string[]): void {
  for (const line of lines) terminal.out(line);
}
