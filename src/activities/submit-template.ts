/**
 * Submits a template for review, once.
 *
 *   pending ─look by name─▶ there already: ours if no field differs, else refused with the difference
 *      └ not there ─claim─▶ sending ─200─▶ submitted
 *                              ├ refused ─▶ refused, or, where the name is taken, looked up
 *                              ├ surely not accepted ─▶ pending, tried again
 *                              └ lost response ─▶ unknown ─look by name─▶ submitted · pending again once its time has passed
 *
 * The gateway keeps names unique, so a POST after a lost one can never create a second template. If the list cannot be
 * read, and only everpost may have used the name, the refusal of the name proves that the first POST arrived.
 */
import { randomUUID } from 'node:crypto';
import {
  AppError,
  ErrorNext,
  type TemplateDefinition,
  type TemplateKey,
  type TemplateSnapshot,
  present,
  parseJson,
} from '../contract/index.js';
import type { TemplateOutcome } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { untilRecorded } from './failures.js';
import { lookUp, readingOf, type LookUpResult, type ShownTemplate } from './template-lookup.js';
import { comparableText, deadlinesOf } from '../domain/index.js';

/** After a lost response: late enough for the gateway to have finished. */
const POLL_SOON_MS = 3_000;

/** The gateway's text for a taken name is not documented. */
const NAME_TAKEN = /already (?:exists?|taken|used|in use)|(?:is|be) (?:taken|unique)|not unique|duplicate|same name/i;

type Dependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'timesOf' | 'log'>;

/**
 * @returns the template, submitted or refused
 * @throws AppError wait, human or ask: retry; the row has the state to continue from
 */
export async function submitTemplate(deps: Dependencies, key: TemplateKey): Promise<TemplateSnapshot> {
  const { ledger, clock } = deps;
  const known = await ledger.templates.snapshot(key);
  const before = known?.state === 'pending' ? await findByName(deps, key) : undefined;
  const { postingDeadlineMs, reconcileAfterMs } = deadlinesOf(deps.timesOf(key.instance), clock.nowMs());
  const token = randomUUID();
  const claim = await untilRecorded(() => ledger.templates.claim({ key, token, reconcileAfterMs }));
  switch (claim.kind) {
    case 'settled':
      return claim.snapshot;
    case 'open':
      return findOut(deps, key, claim);
    case 'claimed': {
      const { definition, mayExist } = claim;
      const outcome =
        before?.kind === 'found'
          ? outcomeOfFound(definition, before)
          : await post(deps, { key, token, definition, mayExist, postingDeadlineMs });
      return record(deps, key, token, outcome);
    }
  }
}

async function record(
  { ledger, clock }: Dependencies,
  key: TemplateKey,
  token: string,
  { outcome, error }: Posted,
): Promise<TemplateSnapshot> {
  const snapshot = await untilRecorded(() => ledger.templates.recordOutcome(key, token, outcome, clock.nowMs()));
  if (outcome.kind === 'unknown') {
    throw new AppError(
      'TEMPLATE_OUTCOME_UNKNOWN',
      `${nameOf(key)} may have been created: its response was lost. Looking for it.`,
      {
        retryAfterMs: POLL_SOON_MS,
      },
    );
  }
  if (outcome.kind === 'not_accepted' && snapshot.state === 'pending') throw error ?? notAccepted(key);
  return snapshot;
}

/** A request is under way, or its response was lost. */
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
    if (input === undefined) throw new AppError('INTERNAL', `${nameOf(key)} has no row while it is looked for.`);
    return record(deps, key, token, outcomeOfFound(input.definition, result));
  }
  if (begunAtMs < reconcileAfterMs) {
    throw new AppError(
      'TEMPLATE_OUTCOME_UNKNOWN',
      `${nameOf(key)} may still be created: a request is under way, or lost.`,
      {
        retryAfterMs: Math.min(reconcileAfterMs - begunAtMs, 2 * POLL_SOON_MS),
      },
    );
  }
  await ledger.templates.makePending(
    key,
    token,
    result.kind === 'absent' ? 'absent' : 'cannot_be_listed',
    clock.nowMs(),
  );
  throw new AppError(
    'TEMPLATE_OUTCOME_UNKNOWN',
    `${nameOf(key)} is not at the gateway as far as it shows: asked again.`,
    {
      retryAfterMs: 1,
    },
  );
}

/** A list that the gateway refuses to show counts as none. */
async function findByName(deps: Dependencies, key: TemplateKey): Promise<LookUpResult> {
  try {
    return await lookUp(deps, key);
  } catch (error) {
    if (error instanceof AppError && error.next === ErrorNext.stop) return { kind: 'cannot_ask' };
    throw error;
  }
}

interface Posted {
  readonly outcome: TemplateOutcome;
  /** Why it was not accepted. */
  readonly error?: AppError;
}

function outcomeOfFound(
  definition: TemplateDefinition,
  { shown, reading, witness }: Extract<LookUpResult, { kind: 'found' }>,
): Posted {
  const differing = differingFields(definition, shown);
  if (differing.length === 0)
    return { outcome: { kind: 'accepted', reading, witness, detail: { found: 'by its name' } } };
  const text = `the account has another template of this name: ${differing.join(', ')} differ. Submit it under a new elementName.`;
  return { outcome: { kind: 'refused', code: 'TEMPLATE_DIFFERS', text, detail: { differing } } };
}

interface Attempt {
  readonly key: TemplateKey;
  readonly token: string;
  readonly definition: TemplateDefinition;
  readonly mayExist: boolean;
  readonly postingDeadlineMs: number;
}

/** Does not throw for failures of the gateway: each is an outcome. */
async function post(deps: Dependencies, attempt: Attempt): Promise<Posted> {
  const { key, token, definition } = attempt;
  const { buttons, ...fields } = definition;
  const request = { ...fields, ...(buttons === undefined ? {} : { buttons: buttons.map(buttonRequest) }) };
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
    return outcomeOfFailure(deps, attempt, error);
  }
}

function buttonRequest({ example, ...rest }: NonNullable<TemplateDefinition['buttons']>[number]) {
  return { ...rest, ...(example === undefined ? {} : { example: [...example] }) };
}

async function outcomeOfFailure(
  deps: Dependencies,
  { key, definition, mayExist }: Attempt,
  error: AppError,
): Promise<Posted> {
  const said = { code: error.code, ...present({ text: error.gatewayText }) };
  switch (error.next) {
    case ErrorNext.wait:
    case ErrorNext.human:
      return { outcome: { kind: 'not_accepted', ...said }, error };
    case ErrorNext.ask:
    case ErrorNext.bug:
      return { outcome: { kind: 'unknown', ...said }, error };
    case ErrorNext.stop:
      break;
  }
  if (error.code !== 'GATEWAY_REJECTED' || !NAME_TAKEN.test(error.gatewayText ?? '')) {
    return { outcome: { kind: 'refused', code: error.code, text: error.gatewayText ?? problemsOf(error) }, error };
  }
  let result: LookUpResult;
  try {
    result = await findByName(deps, key);
  } catch (lookUpError) {
    if (!(lookUpError instanceof AppError)) throw lookUpError;
    // The name is taken and its owner is unknown: it is looked up again.
    return { outcome: { kind: 'unknown', ...said }, error };
  }
  if (result.kind === 'found') return outcomeOfFound(definition, result);
  if (mayExist) {
    const detail = { evidence: 'the name is taken, and an earlier request of ours had no response', ...said };
    return { outcome: { kind: 'accepted', reading: {}, witness: 'refusal', detail } };
  }
  const text = `${error.gatewayText ?? 'the name is taken'}; what it stands for cannot be read here. Submit it under a new elementName.`;
  return { outcome: { kind: 'refused', code: error.code, text }, error };
}

function problemsOf({ problems, message }: AppError): string {
  return problems === undefined ? message : problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
}

function notAccepted(key: TemplateKey): AppError {
  return new AppError('GATEWAY_NOT_ACCEPTED', `${nameOf(key)} was not accepted. It is tried again.`);
}

function nameOf({ instance, elementName }: TemplateKey): string {
  return `Template ${elementName} of instance ${instance}`;
}

/**
 * Request fields that the gateway shows under their own names; not the category, which it may change.
 */
const SHOWN = ['languageCode', 'templateType', 'vertical'] as const;
/** Fields that it shows, if at all, inside the request that it passed on for review. */
const PASSED_ON = ['content', 'header', 'footer', 'example'] as const;

/**
 * The fields in which a template at the gateway differs from ours. A field that it does not show is not compared.
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

/** A JSON text of unknown shape; undefined if it is none. */
function parsed(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // The other fields decide.
    return {};
  }
}
