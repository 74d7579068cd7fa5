import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addSendCommand } from '../send.js';
import { addMessageCancelCommand } from './cancel.js';
import { addMessageEditCommand } from './edit.js';
import { addMessageListCommand } from './list.js';
import { addMessageResolveCommand } from './resolve.js';
import { addMessageShowCommand } from './show.js';

export function addMessageCommands(program: Command, context: CommandContext): void {
  const message = program.command('message').description('Send, edit, cancel, show, list and resolve messages.');
  addSendCommand(message, context);
  addMessageEditCommand(message, context);
  addMessageCancelCommand(message, context);
  addMessageShowCommand(message, context);
  addMessageListCommand(message, context);
  addMessageResolveCommand(message, context);
}
