import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addTemplateDecideCommand } from './decide.js';
import { addTemplateLintCommand } from './lint.js';
import { addTemplateListCommand } from './list.js';
import { addTemplateStatusCommand } from './status.js';
import { addTemplateSubmitCommand } from './submit.js';

export function addTemplateCommands(program: Command, context: CommandContext): void {
  const template = program.command('template').description('Check, submit, list and follow message templates.');
  addTemplateLintCommand(template, context);
  addTemplateSubmitCommand(template, context);
  addTemplateStatusCommand(template, context);
  addTemplateListCommand(template, context);
  addTemplateDecideCommand(template, context);
}
