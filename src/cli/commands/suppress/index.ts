import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addSuppressAddCommand } from './add.js';
import { addSuppressImportCommand } from './import.js';
import { addSuppressListCommand } from './list.js';
import { addSuppressRemoveCommand } from './remove.js';

export function addSuppressCommands(program: Command, context: CommandContext): void {
  const suppress = program
    .command('suppress')
    .description(
      'Keep messages from those who do not want them. Whoever writes STOP is put on the list by themselves.',
    );
  addSuppressAddCommand(suppress, context);
  addSuppressRemoveCommand(suppress, context);
  addSuppressListCommand(suppress, context);
  addSuppressImportCommand(suppress, context);
}
