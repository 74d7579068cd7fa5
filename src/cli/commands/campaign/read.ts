/** Commands that show campaigns: a list, one of them, and a report on every recipient. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, CAMPAIGN_STATES, MESSAGE_STATES } from '../../../contract/index.js';
import { amendmentLines, campaignStory } from './campaign-text.js';
import { withApi } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { byDefault, choice, severalOf } from '../../options.js';
import { age } from '../../table.js';
import { copyTo } from '../../terminal.js';
import { endExitCode, watchCampaign } from './watch.js';

const REPORT = { csv: 'getReportCsv', ndjson: 'getReportNdjson', json: 'getReportJson' } as const;

export function addCampaignReadCommands(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.list('list', {
    description: 'List campaigns, newest first.',
    options: {
      '--instance <name>': 'only campaigns of this account (default: all)',
      '--state <state>': choice(CAMPAIGN_STATES, 'only campaigns in this state'),
    },
    help: `DONE counts recipients who were posted to or who ended without the message. AGE is the time since the campaign
was defined.

Example:
  everpost campaign list --state running`,
    call: (api, query) => api.listCampaigns({ query }),
    what: 'campaigns',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'STATE', value: ({ state }) => state },
      { header: 'INSTANCE', value: ({ instance }) => instance },
      { header: 'RECIPIENTS', value: ({ audience }) => audience, align: 'right' },
      { header: 'DONE', value: ({ donePercent }) => `${donePercent}%`, align: 'right' },
      { header: 'AGE', value: ({ createdAt }) => age(createdAt), align: 'right' },
      { header: 'NAME', value: ({ name }) => name },
    ],
  });
  campaign.add('show', {
    description: 'Show a campaign: state, progress, rate, and why it waits.',
    arguments: { '<id>': 'the campaign' },
    options: {
      '--watch': 'follow the campaign until it ends',
      '--json': 'print the campaign as one line of JSON; with --watch, one line at each change',
    },
    help: `Ctrl-C ends the command; the campaign continues.
Exit code: 0; with --watch: 0 every recipient was posted to; 1 it ended cancelled or expired; 3 it still runs.

Examples:
  everpost campaign show sale
  everpost campaign show sale --watch`,
    action: ({ id, watch, json }) =>
      withApi(context, async (api) => {
        if (watch) {
          context.exitCode = endExitCode(await watchCampaign(api, id, terminal, { isJson: json === true }));
          return;
        }
        const found = await api.getCampaign({ id });
        const amendments = (await api.listAmendments({ id: found.id })).items;
        const lines = json
          ? [JSON.stringify({ ...found, amendments })]
          : [...campaignStory(found), ...amendments.flatMap(amendmentLines)];
        for (const line of lines) terminal.out(line);
      }),
  });
  campaign.add('report', {
    description: 'Write a report of all recipients: state, reason, times, ids, evidence.',
    arguments: { '<id>': "the campaign's id, or a prefix of it" },
    options: {
      '--format <format>': byDefault(
        'csv',
        choice(Object.keys(REPORT) as (keyof typeof REPORT)[], 'format of the report'),
      ),
      '--state <state...>': severalOf(MESSAGE_STATES, 'only recipients in these states'),
      '--reason <word>': 'only recipients with this reason',
      '--columns <names>': "the recipients' own columns to include: names separated by commas, or all (default: none)",
      '--timezone <zone>':
        "timezone of the times, e.g. Europe/Lisbon, or recipient: each recipient's own (default: UTC)",
      '--out <file>': 'write the report to this file instead of standard output',
    },
    help: `While the campaign runs, the report shows the current states.

Examples:
  everpost campaign report sale --out sale.csv
  everpost campaign report sale --columns name,city --timezone Europe/Lisbon --out sale.csv
  everpost campaign report sale --format ndjson --state failed no_account`,
    action: ({ id, format, state, out, ...query }) =>
      withApi(context, async (api) => {
        const report = await api[REPORT[format]]({ id, query: { ...query, state: state?.join(',') } });
        if (out === undefined) return copyTo(terminal, report);
        await intoFile(path.resolve(terminal.cwd, out), report);
        terminal.err(`The report was written to ${out}`);
      }),
  });
}

async function intoFile(file: string, report: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(report, createWriteStream(file));
  } catch (error) {
    const message = `The report could not be written to ${file}, or was cut off. Run the command again.`;
    throw new AppError('INPUT_INVALID', message, { cause: error });
  }
}
