/** Templates, their submission and their review. */

export const TEMPLATE_CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
export const TEMPLATE_TYPES = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const;
/** The language codes that a template can be reviewed in. */
// prettier-ignore
export const TEMPLATE_LANGUAGES = [
  'af', 'sq', 'ar', 'az', 'bn', 'bg', 'ca', 'zh_CN', 'zh_HK', 'zh_TW', 'hr', 'cs', 'da', 'nl', 'en', 'en_GB', 'en_US', 'et',
  'fil', 'fi', 'fr', 'ka', 'de', 'el', 'gu', 'ha', 'he', 'hi', 'hu', 'id', 'ga', 'it', 'ja', 'kn', 'kk', 'rw_RW', 'ko',
  'ky_KG', 'lo', 'lv', 'lt', 'mk', 'ms', 'ml', 'mr', 'nb', 'fa', 'pl', 'pt_BR', 'pt_PT', 'pa', 'ro', 'ru', 'sr', 'sk', 'sl',
  'es', 'es_AR', 'es_ES', 'es_MX', 'sw', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi', 'zu',
] as const;

/** The body that the gateway gives an AUTHENTICATION template that has none. */
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
 * A template as its author writes it, under the gateway's own names. Checked by `validateTemplate`. It is a type, not
 * an interface, since API responses need it to be assignable to a record.
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

/**
 * The state of the submission. The review has its own state: see `status`.
 *
 * - `pending`   nothing has left.
 * - `sending` a POST is under way.
 * - `unknown` a request left and its response was lost; everpost looks the name up at the gateway.
 * - `submitted` the gateway has the template.
 * - `refused` the gateway rejected it, so there is no review; it may be corrected under the same name.
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

/** The review states that everpost knows; other states are kept as the gateway names them. */
export const TemplateStatus = {
  PENDING: 'PENDING',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
  FAILED: 'FAILED',
  PAUSED: 'PAUSED',
} as const;
export type TemplateStatus = (typeof TemplateStatus)[keyof typeof TemplateStatus];

/** True when the review has ended: only an operator can change its result. */
export function isReviewEnded(status: string | undefined): boolean {
  return status === TemplateStatus.REJECTED || status === TemplateStatus.FAILED;
}

/** True when a wait for the review's result is over, for any result. */
export function isDecided({ state, status }: { readonly state: TemplateState; readonly status?: string }): boolean {
  return state === TemplateState.refused || status === TemplateStatus.APPROVED || isReviewEnded(status);
}
