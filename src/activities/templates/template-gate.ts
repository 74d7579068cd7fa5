import {
  AppError,
  TemplateStatus,
  templateParameters,
  type MessageId,
  type TemplateContent,
} from '../../contract/index.js';
import type { TemplateView } from '../../ledger/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { lookUp } from './look-up.js';

type Dependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>;

/** An approval that was seen within this time is believed without asking again. */
const APPROVAL_FRESH_MS = 10 * 60_000;
/** A poll that is so long overdue has no run to make it. */
const OVERDUE_MS = 60_000;
/** Where no run follows a template, a message that needs it polls again after this time. */
const POLL_AGAIN_MS = 5 * 60_000;
/** A decision is found within this time, whatever its source: a wait under way cannot be cut short. */
const LONGEST_WAIT_MS = 60_000;
const SHORTEST_WAIT_MS = 2_000;

/** What stands between a message and its template. */
export type TemplateGate =
  /** With the gateway's id, where everpost knows the template. */
  | { readonly kind: 'open'; readonly templateId?: string }
  | { readonly kind: 'never'; readonly reason: string; readonly text?: string }
  | { readonly kind: 'wait'; readonly words: string; readonly retryAfterMs: number };

/**
 * Lets a message pass while the template that it names is approved; ends it where that can never be.
 * @throws AppError TEMPLATE_NOT_APPROVED with the time until it is worth while to try again
 */
export async function passTemplateGate(deps: Dependencies, messageId: MessageId): Promise<void> {
  const { ledger, clock } = deps;
  const message = await ledger.messages.view(messageId);
  if (message?.state !== 'pending' || message.content.kind !== 'template') return;
  // Its time is over, or its chat on the suppression list: the claim ends it.
  if (Date.parse(message.expiresAt) <= clock.nowMs() || (await ledger.suppressions.applies(messageId))) return;
  const gate = await templateGate(deps, message.instance, message.content);
  switch (gate.kind) {
    case 'open':
      return;
    case 'never': {
      const { reason, text } = gate;
      await ledger.messages.reject(messageId, { reason, ...(text === undefined ? {} : { text }) }, clock.nowMs());
      return;
    }
    case 'wait': {
      const untilExpiryMs = Math.max(1_000, Date.parse(message.expiresAt) - clock.nowMs());
      throw new AppError('TEMPLATE_NOT_APPROVED', `Message ${messageId} waits: ${gate.words}.`, {
        retryAfterMs: Math.min(gate.retryAfterMs, untilExpiryMs),
      });
    }
  }
}

/**
 * Whether what names a template may be sent now. Asks the gateway where what is known is too old and no run follows it.
 */
export async function templateGate(
  deps: Dependencies,
  instance: string,
  { elementName, templateId, params = [] }: TemplateContent,
): Promise<TemplateGate> {
  const named = {
    ...(elementName === undefined ? {} : { elementName }),
    ...(templateId === undefined ? {} : { templateId }),
  };
  const known = await deps.ledger.templates.find(instance, named);
  if (known === undefined) {
    // Named by its id alone it is one that was made elsewhere, of which only the gateway knows anything.
    if (elementName === undefined) return { kind: 'open' };
    return {
      kind: 'never',
      reason: 'template_unknown',
      text: `no template ${elementName} was submitted to ${instance}`,
    };
  }
  const count = templateParameters(known.definition).length;
  if (params.length !== count) {
    const text = `template ${known.elementName} has ${count} variables, the message ${params.length} params`;
    return { kind: 'never', reason: 'template_parameters', text };
  }
  return reconcile(await refreshed(deps, known), deps.clock.nowMs());
}

function reconcile(template: TemplateView, nowMs: number): TemplateGate {
  const { elementName, state, status, reason, templateId, nextCheckAt } = template;
  const why = reason === undefined ? {} : { text: reason };
  if (state === 'refused') return { kind: 'never', reason: 'template_refused', ...why };
  if (status === TemplateStatus.REJECTED) return { kind: 'never', reason: 'template_rejected', ...why };
  if (status === TemplateStatus.FAILED) return { kind: 'never', reason: 'template_failed', ...why };
  if (status === TemplateStatus.APPROVED && templateId !== undefined) return { kind: 'open', templateId };
  const words =
    status === TemplateStatus.APPROVED
      ? `template ${elementName} is approved, but its id is not known; push it with everpost template set-review`
      : `template ${elementName} is ${status ?? state}`;
  const untilPollMs = nextCheckAt === undefined ? LONGEST_WAIT_MS : Date.parse(nextCheckAt) - nowMs + 1_000;
  return { kind: 'wait', words, retryAfterMs: Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, untilPollMs)) };
}

/** The template as the gateway shows it now, where what is known of it is too old to act on. */
async function refreshed(deps: Dependencies, known: TemplateView): Promise<TemplateView> {
  const { ledger, clock } = deps;
  if (known.state !== 'submitted' || !isStale(known, clock.nowMs())) return known;
  try {
    const result = await lookUp(deps, known);
    if (result.kind !== 'found') return known;
    const nowMs = clock.nowMs();
    const { reading, witness } = result;
    await ledger.templates.recordReading(known, { reading, witness, nextCheckAtMs: nowMs + POLL_AGAIN_MS, nowMs });
    return (await ledger.templates.view(known)) ?? known;
  } catch (error) {
    // What was known last stands; the send itself shows what the gateway makes of it.
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    return known;
  }
}

function isStale({ status, checkedAt, nextCheckAt }: TemplateView, nowMs: number): boolean {
  if (status === TemplateStatus.REJECTED || status === TemplateStatus.FAILED) return false;
  if (status === TemplateStatus.APPROVED) {
    return checkedAt === undefined || nowMs - Date.parse(checkedAt) > APPROVAL_FRESH_MS;
  }
  return nextCheckAt === undefined || nowMs - Date.parse(nextCheckAt) > OVERDUE_MS;
}
