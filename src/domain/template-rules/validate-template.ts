/**
 * The rules of a message template. The command, the route of the API, the library and the check before a request all
 * call {@link validateTemplate}, so that they always agree.
 *
 * An error is forbidden by the gateway's document. A warning is a value that the gateway advises against or ignores, or
 * a text that exceeds its limit only if characters beyond U+FFFF count twice, as on some servers. Other warnings are
 * the network's own rules, by which its reviewers reject a template:
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/components and
 * https://www.twilio.com/docs/api/errors/63040
 */
import {
  TEMPLATE_CATEGORIES,
  TEMPLATE_LANGUAGES,
  TEMPLATE_TYPES,
  UNSENDABLE,
  UNSENDABLE_WORDS,
  isRecord,
  parseJson,
  type TemplateFinding,
  type TemplateValidation,
} from '../../contract/index.js';
import {
  buttonsOf,
  examplesOf,
  type Draft,
  checkExample,
  checkLength,
  checkVariables,
  countEmoji,
  Findings,
  templateVariables,
  isAuthentication,
  isGiven,
} from './texts.js';

const KINDS = {
  text: { words: 'a text', holds: (value: unknown) => typeof value === 'string' },
  flag: { words: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
  number: { words: 'a number', holds: (value: unknown) => Number.isFinite(value) },
  list: { words: 'a list', holds: (value: unknown) => Array.isArray(value) },
};
type Kind = keyof typeof KINDS;
const FIELDS: Readonly<Record<string, Kind>> = {
  elementName: 'text',
  languageCode: 'text',
  category: 'text',
  templateType: 'text',
  vertical: 'text',
  content: 'text',
  header: 'text',
  exampleHeader: 'text',
  footer: 'text',
  buttons: 'list',
  example: 'text',
  enableSample: 'flag',
  allowTemplateCategoryChange: 'flag',
  addSecurityRecommendation: 'flag',
  codeExpirationMinutes: 'number',
  mediaUrl: 'text',
};
const BUTTON_FIELDS: Readonly<Record<string, Kind>> = {
  type: 'text',
  text: 'text',
  phone_number: 'text',
  url: 'text',
  example: 'list',
  otp_type: 'text',
};
const REQUIRED = ['elementName', 'languageCode', 'category', 'templateType', 'vertical'] as const;
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  languageCode: TEMPLATE_LANGUAGES,
  category: TEMPLATE_CATEGORIES,
  templateType: TEMPLATE_TYPES,
};
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'OTP'] as const;

function buttonShape(button: unknown, path: string): TemplateFinding[] {
  if (!isRecord(button)) return [{ path, message: `'${path}' must be an object` }];
  const emptyFields = Object.keys(BUTTON_FIELDS).filter((name) => name !== 'type' && button[name] === '');
  return [
    ...['type', 'text'].filter((name) => button[name] === undefined).map((name) => isRequired(`${path}.${name}`)),
    ...emptyFields.map((name) => isEmpty(`${path}.${name}`)),
    ...wrongFields(button, BUTTON_FIELDS, `${path}.`),
    ...wrongChoice(`${path}.type`, button['type'], BUTTON_TYPES),
    ...[...examplesOf(button).entries()]
      .filter(([, one]) => typeof one !== 'string' || one === '')
      .map(([index]) => ({
        path: `${path}.example[${index}]`,
        message: `'${path}.example[${index}]' must be a text`,
      })),
  ];
}

function isRequired(path: string): TemplateFinding {
  return { path, message: `'${path}' is required` };
}

function isEmpty(path: string): TemplateFinding {
  return { path, message: `'${path}' is not allowed to be empty` };
}

function wrongFields(draft: Draft, known: Readonly<Record<string, Kind>>, before: string): TemplateFinding[] {
  return Object.entries(draft).flatMap(([name, value]) => {
    const path = `${before}${name}`;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) return [{ path, message: `'${path}' is not a field of createTemplate` }];
    const { words, holds } = KINDS[kind];
    // `templateLimits` reports this: the gateway's samples print the list of buttons as a text.
    const isButtonText = path === 'buttons' && typeof value === 'string';
    if (value === undefined || holds(value) || isButtonText) return [];
    return [
      {
        path,
        message: `'${path}' must be ${words}`,
        found: value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value,
      },
    ];
  });
}

function wrongChoice(path: string, value: unknown, choices: readonly string[]): TemplateFinding[] {
  if (typeof value !== 'string' || value === '' || choices.includes(value)) return [];
  const message =
    path === 'category'
      ? `Invalid category provided, kindly use category from these options ${choices.join(',')}`
      : `'${path}' must be one of ${choices.join(', ')}`;
  return [{ path, message, limit: choices.join(', '), found: value }];
}

/** All errors and warnings of a template. Never throws. */
export function validateTemplate(given: unknown): TemplateValidation {
  const template = withButtonList(given);
  if (!isRecord(template)) {
    return { errors: [{ path: '', message: 'the template must be an object' }], warnings: [] };
  }
  const { errors, warnings } = templateLimits(template);
  // Missing and unknown fields, wrong types, and values that are not in an enumeration.
  const shape = [
    ...REQUIRED.filter((name) => template[name] === undefined).map(isRequired),
    ...REQUIRED.filter((name) => template[name] === '').map(isEmpty),
    ...wrongFields(template, FIELDS, ''),
    ...Object.entries(CHOICES).flatMap(([name, choices]) => wrongChoice(name, template[name], choices)),
    ...buttonsOf(template).flatMap((button, index) => buttonShape(button, `buttons[${index}]`)),
  ];
  return { errors: [...shape, ...errors], warnings };
}

/**
 * The template with its buttons as a list. The gateway's samples print them as a text that contains the list as JSON.
 * Any other text stays, and is reported as an error of the template.
 */
export function withButtonList(template: unknown): unknown {
  if (!isRecord(template) || typeof template['buttons'] !== 'string') return template;
  try {
    const buttons = parseJson(template['buttons']);
    return Array.isArray(buttons) ? { ...template, buttons: buttons as unknown[] } : template;
  } catch {
    return template;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';
/** The longest texts, in characters. */
const MAX_LENGTH: Readonly<Record<string, number>> = { vertical: 180, content: 550, header: 60, footer: 60 };
const MAX_EMOJI = 10;
const MAX_UNFOLDED_LINES = 5;
const MAX_BUTTONS = 10;
const EXPIRY_MINUTES = { min: 1, max: 90 };
const MAX_BUTTON_TEXT: Readonly<Record<string, number>> = { QUICK_REPLY: 25, URL: 25, PHONE_NUMBER: 20 };
/** The button type of each field. */
const BUTTON_OF: Readonly<Record<string, string>> = {
  phone_number: 'PHONE_NUMBER',
  url: 'URL',
  example: 'URL',
  otp_type: 'OTP',
};

/** Checks the rules that a list of fields and types cannot express. The draft may have any other problem. */
export function templateLimits(draft: Draft): TemplateValidation {
  const found = new Findings();
  for (const [path, text] of textsIn(draft)) {
    if (text.startsWith(BYTE_ORDER_MARK)) {
      found.error(path, `the text of '${path}' begins with a byte order mark; send UTF-8 without BOM`);
    }
    if (UNSENDABLE.test(text)) found.error(path, `'${path}' ${UNSENDABLE_WORDS}`);
  }
  const { elementName } = draft;
  if (typeof elementName === 'string' && !/^[a-z0-9_]*$/.test(elementName)) {
    const limit = 'lowercase letters, digits and underscores';
    found.error('elementName', `'elementName' may have ${limit} only`, { limit, found: elementName });
  }
  for (const [name, most] of Object.entries(MAX_LENGTH)) checkLength(name, draft[name], most, found);
  checkContent(draft, found);
  checkHeader(draft, found);
  checkAuthentication(draft, found);
  checkMedia(draft, found);
  checkButtonList(draft, found);
  for (const [index, button] of buttonsOf(draft).entries()) {
    if (isRecord(button)) checkButton(button, `buttons[${index}]`, draft, found);
  }
  if (draft['enableSample'] === false) {
    found.warn('enableSample', `'enableSample' is required to create templates of any type`);
  }
  if (draft['allowTemplateCategoryChange'] !== undefined) {
    const path = 'allowTemplateCategoryChange';
    found.warn(path, `'${path}' is deprecated and ignored by the gateway: it is left out`);
  }
  return { errors: found.errors, warnings: found.warnings };
}

function checkContent(draft: Draft, found: Findings): void {
  const { content, example } = draft;
  for (const name of ['content', 'example'] as const) {
    if (isAuthentication(draft) || isGiven(draft[name])) continue;
    found.error(name, `'${name}' is required, except for AUTHENTICATION`);
  }
  if (typeof content !== 'string') return;
  const emoji = countEmoji(content);
  if (emoji > MAX_EMOJI) {
    found.error('content', `'content' must have at most ${MAX_EMOJI} emoji`, { limit: MAX_EMOJI, found: emoji });
  }
  const lines = content.replace(/\n$/, '').split('\n').length;
  if (lines > MAX_UNFOLDED_LINES) {
    const message = `'content' has ${lines} lines; beyond ${MAX_UNFOLDED_LINES} the rest is folded under 'Read more'`;
    found.warn('content', message, { limit: MAX_UNFOLDED_LINES, found: lines });
  }
  checkVariables('content', content, found);
  checkPlaces(content, found);
  if (typeof example === 'string') checkExample('example', example, 'content', content, found);
}

/** The network's review rejects a variable without text before and behind it. */
function checkPlaces(content: string, found: Findings): void {
  const text = content.trim();
  const [first, last] = [/^\{\{[^{}]*\}\}/.exec(text), /\{\{[^{}]*\}\}$/.exec(text)];
  if (first !== null) {
    found.warn('content', "'content' begins with a variable, which the review rejects", { found: first[0] });
  }
  if (last !== null) {
    found.warn('content', "'content' ends with a variable, which the review rejects", { found: last[0] });
  }
  const adjacent = /\{\{[^{}]*\}\}\s*\{\{[^{}]*\}\}/.exec(text);
  if (adjacent !== null) {
    const message = "'content' has two variables without a text between them, which the review rejects";
    found.warn('content', message, { found: adjacent[0] });
  }
}

function checkHeader({ header, exampleHeader, templateType }: Draft, found: Findings): void {
  if (typeof header === 'string') {
    const emoji = countEmoji(header);
    if (emoji > 0) found.warn('header', "'header' has emoji, which the review rejects", { limit: 0, found: emoji });
    if (/[\r\n]/.test(header)) found.warn('header', "'header' has a line break, which the review rejects");
  }
  if (isGiven(header)) {
    if (templateType !== undefined && templateType !== 'TEXT') {
      found.error('header', `'header' is for templateType TEXT`, { limit: 'TEXT', found: templateType });
    }
    if (!isGiven(exampleHeader)) {
      found.error('exampleHeader', `'exampleHeader' is required when 'header' is used`);
    }
  } else if (isGiven(exampleHeader)) {
    found.warn('exampleHeader', `'exampleHeader' has no effect without a 'header'`);
  }
  if (typeof exampleHeader !== 'string') return;
  const upper = exampleHeader.match(/[\p{Lu}\p{Lt}]/gu)?.length ?? 0;
  if (upper > 0) {
    found.error('exampleHeader', `'exampleHeader' must be in lowercase letters`, { limit: 0, found: upper });
  }
}

function checkAuthentication(draft: Draft, found: Findings): void {
  if (!isAuthentication(draft)) {
    for (const path of ['addSecurityRecommendation', 'codeExpirationMinutes']) {
      if (draft[path] === undefined || draft[path] === false) continue;
      found.warn(path, `'${path}' is for AUTHENTICATION templates`);
    }
  } else if (!buttonsOf(draft).some((button) => isRecord(button) && button['type'] === 'OTP')) {
    const message = `'buttons' of an AUTHENTICATION template need at least one OTP button`;
    found.error('buttons', message, { limit: 1, found: 0 });
  }
  const { codeExpirationMinutes: minutes } = draft;
  const { min, max } = EXPIRY_MINUTES;
  const path = 'codeExpirationMinutes';
  if (typeof minutes !== 'number') return;
  if (minutes < min) {
    found.error(path, `'${path}' must be larger than or equal to ${min}`, { limit: min, found: minutes });
  }
  if (minutes > max) {
    found.error(path, `'${path}' must be less than or equal to ${max}`, { limit: max, found: minutes });
  }
}

function checkMedia({ templateType, mediaUrl }: Draft, found: Findings): void {
  const path = 'mediaUrl';
  if (typeof mediaUrl === 'string' && !/^https?:\/\/.+/s.test(mediaUrl)) {
    found.error(path, `url has incorrect format, it should start with http(s)://`);
  }
  if (typeof templateType !== 'string') return;
  if (['IMAGE', 'VIDEO', 'DOCUMENT'].includes(templateType) && !isGiven(mediaUrl)) {
    found.warn(path, `'mediaUrl' goes with templateType ${templateType}, and reviewers look at it`);
  }
  if (templateType === 'TEXT' && isGiven(mediaUrl)) {
    found.warn(path, `'mediaUrl' has no effect for templateType TEXT`);
  }
}

function checkButtonList(draft: Draft, found: Findings): void {
  if (typeof draft['buttons'] === 'string') {
    found.error('buttons', "'buttons' must be a list, or a text that contains the list as JSON", { found: 'string' });
  }
  const buttons = buttonsOf(draft);
  if (buttons.length > MAX_BUTTONS) {
    const message = `'buttons' has more than ${MAX_BUTTONS} buttons, which the network refuses`;
    found.warn('buttons', message, { limit: MAX_BUTTONS, found: buttons.length });
  }
  const texts = buttons.map((button) => (isRecord(button) && typeof button['text'] === 'string' ? button['text'] : ''));
  for (const [index, text] of texts.entries()) {
    const first = texts.findIndex((other) => other.trim() === text.trim());
    if (text.trim() === '' || first === index) continue;
    const path = `buttons[${index}].text`;
    found.warn(path, `'${path}' is the same as 'buttons[${first}].text', which the network refuses`, { found: text });
  }
}

function checkButton(button: Draft, at: string, draft: Draft, found: Findings): void {
  const { type, text, url } = button;
  if (typeof type !== 'string') return;
  const most = MAX_BUTTON_TEXT[type];
  if (most !== undefined) checkLength(`${at}.text`, text, most, found);
  for (const [name, owner] of Object.entries(BUTTON_OF)) {
    const path = `${at}.${name}`;
    if (isGiven(button[name]) && type !== owner) {
      found.warn(path, `'${path}' is for ${owner} buttons`, { found: type });
    }
    if (!isGiven(button[name]) && type === owner && name !== 'example') {
      found.warn(path, `'${path}' goes with a ${owner} button`);
    }
  }
  if (typeof url === 'string' && templateVariables(url).length > 0 && examplesOf(button).length === 0) {
    found.warn(`${at}.example`, `'${at}.example' goes with a link that has variables`);
  }
  if (type === 'OTP' && draft['category'] !== undefined && !isAuthentication(draft)) {
    found.warn(`${at}.type`, `'${at}.type' OTP is for AUTHENTICATION templates`);
  }
}

/** All texts of the template with their paths. */
function textsIn(draft: Draft): [path: string, text: string][] {
  const own = (fields: Draft, before: string) =>
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[`${before}${name}`, value]] : [],
    );
  return [
    ...own(draft, ''),
    ...buttonsOf(draft).flatMap((button, index) => (isRecord(button) ? own(button, `buttons[${index}].`) : [])),
  ];
}
