import { accountsOf, type Problem, present, TemplateStatus, type ContentTemplate } from '../../contract/index.js';
import {
  contentsOf,
  isHeldOut,
  parameterFault,
  renderContent,
  requiredVariables,
  templateParameters,
  valueFor,
  variantFor,
} from '../../domain/index.js';
import type { CampaignView, KnownRecipient, MissingValue, Ledger } from '../../ledger/index.js';
import { sentBy } from './campaigns.js';
import type { CampaignPlan, PlanSample } from './plan-schema.js';
import { forecast, PlannedAudience, warningsOf, type PlanDependencies, type SimulationOptions } from './forecast.js';
import { contentProblems } from '../../starter/index.js';
import { templateContentSchema } from '../../contract/schemas.js';

export interface PlanOptions extends SimulationOptions {
  /** The lines whose messages are shown. @default the first, the middle and the last one */
  readonly sampleLines?: readonly number[] | undefined;
}

/** Recipients read at once. Checking them takes some ten milliseconds, then other requests run. */
const PAGE = 1_000;

/** Simulates a start of the campaign now. Reads its whole audience. */
export async function planCampaign(
  dependencies: PlanDependencies,
  campaign: CampaignView,
  options: PlanOptions,
): Promise<CampaignPlan> {
  const { id, instance, state, audience, imported } = campaign;
  const contents = contentsOf(sentBy(campaign)).map(({ content }) => content);
  const [unknown, missing, checked, ...ofTemplates] = await Promise.all([
    dependencies.ledger.audiences.variableProblems(id),
    dependencies.ledger.audiences.missingValues(id, requiredVariables(contents)),
    checkAudience(dependencies, campaign, options),
    ...accountsOf(campaign).flatMap((name) =>
      contents.map((content) => templateWarnings(dependencies.ledger, name, content)),
    ),
  ]);
  const { planned, faults: _, samples, ...ends } = checked;
  const texts = await dependencies.ledger.amendments.postedTexts(
    id,
    samples.map(({ line }) => line),
  );
  const hasBegun = campaign.startedAt !== undefined;
  const recipients = hasBegun ? await dependencies.ledger.campaigns.recipientsToPost(id) : planned.byTimezone();
  const expected = await forecast(dependencies, campaign, recipients, options);
  return {
    id,
    instance,
    ...present({ instances: campaign.instances }),
    state,
    audience,
    ...present({ imported }),
    unknown,
    missing,
    ...ends,
    samples: samples.map((sample) => ({
      ...sample,
      ...present({ posted: texts.find(({ line }) => line === sample.line)?.text }),
    })),
    forecast: expected.forecast,
    warnings: [...audienceWarnings(campaign, unknown, missing, checked), ...ofTemplates.flat(), ...expected.warnings],
    canStart:
      state === 'draft' &&
      audience > 0 &&
      unknown.length === 0 &&
      missing.length === 0 &&
      campaign.importing === undefined,
  };
}

/** Recipients who would end in the same way, and the first of them. */
interface Ended {
  recipients: number;
  firstLine?: number;
}

async function checkAudience(
  { ledger, clock, instances, checkOperation }: PlanDependencies,
  campaign: CampaignView,
  { sampleLines, signal }: PlanOptions,
) {
  const { id, instance, definition, audience } = campaign;
  const sent = sentBy(campaign);
  const places = new Set([0, Math.floor(audience / 2), audience - 1]);
  const samples: PlanSample[] = [];
  const refused: Ended & { problems: readonly Problem[] } = { recipients: 0, problems: [] };
  const heldOut: Ended = { recipients: 0 };
  const suppressed: Ended = { recipients: 0 };
  const overFrequencyCap: Ended = { recipients: 0 };
  const faults = new Map<string, Ended>();
  const { category = 'marketing' } = definition;
  const frequencyCap = category === 'marketing' ? instances.get(instance).limits?.frequencyCap : undefined;
  const planned = new PlannedAudience(campaign);
  const count = (ended: Ended, line: number): void => {
    ended.firstLine ??= line;
    ended.recipients += 1;
  };
  const examine = (recipient: KnownRecipient, place: number, isSuppressed: boolean, isOverCap: boolean): void => {
    const { line, chatId, key, values } = recipient;
    const variant = variantFor(sent, key);
    const content = variant?.content ?? sent.content;
    const rendered = renderContent(content, values);
    const problems = contentProblems(rendered, checkOperation, chatId);
    const isLeftOut = isHeldOut(definition.holdOut, key);
    if (isLeftOut) count(heldOut, line);
    else if (isSuppressed) count(suppressed, line);
    else if (isOverCap) count(overFrequencyCap, line);
    // A recipient without a value for a variable is counted as missing it, not as refused.
    else if (problems.length > 0 && !requiredVariables(content).some((name) => valueFor(values, name) === undefined)) {
      if (refused.recipients === 0) refused.problems = problems;
      count(refused, line);
    } else {
      for (const fault of faultsOf(rendered)) {
        const ended = faults.get(fault) ?? { recipients: 0 };
        count(ended, line);
        faults.set(fault, ended);
      }
      planned.add(recipient);
    }
    if (sampleLines === undefined ? places.has(place) : sampleLines.includes(line)) {
      const facts = present({ variant: variant?.name, heldOut: isLeftOut ? true : undefined });
      samples.push({ line, chatId, content: rendered, problems, ...facts });
    }
  };
  let place = 0;
  for (let afterLine = 0; !signal.aborted;) {
    const recipients = await ledger.audiences.recipients(id, afterLine, PAGE);
    const chatIds = recipients.map(({ chatId }) => chatId);
    const [listed, overCap] = await Promise.all([
      ledger.suppressions.among(chatIds, { instance, category, campaignId: id }),
      frequencyCap &&
        ledger.dispatch.overFrequencyCap(chatIds, {
          ...frequencyCap,
          instances: accountsOf(campaign),
          nowMs: clock.nowMs(),
        }),
    ]);
    for (const recipient of recipients) {
      examine(recipient, place++, listed.has(recipient.chatId), overCap?.has(recipient.chatId) ?? false);
    }
    const last = recipients.at(-1);
    if (last === undefined || recipients.length < PAGE) break;
    afterLine = last.line;
  }
  return { refused, heldOut, suppressed, overFrequencyCap, faults, samples, planned };
}

/** The distinct faults of a template's parameters. */
function faultsOf({ kind, params }: Readonly<Record<string, unknown>>): readonly string[] {
  if (kind !== 'template' || !Array.isArray(params)) return [];
  return [...new Set(params.flatMap((value) => (typeof value === 'string' ? (parameterFault(value) ?? []) : [])))];
}

function audienceWarnings(
  { audience, importing }: CampaignView,
  unknown: readonly Problem[],
  missing: readonly MissingValue[],
  { refused, suppressed, overFrequencyCap, faults }: Awaited<ReturnType<typeof checkAudience>>,
) {
  const names = missing.map(({ variable }) => `{{${variable}}}`).join(', ');
  return warningsOf({
    NO_RECIPIENTS: audience === 0 && 'The campaign has no recipients. Import them: everpost campaign import FILE',
    IMPORT_UNFINISHED:
      importing !== undefined &&
      'An import is running, or was interrupted. Wait for it, or import again: everpost campaign import FILE',
    VARIABLES_UNKNOWN:
      unknown.length > 0 &&
      `The campaign does not start: ${unknown.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
    VALUES_MISSING:
      missing.length > 0 &&
      `The campaign does not start: a recipient has no value for ${names}, which has no fallback.`,
    CONTENT_REFUSED:
      refused.recipients > 0 &&
      `The gateway would reject the messages of ${refused.recipients} recipients: they end rejected.`,
    PARAMETERS_FAULTY:
      faults.size > 0 &&
      `The network refuses some values of the template's variables, and these messages fail: ${[...faults].map(([fault, { recipients, firstLine }]) => `${recipients} recipients with a value that ${fault} (first: line ${firstLine})`).join(', ')}. Correct the file, and import it again.`,
    SUPPRESSED:
      suppressed.recipients > 0 &&
      `${suppressed.recipients} recipients are on the suppression list: they end suppressed. List them: everpost suppression list`,
    FREQUENCY_CAP:
      overFrequencyCap.recipients > 0 &&
      `${overFrequencyCap.recipients} recipients have reached the instance's frequencyCap for marketing messages: they end suppressed.`,
  });
}

/**
 * Warnings about the template that a campaign names, by the ledger's current data. None for a template that a column
 * names, which each recipient's message waits for, nor for an unknown id, whose template was created elsewhere.
 */
async function templateWarnings(
  { templates }: Pick<Ledger, 'templates'>,
  instance: string,
  content: ContentTemplate,
): Promise<CampaignPlan['warnings']> {
  const read = content.kind === 'template' ? templateContentSchema.safeParse(content) : undefined;
  if (read?.success !== true) return [];
  const { elementName, templateId, params = [] } = read.data;
  if (`${elementName} ${templateId}`.includes('{{')) return [];
  const named = elementName === undefined ? templateId && { templateId } : { elementName };
  const template = named && (await templates.find(instance, named));
  if (!template) {
    if (elementName === undefined) return [];
    return warningsOf({
      TEMPLATE_NOT_FOUND: `No template ${elementName} was submitted to ${instance} through everpost: every recipient ends rejected. Submit it: everpost template submit FILE`,
    });
  }
  const { elementName: name, definition, state, status, reason } = template;
  const count = templateParameters(definition).length;
  const why = reason === undefined ? '' : ` (${reason})`;
  const isRefused = state === 'refused' || status === TemplateStatus.REJECTED || status === TemplateStatus.FAILED;
  const isApproved = status === TemplateStatus.APPROVED;
  const stands = `Template ${name} is ${state === 'refused' ? state : (status ?? state)}${why}`;
  return warningsOf({
    TEMPLATE_PARAMETERS:
      params.length !== count &&
      `Template ${name} has ${count} variables, the campaign has ${params.length} params: every recipient ends rejected.`,
    TEMPLATE_REFUSED: isRefused && `${stands}: every recipient ends rejected.`,
    TEMPLATE_NOT_APPROVED: !isRefused && !isApproved && `${stands}: nothing is sent until it is approved.`,
  });
}
