import { isReviewEnded, type OpenedTemplate, type TemplateSnapshot } from '../contract/index.js';

/**
 * What the Web UI shows of a template, in Markdown: the state of its review, since when and why, and where to see the
 * next poll.
 */
export function templateDetails({ category, languageCode }: OpenedTemplate, row: TemplateSnapshot): string {
  const isFollowed = row.state === 'submitted' && !isReviewEnded(row.status) && row.unwatchedSince === undefined;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Review', row.status === undefined ? undefined : `**${row.status}**`],
    ['Submission', row.status === undefined ? `**${row.state}**` : row.state],
    ['Reason', row.reason === undefined ? undefined : row.reason.replaceAll(/[|\n]/g, ' ')],
    ['Since', row.statusSince],
    ['Asked for', row.createdAt],
    [
      'Next poll',
      isFollowed
        ? 'see the pending activity: its last failure says how long it has stood, and when it is next'
        : undefined,
    ],
    ['No longer looked at since', row.unwatchedSince],
    ['Instance', row.instance],
    ['Category', `${category}, ${languageCode}`],
    ['Gateway id', row.templateId],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`| ${name} | ${value} |`]));
  return ['| | |', '|---|---|', ...lines].join('\n');
}
