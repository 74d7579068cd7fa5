import type { Command } from 'commander';
import type { TemplateListItem } from '../../../ledger/index.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { age, showPage, type Column } from '../../table.js';

interface ListOptions {
  readonly instance?: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly json?: true;
}

export function addTemplateListCommand(template: Command, context: CommandContext): void {
  template
    .command('list')
    .description('List the templates that were submitted through everpost, by instance and name.')
    .option('--instance <name>', 'only of this account (default: all)')
    .option('--limit <count>', 'how many, at most 500', '50')
    .option('--cursor <cursor>', 'continue after a page that was shown before')
    .option('--json', 'print { items, cursor } as one line of JSON')
    .addHelpText(
      'after',
      `
STATUS is the status of the review, or of the submission while the gateway does not have the template. AGE is the time since then.

Example:
  everpost template list --instance main`,
    )
    .action(async ({ json, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) => api.listTemplates({ query: filter }));
      if (json) return context.terminal.out(JSON.stringify(page));
      showPage(context.terminal, { columns: columns(Date.now()), page, what: 'templates' });
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
