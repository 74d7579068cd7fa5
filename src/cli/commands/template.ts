import { InvalidArgumentError } from 'commander';
import {
  readStructuredFile,
  waitForTemplate,
  type ApiClient,
  type TemplateMilestone,
  type TemplateResponse,
} from '../../client/index.js';
import { SIMULATOR_INSTANCE } from '../../config/index.js';
import { AppError, isDecided, isRecord, present, type TemplateFinding } from '../../contract/index.js';
import { validateTemplate } from '../../domain/index.js';
import { readDevRecord } from '../../tools/dev/index.js';
import { ExitCode, type CommandContext } from '../command-context.js';
import type { CommandGroup } from '../command-group.js';
import { INSTANCE, parsed, required, timeoutOption } from '../options.js';
import { age, counted, factLines, words } from '../table.js';
import type { Terminal } from '../terminal.js';

const NAME = { '<elementName>': "the template's name, or a prefix of it" } as const;
const FILE = { '<file>': "file with createTemplate's fields under the gateway's names, YAML or JSON" } as const;
const JSON_HELP = 'print the template as one line of JSON';

export function addTemplateCommands(program: CommandGroup): void {
  const template = program.group('template', 'Validate, submit, show and list message templates.');
  const { context } = template;
  const { terminal } = context;

  template.add('validate', {
    description: 'Check a template file against every documented limit. Needs no API and sends nothing.',
    arguments: FILE,
    options: { '--json': 'print { ok, errors, warnings } as one line of JSON' },
    help: `Exit code: 0 no errors, 1 some; 2 the file cannot be read. Warnings do not change the exit code.

Example:
  everpost template validate order-ready.yaml`,
    async action({ file, json }) {
      const { errors, warnings } = validateTemplate(await readTemplate(file, terminal));
      const ok = errors.length === 0;
      context.exitCode = ok ? ExitCode.done : ExitCode.failed;
      if (json) return terminal.out(JSON.stringify({ ok, errors, warnings }));
      for (const finding of errors) terminal.out(`error    ${findingLine(finding)}`);
      for (const finding of warnings) terminal.out(`warning  ${findingLine(finding)}`);
      terminal.out(`${file}: ${counted(errors.length, 'error', 'no')}, ${counted(warnings.length, 'warning', 'no')}`);
    },
  });
  template.call('submit', {
    description: 'Submit a template file for review, once, and follow the review.',
    arguments: FILE,
    options: {
      ...INSTANCE,
      '--wait [state]': parsed<TemplateMilestone | true>((text) => {
        if (text === 'submitted' || text === 'decided') return text;
        throw new InvalidArgumentError('must be submitted or decided');
      }, 'wait until the template is submitted, or its review decided (default: decided)'),
      ...timeoutOption('how long to wait; reviews take hours or days'),
    },
    json: JSON_HELP,
    help: `Submitting the same file again changes nothing. A changed file with a used elementName is refused: give it a new one.
Exit code: 0 submitted, or with --wait reached; 1 refused, rejected or failed; 2 wrong use; 3 not reached in time.

Example:
  everpost template submit order-ready.yaml --instance main --wait submitted`,
    async call(api, { file, wait, timeout, json }, { instance: chosen }): Promise<TemplateResponse> {
      const given = await readTemplate(file, terminal);
      const instance = await chosen();
      const submitted = await api
        .submitTemplate({ body: { instance, template: given } })
        .catch(async (error: unknown) => {
          if (!json) await showDifference(api, instance, given, error, terminal);
          throw error;
        });
      if (!json) for (const finding of submitted.warnings ?? []) terminal.err(`warning  ${findingLine(finding)}`);
      return wait === undefined ? submitted : waitForTemplate(api, submitted, awaited(wait), timeout);
    },
    exitCode: (submitted, { wait }) => (wait === undefined ? ExitCode.done : waitedExitCode(submitted, awaited(wait))),
    lines: templateLine,
    after: printSimulatedReview,
  });
  template.call('show', {
    description: 'Show a template: its review and reason, the next poll, and every change.',
    arguments: NAME,
    options: { ...INSTANCE, '--wait': 'wait until the review is decided', ...timeoutOption('how long to wait') },
    json: JSON_HELP,
    help: `Exit code: 0; with --wait: 0 approved, 1 refused, rejected or failed, 3 not decided in time.

Example:
  everpost template show order_ready --instance main`,
    async call(api, { elementName, wait, timeout }, { instance }): Promise<TemplateResponse> {
      const key = { instance: await instance(), elementName };
      return wait ? waitForTemplate(api, key, 'decided', timeout) : api.getTemplate(key);
    },
    exitCode: (found, { wait }) => (wait ? waitedExitCode(found, 'decided') : ExitCode.done),
    lines: (found) => templateStory(found, Date.now()),
    after: printSimulatedReview,
  });
  template.list('list', {
    description: 'List the templates that were submitted through everpost, by instance and name.',
    options: { '--instance <name>': 'only templates of this account (default: all)' },
    help: `STATUS is the status of the review, or of the submission while the gateway does not have the template. AGE is
the time since that status.

Example:
  everpost template list --instance main`,
    call: (api, query) => api.listTemplates({ query }),
    what: 'templates',
    columns: [
      { header: 'NAME', value: ({ elementName }) => elementName },
      { header: 'STATUS', value: ({ status, state }) => status ?? state },
      { header: 'CATEGORY', value: ({ definition }) => definition.category },
      { header: 'LANGUAGE', value: ({ definition }) => definition.languageCode },
      { header: 'INSTANCE', value: ({ instance }) => instance },
      { header: 'AGE', value: ({ statusSince, createdAt }) => age(statusSince ?? createdAt), align: 'right' },
      { header: 'TEXT', value: ({ definition }) => definition.content },
    ],
  });
  template.call('set-review', {
    description: 'Set the outcome of a review that the gateway does not report, or not soon enough.',
    arguments: NAME,
    options: {
      ...INSTANCE,
      '--status <word>': required('APPROVED, REJECTED, FAILED or PAUSED'),
      '--reason <words>': 'the reason, as free text',
      '--template-id <id>': "the gateway's id of the template, if everpost could not read it",
    },
    json: JSON_HELP,
    help: `Waiting messages continue immediately. The outcome applies until the gateway reports a new one.
Exit code: 0 recorded, 1 the gateway does not have the template, 2 wrong use.

Example:
  everpost template set-review order_ready --instance main --status APPROVED`,
    async call(api, { elementName: given, status, reason, templateId }, { instance }) {
      const { elementName, instance: named } = await api.getTemplate({
        instance: await instance(),
        elementName: given,
      });
      const body = { status, ...present({ reason, templateId }) };
      return api.setTemplateReview({ instance: named, elementName, body });
    },
    lines: templateLine,
  });
}

function readTemplate(file: string, { cwd }: Terminal): Promise<unknown> {
  return readStructuredFile(file, cwd, "The template's file");
}

function awaited(wait: TemplateMilestone | true): TemplateMilestone {
  return wait === true ? 'decided' : wait;
}

/** The exit code of a command that waited for a template. */
function waitedExitCode({ state, status }: TemplateResponse, wanted: TemplateMilestone): ExitCode {
  if (state === 'refused' || status === 'REJECTED' || status === 'FAILED') return ExitCode.failed;
  if (status === 'APPROVED' || (wanted === 'submitted' && state === 'submitted')) return ExitCode.done;
  return ExitCode.notReached;
}

/** Shows each field that differs, as stored and as in the file. The API names only the fields. */
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

/** Prints how to decide a review at the simulator of an everpost dev, where a template stays PENDING until then. */
export async function printSimulatedReview(
  { elementName, instance, status }: TemplateResponse,
  { config, terminal }: CommandContext,
): Promise<void> {
  if (status !== 'PENDING' || instance !== SIMULATOR_INSTANCE.name) return;
  const { api, dataDir } = config();
  const dev = await readDevRecord(dataDir);
  if (dev.kind !== 'running' || dev.facts.simulatorUrl === undefined) return;
  if (api.isNamed && api.url !== dev.facts.apiUrl) return;
  terminal.err(
    `The simulator waits for your decision: curl -X POST ${dev.facts.simulatorUrl}/_sim/templates/${elementName}/decision ` +
      `-H 'Content-Type: application/json' -d '{ "status": "APPROVED" }'`,
  );
}

/** One line for a finding. Names the field before the message, unless the message names it. */
function findingLine({ path, message, found }: TemplateFinding): string {
  const named = path === '' || message.includes(`'${path}'`) ? message : `${path}: ${message}`;
  return found === undefined ? named : `${named} (found ${JSON.stringify(found)})`;
}

/** Name, state and reason. */
function templateLine({ elementName, state, status, reason, templateId }: TemplateResponse): string {
  return words([elementName, status ?? state, reason, templateId]);
}

/** All lines of a template. */
function templateStory(template: TemplateResponse, nowMs: number): string[] {
  const { instance, state, statusSince, createdAt, checkedAt, nextCheckAt, checkCode, checkText } = template;
  const since = statusSince ?? createdAt;
  return [
    templateLine(template),
    ...factLines({
      instance,
      submission: state,
      since: words([since, `(${lasting(nowMs - Date.parse(since))})`], ' '),
      'gateway id': template.templateId,
      submitted: template.submittedAt,
      polled: checkedAt,
      'next poll': isDecided(template) ? undefined : nextCheckAt,
      'last poll reported': checkCode === undefined ? undefined : words([checkCode, checkText], ': '),
      'not polled since': template.unwatchedSince,
    }),
    'changes:',
    ...template.changes.map(
      ({ at, witness, what, status, reason, detail }) =>
        `  ${words([at, witness, what, status, reason, detail === undefined ? undefined : JSON.stringify(detail)])}`,
    ),
  ];
}

function lasting(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`;
}
