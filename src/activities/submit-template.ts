/**
 * Submits a template for review, once.
 *
 *   pending ─look by name─▶ found: ours if no field differs, else refused with the difference
 *      └ not found ─claim─▶ sending ─200─▶ submitted
 *                              ├ refused ─▶ refused, or looked up if the name is taken
 *                              ├ surely not accepted ─▶ pending, retried
 *                              └ lost response ─▶ unknown ─look by name─▶ submitted, or pending once settled
 *
 * Names are unique at the gateway, so a POST after a lost response never creates a second template. If the list cannot
 * be read and only everpost may have used the name, a rejection of the name proves that the first POST arrived.
 */
import { randomUUID } from 'node:crypto';
import {
  AppError,
  ErrorNext,
  isRecord,
  type TemplateDefinition,
  type TemplateKey,
  type TemplateSnapshot,
  present,
  parseJson,
} from '../contract/index.js';
import type { TemplateOutcome } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { untilRecorded } from './failures.js';
import { lookUp, nameOf, readingOf, type LookUpResult, type ShownTemplate } from './template-lookup.js';
import { comparableText, deadlinesOf } from '../domain/index.js';

/** The delay of the lookup after a lost response. The gateway has usually finished then. */
const POLL_SOON_MS = 3_000;

/** Matches the gateway's text for a taken name, which is not documented. */
const NAME_TAKEN = /already (?:exists?|taken|used|in use)|(?:is|be) (?:taken|unique)|not unique|duplicate|same name/i;

type Dependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'timesOf' | 'log'>;

/**
 * @returns the template, submitted or refused
 * @throws AppError wait, human or ask: retry; the next try continues from the row
 */
export async function submitTemplate(deps: Dependencies, key: TemplateKey): Promise<TemplateSnapshot> {
  const { ledger, clock } = deps;
  const known = await ledger.templates.snapshot(key);
  const before = known?.state === 'pending' ? await findByName(deps, key) : undefined;
  const { postingDeadlineMs, reconcileAfterMs } = deadlinesOf(deps.timesOf(key.instance), clock.nowMs());
  const token = randomUUID();
  const claim = await untilRecorded(() => ledger.templates.claim({ key, token, reconcileAfterMs }));
  switch (claim.kind) {
    case 'not_pending':
      return claim.snapshot;
    case 'open':
      return findOut(deps, key, claim);
    case 'claimed': {
      if (before?.kind === 'found') return record(deps, key, token, outcomeOfFound(claim.definition, before));
      const { outcome, error } = await post(deps, { ...claim, key, token, postingDeadlineMs });
      const snapshot = await record(deps, key, token, outcome);
      if (outcome.kind === 'not_accepted' && snapshot.state === 'pending') throw error;
      return snapshot;
    }
  }
}

/** @throws AppError TEMPLATE_OUTCOME_UNKNOWN for an unknown outcome */
async function record(
  { ledger, clock }: Dependencies,
  key: TemplateKey,
  token: string,
  outcome: TemplateOutcome,
): Promise<TemplateSnapshot> {
  const snapshot = await untilRecorded(() => ledger.templates.recordOutcome(key, token, outcome, clock.nowMs()));
  if (outcome.kind !== 'unknown') return snapshot;
  throw outcomeUnknown(
    `${nameOf(key)} may have been created: its response was lost. It is looked up next.`,
    POLL_SOON_MS,
  );
}

function outcomeUnknown(message: string, retryAfterMs: number): AppError {
  return new AppError('TEMPLATE_OUTCOME_UNKNOWN', message, { retryAfterMs });
}

/** Determines the outcome of a request that is under way, or whose response was lost. */
async function findOut(
  deps: Dependencies,
  key: TemplateKey,
  { token, reconcileAfterMs }: { readonly token: string; readonly reconcileAfterMs: number },
): Promise<TemplateSnapshot> {
  const { ledger, clock } = deps;
  const begunAtMs = clock.nowMs();
  const result = await findByName(deps, key);
  if (result.kind === 'found') {
    const input = await ledger.templates.inputOf(key);
    if (input === undefined) throw new AppError('INTERNAL', `${nameOf(key)} has no row during its lookup.`);
    return record(deps, key, token, outcomeOfFound(input.definition, result));
  }
  if (begunAtMs < reconcileAfterMs) {
    throw outcomeUnknown(
      `${nameOf(key)} may still be created: a request is under way, or its response was lost.`,
      Math.min(reconcileAfterMs - begunAtMs, 2 * POLL_SOON_MS),
    );
  }
  const why = result.kind === 'absent' ? 'absent' : 'cannot_be_listed';
  await ledger.templates.makePending(key, token, why, clock.nowMs());
  throw outcomeUnknown(`The gateway does not show ${nameOf(key)} yet. The lookup is retried.`, 1);
}

/** Finds the template in the gateway's list. A list that the gateway rejects counts as missing. */
async function findByName(deps: Dependencies, key: TemplateKey): Promise<LookUpResult> {
  try {
    return await lookUp(deps, key);
  } catch (error) {
    if (error instanceof AppError && error.next === ErrorNext.stop) return { kind: 'cannot_ask' };
    throw error;
  }
}

function outcomeOfFound(
  definition: TemplateDefinition,
  { shown, reading, witness }: Extract<LookUpResult, { kind: 'found' }>,
): TemplateOutcome {
  const differing = differingFields(definition, shown);
  if (differing.length === 0) return { kind: 'accepted', reading, witness, detail: { found: 'by its name' } };
  const text = `the account has a different template of this name: ${differing.join(', ')} differ. Submit it under a new elementName.`;
  return { kind: 'refused', code: 'TEMPLATE_DIFFERS', text, detail: { differing } };
}

interface Attempt {
  readonly key: TemplateKey;
  readonly token: string;
  readonly definition: TemplateDefinition;
  readonly mayExist: boolean;
  readonly postingDeadlineMs: number;
}

/** Posts the template. A failure of the gateway is an outcome and is not thrown. */
async function post(
  deps: Dependencies,
  attempt: Attempt,
): Promise<{ readonly outcome: TemplateOutcome; readonly error?: AppError }> {
  const { key, token, definition } = attempt;
  const { buttons, ...fields } = definition;
  const given = buttons?.map(({ example, ...rest }) => ({ ...rest, ...present({ example: example && [...example] }) }));
  const request = { ...fields, ...present({ buttons: given }) };
  try {
    const { response } = await deps.gateway.call(key.instance, 'createTemplate', request, {
      deadlineMs: attempt.postingDeadlineMs,
      listenMs: deps.timesOf(key.instance).settleTimeMs,
      onLate: async (late) => {
        if ('error' in late) return;
        const reading = readingOf(late.response.template);
        const outcome: TemplateOutcome = { kind: 'accepted', reading, witness: 'response', detail: { late: true } };
        await untilRecorded(() => deps.ledger.templates.recordOutcome(key, token, outcome, deps.clock.nowMs()));
      },
    });
    return { outcome: { kind: 'accepted', reading: readingOf(response.template), witness: 'response' } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: await outcomeOfFailure(deps, attempt, error), error };
  }
}

async function outcomeOfFailure(
  deps: Dependencies,
  { key, definition, mayExist }: Attempt,
  error: AppError,
): Promise<TemplateOutcome> {
  const { code, gatewayText } = error;
  const said = { code, ...present({ text: gatewayText }) };
  switch (error.next) {
    case ErrorNext.wait:
    case ErrorNext.human:
      return { kind: 'not_accepted', ...said };
    case ErrorNext.ask:
    case ErrorNext.bug:
      return { kind: 'unknown', ...said };
    case ErrorNext.stop:
      break;
  }
  if (code !== 'GATEWAY_REJECTED' || !NAME_TAKEN.test(gatewayText ?? '')) {
    const problems = error.problems?.map(({ path, message }) => `${path}: ${message}`).join('; ');
    return { kind: 'refused', code, text: gatewayText ?? problems ?? error.message };
  }
  let result: LookUpResult;
  try {
    result = await findByName(deps, key);
  } catch (lookUpError) {
    if (!(lookUpError instanceof AppError)) throw lookUpError;
    // The name is taken, and it is unknown by which template. The next try looks it up.
    return { kind: 'unknown', ...said };
  }
  if (result.kind === 'found') return outcomeOfFound(definition, result);
  if (mayExist) {
    const detail = { evidence: 'the name is taken, and an earlier request of everpost got no response', ...said };
    return { kind: 'accepted', reading: {}, witness: 'refusal', detail };
  }
  const text = `${gatewayText ?? 'the name is taken'}; everpost cannot read the template of this name. Submit it under a new elementName.`;
  return { kind: 'refused', code, text };
}

/**
 * Request fields that the gateway shows under the same names. The category is left out, since the gateway may change
 * it.
 */
const SHOWN = ['languageCode', 'templateType', 'vertical'] as const;
/** Fields that the gateway may show inside the request that it passed on for review. */
const PASSED_ON = ['content', 'header', 'footer', 'example'] as const;

/**
 * The fields in which a template at the gateway differs from ours. Fields that the gateway does not show are skipped.
 */
export function differingFields(ours: TemplateDefinition, shown: ShownTemplate): string[] {
  const passedOn = parsed(shown.containerMeta);
  return [
    ...SHOWN.filter((name) => areDifferent(ours[name], shown[name])),
    ...PASSED_ON.filter((name) => areDifferent(ours[name] ?? '', passedOn[name])),
  ];
}

function areDifferent(ours: string, theirs: unknown): boolean {
  return typeof theirs === 'string' && comparable(theirs) !== comparable(ours);
}

function comparable(text: string): string {
  return comparableText(text.replaceAll(/\s+/g, ' ').trim());
}

/** The object in a JSON text of unknown shape; empty if there is none. */
function parsed(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : {};
  } catch {
    // An unreadable text has no fields to compare.
    return {};
  }
}
