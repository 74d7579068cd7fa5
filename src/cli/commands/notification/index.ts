import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addNotificationReplayCommand } from './replay.js';

export function addNotificationCommands(program: Command, context: CommandContext): void {
  const notification = program.command('notification').description('Apply stored notifications of the gateway again.');
  addNotificationReplayCommand(notification, context);
}
