import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addWebhooksReplayCommand } from './replay.js';

export function addWebhooksCommands(program: Command, context: CommandContext): void {
  const webhooks = program.command('webhooks').description("The gateway's notifications.");
  addWebhooksReplayCommand(webhooks, context);
}
