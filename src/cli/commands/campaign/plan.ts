import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type ApiClient,
  isDefinitionFile,
  readDefinitionFile,
  withStoredFile,
  type DefinitionFile,
} from '../../../client/index.js';
import { AppError, RECIPIENT_VERDICTS, isRecord, localTime, senderWords } from '../../../contract/index.js';
import { PLAN_PERIODS } from '../../../domain/index.js';
import type { CampaignPlan, PlanSample } from '../../../api/index.js';
import { withApi, ExitCode } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { choice } from '../../options.js';
import { RECIPIENTS, importFrom, sourceOf, type From } from './import.js';
import { forecastText, planChart } from './forecast.js';
import { randomBytes } from 'node:crypto';
import { countLines } from '../../table.js';
import type { Terminal } from '../../terminal.js';

const OPTIONS = {
  ...RECIPIENTS,
  '--lines <numbers>': 'lines of the recipients file to show messages for, e.g. 2,17 (default: three lines)',
  '--start-at <time>': 'plan a start at this time, e.g. 2030-01-31T09:00:00Z (default: now)',
  '--by <period>': choice(PLAN_PERIODS, 'period of a table row (default: hour, up to three days)'),
  '--offline <hours>': 'daily hours in which the phone is offline, e.g. 22:00-06:00,12:00-13:00',
  '--timezone <zone>':
    "timezone of the plan, e.g. Europe/Lisbon (default: the campaign's, else the instance's, else UTC)",
  '--svg <file>': 'write an SVG chart to this file, by minute if the campaign takes at most three hours',
  '--json': 'print the plan as one line of JSON',
} as const;

export function addCampaignPlanCommand(campaign: CommandGroup): void {
  const { context } = campaign;
  const { terminal } = context;
  campaign.add('plan', {
    description: 'Show what a campaign would do if it started now.',
    arguments: {
      '<campaign>': 'the campaign file, which is not kept; or the id of an imported campaign, or a prefix of it',
    },
    options: OPTIONS,
    help: `The campaign and recipients of a file are imported for the plan and removed afterwards.
Exit code: 0 it can start, or has started; 1 it cannot start yet; 2 wrong use.

Examples:
  everpost campaign plan examples/campaign.yaml
  everpost campaign plan examples/campaign.yaml --by day --offline 22:00-06:00 --svg plan.svg
  everpost campaign plan sale --lines 2,17`,
    async action({ campaign: given, ...options }, command) {
      const { json } = options;
      const file = isDefinitionFile(given) ? await readDefinitionFile(given, terminal.cwd) : undefined;
      const planned = await withApi(context, (api) => {
        const showPlan = async (id: string) => {
          const { lines, by, svg, startAt, offline, timezone } = options;
          const query = { sampleLines: lines, startAt, offline, timezone };
          const plan = await api.planCampaign({ id, query: { ...query, by } });
          const isShort = plan.forecast.durationSeconds <= MINUTES_UP_TO_SECONDS;
          if (svg === undefined || by !== undefined || !isShort) return { plan, charted: plan };
          return { plan, charted: await api.planCampaign({ id, query: { ...query, by: 'minute' } }) };
        };
        if (file === undefined) return showPlan(given);
        return withPlanOf(api, file, { from: sourceOf(options, file, command), terminal }, showPlan);
      });
      if (planned === undefined) {
        terminal.err('Interrupted. The plan was removed.');
        context.exitCode = ExitCode.failed;
        return;
      }
      const { plan, charted } = planned;
      context.exitCode = plan.state !== 'draft' || plan.canStart ? ExitCode.done : ExitCode.failed;
      const shown = file === undefined ? plan : { ...plan, id: file.id };
      if (options.svg !== undefined) await writeChart(resolve(terminal.cwd, options.svg), shown.id, charted);
      if (json) return terminal.out(JSON.stringify(shown));
      for (const text of planText(shown, terminal.columns?.())) terminal.out(text);
    },
  });
}

/** A chart of a campaign that takes at most three hours has a bar for each minute. */
const MINUTES_UP_TO_SECONDS = 3 * 60 * 60;

async function writeChart(file: string, id: string, plan: CampaignPlan): Promise<void> {
  const { forecast } = plan;
  const chart = planChart(`${id}: ${forecast.recipients} recipients through ${senderWords(plan)}`, forecast);
  try {
    await writeFile(file, chart);
  } catch (error) {
    throw new AppError('INPUT_INVALID', `The chart cannot be written to ${file}. Name another file.`, { cause: error });
  }
}

function planText(plan: CampaignPlan, width: number | undefined): string[] {
  const { accounts, timezone, withOneMore } = plan.forecast;
  const { id, state, audience, imported, missing, refused, heldOut, suppressed, overFrequencyCap, samples, warnings } =
    plan;
  return [
    `${id}  ${state}  ${audience} recipients through ${senderWords(plan)}`,
    ...(imported === undefined
      ? []
      : [
          `${imported.lines} lines, imported ${imported.importedAt}`,
          ...countLines(RECIPIENT_VERDICTS, imported.verdicts),
        ]),
    ...missing.map(
      ({ variable, recipients, firstLine }) =>
        `Missing: {{${variable}}} has no value for ${recipients} recipients, the first on line ${firstLine}`,
    ),
    ...excluded('Refused', 'messages', refused).map((line) => `${line}: ${wordsOf(refused.problems)}`),
    ...excluded('Held out', 'recipients', heldOut),
    ...excluded('Suppressed', 'recipients', suppressed),
    ...excluded('Over the frequency cap', 'recipients', overFrequencyCap),
    ...samples.flatMap(sampleText),
    ...forecastText(plan.forecast, width),
    // What each account of a pool carries, and what one more would bring.
    ...(accounts.length === 1
      ? []
      : [`Recipients of each account: ${accounts.map((one) => `${one.instance} ${one.recipients}`).join(', ')}`]),
    ...(accounts.length === 1 || withOneMore === undefined
      ? []
      : [`With one more account it finishes at ${localTime(withOneMore.finishesAt, timezone)}`]),
    ...warnings.map(({ code, text }) => `${code}: ${text}`),
  ];
}

/** A line about recipients who get no message, if there are any. */
function excluded(why: string, what: string, { recipients, firstLine }: CampaignPlan['suppressed']): string[] {
  return recipients === 0 ? [] : [`${why}: ${recipients} ${what}, the first on line ${firstLine}`];
}

const POSTED: Readonly<Record<NonNullable<PlanSample['posted']>, string>> = {
  current: ', posted with this text',
  former: ', posted with a former text',
  own: ', posted with a text of its own',
};

function sampleText({ line, chatId, content, problems, posted, variant, heldOut }: PlanSample): string[] {
  const fields = Object.entries(content).filter(([name]) => name !== 'kind');
  return [
    `Line ${line} to ${chatId}: ${String(content['kind'])}${variant === undefined ? '' : `, variant ${variant}`}${heldOut === true ? ', held out: not sent' : ''}${posted === undefined ? '' : POSTED[posted]}`,
    ...fields.map(
      ([name, value]) =>
        `  ${name}: ${typeof value === 'string' ? value.replaceAll('\n', '\n    ') : JSON.stringify(value)}`,
    ),
    ...(problems.length === 0 ? [] : [`  refused: ${wordsOf(problems)}`]),
  ];
}

function wordsOf(problems: PlanSample['problems']): string {
  return problems.map(({ path, message }) => `${path} ${message}`).join('; ');
}

/** Characters of the file's id that a plan's id keeps; the rest is a prefix and a random suffix. */
const KEPT_OF_ID = 48;

/**
 * Imports a campaign's file under a temporary id while `use` runs, then removes it, also after an error or Ctrl-C.
 * After a kill, the worker removes it.
 * @returns undefined when it was interrupted
 * @throws AppError the errors of an import
 */
export async function withPlanOf<Result>(
  api: ApiClient,
  file: DefinitionFile,
  { from, terminal }: { readonly from: From; readonly terminal: Terminal },
  use: (planId: string) => Promise<Result>,
): Promise<Result | undefined> {
  const { id } = file;
  const planId = `plan-${id.slice(0, KEPT_OF_ID)}-${randomBytes(4).toString('hex')}`;
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt?.(() => interrupt.abort());
  try {
    const definition = await withStoredFile(api, file);
    const { limits } = definition;
    // Jitter without a seed depends on the campaign's id, so the plan uses the id of the file as the seed.
    const body =
      isRecord(limits) && isRecord(limits['jitter'])
        ? { ...definition, limits: { ...limits, jitter: { seed: id, ...limits['jitter'] } } }
        : definition;
    await api.defineCampaign({ id: planId, body, query: { planOnly: 'true' } });
    await importFrom(api, planId, from, terminal, { interrupted: interrupt.signal });
    const result = await use(planId);
    return interrupt.signal.aborted ? undefined : result;
  } catch (error) {
    if (interrupt.signal.aborted) return undefined;
    throw error;
  } finally {
    stopListening?.();
    await api.removePlan({ id: planId }).catch((error: unknown) => {
      // The plan was never stored, or is already removed.
      if (!(error instanceof AppError) || error.code !== 'CAMPAIGN_NOT_FOUND') throw error;
    });
  }
}
