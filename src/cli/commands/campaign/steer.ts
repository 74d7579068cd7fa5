/** Commands that steer a campaign: each answers when it is true. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  RETRY_SCOPES,
  type ContentTemplate,
  type PacedProgress,
  type RetryScope,
  present,
} from '../../../contract/index.js';
import type { UpdateCampaign } from '../../../ledger/index.js';
import { STEER_WITHIN_MS } from '../../../client/index.js';
import { campaignLine } from '../../campaign-text.js';
import { collected, withApi, type CommandContext, type JsonOption } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import { readJsonOption } from '../../json-option.js';

export function addCampaignSteerCommands(campaign: Command, context: CommandContext): void {
  addStop(campaign, context, 'pause', 'Pause a campaign. Returns once no further send can begin.');
  addStop(campaign, context, 'resume', 'Resume a paused campaign.');
  addStop(campaign, context, 'cancel', 'Cancel a campaign. Recipients who were not posted to end as cancelled.');
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
      const response = await withApi(context, async (api) => {
        const { id } = await api.getCampaign({ id: given });
        return api[`${what}Campaign`]({ id, waitMs: STEER_WITHIN_MS });
      });
      if (json) return context.terminal.out(JSON.stringify(response));
      if (!('inGatewayQueue' in response)) return notDone(response, context);
      const { progress, inGatewayQueue } = response;
      context.terminal.out(`${campaignLine(progress)}  (${inGatewayQueue} in the gateway's queue)`);
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
    .description('Retry recipients who ended without the message; a campaign that has ended runs again.')
    .argument('<id>', 'the campaign, or the beginning of its id');
  for (const scope of RETRY_SCOPES) command.option(flagOf(scope), WHO[scope]);
  command
    .option('--reason <word>', 'only recipients that ended for this reason; give it once for each', collected)
    .option('--may-send-twice', 'post unknown and unresolved messages again, although they may have arrived')
    .addOption(deadlineOption('in place of the one it has; needed when that has passed'))
    .option('--key <key>', 'idempotency key: the same key retries once')
    .option('--json', 'print { recipients, progress } as one line of JSON')
    .addHelpText(
      'after',
      `
A recipient whose message the gateway accepted is never retried.

Examples:
  everpost campaign retry sale --failed --rejected
  everpost campaign retry sale --rejected --reason content_invalid
  everpost campaign retry sale --unknown`,
    )
    .action(async (given: string, options: RetryOptions) => {
      const scopes = RETRY_SCOPES.filter((scope) => options[OPTION[scope]] === true);
      if (scopes.length === 0) {
        return command.error(`error: name the recipients to retry: ${RETRY_SCOPES.map(flagOf).join(', ')}`);
      }
      const { reason: reasons, maySendTwice, deadline, key, json } = options;
      const retry = {
        scopes,
        ...present({ reasons, maySendTwice, deadline }),
      };
      const response = await withApi(context, async (api) => {
        const { id } = await api.getCampaign({ id: given });
        return api.retryCampaign({ id, body: retry, key, waitMs: STEER_WITHIN_MS });
      });
      if (json) return context.terminal.out(JSON.stringify(response));
      if (!('recipients' in response)) return notDone(response, context);
      context.terminal.out(`${response.recipients} recipients are retried\n${campaignLine(response.progress)}`);
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
  failed: 'recipients whose message failed in the network',
  rejected: 'recipients whose message the gateway rejected',
  no_account: 'recipients without an account',
  expired: 'recipients whose message expired',
  cancelled: 'recipients who were cancelled',
  suppressed: 'recipients who were on the suppression list; those who still are end as suppressed again',
  unknown: 'reconcile unknown and unresolved messages again',
};

interface UpdateOptions extends JsonOption {
  readonly highWater?: number;
  readonly text?: string;
  readonly content?: string;
  readonly deadline?: string;
  readonly name?: string;
  readonly startAt?: string;
  readonly sendingWindows?: string;
  readonly limits?: string;
}

function addUpdate(campaign: Command, context: CommandContext): void {
  const command = campaign
    .command('update')
    .description(
      'Change the high water mark, text, deadline, name, start time, sending windows or limits of a campaign, also while it runs.',
    )
    .argument('<id>', 'the campaign, or the beginning of its id')
    .option('--high-water <items>', "fill the gateway's queue up to this many items", wholeNumber)
    .option('--text <text>', 'the new text, with {{variables}}, for every recipient who was not posted to')
    .option('--content <json>', 'the whole new content: JSON, @file, or - for standard input')
    .addOption(deadlineOption('no recipient is posted to after this'))
    .option('--name <name>', 'the name that lists and reports show, at most 200 characters')
    .option('--start-at <time>', 'of a campaign that has not begun: nothing is posted before this')
    .option(
      '--sending-windows <json>',
      'when it sends: JSON, @file, or - for standard input; null: whenever its instance does',
    )
    .option('--limits <json>', 'daily cap and jitter: JSON, @file, or - for standard input; null: none')
    .option('--json', 'print the campaign as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  everpost campaign update sale --limits '{"perDay":500}'
  everpost campaign update sale --high-water 30
  everpost campaign update sale --text "Dear {{name|customer}}, we open at nine"
  everpost campaign update sale --name "Spring sale, second try"`,
    )
    .action(async (asked: string, options: UpdateOptions) => {
      const { highWater, text, content, deadline, name, startAt, sendingWindows, limits, json } = options;
      if (text !== undefined && content !== undefined) return command.error('error: give either --text or --content');
      const given = content === undefined ? undefined : await readJsonOption('--content', content, context.terminal);
      const times = {
        ...(await givenJson('sendingWindows', '--sending-windows', sendingWindows, context)),
        ...(await givenJson('limits', '--limits', limits, context)),
      };
      const progress = await withApi(context, async (api) => {
        const { id, content: before } = await api.getCampaign({ id: asked });
        const template = text === undefined ? given : { ...before, text };
        const change: UpdateCampaign = {
          ...present({ highWater }),
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API checks it
          ...(template === undefined ? {} : { content: template as ContentTemplate }),
          ...present({ deadline, name, startAt }),
          ...times,
        };
        return api.updateCampaign({ id, body: change, waitMs: STEER_WITHIN_MS });
      });
      context.terminal.out(json ? JSON.stringify(progress) : campaignLine(progress));
    });
}

/** The API checks it. */
async function givenJson(field: string, option: string, text: string | undefined, { terminal }: CommandContext) {
  return text === undefined ? {} : { [field]: await readJsonOption(option, text, terminal) };
}

/** The command is taken, and takes effect later. */
function notDone(progress: PacedProgress, context: CommandContext): void {
  context.exitCode = ExitCode.notReached;
  context.terminal.out(campaignLine(progress));
}

function deadlineOption(description: string): Option {
  return new Option('--deadline <time>', `${description}, e.g. 2030-01-31T12:00:00Z`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
