/** The report of a campaign: a row for every recipient, or a summary as a page. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, CAMPAIGN_END_STATES, RECIPIENT_RESPONSES, MESSAGE_STATES } from '../../../contract/index.js';
import { withApi } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { byDefault, choice, severalOf } from '../../options.js';
import { copyTo, showRepeatedly, type Terminal } from '../../terminal.js';

const ROWS = { csv: 'getReportCsv', ndjson: 'getReportNdjson', json: 'getReportJson' } as const;
const FORMATS = [...(Object.keys(ROWS) as (keyof typeof ROWS)[]), 'html'] as const;

export function addCampaignReportCommand(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.add('report', {
    description: 'Write a report of all recipients, or a summary as an HTML page.',
    arguments: { '<id>': "the campaign's id, or a prefix of it" },
    options: {
      '--format <format>': byDefault(
        'csv',
        choice(FORMATS, 'a row for each recipient with state, reason, times, ids and evidence; or html, a summary'),
      ),
      '--state <state...>': severalOf(MESSAGE_STATES, 'only recipients in these states'),
      '--reason <word>': 'only recipients with this reason',
      '--response <kind>': choice(RECIPIENT_RESPONSES, 'only recipients who replied, or who wrote a STOP'),
      '--columns <names>': "the recipients' own columns to include: names separated by commas, or all (default: none)",
      '--timezone <zone>':
        "timezone of the times, e.g. Europe/Lisbon, or recipient: each recipient's own (default: UTC)",
      '--out <file>': 'file for the report (default: standard output; for html, ID-report.html in this directory)',
    },
    help: `While the campaign runs, the report shows the current states. A summary has no recipient's number or values,
and takes neither --state, --reason, --response nor --columns.

Examples:
  everpost campaign report sale --out sale.csv
  everpost campaign report sale --columns name,city --timezone Europe/Lisbon --out sale.csv
  everpost campaign report sale --format ndjson --state failed no_account
  everpost campaign report sale --response replied --out replies.csv
  everpost campaign report sale --format html --timezone Europe/Lisbon`,
    async action({ id, format, state, reason, response, columns, timezone, out }, command) {
      if (format === 'html' && (state ?? reason ?? response ?? columns) !== undefined)
        return command.error(
          'error: --format html is a summary of all recipients: omit --state, --reason, --response and --columns',
        );
      await withApi(context, async (api) => {
        const found = await api.getCampaign({ id });
        const file = out ?? (format === 'html' ? `${found.id}-report.html` : undefined);
        const request =
          format === 'html'
            ? api.getReportHtml({ id: found.id, query: { timezone } })
            : api[ROWS[format]]({
                id: found.id,
                query: { state: state?.join(','), reason, response, columns, timezone },
              });
        if (file === undefined) await copyTo(terminal, await request);
        else {
          await intoFile(path.resolve(terminal.cwd, file), request, terminal);
          terminal.err(`The report was written to ${file}`);
        }
        if (!CAMPAIGN_END_STATES.includes(found.state))
          terminal.err(`Campaign ${found.id} is ${found.state}: the report shows what is known so far`);
      });
    },
  });
}

/** The file is complete or unchanged: a reader of a truncated CSV file would not notice. */
async function intoFile(file: string, request: Promise<AsyncIterable<Uint8Array>>, terminal: Terminal): Promise<void> {
  const part = `${file}.part`;
  let bytes = 0;
  const stopShowing = showRepeatedly(terminal, () =>
    bytes === 0 ? 'counting the recipients' : `${(bytes / 1_000_000).toFixed(1)} MB written`,
  );
  async function* counted(report: AsyncIterable<Uint8Array>) {
    for await (const chunk of report) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(counted(await request), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof AppError) throw error;
    const message = `The report could not be written to ${file}, or was cut off. Run the command again.`;
    throw new AppError('INPUT_INVALID', message, { cause: error });
  } finally {
    stopShowing();
  }
}
