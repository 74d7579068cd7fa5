import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  MISSED_STARTS,
  SCHEDULE_OVERLAPS,
  present,
  type MissedStart,
  type ScheduleOverlap,
} from '../../../contract/index.js';
import { readDefinitionFile, readMessageFile, withStoredFile, type DefinitionFile } from '../../../client/index.js';
import { collected, withApi, type CommandContext } from '../../command-context.js';
import { delimiterOption } from '../campaign/recipients-source.js';
import { scheduleLine } from './schedule-text.js';

interface CreateOptions {
  readonly campaign?: string;
  readonly message?: string;
  readonly id?: string;
  readonly cron?: readonly string[];
  readonly calendar?: readonly Readonly<Record<string, string>>[];
  readonly timezone?: string;
  readonly jitter?: string;
  readonly start?: string;
  readonly end?: string;
  readonly overlap?: ScheduleOverlap;
  readonly missedStart?: MissedStart;
  readonly grace?: string;
  readonly recipients?: string;
  readonly delimiter?: string;
  readonly url?: string;
  readonly group?: string;
  readonly connectionEnv?: string;
  readonly connectionFile?: string;
  readonly query?: string;
  readonly paused?: true;
  readonly note?: string;
  readonly key?: string;
  readonly json?: true;
}

export function addScheduleCreateCommand(schedule: Command, context: CommandContext): void {
  const command = schedule
    .command('create')
    .description(
      'Create a schedule: each of its times becomes a campaign, whose recipients are read then, or one message.',
    )
    .option('--campaign <file>', 'what is sent: a campaign, YAML or JSON')
    .option('--message <file>', 'in place of a campaign: one message, e.g. a status, YAML or JSON')
    .option('--id <id>', "the schedule's id, at most 40 characters (default: the file's)")
    .option('--cron <expression>', 'minute, hour, day of month, month, day of week; give it once for each', collected)
    .option(
      '--calendar <fields>',
      'fields by name, e.g. "dayOfWeek=MON-FRI hour=9 minute=30"; give it once for each',
      calendarOption,
    )
    .option('--timezone <name>', 'IANA name, e.g. Europe/Lisbon (default: UTC)')
    .option('--jitter <duration>', 'each start is later by a part of this, e.g. 10m (default: none)')
    .option('--start <time>', 'no run before this')
    .option('--end <time>', 'no run after this')
    .addOption(
      new Option(
        '--overlap <policy>',
        'while the campaign of an earlier run has not ended, or its message was not posted: skip the run, buffer it, allow both (default: skip)',
      ).choices(SCHEDULE_OVERLAPS),
    )
    .addOption(
      new Option(
        '--missed-start <policy>',
        'a start later than the grace time: run all the same, skip, hold for an operator (default: hold; skip for a message)',
      ).choices(MISSED_STARTS),
    )
    .option('--grace <duration>', 'how late a start may be (default: 1h)')
    .option('--recipients <file>', "CSV or NDJSON on the worker's machine; else as the campaign says")
    .addOption(delimiterOption())
    .option('--url <url>', 'recipients from a URL, CSV or NDJSON')
    .option('--group <id>', 'the participants of a group, …@g.us')
    .option('--query <sql>', 'recipients from a query, with --connection-env or --connection-file')
    .option('--connection-env <name>', "the worker's variable with the connection string, EVERPOST_SOURCE_…")
    .option('--connection-file <file>', "the file with the connection string, on the worker's machine")
    .option('--paused', 'create it paused')
    .option('--note <words>', 'why it is paused, or what it is for')
    .option('--key <key>', 'idempotency key: the same key and schedule are created once')
    .option('--json', 'print the schedule as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 created, or there already with the same definition; 1 failed; 2 wrong use.

Examples:
  everpost schedule create --campaign examples/campaign.yaml --cron "0 9 * * MON" --timezone Europe/Lisbon
  everpost schedule create --campaign sale.yaml --calendar "dayOfMonth=1 hour=10" --url https://shop.example/list.csv
  everpost schedule create --campaign sale.yaml --cron "0 9 * * *" --connection-env EVERPOST_SOURCE_CRM \\
    --query "select phone, name from customers where birthday = current_date"
  everpost schedule create --message examples/opening-hours.yaml --cron "0 8 * * MON-FRI" --timezone Europe/Lisbon`,
    )
    .action(async (options: CreateOptions) => {
      const { terminal } = context;
      const body = await bodyOf(options, command, terminal.cwd);
      const created = await withApi(context, async (api) => {
        const campaign = 'campaign' in body ? await withStoredFile(api, { definition: body.campaign }) : undefined;
        return api.createSchedule({ body: { ...body, ...present({ campaign }) }, key: options.key });
      });
      terminal.out(options.json ? JSON.stringify(created) : scheduleLine(created));
    });
}

async function bodyOf(options: CreateOptions, command: Command, cwd: string) {
  const { cron, calendar: calendars, timezone, jitter, start, end, overlap, paused, note } = options;
  const sent = await sentBy(options, command, cwd);
  return {
    ...sent,
    ...present({ id: options.id, missedStart: options.missedStart, graceTime: options.grace }),
    ...present({ cron, calendars, timezone, jitter, startAt: start, endAt: end, overlap, paused, note }),
  };
}

async function sentBy(options: CreateOptions, command: Command, cwd: string) {
  const { campaign: campaignFile, message: messageFile } = options;
  if (campaignFile !== undefined && messageFile === undefined) {
    const file = await readDefinitionFile(campaignFile, cwd);
    const { missedStart, graceTime, ...campaign } = file.definition;
    const recipients = recipientsOf(options, file, command, cwd);
    return { id: file.id, campaign, recipients, ...present({ missedStart, graceTime }) };
  }
  if (messageFile === undefined || campaignFile !== undefined) {
    return command.error('error: give either --campaign or --message');
  }
  const sources = [options.recipients, options.url, options.group, options.query];
  if (sources.some((source) => source !== undefined))
    return command.error('error: a message has no list of recipients');
  return readMessageFile(messageFile, cwd);
}

/** What is said on the command line goes before what the campaign says. */
function recipientsOf(
  { recipients, delimiter, url, group, query, connectionEnv, connectionFile }: CreateOptions,
  file: DefinitionFile,
  command: Command,
  cwd: string,
) {
  const given = [recipients, url, group, query].filter((source) => source !== undefined);
  if (given.length > 1) return command.error('error: give one of --recipients, --url, --group and --query');
  const connections = [connectionEnv, connectionFile].filter((place) => place !== undefined);
  if (connections.length !== (query === undefined ? 0 : 1)) {
    return command.error('error: --query needs one of --connection-env and --connection-file, and they need it');
  }
  const rest = present({ delimiter });
  if (recipients !== undefined) return { file: path.resolve(cwd, recipients), ...rest };
  if (url !== undefined) return { url, ...rest };
  if (group !== undefined) return { group };
  if (query !== undefined) {
    const connection = connectionEnv === undefined ? { file: connectionFile } : { env: connectionEnv };
    return { connection, query };
  }
  if (file.recipients.group !== undefined) return { group: file.recipients.group };
  if (file.recipients.file === undefined) {
    return command.error("error: give --recipients, --url, --group or --query, or say 'recipients:' in the campaign");
  }
  return { file: file.recipients.file, ...present({ delimiter: delimiter ?? file.recipients.delimiter }) };
}

/** `dayOfWeek=MON-FRI hour=9` */
function calendarOption(
  text: string,
  before: readonly Readonly<Record<string, string>>[] = [],
): readonly Readonly<Record<string, string>>[] {
  const fields = text.trim().split(/\s+/);
  const pairs = fields.map((field) => field.split('='));
  if (!pairs.every((pair): pair is [string, string] => pair.length === 2 && !pair.includes(''))) {
    throw new InvalidArgumentError('must be fields like dayOfWeek=MON-FRI hour=9 minute=30');
  }
  return [...before, Object.fromEntries(pairs)];
}
