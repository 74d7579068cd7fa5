import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.js';
import { addTemplateSetReviewCommand } from './set-review.js';
import { addTemplateValidateCommand } from './validate.js';
import { addTemplateListCommand } from './list.js';
import { addTemplateShowCommand } from './show.js';
import { addTemplateSubmitCommand } from './submit.js';

export function addTemplateCommands(program: Command, context: CommandContext): void {
  const template = program.command('template').description('Validate, submit, show and list message templates.');
  addTemplateValidateCommand(template, context);
  addTemplateSubmitCommand(template, context);
  addTemplateShowCommand(template, context);
  addTemplateListCommand(template, context);
  addTemplateSetReviewCommand(template, context);
}
