/** What a template is, and where one stands. */

export const TEMPLATE_CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
export const TEMPLATE_TYPES = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const;
/** The language codes in which a template can be reviewed. */
// prettier-ignore
export const TEMPLATE_LANGUAGES = [
  'af', 'sq', 'ar', 'az', 'bn', 'bg', 'ca', 'zh_CN', 'zh_HK', 'zh_TW', 'hr', 'cs', 'da', 'nl', 'en', 'en_GB', 'en_US', 'et',
  'fil', 'fi', 'fr', 'ka', 'de', 'el', 'gu', 'ha', 'he', 'hi', 'hu', 'id', 'ga', 'it', 'ja', 'kn', 'kk', 'rw_RW', 'ko',
  'ky_KG', 'lo', 'lv', 'lt', 'mk', 'ms', 'ml', 'mr', 'nb', 'fa', 'pl', 'pt_BR', 'pt_PT', 'pa', 'ro', 'ru', 'sr', 'sk', 'sl',
  'es', 'es_AR', 'es_ES', 'es_MX', 'sw', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi', 'zu',
] as const;

/** The body that the gateway gives an AUTHENTICATION template without one. */
export const AUTHENTICATION_CONTENT = '*{{1}}* is your verification code.';

export interface TemplateButton {
  readonly type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'OTP';
  readonly text: string;
  readonly phone_number?: string;
  readonly url?: string;
  readonly example?: readonly string[];
  readonly otp_type?: string;
}

/**
 * A template as its author writes it, under the gateway's own names. Checked by `validateTemplate`. No interface: an API
 * response describes it as a record, which an interface is not.
 */
export type TemplateDefinition = {
  readonly elementName: string;
  readonly languageCode: (typeof TEMPLATE_LANGUAGES)[number];
  readonly category: (typeof TEMPLATE_CATEGORIES)[number];
  readonly templateType: (typeof TEMPLATE_TYPES)[number];
  readonly vertical: string;
  readonly content?: string;
  readonly header?: string;
  readonly exampleHeader?: string;
  readonly footer?: string;
  readonly buttons?: readonly TemplateButton[];
  readonly example?: string;
  readonly enableSample?: boolean;
  readonly addSecurityRecommendation?: boolean;
  readonly codeExpirationMinutes?: number;
  readonly mediaUrl?: string;
};

/** One thing about one field: `path` as a reader would write it, e.g. `buttons[0].text`. */
export interface TemplateFinding {
  readonly path: string;
  readonly message: string;
  /** What the rule allows, where it can be said in one value. */
  readonly limit?: number | string;
  /** What the template has instead. */
  readonly found?: unknown;
}

export interface TemplateValidation {
  readonly errors: readonly TemplateFinding[];
  readonly warnings: readonly TemplateFinding[];
}

/** Which template: its name is unique in the account. */
export interface TemplateKey {
  readonly instance: string;
  readonly elementName: string;
}

/**
 * How far the submission is. The review's word comes beside it: see `status`.
 *
 * - `pending`   nothing has left.
 * - `sending`   a request is out.
 * - `unknown`   a request left and its response was lost; the gateway is asked for the name.
 * - `submitted` the gateway has it.
 * - `refused`   the gateway did not take it, so there is nothing to review; it may be corrected under the same name.
 */
export const TemplateState = {
  pending: 'pending',
  sending: 'sending',
  unknown: 'unknown',
  submitted: 'submitted',
  refused: 'refused',
} as const;
export type TemplateState = (typeof TemplateState)[keyof typeof TemplateState];
export const TEMPLATE_STATES = Object.values(TemplateState);

/** The review's words that are known; a newer one is kept as it came. */
export const TemplateStatus = {
  PENDING: 'PENDING',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
  FAILED: 'FAILED',
  PAUSED: 'PAUSED',
} as const;
export type TemplateStatus = (typeof TemplateStatus)[keyof typeof TemplateStatus];

/** What a workflow may know of a template's row. Of two snapshots the one with the higher version is the truth. */
export interface TemplateSnapshot extends TemplateKey {
  readonly version: number;
  readonly state: TemplateState;
  /** The review's word: one of {@link TemplateStatus}, or a newer one. Absent until one is known. */
  readonly status?: string;
  readonly statusSince?: string;
  /** Why it was refused, rejected, or failed. */
  readonly reason?: string;
  readonly templateId?: string;
  /** Since when polling has stopped, although nothing was decided. */
  readonly unwatchedSince?: string;
  readonly createdAt: string;
}

/** True when the review has said its last word, as far as can be told: only operators can change it now. */
export function isReviewEnded(status: string | undefined): boolean {
  return status === TemplateStatus.REJECTED || status === TemplateStatus.FAILED;
}

/** True when a wait for the review's word is over, one way or the other. */
export function isDecided({ state, status }: Pick<TemplateSnapshot, 'state' | 'status'>): boolean {
  return state === TemplateState.refused || status === TemplateStatus.APPROVED || isReviewEnded(status);
}

/** Input of the workflow `template`: what `POST /v1/templates` takes, or the name of one that was submitted before. */
export type TemplateStart =
  { readonly instance: string; readonly template: Readonly<Record<string, unknown>> } | TemplateKey;

/** What the first activity of a run found out about its template. */
export interface OpenedTemplate {
  readonly snapshot: TemplateSnapshot;
  readonly category: TemplateDefinition['category'];
  readonly languageCode: TemplateDefinition['languageCode'];
}

/** A template as its row is made. */
export interface TemplateInput extends TemplateKey {
  readonly definition: TemplateDefinition;
  /** By which a changed file under a used name is recognised. */
  readonly definitionHash: string;
  /** ISO UTC. */
  readonly requestedAt: string;
}

/** An operator's decision on the review, pushed where it cannot be read or not soon enough. */
export interface TemplateReview {
  readonly status: string;
  readonly reason?: string;
  /** The gateway's id, where everpost could not learn it. */
  readonly templateId?: string;
}

/** Response of the query `status`. Empty until the row is written. */
export interface TemplateStatusResponse {
  readonly snapshot?: TemplateSnapshot;
}
