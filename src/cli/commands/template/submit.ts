import { InvalidArgumentError, type Command } from 'commander';
import { timeoutOption, withApi, type CommandContext } from '../../command-context.js';
import { readStructuredFile } from '../../structured-file.js';
import type { TemplateAnswer, TemplateWait } from '../../template-calls.js';
import { findingLine, templateLine, waitedExitCode } from './template-text.js';

interface SubmitOptions {
  readonly instance: string;
  readonly wait?: TemplateWait['state'] | true;
  readonly timeout: number;
  readonly json?: true;
}

export function addTemplateSubmitCommand(template: Command, context: CommandContext): void {
  template
    .command('submit')
    .description("Submit a template's file for review, once, and follow the review to its verdict.")
    .argument('<file>', "createTemplate's fields under the gateway's names, as YAML or JSON")
    .requiredOption('--instance <name>', 'which account it is for')
    .option('--wait [state]', 'wait until it is submitted, or decided (default: decided)', waitOption)
    .addOption(timeoutOption('how long to wait; reviews take hours or days'))
    .option('--json', 'print the template as one line of JSON')
    .addHelpText(
      'after',
      `
The same file again is the same template. A changed file under a used name is refused: give it a new elementName.
Exit code: 0 taken, or with --wait come so far; 1 refused, rejected or failed; 2 wrong use; 3 not reached in time.

Example:
  everpost template submit order-ready.yaml --instance main --wait submitted`,
    )
    .action(async (file: string, { instance, wait, timeout, json }: SubmitOptions) => {
      const { terminal } = context;
      const given = await readStructuredFile(file, terminal.cwd, "The template's file");
      await withApi(context, async (api) => {
        let answer: TemplateAnswer = await api.submitTemplate(instance, given);
        if (!json) for (const finding of answer.warnings ?? []) terminal.err(`warning  ${findingLine(finding)}`);
        if (wait !== undefined) {
          const state = wait === true ? 'decided' : wait;
          answer = await api.template(instance, answer.elementName, { state, timeoutMs: timeout });
          context.exitCode = waitedExitCode(answer, state);
        }
        terminal.out(json ? JSON.stringify(answer) : templateLine(answer));
      });
    });
}

function waitOption(text: string): TemplateWait['state'] {
  if (text === 'submitted' || text === 'decided') return text;
  throw new InvalidArgumentError('must be submitted or decided');
}
