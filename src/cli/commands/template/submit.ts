import { InvalidArgumentError, type Command } from 'commander';
import { AppError } from '../../../contract/index.js';
import {
  type ApiClient,
  readStructuredFile,
  waitForTemplate,
  type TemplateMilestone,
  type TemplateResponse,
} from '../../../client/index.js';
import { timeoutOption, type CommandContext } from '../../command-context.js';
import { INSTANCE_OPTION, withInstance } from '../../instance-option.js';
import type { Terminal } from '../../terminal.js';
import { printSimulatedReview } from './simulated-review.js';
import { findingLine, templateLine, waitedExitCode } from './template-text.js';

interface SubmitOptions {
  readonly instance?: string;
  readonly wait?: TemplateMilestone | true;
  readonly timeout: number;
  readonly json?: true;
}

export function addTemplateSubmitCommand(template: Command, context: CommandContext): void {
  template
    .command('submit')
    .description("Submit a template's file for review, once, and follow the review to its verdict.")
    .argument('<file>', "createTemplate's fields under the gateway's names, as YAML or JSON")
    .option(...INSTANCE_OPTION)
    .option('--wait [state]', 'wait until it is submitted, or decided (default: decided)', waitOption)
    .addOption(timeoutOption('how long to wait; reviews take hours or days'))
    .option('--json', 'print the template as one line of JSON')
    .addHelpText(
      'after',
      `
The same file again is the same template. A changed file under a used name is refused: give it a new elementName.
Exit code: 0 submitted, or with --wait reached; 1 refused, rejected or failed; 2 wrong use; 3 not reached in time.

Example:
  everpost template submit order-ready.yaml --instance main --wait submitted`,
    )
    .action(async (file: string, { wait, timeout, json, ...options }: SubmitOptions) => {
      const { terminal } = context;
      const given = await readStructuredFile(file, terminal.cwd, "The template's file");
      await withInstance(context, options.instance, async (api, instance) => {
        const body = { instance, template: given };
        let response: TemplateResponse = await api.submitTemplate({ body }).catch(async (error: unknown) => {
          if (!json) await showDifference(api, instance, given, error, terminal);
          throw error;
        });
        if (!json) for (const finding of response.warnings ?? []) terminal.err(`warning  ${findingLine(finding)}`);
        if (wait !== undefined) {
          const state = wait === true ? 'decided' : wait;
          response = await waitForTemplate(api, response, state, timeout);
          context.exitCode = waitedExitCode(response, state);
        }
        terminal.out(json ? JSON.stringify(response) : templateLine(response));
        if (!json) await printSimulatedReview(context, response);
      });
    });
}

/** What the template of this name has, and what the file has, field by field. The API names the fields only. */
async function showDifference(
  api: ApiClient,
  instance: string,
  given: unknown,
  error: unknown,
  terminal: Terminal,
): Promise<void> {
  if (!(error instanceof AppError) || error.code !== 'TEMPLATE_DIFFERS' || !isRecord(given)) return;
  const { definition } = await api.getTemplate({ instance, elementName: String(given['elementName']) });
  for (const { path } of error.problems ?? []) {
    const was: unknown = Object.entries(definition).find(([name]) => name === path)?.[1];
    if (was !== undefined) terminal.err(`- ${path}: ${JSON.stringify(was)}`);
    if (given[path] !== undefined) terminal.err(`+ ${path}: ${JSON.stringify(given[path])}`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function waitOption(text: string): TemplateMilestone {
  if (text === 'submitted' || text === 'decided') return text;
  throw new InvalidArgumentError('must be submitted or decided');
}
