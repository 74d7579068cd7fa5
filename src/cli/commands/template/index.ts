import type { Command } from 'commander';
import { type CommandContext, withApi, timeoutOption } from '../../command-context.js';
import { addTemplateSubmitCommand } from './submit.js';
import type { TemplateListItem } from '../../../ledger/index.js';
import { pageOptions, type PageOptions, age, showPage, type Column } from '../../table.js';
import { waitForTemplate, readStructuredFile } from '../../../client/index.js';
import { INSTANCE_OPTION, withInstance } from '../../instance-option.js';
import { printSimulatedReview } from './simulated-review.js';
import { templateStory, waitedExitCode, findingLine, templateLine } from './template-text.js';
import { validateTemplate } from '../../../domain/index.js';
import { ExitCode } from '../../exit-code.js';
import { present } from '../../../contract/index.js';

export function addTemplateCommands(program: Command, context: CommandContext): void {
  const template = program.command('template').description('Validate, submit, show and list message templates.');
  addTemplateValidateCommand(template, context);
  addTemplateSubmitCommand(template, context);
  addTemplateShowCommand(template, context);
  addTemplateListCommand(template, context);
  addTemplateSetReviewCommand(template, context);
}

interface ListOptions extends PageOptions {
  readonly instance?: string;
}

function addTemplateListCommand(template: Command, context: CommandContext): void {
  pageOptions(
    template
      .command('list')
      .description('List the templates that were submitted through everpost, by instance and name.')
      .option('--instance <name>', 'only of this account (default: all)'),
  )
    .addHelpText(
      'after',
      `
STATUS is the status of the review, or of the submission while the gateway does not have the template. AGE is the time since then.

Example:
  everpost template list --instance main`,
    )
    .action(async ({ json, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) => api.listTemplates({ query: filter }));
      showPage(context, json, { columns: columns(Date.now()), page, what: 'templates' });
    });
}

function columns(nowMs: number): readonly Column<TemplateListItem>[] {
  return [
    { header: 'NAME', value: ({ elementName }) => elementName },
    { header: 'STATUS', value: ({ status, state }) => status ?? state },
    { header: 'CATEGORY', value: ({ definition }) => definition.category },
    { header: 'LANGUAGE', value: ({ definition }) => definition.languageCode },
    { header: 'INSTANCE', value: ({ instance }) => instance },
    { header: 'AGE', value: ({ statusSince, createdAt }) => age(statusSince ?? createdAt, nowMs), align: 'right' },
    { header: 'TEXT', value: ({ definition }) => definition.content },
  ];
}

interface ShowOptions {
  readonly instance?: string;
  readonly wait?: true;
  readonly timeout: number;
  readonly json?: true;
}

function addTemplateShowCommand(template: Command, context: CommandContext): void {
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
      const found = await withInstance(context, instance, (api, named) => {
        const key = { instance: named, elementName };
        return wait ? waitForTemplate(api, key, 'decided', timeout) : api.getTemplate(key);
      });
      if (wait) context.exitCode = waitedExitCode(found, 'decided');
      if (json) return terminal.out(JSON.stringify(found));
      for (const line of templateStory(found, Date.now())) terminal.out(line);
      await printSimulatedReview(context, found);
    });
}

function addTemplateValidateCommand(template: Command, context: CommandContext): void {
  template
    .command('validate')
    .description("Check a template's file against every documented limit. Needs no API and sends nothing.")
    .argument('<file>', "createTemplate's fields under the gateway's names, as YAML or JSON")
    .option('--json', 'print { ok, errors, warnings } as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 no errors, 1 some; 2 when the file cannot be read. Warnings change nothing.

Example:
  everpost template validate order-ready.yaml`,
    )
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const { terminal } = context;
      const { errors, warnings } = validateTemplate(
        await readStructuredFile(file, terminal.cwd, "The template's file"),
      );
      const ok = errors.length === 0;
      context.exitCode = ok ? ExitCode.done : ExitCode.failed;
      if (json) return terminal.out(JSON.stringify({ ok, errors, warnings }));
      for (const finding of errors) terminal.out(`error    ${findingLine(finding)}`);
      for (const finding of warnings) terminal.out(`warning  ${findingLine(finding)}`);
      terminal.out(`${file}: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}`);
    });
}

function count(number: number, what: string): string {
  return `${number === 0 ? 'no' : number} ${what}${number === 1 ? '' : 's'}`;
}

interface SetReviewOptions {
  readonly instance?: string;
  readonly status: string;
  readonly reason?: string;
  readonly templateId?: string;
  readonly json?: true;
}

function addTemplateSetReviewCommand(template: Command, context: CommandContext): void {
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
      const review = { status, ...present({ reason, templateId }) };
      const response = await withInstance(context, instance, async (api, named) => {
        const { elementName } = await api.getTemplate({ instance: named, elementName: given });
        return api.setTemplateReview({ instance: named, elementName, body: review });
      });
      context.terminal.out(json ? JSON.stringify(response) : templateLine(response));
    });
}
