import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addEventEndpointCommands } from './endpoint.js';
import { addEventListCommand } from './list.js';
import { addEventReplayCommand } from './replay.js';
import { addEventTailCommand } from './tail.js';

export function addEventCommands(program: Command, context: CommandContext): void {
  const event = program
    .command('event')
    .description('Have what happens delivered to your own programs, follow it, and deliver it again.');
  addEventEndpointCommands(event, context);
  addEventListCommand(event, context);
  addEventTailCommand(event, context);
  addEventReplayCommand(event, context);
}
