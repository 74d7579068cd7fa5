import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addSuppressionAddCommand } from './add.js';
import { addSuppressionImportCommand } from './import.js';
import { addSuppressionListCommand } from './list.js';
import { addSuppressionRemoveCommand } from './remove.js';

export function addSuppressionCommands(program: Command, context: CommandContext): void {
  const suppression = program
    .command('suppression')
    .description(
      'Manage the list of recipients who get no messages. A recipient who writes STOP is added automatically.',
    );
  addSuppressionAddCommand(suppression, context);
  addSuppressionRemoveCommand(suppression, context);
  addSuppressionListCommand(suppression, context);
  addSuppressionImportCommand(suppression, context);
}
