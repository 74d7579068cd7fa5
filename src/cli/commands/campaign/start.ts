import type { Command } from 'commander';
import { AppError } from '../../../contract/index.js';
import { type ApiClient, isDefinitionFile, readDefinitionFile } from '../../../client/index.js';
import { timeoutOption, withApi, type CommandContext } from '../../command-context.js';
import { campaignLine } from '../../campaign-text.js';
import { importCampaign, printImport } from './import.js';
import { endExitCode, watchCampaign } from './watch.js';

interface StartOptions {
  readonly wait?: true;
  readonly timeout: number;
  readonly json?: true;
}

export function addCampaignStartCommand(campaign: Command, context: CommandContext): void {
  campaign
    .command('start')
    .description('Start a campaign. It starts only once.')
    .argument('<campaign>', "the campaign's id or its beginning; or its file: then it is imported first")
    .option('--wait', 'watch it until it has ended')
    .addOption(timeoutOption('how long to wait'))
    .option('--json', 'print the campaign as one line of JSON')
    .addHelpText(
      'after',
      `
A campaign that was started before does not change, even if its file has changed since.
Exit code: 0 started; with --wait: 0 every recipient was posted to, 1 it ended cancelled or expired, 3 it still runs.

Examples:
  everpost campaign start examples/campaign.yaml --wait --timeout 10m
  everpost campaign start sale`,
    )
    .action(async (given: string, { wait, timeout: timeoutMs, json }: StartOptions, command: Command) => {
      const { terminal } = context;
      const isJson = json === true;
      await withApi(context, async (api) => {
        const id = isDefinitionFile(given) ? await importedId(api, given) : (await api.getCampaign({ id: given })).id;
        const started = await api.startCampaign({ id });
        if (wait === undefined) {
          return terminal.out(isJson ? JSON.stringify(started) : campaignLine(started));
        }
        context.exitCode = endExitCode(await watchCampaign(api, id, terminal, { isJson, timeoutMs }));
      });

      /** Asked for twice it is one: a campaign that was started before is not imported again. */
      async function importedId(api: ApiClient, file: string): Promise<string> {
        const { id } = await readDefinitionFile(file, terminal.cwd);
        if (await wasStarted(api, id)) return id;
        const imported = await importCampaign(api, file, {}, { command, terminal });
        if (!isJson) printImport(imported, terminal);
        return id;
      }
    });
}

async function wasStarted(api: ApiClient, id: string): Promise<boolean> {
  try {
    const found = await api.getCampaign({ id });
    // Of others the id may be the beginning.
    return found.id === id && found.state !== 'draft';
  } catch (error) {
    if (error instanceof AppError && ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'].includes(error.code)) return false;
    throw error;
  }
}
