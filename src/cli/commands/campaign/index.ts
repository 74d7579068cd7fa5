import type { Command } from 'commander';
import { isDefinitionFile, readDefinitionFile, type ApiClient } from '../../../client/index.js';
import { AppError } from '../../../contract/index.js';
import { campaignLine } from '../../campaign-text.js';
import { withApi } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { timeoutOption } from '../../options.js';
import type { Terminal } from '../../terminal.js';
import { addCampaignImportCommand, importCampaign, importLines } from './import.js';
import { addCampaignPlanCommand } from './plan.js';
import { addCampaignReadCommands } from './read.js';
import { addCampaignSteerCommands } from './steer.js';
import { endExitCode, watchCampaign } from './watch.js';

export function addCampaignCommands(program: CommandGroup): void {
  const campaign = program.group('campaign', 'Send one text, or any other message, to many recipients.');
  addCampaignPlanCommand(campaign);
  addCampaignImportCommand(campaign);
  addStart(campaign);
  addCampaignSteerCommands(campaign);
  addCampaignReadCommands(campaign);
}

function addStart(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.add('start', {
    description: 'Start a campaign. It starts only once.',
    arguments: { '<campaign>': "the campaign's id or a prefix of it; or its file, which is imported first" },
    options: {
      '--wait': 'watch the campaign until it ends',
      ...timeoutOption('how long to wait'),
      '--json': 'print the campaign as one line of JSON',
    },
    help: `A campaign that has already started does not change, even if its file has changed.
Exit code: 0 started; with --wait: 0 every recipient was posted to, 1 it ended cancelled or expired, 3 it still runs.

Examples:
  everpost campaign start examples/campaign.yaml --wait --timeout 10m
  everpost campaign start sale`,
    action: ({ campaign: given, wait, timeout: timeoutMs, json }, command) =>
      withApi(context, async (api) => {
        const isJson = json === true;
        const id = isDefinitionFile(given)
          ? await importedId(api, given, { command, terminal, isJson })
          : (await api.getCampaign({ id: given })).id;
        const started = await api.startCampaign({ id });
        if (!wait) return terminal.out(isJson ? JSON.stringify(started) : campaignLine(started));
        context.exitCode = endExitCode(await watchCampaign(api, id, terminal, { isJson, timeoutMs }));
      }),
  });
}

interface ImportContext {
  readonly command: Command;
  readonly terminal: Terminal;
  readonly isJson: boolean;
}

/** Imports the file unless the campaign has already started. */
async function importedId(api: ApiClient, file: string, { command, terminal, isJson }: ImportContext): Promise<string> {
  const { id } = await readDefinitionFile(file, terminal.cwd);
  if (await wasStarted(api, id)) return id;
  const imported = await importCampaign(api, file, {}, { command, terminal });
  if (!isJson) for (const line of importLines(imported, terminal)) terminal.out(line);
  return id;
}

async function wasStarted(api: ApiClient, id: string): Promise<boolean> {
  try {
    const found = await api.getCampaign({ id });
    // The id may be a prefix of another one.
    return found.id === id && found.state !== 'draft';
  } catch (error) {
    if (error instanceof AppError && ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'].includes(error.code)) return false;
    throw error;
  }
}
