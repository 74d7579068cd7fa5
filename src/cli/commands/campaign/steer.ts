/** Commands that steer a campaign: each answers when it is true. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { RETRY_SCOPES, type CampaignResponse, type ContentTemplate, type RetryScope } from '../../../contract/index.js';
import type { UpdateCampaign } from '../../../ledger/index.js';
import { campaignLine } from '../../campaign-text.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { readJsonOption } from '../../json-option.js';

interface JsonOption {
  readonly json?: true;
}

export function addCampaignSteerCommands(campaign: Command, context: CommandContext): void {
  addStop(campaign, context, 'pause', 'Pause a campaign: answers when no further send can begin.');
  addStop(campaign, context, 'resume', 'Let a paused campaign go on.');
  addStop(campaign, context, 'cancel', 'Cancel a campaign for good: a recipient who was not posted to ends cancelled.');
  addRetry(campaign, context);
  addUpdate(campaign, context);
}

function addStop(
  campaign: Command,
  context: CommandContext,
  what: 'pause' | 'resume' | 'cancel',
  description: string,
): void {
  campaign
    .command(what)
    .description(description)
    .argument('<id>', 'the campaign, or the beginning of its id')
    .option('--json', 'print the response as one line of JSON')
    .addHelpText(
      'after',
      `
What is in the gateway's queue already still goes out; the response says how much that is.

Example:
  everpost campaign ${what} sale`,
    )
    .action(async (given: string, { json }: JsonOption) => {
      const response = await withApi(context, async (api): Promise<CampaignResponse> => {
        const { id } = await api.campaign(given);
        if (what === 'pause') return api.pauseCampaign(id);
        return what === 'resume' ? api.resumeCampaign(id) : api.cancelCampaign(id);
      });
      const { progress, inGatewayQueue } = response;
      const words = `${campaignLine(progress)}  (${inGatewayQueue} in the gateway's queue)`;
      context.terminal.out(json ? JSON.stringify(response) : words);
    });
}

interface RetryOptions extends JsonOption, Partial<Readonly<Record<(typeof OPTION)[RetryScope], true>>> {
  readonly reason?: readonly string[];
  readonly maySendTwice?: true;
  readonly deadline?: string;
  readonly key?: string;
}

function addRetry(campaign: Command, context: CommandContext): void {
  const command = campaign
    .command('retry')
    .description('Take recipients up again who ended without the message; a campaign that has ended runs again.')
    .argument('<id>', 'the campaign, or the beginning of its id');
  for (const scope of RETRY_SCOPES) command.option(flagOf(scope), WHO[scope]);
  command
    .option('--reason <word>', 'only those that ended for this reason; give it once for each', collected)
    .option('--may-send-twice', 'post to unknown and unresolved ones again, though they may have the message')
    .addOption(deadlineOption('in place of the one it has; needed when that has passed'))
    .option('--key <key>', 'idempotency key: the same key takes them up once')
    .option('--json', 'print { recipients, progress } as one line of JSON')
    .addHelpText(
      'after',
      `
No one is taken up whom the gateway is known to have accepted the message for.

Examples:
  everpost campaign retry sale --failed --rejected
  everpost campaign retry sale --rejected --reason content_invalid
  everpost campaign retry sale --unknown`,
    )
    .action(async (given: string, options: RetryOptions) => {
      const scopes = RETRY_SCOPES.filter((scope) => options[OPTION[scope]] === true);
      if (scopes.length === 0) {
        return command.error(`error: say whom to take up: ${RETRY_SCOPES.map(flagOf).join(', ')}`);
      }
      const { reason: reasons, maySendTwice, deadline, key, json } = options;
      const retry = {
        scopes,
        ...(reasons === undefined ? {} : { reasons }),
        ...(maySendTwice === undefined ? {} : { maySendTwice }),
        ...(deadline === undefined ? {} : { deadline }),
      };
      const response = await withApi(context, async (api) =>
        api.retryCampaign((await api.campaign(given)).id, retry, key),
      );
      const words = `${response.recipients} recipients are retried\n${campaignLine(response.progress)}`;
      context.terminal.out(json ? JSON.stringify(response) : words);
    });
}

/** Named after its state, but for the one that would read as a switch turned off. */
const OPTION = {
  failed: 'failed',
  rejected: 'rejected',
  no_account: 'withoutAccount',
  expired: 'expired',
  cancelled: 'cancelled',
  suppressed: 'suppressed',
  unknown: 'unknown',
} as const satisfies Record<RetryScope, string>;

function flagOf(scope: RetryScope): string {
  return `--${OPTION[scope].replace('A', '-a')}`;
}

const WHO: Readonly<Record<RetryScope, string>> = {
  failed: 'those whose message the network gave up',
  rejected: 'those whose message the gateway refused',
  no_account: 'those without an account',
  expired: 'those whom the deadline, or the end of the queue, left out',
  cancelled: 'those who were cancelled',
  suppressed: 'those who were on the suppression list; who still is ends so again',
  unknown: 'ask again what became of unknown and unresolved ones',
};

interface UpdateOptions extends JsonOption {
  readonly highWater?: number;
  readonly lowWater?: number;
  readonly text?: string;
  readonly content?: string;
  readonly deadline?: string;
  readonly name?: string;
}

function addUpdate(campaign: Command, context: CommandContext): void {
  const command = campaign
    .command('update')
    .description('Change water marks, text, deadline or name of a campaign, also while it runs.')
    .argument('<id>', 'the campaign, or the beginning of its id')
    .option('--high-water <items>', "feed up to so many items in the gateway's queue", wholeNumber)
    .option('--low-water <items>', 'poll again when about so many are left', wholeNumber)
    .option('--text <text>', 'the new text, with {{variables}}, for every recipient who was not posted to')
    .option('--content <json>', 'the whole new content: JSON, @file, or - for standard input')
    .addOption(deadlineOption('no recipient is posted to after this'))
    .option('--name <name>', 'what lists and reports show it as, at most 200 characters')
    .option('--json', 'print the campaign as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  everpost campaign update sale --high-water 30 --low-water 12
  everpost campaign update sale --text "Dear {{name|customer}}, we open at nine"
  everpost campaign update sale --name "Spring sale, second try"`,
    )
    .action(async (asked: string, options: UpdateOptions) => {
      const { highWater, lowWater, text, content, deadline, name, json } = options;
      if ((highWater === undefined) !== (lowWater === undefined)) {
        return command.error('error: --high-water and --low-water go together');
      }
      if (text !== undefined && content !== undefined) return command.error('error: give either --text or --content');
      const given = content === undefined ? undefined : await readJsonOption('--content', content, context.terminal);
      const progress = await withApi(context, async (api) => {
        const { id, content: before } = await api.campaign(asked);
        const template = text === undefined ? given : { ...before, text };
        const change: UpdateCampaign = {
          ...(highWater === undefined || lowWater === undefined ? {} : { waterMarks: { highWater, lowWater } }),
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API checks it, as it checks every recipient's
          ...(template === undefined ? {} : { content: template as ContentTemplate }),
          ...(deadline === undefined ? {} : { deadline }),
          ...(name === undefined ? {} : { name }),
        };
        return api.updateCampaign(id, change);
      });
      context.terminal.out(json ? JSON.stringify(progress) : campaignLine(progress));
    });
}

function deadlineOption(description: string): Option {
  return new Option('--deadline <time>', `${description}, e.g. 2030-01-31T12:00:00Z`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

function collected(word: string, before: readonly string[] = []): string[] {
  return [...before, word];
}
