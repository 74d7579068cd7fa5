/** Commands that show campaigns: all of them, one, and what became of every recipient. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { AppError, CAMPAIGN_STATES, MESSAGE_STATES } from '../../../contract/index.js';
import { amendmentLines } from '../../amendment-text.js';
import { campaignColumns, campaignStory } from '../../campaign-text.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { pageOptions, type PageOptions, showPage } from '../../table.js';
import { endExitCode, watchCampaign } from './watch.js';
import type { Terminal } from '../../terminal.js';

export function addCampaignReadCommands(campaign: Command, context: CommandContext): void {
  addList(campaign, context);
  addShow(campaign, context);
  addReport(campaign, context);
}

interface ListOptions extends PageOptions {
  readonly instance?: string;
  readonly state?: string;
}

function addList(campaign: Command, context: CommandContext): void {
  pageOptions(
    campaign
      .command('list')
      .description('List campaigns, newest first.')
      .option('--instance <name>', 'only of this account (default: all)')
      .addOption(new Option('--state <state>', 'only in this state').choices(CAMPAIGN_STATES)),
  )
    .addHelpText(
      'after',
      `
DONE counts recipients who were posted to or who ended without the message. AGE is the time since the campaign was defined.

Example:
  everpost campaign list --state running`,
    )
    .action(async ({ json, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) => api.listCampaigns({ query: filter }));
      showPage(context, json, { columns: campaignColumns(Date.now()), page, what: 'campaigns' });
    });
}

interface ShowOptions {
  readonly watch?: true;
  readonly json?: true;
}

function addShow(campaign: Command, context: CommandContext): void {
  campaign
    .command('show')
    .description('Show a campaign: state, progress, rate, and why it waits.')
    .argument('<id>', 'the campaign')
    .option('--watch', 'follow it until it has ended')
    .option('--json', 'print all of it as one line of JSON; with --watch at each change')
    .addHelpText(
      'after',
      `
Ctrl-C ends the command; the campaign continues.
Exit code: 0; with --watch: 0 every recipient was posted to; 1 it ended cancelled or expired; 3 it still runs.

Examples:
  everpost campaign show sale
  everpost campaign show sale --watch`,
    )
    .action(async (id: string, { watch, json }: ShowOptions) => {
      if (watch) {
        await withApi(context, async (api) => {
          context.exitCode = endExitCode(await watchCampaign(api, id, context.terminal, { isJson: json === true }));
        });
        return;
      }
      const { amendments, ...found } = await withApi(context, async (api) => {
        const shown = await api.getCampaign({ id });
        return { ...shown, amendments: (await api.listAmendments({ id: shown.id })).items };
      });
      const lines = json
        ? [JSON.stringify({ ...found, amendments })]
        : [...campaignStory(found), ...amendments.flatMap(amendmentLines)];
      for (const line of lines) context.terminal.out(line);
    });
}

interface ReportOptions {
  readonly format: keyof typeof REPORT;
  readonly state?: readonly string[];
  readonly reason?: string;
  readonly out?: string;
}

const REPORT = { csv: 'getReportCsv', ndjson: 'getReportNdjson', json: 'getReportJson' } as const;

function addReport(campaign: Command, context: CommandContext): void {
  campaign
    .command('report')
    .description('Write the report of every recipient: state, reason, times, ids, evidence.')
    .argument('<id>', 'the campaign, or the beginning of its id')
    .addOption(new Option('--format <format>', 'how it is written').choices(Object.keys(REPORT)).default('csv'))
    .addOption(new Option('--state <state...>', 'only recipients in these states').choices(MESSAGE_STATES))
    .option('--reason <word>', 'only recipients with this reason')
    .option('--out <file>', 'write it there instead of to standard output')
    .addHelpText(
      'after',
      `
While the campaign runs the report shows what is known so far.

Examples:
  everpost campaign report sale --out sale.csv
  everpost campaign report sale --format ndjson --state failed no_account`,
    )
    .action(async (id: string, { format, state, reason, out }: ReportOptions) => {
      const { terminal } = context;
      await withApi(context, async (api) => {
        const report = await api[REPORT[format]]({ id, query: { state: state?.join(','), reason } });
        if (out === undefined) return writeTo(terminal, report);
        await intoFile(path.resolve(terminal.cwd, out), report);
        terminal.err(`The report is in ${out}`);
      });
    });
}

async function intoFile(file: string, report: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(report, createWriteStream(file));
  } catch (error) {
    throw new AppError('INPUT_INVALID', `The report could not be written to ${file}, or broke off. Ask for it again.`, {
      cause: error,
    });
  }
}

/** Writes text to the terminal as it comes in, line by line: of a last line that is not ended nothing is lost. */
async function writeTo({ out }: Terminal, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) out(lines.join('\n'));
  }
  rest += decoder.decode();
  if (rest !== '') out(rest);
}
