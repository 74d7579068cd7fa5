import type {
  TemplateReview,
  TemplateDefinition,
  TemplateInput,
  TemplateKey,
  TemplateSnapshot,
} from '../../contract/index.js';

/** What the gateway shows of a template. */
export interface TemplateReading {
  readonly templateId?: string;
  /** The gateway's word as it came; absent where it said none. */
  readonly status?: string;
  readonly reason?: string;
}

export interface ClaimTemplate {
  readonly key: TemplateKey;
  /** Made again for each try; names the attempt. */
  readonly token: string;
  /** From when on nothing of this attempt can still arrive. */
  readonly reconcileAfterMs: number;
}

export type ClaimTemplateResult =
  | {
      readonly kind: 'claimed';
      readonly definition: TemplateDefinition;
      /** An earlier request may have made it, so that the name's being taken may be our own doing. */
      readonly mayExist: boolean;
    }
  /** It is submitted or refused: nothing is to be posted. */
  | { readonly kind: 'settled'; readonly snapshot: TemplateSnapshot }
  /** A request is out, or its response was lost: to be found out, and surely known from `reconcileAfterMs` on. */
  | {
      readonly kind: 'open';
      readonly state: 'sending' | 'unknown';
      readonly token: string;
      readonly reconcileAfterMs: number;
    };

/** What became of one createTemplate. `text` is the gateway's own words, free of secrets. */
export type TemplateOutcome =
  | { readonly kind: 'accepted'; readonly reading: TemplateReading; readonly witness: string; readonly detail?: object }
  | { readonly kind: 'refused'; readonly code: string; readonly text?: string; readonly detail?: object }
  | { readonly kind: 'not_accepted'; readonly code: string; readonly text?: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly text?: string };

export interface TemplateChange {
  /** ISO UTC. */
  readonly at: string;
  /** Who says so: `request`, `response`, `getTemplates`, `getTemplateById`, `operator`, `workflow`. */
  readonly witness: string;
  /** A stable word, e.g. `submitted`, `lost_response`, `status`. */
  readonly what: string;
  readonly status?: string;
  readonly reason?: string;
  readonly detail?: unknown;
}

/** Everything the ledger knows of one template, for operators and the API. Times are ISO UTC. */
export interface TemplateView extends TemplateSnapshot {
  readonly definition: TemplateDefinition;
  readonly submittedAt?: string;
  /** When the gateway was asked last, and when it will be next. */
  readonly checkedAt?: string;
  readonly nextCheckAt?: string;
  /** Why the last poll said nothing: a code of `docs/errors.md`, and the gateway's words. */
  readonly checkCode?: string;
  readonly checkText?: string;
  readonly changes: readonly TemplateChange[];
}

/** A template without its history. */
export type TemplateListItem = Omit<TemplateView, 'changes'>;

export interface TemplateFilter {
  readonly instance?: string;
  readonly cursor?: string;
  /** @default 50, at most 500 */
  readonly limit?: number;
}

export interface UnfinishedTemplates {
  readonly namespace: string;
  readonly after?: TemplateKey;
  readonly limit: number;
}

/**
 * Templates. The name is unique in the account, so instance and name are the key. Every method may be called again with
 * the same arguments; times that come in are milliseconds since the epoch by the caller's clock.
 */
export interface TemplateLedger {
  /**
   * Writes what is to be submitted. The same definition is the same template; one that was refused may be corrected
   * under its name; one whose polling has stopped is looked at again.
   * @throws AppError TEMPLATE_DIFFERS with each difference, when the name stands for another definition
   */
  submit(input: TemplateInput, nowMs: number): Promise<TemplateSnapshot>;
  /** Writes the row unless it exists, and says who drives it. @throws AppError TEMPLATE_DIFFERS */
  open(input: TemplateInput, namespace: string, nowMs: number): Promise<TemplateSnapshot>;
  snapshot(key: TemplateKey): Promise<TemplateSnapshot | undefined>;
  view(key: TemplateKey): Promise<TemplateView | undefined>;
  /** By instance and name. @throws AppError INPUT_INVALID (the cursor) */
  list(filter: TemplateFilter): Promise<{ readonly items: TemplateListItem[]; readonly cursor?: string }>;
  /** By its name or, where `templateId` is given, by the gateway's id. */
  find(
    instance: string,
    named: { readonly elementName?: string; readonly templateId?: string },
  ): Promise<TemplateView | undefined>;
  /** What a run is started with. */
  inputOf(key: TemplateKey): Promise<TemplateInput | undefined>;
  /** Takes the right to post once: compare-and-set from `pending` to `sending`, durable when this returns. */
  claim(input: ClaimTemplate): Promise<ClaimTemplateResult>;
  /**
   * Writes what became of an attempt, however late. Only an acceptance counts when the attempt is not the current one.
   */
  recordOutcome(key: TemplateKey, token: string, outcome: TemplateOutcome, nowMs: number): Promise<TemplateSnapshot>;
  /**
   * An attempt whose time has passed and whose name the gateway does not list, or cannot be asked for: pending again.
   */
  makePending(key: TemplateKey, token: string, why: string, nowMs: number): Promise<TemplateSnapshot>;
  /**
   * What a poll of the gateway showed. New only where it differs from what the last poll showed, so that a response
   * which was on its way while an operator decided does not take the decision back. A status that goes back is new like
   * any other.
   */
  recordReading(
    key: TemplateKey,
    poll: {
      readonly reading: TemplateReading;
      readonly witness: string;
      readonly nextCheckAtMs?: number | undefined;
      readonly nowMs: number;
    },
  ): Promise<TemplateSnapshot>;
  /** A poll told nothing. */
  recordFailedReading(
    key: TemplateKey,
    poll: {
      readonly code: string;
      readonly text?: string | undefined;
      readonly nextCheckAtMs: number;
      readonly nowMs: number;
    },
  ): Promise<void>;
  /** An operator's decision. @throws AppError TEMPLATE_NOT_FOUND | TEMPLATE_NOT_SUBMITTED */
  setReview(key: TemplateKey, review: TemplateReview, nowMs: number): Promise<TemplateSnapshot>;
  /** Polling has stopped, although nothing was decided. */
  endWatch(key: TemplateKey, nowMs: number): Promise<TemplateSnapshot>;
  /** Whether a message or a campaign that is not done yet names it. */
  hasDependents(key: TemplateKey): Promise<boolean>;
  /** Those that something is still to be done about, in the order of their keys. */
  unfinished(page: UnfinishedTemplates): Promise<TemplateInput[]>;
}
