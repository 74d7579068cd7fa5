import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addCampaignAmendCommand } from './amend.js';
import { addCampaignImportCommand } from './import.js';
import { addCampaignReadCommands } from './read.js';
import { addCampaignPlanCommand } from './plan.js';
import { addCampaignStartCommand } from './start.js';
import { addCampaignSteerCommands } from './steer.js';

export function addCampaignCommands(program: Command, context: CommandContext): void {
  const campaign = program.command('campaign').description('Send one text, or any other message, to many recipients.');
  addCampaignPlanCommand(campaign, context);
  addCampaignImportCommand(campaign, context);
  addCampaignStartCommand(campaign, context);
  addCampaignSteerCommands(campaign, context);
  addCampaignAmendCommand(campaign, context);
  addCampaignReadCommands(campaign, context);
}
