import { type Problem, type Recipient, present, TemplateStatus, type ContentTemplate } from '../../contract/index.js';
import { isMissing, renderContent, requiredVariables, templateParameters } from '../../domain/index.js';
import type { CampaignView, MissingValue, Ledger, TemplateView } from '../../ledger/index.js';
import type { CampaignPlan, PlanSample } from '../http/campaign-responses.js';
import { forecast, warnIf, type PlanWarning } from './forecast.js';
import { contentProblems } from './read-campaign.js';
import { PlannedAudience, type PlanDependencies, type SimulationOptions } from './simulate-campaign.js';
import { templateContentSchema } from '../../contract/schemas.js';

export interface PlanOptions extends SimulationOptions {
  /** The lines whose messages are shown. @default the first, the one in the middle and the last */
  readonly sampleLines?: readonly number[] | undefined;
}

/** Recipients read at once: some ten milliseconds of checks, then others have their turn. */
const PAGE = 1_000;

/** Simulates a start of the campaign now. Reads its whole audience. */
export async function planCampaign(
  dependencies: PlanDependencies,
  campaign: CampaignView,
  options: PlanOptions,
): Promise<CampaignPlan> {
  const { id, instance, state, audience, imported, content } = campaign;
  const [missing, checked, ofTemplate] = await Promise.all([
    dependencies.ledger.audiences.missingValues(id, requiredVariables(content)),
    checkAudience(dependencies, campaign, options),
    templateWarnings(dependencies.ledger, instance, content),
  ]);
  const { refused, suppressed, overFrequencyCap, samples, planned } = checked;
  const expected = await forecast(dependencies, campaign, planned, options);
  const warnings = [...audienceWarnings(campaign, missing, checked), ...ofTemplate, ...expected.warnings];
  return {
    id,
    instance,
    state,
    audience,
    ...present({ imported }),
    missing,
    refused,
    suppressed,
    overFrequencyCap,
    samples,
    forecast: expected.forecast,
    warnings,
    canStart: state === 'draft' && audience > 0 && missing.length === 0 && campaign.importing === undefined,
  };
}

interface CheckedAudience extends Pick<CampaignPlan, 'refused' | 'suppressed' | 'overFrequencyCap' | 'samples'> {
  readonly planned: PlannedAudience;
}

/** Recipients who would end one way, and the first of them. */
interface Ended {
  recipients: number;
  firstLine?: number;
}

async function checkAudience(
  { ledger, clock, instances, checkOperation }: PlanDependencies,
  campaign: CampaignView,
  { sampleLines, signal }: PlanOptions,
): Promise<CheckedAudience> {
  const { id, instance, definition, content, audience } = campaign;
  const places = new Set([0, Math.floor(audience / 2), audience - 1]);
  const required = requiredVariables(content);
  const samples: PlanSample[] = [];
  const refused: Ended & { problems: readonly Problem[] } = { recipients: 0, problems: [] };
  const suppressed: Ended = { recipients: 0 };
  const overFrequencyCap: Ended = { recipients: 0 };
  const { category = 'marketing' } = definition;
  const frequencyCap = category === 'marketing' ? instances.get(instance).limits?.frequencyCap : undefined;
  const planned = new PlannedAudience(campaign);
  const count = (ended: Ended, line: number): void => {
    ended.firstLine ??= line;
    ended.recipients += 1;
  };
  const examine = (recipient: Recipient, place: number, isSuppressed: boolean, isOverCap: boolean): void => {
    const { line, chatId, values } = recipient;
    const rendered = renderContent(content, values);
    const problems = contentProblems(rendered, checkOperation, chatId);
    if (isSuppressed) count(suppressed, line);
    else if (isOverCap) count(overFrequencyCap, line);
    // A recipient who lacks a value is counted among those.
    else if (problems.length > 0 && !required.some((name) => isMissing(values[name]))) {
      if (refused.recipients === 0) refused.problems = problems;
      count(refused, line);
    } else planned.add(recipient, place);
    if (sampleLines === undefined ? places.has(place) : sampleLines.includes(line)) {
      samples.push({ line, chatId, content: rendered, problems });
    }
  };
  let place = 0;
  for (let afterLine = 0; !signal.aborted;) {
    const recipients = await ledger.audiences.recipients(id, afterLine, PAGE);
    const chatIds = recipients.map(({ chatId }) => chatId);
    const [listed, overCap] = await Promise.all([
      ledger.suppressions.among(chatIds, { instance, category }),
      frequencyCap && ledger.dispatch.overFrequencyCap(chatIds, { ...frequencyCap, instance, nowMs: clock.nowMs() }),
    ]);
    for (const recipient of recipients) {
      examine(recipient, place++, listed.has(recipient.chatId), overCap?.has(recipient.chatId) ?? false);
    }
    const last = recipients.at(-1);
    if (last === undefined || recipients.length < PAGE) break;
    afterLine = last.line;
  }
  return { refused, suppressed, overFrequencyCap, samples, planned };
}

function audienceWarnings(
  { audience, importing }: CampaignView,
  missing: readonly MissingValue[],
  { refused, suppressed, overFrequencyCap }: CheckedAudience,
): PlanWarning[] {
  const names = missing.map(({ variable }) => `{{${variable}}}`).join(', ');
  return [
    ...warnIf(audience === 0, 'NO_RECIPIENTS', 'There are no recipients: import them.'),
    ...warnIf(importing !== undefined, 'IMPORT_UNFINISHED', 'An import is under way, or was cut off: import again.'),
    ...warnIf(missing.length > 0, 'VALUES_MISSING', `No value and no fallback for ${names}: it does not start.`),
    ...warnIf(
      refused.recipients > 0,
      'CONTENT_REFUSED',
      `The gateway refuses the message of ${refused.recipients} recipients: they end rejected.`,
    ),
    ...warnIf(
      suppressed.recipients > 0,
      'SUPPRESSED',
      `${suppressed.recipients} recipients are on the suppression list: they end suppressed. everpost suppression list shows who.`,
    ),
    ...warnIf(
      overFrequencyCap.recipients > 0,
      'FREQUENCY_CAP',
      `${overFrequencyCap.recipients} recipients have had as many marketing messages as the instance's frequencyCap allows: they end suppressed.`,
    ),
  ];
}

/**
 * Warnings about the template that a campaign names, by the ledger's current knowledge. None for a template that a column
 * names, which is each recipient's own, nor for an unknown id, whose template was made elsewhere.
 */
async function templateWarnings(
  { templates }: Pick<Ledger, 'templates'>,
  instance: string,
  content: ContentTemplate,
): Promise<PlanWarning[]> {
  const read = content.kind === 'template' ? templateContentSchema.safeParse(content) : undefined;
  if (read?.success !== true) return [];
  const { elementName, templateId, params = [] } = read.data;
  if (`${elementName} ${templateId}`.includes('{{')) return [];
  const named = elementName === undefined ? templateId && { templateId } : { elementName };
  const template = named && (await templates.find(instance, named));
  if (template) return warningsAbout(template, params.length);
  if (elementName === undefined) return [];
  const text = `No template ${elementName} was submitted to ${instance} through everpost: every recipient ends rejected. Submit it first.`;
  return [{ code: 'TEMPLATE_NOT_FOUND', text }];
}

function warningsAbout({ elementName, definition, state, status, reason }: TemplateView, given: number): PlanWarning[] {
  const count = templateParameters(definition).length;
  const why = reason === undefined ? '' : ` (${reason})`;
  const isRefused = state === 'refused' || status === TemplateStatus.REJECTED || status === TemplateStatus.FAILED;
  const isApproved = status === TemplateStatus.APPROVED;
  const stands = `Template ${elementName} is ${state === 'refused' ? state : (status ?? state)}${why}`;
  return [
    ...warnIf(
      given !== count,
      'TEMPLATE_PARAMETERS',
      `Template ${elementName} has ${count} variables, the campaign ${given} params: every recipient ends rejected.`,
    ),
    ...warnIf(isRefused, 'TEMPLATE_REFUSED', `${stands}: every recipient ends rejected.`),
    ...warnIf(
      !isRefused && !isApproved,
      'TEMPLATE_NOT_APPROVED',
      `${stands}: no recipient is sent to before it is approved.`,
    ),
  ];
}
