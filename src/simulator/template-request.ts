import { isObject, type JsonObject } from './json.js';
import type { RequestFields } from './request-fields.js';
import type { RuleBook } from './rules.js';
import { WireError } from './wire-error.js';

/** The language codes of the gateway's document. */
const LANGUAGES = (
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr ka de el gu ha he hi hu id ga it ja kn ' +
  'kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr ' +
  'uk ur uz vi zu'
).split(' ');
const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];
const TYPES = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const;
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'OTP'];

const CODE_CONTENT = '*{{1}}* is your verification code.';
const CODE_EXAMPLE = '*1234* is your verification code.';

export interface TemplateButton {
  readonly type: string;
  readonly text: string;
}

export interface TemplateRequest {
  readonly elementName: string;
  readonly languageCode: string;
  readonly category: string;
  readonly templateType: string;
  readonly vertical: string;
  readonly content: string;
  readonly example: string;
  readonly header?: string;
  readonly footer?: string;
  readonly buttons: readonly TemplateButton[];
  readonly addSecurityRecommendation: boolean;
  readonly codeExpirationMinutes?: number;
  readonly allowTemplateCategoryChange: boolean;
  /** The request as it came, for containerMeta. */
  readonly given: JsonObject;
}

/** Reads a createTemplate request by every rule of the document's table. */
export function readTemplateRequest(
  fields: RequestFields,
  given: Record<string, unknown>,
  rules: RuleBook,
): TemplateRequest {
  const limit = (rule: Parameters<RuleBook['on']>[0], max: number): number => (rules.on(rule) ? max : Infinity);
  const elementName = fields.text('elementName');
  if (!/^[a-z0-9_]*$/.test(elementName) && rules.on('create-template.elementName-characters')) {
    throw fields.error("'elementName' must contain only lowercase letters, digits and underscores");
  }
  fields.text('languageCode');
  const languageCode = fields.oneOf('languageCode', LANGUAGES, rules.on('create-template.languageCode-listed')) ?? '';
  const category = fields.text('category');
  if (category !== '' && !CATEGORIES.includes(category) && rules.on('create-template.category-listed')) {
    throw new WireError(
      400,
      'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY',
    );
  }
  fields.text('templateType');
  const templateType = fields.oneOf('templateType', TYPES, rules.on('create-template.templateType-listed')) ?? '';
  const vertical = fields.text('vertical', limit('limits.vertical-180', 180));
  const isCode = category === 'AUTHENTICATION';
  const content = readContent(fields, isCode, rules);
  const example = isCode ? exampleOfCode(fields, rules) : fields.text('example');
  const header = readHeader(fields, templateType, rules);
  const footer = fields.optionalText('footer', limit('limits.footer-60', 60));
  const buttons = readButtons(fields, given['buttons'], rules);
  if (
    isCode &&
    !buttons.some(({ type }) => type === 'OTP') &&
    rules.on('create-template.authentication-needs-otp-button')
  ) {
    throw fields.error("'buttons' must contain at least one OTP button for category AUTHENTICATION");
  }
  const expiry = rules.on('limits.code-expiration-1-to-90') ? { min: 1, max: 90 } : {};
  const codeExpirationMinutes = fields.number('codeExpirationMinutes', expiry);
  fields.optionalText('mediaUrl');
  return {
    elementName,
    languageCode,
    category,
    templateType,
    vertical,
    content,
    example,
    ...(header === undefined ? {} : { header }),
    ...(footer === undefined ? {} : { footer }),
    buttons,
    addSecurityRecommendation: fields.flag('addSecurityRecommendation', false),
    ...(codeExpirationMinutes === undefined ? {} : { codeExpirationMinutes }),
    allowTemplateCategoryChange: given['allowTemplateCategoryChange'] === true,
    given: given as JsonObject,
  };
}

function readContent(fields: RequestFields, isCode: boolean, rules: RuleBook): string {
  const max = rules.on('limits.content-550') ? 550 : Infinity;
  const optional = isCode && !fields.has('content');
  const otherwise = rules.on('create-template.authentication-content-default') ? CODE_CONTENT : '';
  const content = optional ? otherwise : fields.text('content', max);
  if (emojiIn(content) > 10 && rules.on('limits.content-10-emoji'))
    throw fields.error("'content' must contain up to 10 emoji");
  return content;
}

/** A reader sees a flag, a family or a waving brown hand as one emoji, though each is made of several. */
function emojiIn(content: string): number {
  const seen = Array.from(new Intl.Segmenter().segment(content.slice(0, 4_000)), ({ segment }) => segment);
  return seen.filter((one) => /\p{Emoji_Presentation}|\uFE0F|\u20E3/u.test(one)).length;
}

function exampleOfCode(fields: RequestFields, rules: RuleBook): string {
  const otherwise = rules.on('create-template.authentication-example-default') ? CODE_EXAMPLE : '';
  return fields.optionalText('example') ?? otherwise;
}

function readHeader(fields: RequestFields, templateType: string, rules: RuleBook): string | undefined {
  const header = fields.optionalText('header', rules.on('limits.header-60') ? 60 : Infinity);
  const example = fields.optionalText('exampleHeader');
  if (header !== undefined && templateType !== 'TEXT' && rules.on('create-template.header-for-text-only')) {
    throw fields.error("'header' is allowed for templateType TEXT only");
  }
  if (header !== undefined && !example && rules.on('create-template.exampleHeader-with-header')) {
    throw fields.error("'exampleHeader' is required when 'header' is used");
  }
  if (example !== undefined && /\p{Lu}/u.test(example) && rules.on('create-template.exampleHeader-lowercase')) {
    throw fields.error("'exampleHeader' must contain lowercase letters only");
  }
  return header;
}

/** Buttons come as a list or, as the samples have it, as a string that holds one. */
function readButtons(fields: RequestFields, given: unknown, rules: RuleBook): readonly TemplateButton[] {
  if (given === undefined || given === null) return [];
  let list = given;
  if (typeof given === 'string' && rules.on('create-template.buttons-string-or-list')) {
    try {
      list = JSON.parse(given);
    } catch (cause) {
      // A string that holds no JSON is the caller's mistake, like any other wrong list.
      throw Object.assign(fields.error("'buttons' must be a JSON array of objects"), { cause });
    }
  }
  if (!Array.isArray(list) || !list.every(isObject)) throw fields.error("'buttons' must be a JSON array of objects");
  return list.map((button) => readButton(fields, button, rules));
}

function readButton(fields: RequestFields, { type, text }: Record<string, unknown>, rules: RuleBook): TemplateButton {
  if (!(typeof type === 'string' && BUTTON_TYPES.includes(type)) && rules.on('button.type')) {
    throw fields.error(`button 'type' must be one of [${BUTTON_TYPES.join(', ')}]`);
  }
  if (typeof text !== 'string' || text === '') {
    if (rules.on('create-template.required-fields')) throw fields.error("button 'text' is required");
    return { type: String(type), text: '' };
  }
  const phone = type === 'PHONE_NUMBER';
  const max = phone ? 20 : 25;
  const limited = type === 'OTP' ? false : rules.on(phone ? 'limits.button-text-20' : 'limits.button-text-25');
  if (limited && text.length > max) {
    throw fields.error(`button 'text' length must be less than or equal to ${max} characters long`);
  }
  return { type: String(type), text };
}
