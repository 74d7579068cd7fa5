import type { TemplateDefinition, TemplateKey, TemplateSnapshot } from '../../contract/index.js';

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

/** The outcome of one createTemplate. `text` is the gateway's own words, free of secrets. */
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

export interface UnfinishedTemplates {
  readonly namespace: string;
  readonly after?: TemplateKey;
  readonly limit: number;
}
