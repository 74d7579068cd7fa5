/** The commands for campaigns, and those that control one: each of these returns once it has taken effect. */
import type { Command } from 'commander';
import { STEER_WITHIN_MS, isDefinitionFile, readDefinitionFile, type ApiClient } from '../../../client/index.js';
import {
  AppError,
  RETRY_SCOPES,
  present,
  type CampaignProgress,
  type CampaignResponse,
  type RetryScope,
} from '../../../contract/index.js';
import { withApi, ExitCode } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { numberOption, readJsonOption, repeated, timeoutOption, type Given, type Specs } from '../../options.js';
import { agrees, type Terminal } from '../../terminal.js';
import { checkTextOptions, readText, textOptions } from '../../text-option.js';
import { amendmentLines, amendmentPlanLines, campaignLine } from './campaign-text.js';
import { addCampaignImportCommand, define, importCampaign, importLines } from './import.js';
import { addCampaignPlanCommand } from './plan.js';
import { addCampaignReadCommands } from './read.js';
import { addCampaignReportCommand } from './report.js';
import { addCampaignTestCommand } from './test.js';
import { endExitCode, watchCampaign } from './watch.js';

const CAMPAIGN = { '<id>': "the campaign's id, or a prefix of it" } as const;

export function addCampaignCommands(program: CommandGroup): void {
  const campaign = program.group('campaign', 'Send one text, or any other message, to many recipients.');
  addCampaignPlanCommand(campaign);
  addCampaignImportCommand(campaign);
  addCampaignTestCommand(campaign);
  addStart(campaign);
  addStop(campaign, 'pause', 'Pause a campaign. Returns once no further send can begin.');
  addResume(campaign);
  addStop(campaign, 'cancel', 'Cancel a campaign. Recipients who were not posted to end as cancelled.');
  addRetry(campaign);
  addUpdate(campaign);
  addAmend(campaign);
  addCampaignReadCommands(campaign);
  addCampaignReportCommand(campaign);
}

function addStart(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.add('start', {
    description: 'Start a campaign. It starts only once.',
    arguments: { '<campaign>': "the campaign's id or a prefix of it; or its file, which is imported first" },
    options: {
      '--accept-rejected': 'start although more than 5 % of the lines of its recipients were rejected',
      '--wait': 'watch the campaign until it ends',
      ...timeoutOption('how long to wait'),
      '--json': 'print the campaign as one line of JSON',
    },
    help: `A campaign that has already started does not change, even if its file has changed. Recipients that were added with
campaign import --add are kept: the file is then not imported again.
Exit code: 0 started; with --wait: 0 every recipient was posted to, 1 it ended cancelled or expired, 3 it still runs.

Examples:
  everpost campaign start examples/campaign.yaml --wait --timeout 10m
  everpost campaign start sale`,
    action: ({ campaign: given, acceptRejected, wait, timeout: timeoutMs, json }, command) =>
      withApi(context, async (api) => {
        const isJson = json === true;
        const id = isDefinitionFile(given)
          ? await importedId(api, given, { command, terminal, isJson })
          : (await api.getCampaign({ id: given })).id;
        const started = await startOrAsk(api, id, acceptRejected === true, terminal);
        if (started === undefined) return terminal.err('Nothing was started.');
        if (!wait) return terminal.out(isJson ? JSON.stringify(started) : campaignLine(started));
        context.exitCode = endExitCode(await watchCampaign(api, id, terminal, { isJson, timeoutMs }));
      }),
  });
}

/** Asks an operator at a terminal to accept the rejected lines. @returns undefined if the operator does not */
async function startOrAsk(api: ApiClient, id: string, acceptRejected: boolean, terminal: Terminal) {
  try {
    return await api.startCampaign({ id, body: acceptRejected ? { acceptRejected } : {} });
  } catch (error) {
    const isRejected = error instanceof AppError && error.code === 'CAMPAIGN_REJECTED_LINES';
    if (!isRejected || terminal.ask === undefined) throw error;
    terminal.err(error.message);
    for (const { path, message } of error.problems ?? []) terminal.err(`  ${path} ${message}`);
    if (!(await agrees(terminal, 'Start it without them?', 'nothing was started'))) return undefined;
    return api.startCampaign({ id, body: { acceptRejected: true } });
  }
}

/** Imports the file unless the campaign has already started. */
async function importedId(
  api: ApiClient,
  file: string,
  { command, terminal, isJson }: { readonly command: Command; readonly terminal: Terminal; readonly isJson: boolean },
): Promise<string> {
  const definition = await readDefinitionFile(file, terminal.cwd);
  const { id } = definition;
  const found = await api.getCampaign({ id }).catch((error: unknown) => {
    if (error instanceof AppError && ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'].includes(error.code)) return undefined;
    throw error;
  });
  // The id may be a prefix of another one.
  const known = found?.id === id ? found : undefined;
  if (known !== undefined && known.state !== 'draft') return id;
  if ((known?.imported?.additions ?? 0) > 0) {
    const { imported: kept } = await define(api, definition);
    if (kept !== undefined) {
      terminal.err(
        `${id}: kept its ${kept.verdicts.accepted} recipients, to which others were added. The file was not imported again.`,
      );
      return id;
    }
  }
  const imported = await importCampaign(api, file, {}, { command, terminal });
  if (!isJson) for (const line of importLines(imported, terminal)) terminal.out(line);
  return id;
}

function addStop(campaign: CommandGroup, what: 'pause' | 'cancel', description: string): void {
  campaign.call(what, {
    description,
    arguments: CAMPAIGN,
    json: 'print the response as one line of JSON',
    help: `Messages already in the gateway's queue are still sent; the response shows how many they may be.

Example:
  everpost campaign ${what} sale`,
    async call(api, { id: given }) {
      const { id } = await api.getCampaign({ id: given });
      return api[`${what}Campaign`]({ id, waitMs: STEER_WITHIN_MS });
    },
    exitCode: steeringExitCode,
    lines: steeringLine,
  });
}

function addResume(campaign: CommandGroup): void {
  campaign.call('resume', {
    description: 'Resume a paused campaign, or one account that its automatic pause has stopped.',
    arguments: CAMPAIGN,
    options: { '--instance <name>': 'only this account of the campaign (default: the campaign)' },
    json: 'print the response as one line of JSON',
    help: `Examples:
  everpost campaign resume sale
  everpost campaign resume sale --instance north`,
    async call(api, { id: given, instance }) {
      const { id } = await api.getCampaign({ id: given });
      return api.resumeCampaign({ id, body: present({ instance }), waitMs: STEER_WITHIN_MS });
    },
    exitCode: steeringExitCode,
    lines: steeringLine,
  });
}

function steeringExitCode(response: CampaignResponse | CampaignProgress): ExitCode {
  return 'inGatewayQueue' in response ? ExitCode.done : ExitCode.notReached;
}

function steeringLine(response: CampaignResponse | CampaignProgress): string {
  return 'inGatewayQueue' in response
    ? `${campaignLine(response.progress)}  (up to ${response.inGatewayQueue} of them in the gateway's queue)`
    : campaignLine(response);
}

/** Named after their states, except `no_account`: `--no-account` would be the negation of a switch. */
const SCOPES = {
  '--failed': 'recipients whose message failed in the network',
  '--rejected': 'recipients whose message the gateway rejected',
  '--without-account': 'recipients without an account',
  '--expired': 'recipients whose message expired',
  '--cancelled': 'recipients who were cancelled',
  '--held-out': 'recipients that the campaign left out on purpose: they get the message',
  '--suppressed': 'recipients who were on the suppression list; those who still are end as suppressed again',
  '--unknown': 'reconcile unknown and unresolved messages again; not posted again without --may-send-twice',
} as const;

function addRetry(campaign: CommandGroup): void {
  campaign.call('retry', {
    description:
      'Retry recipients who ended without the message; a campaign that has ended or is being cancelled runs again.',
    arguments: CAMPAIGN,
    options: {
      ...SCOPES,
      '--reason <word>': repeated('only recipients that ended for this reason; may be repeated'),
      '--may-send-twice': 'with --unknown: post these messages again, although they may have arrived',
      '--deadline <time>': 'the new deadline; required if the current one has passed, e.g. 2030-01-31T12:00:00Z',
      '--key <key>': 'idempotency key: the same key retries once',
    },
    json: 'print { recipients, progress } as one line of JSON',
    help: `A recipient who has the message, or may still get it, is not retried; --may-send-twice is the exception, once the
lost request can no longer be accepted. A campaign that was cancelled before it began is started, with all checks of
campaign start. A paused one stays paused. A draft is refused: start it.

Examples:
  everpost campaign retry sale --failed --rejected
  everpost campaign retry sale --rejected --reason content_invalid
  everpost campaign retry sale --unknown`,
    check(given, command) {
      if (scopesOf(given).length > 0) return;
      command.error(`error: name the recipients to retry: ${Object.keys(SCOPES).join(', ')}`);
    },
    async call(api, { id: given, reason: reasons, maySendTwice, deadline, key, ...rest }) {
      const { id } = await api.getCampaign({ id: given });
      const body = { scopes: scopesOf(rest), ...present({ reasons, maySendTwice, deadline }) };
      return api.retryCampaign({ id, body, key, waitMs: STEER_WITHIN_MS });
    },
    exitCode: (response) => ('recipients' in response ? ExitCode.done : ExitCode.notReached),
    lines: (response) =>
      'recipients' in response
        ? [`${response.recipients} recipients are retried`, campaignLine(response.progress)]
        : campaignLine(response),
  });
}

function scopesOf({ withoutAccount, heldOut, ...given }: Partial<Given<Specs, typeof SCOPES>>): RetryScope[] {
  const named = { no_account: withoutAccount === true, held_out: heldOut === true };
  const isGiven: Partial<Record<RetryScope, boolean>> = { ...given, ...named };
  return RETRY_SCOPES.filter((scope) => isGiven[scope] === true);
}

function addUpdate(campaign: CommandGroup): void {
  campaign.call('update', {
    description:
      'Change the high water mark, text, deadline, name, start time, sending windows, limits, accounts or time for replies of a campaign, also while it runs.',
    arguments: CAMPAIGN,
    options: {
      '--high-water <items>': numberOption(
        0,
        999_999_999,
        'must be a whole number',
        "fill the gateway's queue up to this many items",
      ),
      ...textOptions('the new text, with {{variables}}, for every recipient who was not posted to'),
      '--content <json>': 'the whole new content: JSON, @file, or - for standard input',
      '--variant <name>': 'with --text or --content: the variant that is changed',
      '--winner <name>': 'the variant that every recipient gets who was not posted to; null: by the shares again',
      '--deadline <time>': 'no recipient is posted to after this, e.g. 2030-01-31T12:00:00Z',
      '--name <name>': 'the name that lists and reports show, at most 200 characters',
      '--start-at <time>': 'for a campaign that has not started: nothing is posted before this time',
      '--sending-windows <json>':
        'hours in which it sends: JSON, @file, or - for standard input; null: the hours of its instance',
      '--limits <json>': 'daily cap and jitter: JSON, @file, or - for standard input; null: none',
      '--replies-for <duration>': 'how long after its message an incoming message counts as a reply, e.g. 72h',
      '--instances <names>': 'the whole new list of accounts, e.g. north,south',
    },
    json: 'print the campaign as one line of JSON',
    help: `Examples:
  everpost campaign update sale --limits '{"perDay":500}'
  everpost campaign update sale --high-water 30
  everpost campaign update sale --instances north,south,west
  everpost campaign update sale --text "Dear {{name|customer}}, we open at nine"
  everpost campaign update sale --winner B
  everpost campaign update sale --name "Spring sale, second try"`,
    check({ text, textFile, content }, command) {
      const ways = [text, textFile, content].filter((way) => way !== undefined);
      if (ways.length > 1) command.error('error: give only one of --text, --text-file and --content');
    },
    async call(api, { id: asked, text: typed, textFile, ...options }, { terminal }) {
      const { content, winner, sendingWindows, limits, instances, json: _, ...given } = options;
      const text = await readText({ ...present({ text: typed, textFile }) }, terminal);
      const template = content && (await readJsonOption('--content', content, terminal));
      const windows = sendingWindows && (await readJsonOption('--sending-windows', sendingWindows, terminal));
      const caps = limits && (await readJsonOption('--limits', limits, terminal));
      const { id, content: single, variants } = await api.getCampaign({ id: asked });
      const before = variants?.find(({ name }) => name === given.variant)?.content ?? single;
      const changed = text === undefined ? template : { ...before, text };
      const body: Readonly<Record<string, unknown>> = {
        ...given,
        ...present({ instances: instances?.split(',').map((name) => name.trim()) }),
        ...(changed === undefined ? {} : { content: changed }),
        ...(winner === undefined ? {} : { winner: winner === 'null' ? null : winner }),
        ...(windows === undefined ? {} : { sendingWindows: windows }),
        ...(caps === undefined ? {} : { limits: caps }),
      };
      return api.updateCampaign({ id, body, waitMs: STEER_WITHIN_MS });
    },
    lines: campaignLine,
  });
}

function addAmend(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.add('amend', {
    description:
      'Change the text for all recipients, including those who were sent an older text less than 15 minutes ago.',
    arguments: CAMPAIGN,
    options: {
      ...textOptions('the whole new text, with {{variables}}'),
      '--stop': 'also cancel the recipients who were not posted to',
      '--yes': 'skip the confirmation',
      '--key <key>': 'idempotency key: the same key amends once',
      '--json': 'print the amendment as one line of JSON',
    },
    help: `Before it begins, the command prints how many messages can be edited in time. The gateway accepts one edit per
second, so about 800 messages can be edited within 15 minutes; the newest are edited first. everpost campaign
show prints the progress.

Examples:
  everpost campaign amend sale --text "Dear {{name|customer}}, we open at ten"
  everpost campaign amend sale --text "This offer was sent by mistake" --stop --yes`,
    async action({ id: given, stop = false, yes, key, json, ...typed }, command) {
      checkTextOptions(typed, command);
      const text = (await readText(typed, terminal)) ?? '';
      const body = { text, ...(stop ? { stop } : {}) };
      await withApi(context, async (api) => {
        const { id } = await api.getCampaign({ id: given });
        if (!yes) {
          const plan = await api.planAmendment({ id, body });
          for (const line of amendmentPlanLines(plan, { stop })) terminal.err(line);
          const elsewhere = `nothing was changed. In a script: everpost campaign amend ${id} --text … --yes`;
          if (!(await agrees(terminal, 'Amend it now?', elsewhere))) return terminal.err('Nothing was changed.');
        }
        const amendment = await api.amendCampaign({ id, body, key, waitMs: STEER_WITHIN_MS });
        if (json) return terminal.out(JSON.stringify(amendment));
        if (!('contentVersion' in amendment)) {
          context.exitCode = ExitCode.notReached;
          return terminal.out(`The amendment of ${id} is recorded. Show it: everpost campaign show ${id}`);
        }
        if (yes) for (const line of amendmentPlanLines(amendment.before, { stop })) terminal.err(line);
        for (const line of amendmentLines(amendment)) terminal.out(line);
      });
    },
  });
}
