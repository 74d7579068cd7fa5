import { isObject, type JsonObject, WireError } from '../wire/wire.js';
import { RequestFields } from '../wire/request-fields.js';

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
  /** The unchanged request, for containerMeta. */
  readonly given: JsonObject;
}

/** Reads a createTemplate request by every rule of the document's table. */
export function readTemplateRequest(given: Record<string, unknown>): TemplateRequest {
  const fields = new RequestFields(given, 'Validation failed. Details: ');
  const elementName = fields.text('elementName');
  if (!/^[a-z0-9_]*$/.test(elementName)) {
    throw fields.error("'elementName' must contain only lowercase letters, digits and underscores");
  }
  const languageCode = fields.requiredOneOf('languageCode', LANGUAGES);
  const category = fields.text('category');
  if (!CATEGORIES.includes(category)) {
    throw new WireError(
      400,
      'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY',
    );
  }
  const templateType = fields.requiredOneOf('templateType', TYPES);
  const vertical = fields.text('vertical', 180);
  const isCode = category === 'AUTHENTICATION';
  const content = readContent(fields, isCode);
  const example = isCode ? (fields.optionalText('example') ?? CODE_EXAMPLE) : fields.text('example');
  const header = readHeader(fields, templateType);
  const footer = fields.optionalText('footer', 60);
  const buttons = readButtons(fields, given['buttons']);
  if (isCode && !buttons.some(({ type }) => type === 'OTP')) {
    throw fields.error("'buttons' must contain at least one OTP button for category AUTHENTICATION");
  }
  const codeExpirationMinutes = fields.number('codeExpirationMinutes', { min: 1, max: 90 });
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
    given: given as JsonObject,
  };
}

function readContent(fields: RequestFields, isCode: boolean): string {
  const content = isCode && !fields.has('content') ? CODE_CONTENT : fields.text('content', 550);
  // A flag or a family counts as one emoji, though it has several code points.
  const seen = Array.from(new Intl.Segmenter().segment(content.slice(0, 4_000)), ({ segment }) => segment);
  const emoji = seen.filter((one) => /\p{Emoji_Presentation}|\uFE0F|\u20E3/u.test(one)).length;
  if (emoji > 10) throw fields.error("'content' must contain up to 10 emoji");
  return content;
}

function readHeader(fields: RequestFields, templateType: string): string | undefined {
  const header = fields.optionalText('header', 60);
  const example = fields.optionalText('exampleHeader');
  if (header !== undefined && templateType !== 'TEXT') {
    throw fields.error("'header' is allowed for templateType TEXT only");
  }
  if (header !== undefined && !example) {
    throw fields.error("'exampleHeader' is required when 'header' is used");
  }
  if (example !== undefined && /\p{Lu}/u.test(example)) {
    throw fields.error("'exampleHeader' must contain lowercase letters only");
  }
  return header;
}

/** Buttons are a list or, as in the samples, a string that holds a JSON list. */
function readButtons(fields: RequestFields, given: unknown): readonly TemplateButton[] {
  if (given === undefined || given === null) return [];
  let list = given;
  if (typeof given === 'string') {
    try {
      list = JSON.parse(given);
    } catch (cause) {
      // A string that is not JSON gets the error of an invalid list.
      throw Object.assign(fields.error("'buttons' must be a JSON array of objects"), { cause });
    }
  }
  if (!Array.isArray(list) || !list.every(isObject)) throw fields.error("'buttons' must be a JSON array of objects");
  return list.map(({ type, text }) => {
    if (typeof type !== 'string' || !BUTTON_TYPES.includes(type)) {
      throw fields.error(`button 'type' must be one of [${BUTTON_TYPES.join(', ')}]`);
    }
    if (typeof text !== 'string' || text === '') throw fields.error("button 'text' is required");
    const max = type === 'PHONE_NUMBER' ? 20 : 25;
    if (type !== 'OTP' && text.length > max) {
      throw fields.error(`button 'text' length must be less than or equal to ${max} characters long`);
    }
    return { type, text };
  });
}
