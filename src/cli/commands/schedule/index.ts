import { Option, type Command } from 'commander';
import { present } from '../../../contract/index.js';
import { scheduleStateSchema } from '../../../contract/schemas.js';
import { withApi, type CommandContext, type JsonOption } from '../../command-context.js';
import { pageOptions, showPage } from '../../table.js';
import { addScheduleCreateCommand } from './create.js';
import { SCHEDULE_COLUMNS, runLine, scheduleLine, scheduleStory } from './schedule-text.js';

export function addScheduleCommands(program: Command, context: CommandContext): void {
  const schedule = program
    .command('schedule')
    .description('Start campaigns, or send messages, at times of a calendar.');
  addScheduleCreateCommand(schedule, context);
  addList(schedule, context);
  addShow(schedule, context);
  addPause(schedule, context);
  addResume(schedule, context);
  addTrigger(schedule, context);
  addBackfill(schedule, context);
  addDelete(schedule, context);
}

function addList(schedule: Command, context: CommandContext): void {
  pageOptions(
    schedule
      .command('list')
      .description('List schedules with their next runs, newest first.')
      .addOption(new Option('--state <state>', 'only in this state').choices(scheduleStateSchema.options)),
  )
    .addHelpText(
      'after',
      `
Example:
  everpost schedule list --state active`,
    )
    .action(async ({ json, ...filter }: JsonOption & Readonly<Record<string, string>>) => {
      const page = await withApi(context, (api) => api.listSchedules({ query: filter }));
      showPage(context, json, { columns: SCHEDULE_COLUMNS, page, what: 'schedules' });
    });
}

function addShow(schedule: Command, context: CommandContext): void {
  schedule
    .command('show')
    .description('Show a schedule: what it sends, its next runs, and what became of the latest ones.')
    .argument('<id>', 'the schedule')
    .option('--json', 'print the schedule as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost schedule show weekly`,
    )
    .action(async (id: string, { json }: JsonOption) => {
      const found = await withApi(context, (api) => api.getSchedule({ id }));
      if (json) return context.terminal.out(JSON.stringify(found));
      for (const line of scheduleStory(found)) context.terminal.out(line);
    });
}

interface NoteOptions extends JsonOption {
  readonly note?: string;
}

function addPause(schedule: Command, context: CommandContext): void {
  schedule
    .command('pause')
    .description('Pause a schedule: no run begins until it is resumed.')
    .argument('<id>', 'the schedule')
    .option('--note <words>', 'why; shown until the next pause or resume')
    .option('--json', 'print the schedule as one line of JSON')
    .addHelpText(
      'after',
      `
Campaigns that have begun go on: everpost campaign pause stops them.

Example:
  everpost schedule pause weekly --note "shop is closed"`,
    )
    .action(async (id: string, { note, json }: NoteOptions) => {
      const paused = await withApi(context, (api) => api.pauseSchedule({ id, body: present({ note }) }));
      context.terminal.out(json ? JSON.stringify(paused) : scheduleLine(paused));
    });
}

function addResume(schedule: Command, context: CommandContext): void {
  schedule
    .command('resume')
    .description('Resume a paused schedule. Times that have passed meanwhile are not made up.')
    .argument('<id>', 'the schedule')
    .option('--note <words>', 'why; shown until the next pause or resume')
    .option('--json', 'print the schedule as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost schedule resume weekly`,
    )
    .action(async (id: string, { note, json }: NoteOptions) => {
      const resumed = await withApi(context, (api) => api.resumeSchedule({ id, body: present({ note }) }));
      context.terminal.out(json ? JSON.stringify(resumed) : scheduleLine(resumed));
    });
}

interface KeyOptions extends JsonOption {
  readonly key?: string;
}

function addTrigger(schedule: Command, context: CommandContext): void {
  schedule
    .command('trigger')
    .description('Run a schedule now, also a paused one.')
    .argument('<id>', 'the schedule')
    .option('--key <key>', 'idempotency key: the same key runs once')
    .option('--json', 'print the run as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost schedule trigger weekly`,
    )
    .action(async (id: string, { key, json }: KeyOptions) => {
      const run = await withApi(context, (api) => api.triggerSchedule({ id, key }));
      context.terminal.out(json ? JSON.stringify(run) : runLine(run));
    });
}

interface BackfillOptions extends JsonOption {
  readonly from: string;
  readonly to: string;
}

function addBackfill(schedule: Command, context: CommandContext): void {
  schedule
    .command('backfill')
    .description('Run a schedule for its times in a range that have no run yet.')
    .argument('<id>', 'the schedule')
    .requiredOption('--from <time>', 'the first time, e.g. 2030-01-31T00:00:00Z')
    .requiredOption('--to <time>', 'the last time, not in the future')
    .option('--json', 'print { runs } as one line of JSON')
    .addHelpText(
      'after',
      `
Without --overlap allow the runs wait for each other. Asked again it adds none.

Example:
  everpost schedule backfill weekly --from 2030-01-01T00:00:00Z --to 2030-01-31T00:00:00Z`,
    )
    .action(async (id: string, { from, to, json }: BackfillOptions) => {
      const { terminal } = context;
      const added = await withApi(context, (api) => api.backfillSchedule({ id, body: { from, to } }));
      if (json) return terminal.out(JSON.stringify(added));
      if (added.runs.length === 0) return terminal.err('No time in this range is without a run.');
      for (const run of added.runs) terminal.out(runLine(run));
    });
}

function addDelete(schedule: Command, context: CommandContext): void {
  schedule
    .command('delete')
    .description('Delete a schedule. Its campaigns and messages stay.')
    .argument('<id>', 'the schedule')
    .option('--json', 'print { deleted } as one line of JSON')
    .addHelpText(
      'after',
      `
Campaigns that have begun go on: everpost campaign cancel ends them.

Example:
  everpost schedule delete weekly`,
    )
    .action(async (id: string, { json }: JsonOption) => {
      const deleted = await withApi(context, (api) => api.deleteSchedule({ id }));
      context.terminal.out(json ? JSON.stringify(deleted) : `${id} is deleted`);
    });
}
