import type { Command } from 'commander';
import { STEER_WITHIN_MS } from '../../../client/index.js';
import { amendmentLines, amendmentPlanLines } from '../../amendment-text.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import { agrees } from '../../terminal.js';

interface AmendOptions {
  readonly text: string;
  readonly stop?: boolean;
  readonly yes?: true;
  readonly key?: string;
  readonly json?: true;
}

export function addCampaignAmendCommand(campaign: Command, context: CommandContext): void {
  campaign
    .command('amend')
    .description('Give all recipients a new text, also those who were sent an older one less than 15 minutes ago.')
    .argument('<id>', 'the campaign, or the beginning of its id')
    .requiredOption('--text <text>', 'the whole new text, with {{variables}}')
    .option('--stop', 'also cancel the recipients who were not posted to')
    .option('--yes', 'do not ask before it begins')
    .option('--key <key>', 'idempotency key: the same key amends once')
    .option('--json', 'print the amendment as one line of JSON')
    .addHelpText(
      'after',
      `
Says how many can be edited in time, and how many not, before it begins. The gateway takes one edit a second, so about
800 can be edited within the 15 minutes; the newest are edited first. everpost campaign show has its progress.

Examples:
  everpost campaign amend sale --text "Dear {{name|customer}}, we open at ten"
  everpost campaign amend sale --text "This offer was sent by mistake" --stop --yes`,
    )
    .action(async (given: string, { text, stop = false, yes, key, json }: AmendOptions) => {
      const { terminal } = context;
      const body = { text, ...(stop ? { stop } : {}) };
      await withApi(context, async (api) => {
        const { id } = await api.getCampaign({ id: given });
        if (yes === undefined) {
          const plan = await api.planAmendment({ id, body });
          for (const line of amendmentPlanLines(plan, { stop })) terminal.err(line);
          const elsewhere = `nothing was changed. In a script: everpost campaign amend ${id} --text … --yes`;
          if (!(await agrees(terminal, 'Amend it now?', elsewhere))) return terminal.err('Nothing was changed.');
        }
        const amendment = await api.amendCampaign({ id, body, key, waitMs: STEER_WITHIN_MS });
        if (json) return terminal.out(JSON.stringify(amendment));
        if (!('contentVersion' in amendment)) {
          context.exitCode = ExitCode.notReached;
          return terminal.out(`The amendment of ${id} is taken. Look at it: everpost campaign show ${id}`);
        }
        if (yes) for (const line of amendmentPlanLines(amendment.before, { stop })) terminal.err(line);
        for (const line of amendmentLines(amendment)) terminal.out(line);
      });
    });
}
