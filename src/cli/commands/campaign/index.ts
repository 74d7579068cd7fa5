import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addCampaignImportCommand } from './import.js';
import { addCampaignPlanCommand } from './plan.js';

export function addCampaignCommands(program: Command, context: CommandContext): void {
  const campaign = program.command('campaign').description('Send one text, or any other message, to many people.');
  addCampaignPlanCommand(campaign, context);
  addCampaignImportCommand(campaign, context);
}
