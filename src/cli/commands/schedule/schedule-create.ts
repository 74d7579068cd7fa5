import type { Command } from 'commander';
import {
  readDefinitionFile,
  readMessageFile,
  withStoredFile,
  type ApiResponse,
  type DefinitionFile,
} from '../../../client/index.js';
import { SCHEDULE_OVERLAPS, present } from '../../../contract/index.js';
import type { CommandGroup } from '../../command-group.js';
import { choice, repeated, type Given, type Specs } from '../../options.js';
import { words } from '../../table.js';
import { LIST_OPTIONS } from '../campaign/recipients-source.js';

export type ScheduleResponse = ApiResponse<'createSchedule'>;

const TIMES = {
  '--cron <expression>': repeated('minute, hour, day of month, month, day of week, or e.g. @daily; may be repeated'),
  '--timezone <name>': 'IANA name, e.g. Europe/Lisbon (default: UTC)',
  '--jitter <duration>': 'delay each start by a random time up to this, e.g. 10m (default: none)',
  '--start <time>': 'no run before this time',
  '--end <time>': 'no run after this time',
  '--overlap <policy>': choice(
    SCHEDULE_OVERLAPS,
    'policy while the campaign of an earlier time has not ended, or its message is not posted: skip the time, buffer one, or allow both (default: skip)',
  ),
  '--catchup-window <duration>': 'how late a run may begin (default: 1h)',
} as const;

const SENT = {
  '--campaign <file>': 'campaign file to send, YAML or JSON',
  '--message <file>': 'message file to send instead of a campaign, e.g. a status, YAML or JSON',
  '--recipients <file>':
    "CSV, NDJSON or Excel file (.xlsx) in the instance's folder on the worker's machine (default: the source in the campaign file)",
  ...LIST_OPTIONS,
  '--url <url>': 'URL of the recipients, CSV, NDJSON or an Excel file (.xlsx)',
  '--group <id>': 'send to the participants of this group, …@g.us',
  '--query <sql>': 'recipients from an SQL query; requires --connection-env or --connection-file',
  '--connection-env <name>': 'environment variable of the worker with the connection string, EVERPOST_SOURCE_…',
  '--connection-file <file>': "file with the connection string, on the worker's machine",
} as const;

const OPTIONS = {
  ...SENT,
  '--id <id>': "the schedule's id, at most 40 characters (default: the file's)",
  ...TIMES,
  '--paused': 'create it paused',
  '--note <words>': 'why the schedule is paused, or its purpose',
  '--key <key>': 'idempotency key: the same key and definition create one schedule',
} as const;

export function addScheduleCreateCommand(schedule: CommandGroup): void {
  schedule.call('create', {
    description:
      'Create a schedule. Each of its times starts a campaign, whose recipients are read then, or sends one message.',
    options: OPTIONS,
    json: 'print the schedule as one line of JSON',
    help: `Exit code: 0 created, or already existed with the same definition; 1 failed; 2 wrong use.

Examples:
  everpost schedule create --campaign examples/campaign.yaml --cron "0 9 * * MON" --timezone Europe/Lisbon
  everpost schedule create --campaign sale.yaml --cron "0 10 1 * *" --url https://shop.example/list.csv
  everpost schedule create --campaign sale.yaml --cron "0 9 * * *" --connection-env EVERPOST_SOURCE_CRM \\
    --query "select phone, name from customers where birthday = current_date"
  everpost schedule create --message examples/opening-hours.yaml --cron "0 8 * * MON-FRI" --timezone Europe/Lisbon`,
    async call(api, options, { command, terminal }) {
      const { id, ...sent } = await sentBy(options, command, terminal.cwd);
      const { paused, note } = options;
      const named = present({ id: options.id ?? id, paused, note });
      const body = { ...(await withStored(api, sent)), ...timesBy(options), ...named };
      return api.createSchedule({ body, key: options.key });
    },
    lines: scheduleLine,
  });
  schedule.call('update', {
    description: 'Change a schedule in place. A run that has not started yet ends.',
    arguments: { '<id>': 'the schedule' },
    options: { ...TIMES, ...SENT },
    json: 'print the schedule as one line of JSON',
    help: `Only what is given changes. With --campaign or --message the whole campaign or message is replaced.

Examples:
  everpost schedule update weekly --cron "0 10 * * MON"
  everpost schedule update weekly --campaign examples/campaign.yaml`,
    async call(api, { id, ...options }, { command, terminal }) {
      const times = timesBy(options);
      if (options.campaign === undefined && options.message === undefined)
        return api.updateSchedule({ id, body: times });
      const { id: _, ...sent } = await sentBy(options, command, terminal.cwd);
      return api.updateSchedule({ id, body: { ...(await withStored(api, sent)), ...times } });
    },
    lines: scheduleLine,
  });
}

/** With the id of the campaign's uploaded file. */
async function withStored(
  api: Parameters<typeof withStoredFile>[0],
  sent: { readonly campaign?: DefinitionFile['definition']; readonly message?: unknown },
): Promise<Readonly<Record<string, unknown>>> {
  const campaign = sent.campaign && (await withStoredFile(api, { definition: sent.campaign }));
  return { ...sent, ...present({ campaign }) };
}

function timesBy({ cron, timezone, jitter, start, end, overlap, catchupWindow }: Given<Specs, typeof TIMES>) {
  return present({ cron, timezone, jitter, startAt: start, endAt: end, overlap, catchupWindow });
}

/** One line for a schedule: id, state and its next run. */
export function scheduleLine({ id, state, note, nextRuns, problem }: ApiResponse<'pauseSchedule'>): string {
  const next = nextRuns?.[0];
  return words([id, state, note, next && `next run ${next}`, problem]);
}

async function sentBy(options: Given<Specs, typeof SENT>, command: Command, cwd: string) {
  const { campaign: campaignFile, message: messageFile } = options;
  if (campaignFile !== undefined && messageFile === undefined) {
    const file = await readDefinitionFile(campaignFile, cwd);
    return { id: file.id, campaign: file.definition, recipients: recipientsOf(options, file, command) };
  }
  if (messageFile === undefined || campaignFile !== undefined) {
    return command.error('error: give either --campaign or --message');
  }
  const sources = [options.recipients, options.url, options.group, options.query];
  if (sources.some((source) => source !== undefined))
    return command.error('error: a message has no list of recipients');
  return readMessageFile(messageFile, cwd);
}

/** Options override the campaign's file. */
function recipientsOf(
  { recipients, url, group, query, connectionEnv, connectionFile, ...options }: Given<Specs, typeof SENT>,
  file: DefinitionFile,
  command: Command,
) {
  const given = [recipients, url, group, query].filter((source) => source !== undefined);
  if (given.length > 1) return command.error('error: give one of --recipients, --url, --group and --query');
  const connections = [connectionEnv, connectionFile].filter((place) => place !== undefined);
  if (connections.length !== (query === undefined ? 0 : 1)) {
    return command.error(
      'error: --query requires one of --connection-env and --connection-file, and they require --query',
    );
  }
  const { delimiter, encoding, sheet, phoneColumn, map } = options;
  const rest = present({ delimiter, encoding, sheet, phoneColumn, map });
  if (recipients !== undefined) return { file: recipients, ...rest };
  if (url !== undefined) return { url, ...rest };
  if (group !== undefined) return { group };
  if (query !== undefined) {
    const connection = connectionEnv === undefined ? { file: connectionFile } : { env: connectionEnv };
    return { connection, query, ...rest };
  }
  if (file.recipients.group !== undefined) return { group: file.recipients.group };
  if (file.recipients.file === undefined) {
    return command.error(
      "error: give --recipients, --url, --group or --query, or set 'recipients:' in the campaign file",
    );
  }
  return { ...file.recipients, ...rest };
}
