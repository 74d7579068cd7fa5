import type { Command } from 'commander';
import { waitForTemplate } from '../../../client/index.js';
import { timeoutOption, withApi, type CommandContext } from '../../command-context.js';
import { INSTANCE_OPTION, instanceFor } from '../../instance-option.js';
import { printSimulatedReview } from './simulated-review.js';
import { templateStory, waitedExitCode } from './template-text.js';

interface ShowOptions {
  readonly instance?: string;
  readonly wait?: true;
  readonly timeout: number;
  readonly json?: true;
}

export function addTemplateShowCommand(template: Command, context: CommandContext): void {
  template
    .command('show')
    .description('Show a template: its review and reason, the next poll, and every change.')
    .argument('<elementName>', "the template's name, or the beginning of it")
    .option(...INSTANCE_OPTION)
    .option('--wait', 'wait until the review is decided')
    .addOption(timeoutOption('how long to wait'))
    .option('--json', 'print the template as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0; with --wait: 0 approved, 1 refused, rejected or failed, 3 not decided in time.

Example:
  everpost template show order_ready --instance main`,
    )
    .action(async (elementName: string, { instance, wait, timeout, json }: ShowOptions) => {
      const { terminal } = context;
      const found = await withApi(context, async (api) => {
        const key = { instance: await instanceFor(context, api, instance), elementName };
        return wait ? waitForTemplate(api, key, 'decided', timeout) : api.getTemplate(key);
      });
      if (wait) context.exitCode = waitedExitCode(found, 'decided');
      if (json) return terminal.out(JSON.stringify(found));
      for (const line of templateStory(found, Date.now())) terminal.out(line);
      await printSimulatedReview(context, found);
    });
}
