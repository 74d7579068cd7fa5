import { present } from '../../../contract/index.js';
import type { Command } from 'commander';
import { withApi, type CommandContext } from '../../command-context.js';
import { INSTANCE_OPTION, instanceFor } from '../../instance-option.js';
import { templateLine } from './template-text.js';

interface SetReviewOptions {
  readonly instance?: string;
  readonly status: string;
  readonly reason?: string;
  readonly templateId?: string;
  readonly json?: true;
}

export function addTemplateSetReviewCommand(template: Command, context: CommandContext): void {
  template
    .command('set-review')
    .description('Set the outcome of a review that the gateway does not report, or not soon enough.')
    .argument('<elementName>', "the template's name, or the beginning of it")
    .option(...INSTANCE_OPTION)
    .requiredOption('--status <word>', 'APPROVED, REJECTED, FAILED or PAUSED')
    .option('--reason <words>', 'why')
    .option('--template-id <id>', "the gateway's id of the template, if everpost could not read it")
    .option('--json', 'print the template as one line of JSON')
    .addHelpText(
      'after',
      `
Waiting messages continue at once. The outcome counts until the gateway itself reports a new one.
Exit code: 0 recorded, 1 the gateway does not have the template, 2 wrong use.

Example:
  everpost template set-review order_ready --instance main --status APPROVED`,
    )
    .action(async (given: string, { instance, status, reason, templateId, json }: SetReviewOptions) => {
      const review = {
        status,
        ...present({ reason, templateId }),
      };
      const response = await withApi(context, async (api) => {
        const named = await instanceFor(context, api, instance);
        const { elementName } = await api.getTemplate({ instance: named, elementName: given });
        return api.setTemplateReview({ instance: named, elementName, body: review });
      });
      context.terminal.out(json ? JSON.stringify(response) : templateLine(response));
    });
}
