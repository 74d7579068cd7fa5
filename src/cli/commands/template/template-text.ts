import { isDecided, type TemplateFinding } from '../../../contract/index.js';
import type { TemplateMilestone, TemplateResponse } from '../../../client/index.js';
import { ExitCode } from '../../exit-code.js';
import { factLines, words } from '../../table.js';

/** One finding in one line; the field is named by its message, or before it. */
export function findingLine({ path, message, found }: TemplateFinding): string {
  const named = path === '' || message.includes(`'${path}'`) ? message : `${path}: ${message}`;
  return found === undefined ? named : `${named} (found ${JSON.stringify(found)})`;
}

/** Name, where it stands and why. */
export function templateLine({ elementName, state, status, reason, templateId }: TemplateResponse): string {
  return words([elementName, status ?? state, reason, templateId]);
}

/** The whole story of a template. */
export function templateStory(template: TemplateResponse, nowMs: number): string[] {
  const { instance, state, statusSince, createdAt, checkedAt, nextCheckAt, checkCode, checkText } = template;
  const since = statusSince ?? createdAt;
  const facts: Readonly<Record<string, string | undefined>> = {
    instance,
    submission: state,
    since: words([since, `(${age(nowMs - Date.parse(since))})`], ' '),
    'gateway id': template.templateId,
    submitted: template.submittedAt,
    polled: checkedAt,
    'next poll': isDecided(template) ? undefined : nextCheckAt,
    'last poll said': checkCode === undefined ? undefined : words([checkCode, checkText], ': '),
    'not polled since': template.unwatchedSince,
  };
  return [
    templateLine(template),
    ...factLines(facts),
    'changes:',
    ...template.changes.map(
      ({ at, witness, what, status, reason, detail }) =>
        `  ${words([at, witness, what, status, reason, detail === undefined ? undefined : JSON.stringify(detail)])}`,
    ),
  ];
}

/** How a command ends that waited for a template. */
export function waitedExitCode(template: TemplateResponse, wanted: TemplateMilestone): ExitCode {
  const { state, status } = template;
  if (state === 'refused' || status === 'REJECTED' || status === 'FAILED') return ExitCode.failed;
  if (status === 'APPROVED' || (wanted === 'submitted' && state === 'submitted')) return ExitCode.done;
  return ExitCode.notReached;
}

function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`;
}
