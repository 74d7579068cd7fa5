/**
 * The rules of a message template, in one place: the command, the API's route, the library and the check before the
 * wire all ask {@link validateTemplate}, so that they cannot disagree.
 *
 * An error is what the gateway's document rules out. A warning is what it merely advises against, what it ignores, and
 * a text that is over its limit only when characters outside the basic plane are counted twice, as some servers count.
 */
import {
  AUTHENTICATION_CONTENT,
  TEMPLATE_CATEGORIES,
  TEMPLATE_LANGUAGES,
  TEMPLATE_TYPES,
  type TemplateFinding,
  type TemplateValidation,
} from '../contract/index.js';

type Draft = Readonly<Record<string, unknown>>;
type Kind = 'text' | 'flag' | 'number' | 'list';

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
/** Characters. */
const MAX_LENGTH: Readonly<Record<string, number>> = { vertical: 180, content: 550, header: 60, footer: 60 };
const MAX_EMOJI = 10;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F|\u20E3/u;
const MAX_UNFOLDED_LINES = 5;
const EXPIRY_MINUTES = { min: 1, max: 90 };

const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'OTP'] as const;
const MAX_BUTTON_TEXT: Readonly<Record<string, number>> = { QUICK_REPLY: 25, URL: 25, PHONE_NUMBER: 20 };
/** Which button a field is for. */
const BUTTON_OF: Readonly<Record<string, string>> = {
  phone_number: 'PHONE_NUMBER',
  url: 'URL',
  example: 'URL',
  otp_type: 'OTP',
};

const BYTE_ORDER_MARK = '\uFEFF';
/** NUL cannot be kept, and half a surrogate pair has no UTF-8. */
const UNSENDABLE = /\0|\p{Surrogate}/u;
const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** Everything that is wrong with a template, and everything that is unwise about it, at once. Never throws. */
export function validateTemplate(template: unknown): TemplateValidation {
  if (!isRecord(template)) {
    return { errors: [{ path: '', message: 'the template must be an object' }], warnings: [] };
  }
  const { errors, warnings } = templateLimits(template);
  return { errors: [...shapeProblems(template), ...errors], warnings };
}

/** The variables of a text as they are written between their braces, each once, in the order of their first use. */
export function templateVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim()))];
}

/**
 * The variables for which a message has to give values, in their order: the body's, the default body's for
 * AUTHENTICATION.
 */
export function templateParameters({
  category,
  content,
}: {
  readonly category: string;
  readonly content?: string;
}): string[] {
  const body = content ?? (category === 'AUTHENTICATION' ? AUTHENTICATION_CONTENT : '');
  return templateVariables(body);
}

// ── shape ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

function shapeProblems(draft: Draft): TemplateFinding[] {
  const missing = REQUIRED.filter((name) => draft[name] === undefined);
  return [
    ...missing.map((name) => ({ path: name, message: `'${name}' is required` })),
    ...REQUIRED.filter((name) => draft[name] === '').map((name) => ({
      path: name,
      message: `'${name}' is not allowed to be empty`,
    })),
    ...wrongFields(draft, FIELDS, ''),
    ...Object.entries(CHOICES).flatMap(([name, choices]) => wrongChoice(name, draft[name], choices)),
    ...buttonsOf(draft).flatMap((button, index) => buttonShape(button, `buttons[${index}]`)),
  ];
}

function buttonShape(button: unknown, path: string): TemplateFinding[] {
  if (!isRecord(button)) return [{ path, message: `'${path}' must be an object` }];
  const { type, text } = button;
  return [
    ...(type === undefined ? [{ path: `${path}.type`, message: `'${path}.type' is required` }] : []),
    ...(text === undefined ? [{ path: `${path}.text`, message: `'${path}.text' is required` }] : []),
    ...Object.entries(button)
      .filter(([name, value]) => name in BUTTON_FIELDS && name !== 'type' && value === '')
      .map(([name]) => ({ path: `${path}.${name}`, message: `'${path}.${name}' is not allowed to be empty` })),
    ...wrongFields(button, BUTTON_FIELDS, `${path}.`),
    ...wrongChoice(`${path}.type`, type, BUTTON_TYPES),
    ...examplesOf(button).flatMap((one, index) =>
      typeof one === 'string' && one !== ''
        ? []
        : [{ path: `${path}.example[${index}]`, message: `'${path}.example[${index}]' must be a text` }],
    ),
  ];
}

function wrongFields(draft: Draft, known: Readonly<Record<string, Kind>>, before: string): TemplateFinding[] {
  return Object.entries(draft).flatMap(([name, value]) => {
    const path = `${before}${name}`;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) return [{ path, message: `'${path}' is not a field of createTemplate` }];
    if (value === undefined || isOfKind(value, kind)) return [];
    return [{ path, message: `'${path}' must be ${KIND_WORDS[kind]}`, found: nameOfKind(value) }];
  });
}

const KIND_WORDS = { text: 'a text', flag: 'true or false', number: 'a number', list: 'a list' } as const;

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'list':
      return Array.isArray(value);
  }
}

function nameOfKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function wrongChoice(path: string, value: unknown, choices: readonly string[]): TemplateFinding[] {
  if (typeof value !== 'string' || value === '' || choices.includes(value)) return [];
  const message =
    path === 'category'
      ? `Invalid category provided, kindly use category from these options ${choices.join(',')}`
      : `'${path}' must be one of ${choices.join(', ')}`;
  return [{ path, message, limit: choices.join(', '), found: value }];
}

// ── limits ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The rules that a list of fields and types cannot express. The draft may be wrong in any other way. */
export function templateLimits(draft: Draft): TemplateValidation {
  const found: Findings = { errors: [], warnings: [] };
  for (const [path, text] of textsIn(draft)) checkText(path, text, found);
  checkName(draft, found);
  for (const [name, most] of Object.entries(MAX_LENGTH)) checkLength(name, draft[name], most, found);
  checkContent(draft, found);
  checkHeader(draft, found);
  checkAuthentication(draft, found);
  checkMedia(draft, found);
  for (const [index, button] of buttonsOf(draft).entries()) {
    if (isRecord(button)) checkButton(button, `buttons[${index}]`, draft, found);
  }
  if (draft['enableSample'] === false) {
    found.warnings.push({ path: 'enableSample', message: `'enableSample' is needed to create templates of any type` });
  }
  if (draft['allowTemplateCategoryChange'] !== undefined) {
    const message = `'allowTemplateCategoryChange' is deprecated and ignored by the gateway: it is left out`;
    found.warnings.push({ path: 'allowTemplateCategoryChange', message });
  }
  return found;
}

interface Findings {
  readonly errors: TemplateFinding[];
  readonly warnings: TemplateFinding[];
}

function checkText(path: string, text: string, { errors }: Findings): void {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    errors.push({ path, message: `the text of '${path}' begins with a byte order mark; send UTF-8 without BOM` });
  }
  if (UNSENDABLE.test(text)) {
    errors.push({ path, message: `'${path}' holds a NUL or half of a surrogate pair, which cannot be sent as given` });
  }
}

function checkName({ elementName }: Draft, { errors }: Findings): void {
  if (typeof elementName !== 'string' || /^[a-z0-9_]*$/.test(elementName)) return;
  const limit = 'lowercase letters, digits and underscores';
  errors.push({ path: 'elementName', message: `'elementName' may have ${limit} only`, limit, found: elementName });
}

function checkLength(path: string, text: unknown, limit: number, { errors, warnings }: Findings): void {
  if (typeof text !== 'string') return;
  const characters = countCharacters(text);
  const most = `'${path}' length must be less than or equal to ${limit} characters long`;
  if (characters > limit) {
    errors.push({ path, message: most, limit, found: characters });
  } else if (text.length > limit) {
    const message = `${most}: it has ${characters}, but ${text.length} where characters beyond U+FFFF count as two`;
    warnings.push({ path, message, limit, found: text.length });
  }
}

/** As the gateway counts: a character beyond U+FFFF is one. */
function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.codePointAt(at) ?? 0) > 0xffff) surrogatePairs += 1;
  return text.length - surrogatePairs;
}

function checkContent(draft: Draft, found: Findings): void {
  const { errors, warnings } = found;
  const { content, example } = draft;
  for (const name of ['content', 'example'] as const) {
    if (isAuthentication(draft) || isGiven(draft[name])) continue;
    errors.push({ path: name, message: `'${name}' is required, except for AUTHENTICATION` });
  }
  if (typeof content !== 'string') return;
  const emoji = countEmoji(content);
  if (emoji > MAX_EMOJI) {
    const message = `'content' must have at most ${MAX_EMOJI} emoji`;
    errors.push({ path: 'content', message, limit: MAX_EMOJI, found: emoji });
  }
  const lines = content.replace(/\n$/, '').split('\n').length;
  if (lines > MAX_UNFOLDED_LINES) {
    const message = `'content' has ${lines} lines; beyond ${MAX_UNFOLDED_LINES} the rest is folded under 'Read more'`;
    warnings.push({ path: 'content', message, limit: MAX_UNFOLDED_LINES, found: lines });
  }
  checkVariables('content', content, found);
  if (typeof example === 'string') checkExample('example', example, 'content', content, found);
}

/** Numbered from one without a gap, since a message gives their values as a list. */
function checkVariables(path: string, text: string, { warnings }: Findings): void {
  const names = templateVariables(text);
  const expected = names.map((_, index) => String(index + 1));
  if (names.toSorted().join() !== expected.toSorted().join()) {
    const message = `the variables of '${path}' are not numbered {{1}}, {{2}}, … without a gap`;
    warnings.push({ path, message, found: names.map((name) => `{{${name}}}`).join(' ') });
  }
  if (/\{\{|\}\}/.test(text.replaceAll(VARIABLE, ''))) {
    warnings.push({ path, message: `'${path}' has braces that are no variable` });
  }
}

/** An example is its text with a sample value in place of each variable. */
function checkExample(path: string, example: string, ofPath: string, text: string, found: Findings): void {
  const left = templateVariables(example);
  if (left.length > 0) {
    const message = `'${path}' still has variables; give a sample value in place of each`;
    found.errors.push({ path, message, found: left.map((name) => `{{${name}}}`).join(' ') });
    return;
  }
  if (example === '' || isFilledIn(example, text)) return;
  const message = `'${path}' is not '${ofPath}' with sample values in place of its variables`;
  found.warnings.push({ path, message });
}

/**
 * Whether everything between the variables is there, in its order, with something in place of each; blanks count as
 * one.
 */
function isFilledIn(example: string, text: string): boolean {
  const fixed = text.replaceAll(/\s+/g, ' ').split(/\{\{[^{}]*\}\}/);
  const filled = example.replaceAll(/\s+/g, ' ');
  const [first = '', last = ''] = [fixed[0], fixed.at(-1)];
  if (fixed.length === 1) return filled === first;
  if (!filled.startsWith(first) || !filled.endsWith(last)) return false;
  let at = first.length;
  for (const part of fixed.slice(1, -1)) {
    const found = filled.indexOf(part, at + 1);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + 1 + last.length <= filled.length;
}

function checkHeader(draft: Draft, found: Findings): void {
  const { header, exampleHeader, templateType } = draft;
  const { errors, warnings } = found;
  if (isGiven(header)) {
    if (templateType !== undefined && templateType !== 'TEXT') {
      errors.push({ path: 'header', message: `'header' is for templateType TEXT`, limit: 'TEXT', found: templateType });
    }
    if (!isGiven(exampleHeader)) {
      errors.push({ path: 'exampleHeader', message: `'exampleHeader' is required when 'header' is used` });
    }
  } else if (isGiven(exampleHeader)) {
    warnings.push({ path: 'exampleHeader', message: `'exampleHeader' is of no use without a 'header'` });
  }
  if (typeof exampleHeader !== 'string') return;
  const upper = exampleHeader.match(/[\p{Lu}\p{Lt}]/gu)?.length ?? 0;
  if (upper > 0) {
    const message = `'exampleHeader' must be in lowercase letters`;
    errors.push({ path: 'exampleHeader', message, limit: 0, found: upper });
  }
}

function checkAuthentication(draft: Draft, { errors, warnings }: Findings): void {
  const { codeExpirationMinutes: minutes } = draft;
  if (isAuthentication(draft)) {
    const isOtp = (button: unknown) => isRecord(button) && button['type'] === 'OTP';
    if (!buttonsOf(draft).some(isOtp)) {
      const message = `'buttons' of an AUTHENTICATION template need at least one OTP button`;
      errors.push({ path: 'buttons', message, limit: 1, found: 0 });
    }
  } else {
    for (const path of ['addSecurityRecommendation', 'codeExpirationMinutes']) {
      if (draft[path] === undefined || draft[path] === false) continue;
      warnings.push({ path, message: `'${path}' is for AUTHENTICATION templates` });
    }
  }
  const { min, max } = EXPIRY_MINUTES;
  const path = 'codeExpirationMinutes';
  if (typeof minutes !== 'number') return;
  if (minutes < min) {
    errors.push({ path, message: `'${path}' must be larger than or equal to ${min}`, limit: min, found: minutes });
  }
  if (minutes > max) {
    errors.push({ path, message: `'${path}' must be less than or equal to ${max}`, limit: max, found: minutes });
  }
}

function checkMedia({ templateType, mediaUrl }: Draft, { errors, warnings }: Findings): void {
  const path = 'mediaUrl';
  if (typeof mediaUrl === 'string' && !/^https?:\/\/.+/s.test(mediaUrl)) {
    errors.push({ path, message: `url has incorrect format, it should start with http(s)://` });
  }
  if (typeof templateType !== 'string') return;
  const isMedia = ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(templateType);
  if (isMedia && !isGiven(mediaUrl)) {
    warnings.push({ path, message: `'mediaUrl' goes with templateType ${templateType}, and reviewers look at it` });
  }
  if (templateType === 'TEXT' && isGiven(mediaUrl)) {
    warnings.push({ path, message: `'mediaUrl' is of no use for templateType TEXT` });
  }
}

function checkButton(button: Draft, at: string, draft: Draft, found: Findings): void {
  const { type, text, url } = button;
  const { warnings } = found;
  if (typeof type !== 'string') return;
  const most = MAX_BUTTON_TEXT[type];
  if (most !== undefined) checkLength(`${at}.text`, text, most, found);
  for (const [name, owner] of Object.entries(BUTTON_OF)) {
    const path = `${at}.${name}`;
    if (isGiven(button[name]) && type !== owner) {
      warnings.push({ path, message: `'${path}' is for ${owner} buttons`, found: type });
    }
    if (!isGiven(button[name]) && type === owner && name !== 'example') {
      warnings.push({ path, message: `'${path}' goes with a ${owner} button` });
    }
  }
  if (typeof url === 'string' && templateVariables(url).length > 0 && examplesOf(button).length === 0) {
    warnings.push({ path: `${at}.example`, message: `'${at}.example' goes with a link that has variables` });
  }
  if (type === 'OTP' && draft['category'] !== undefined && !isAuthentication(draft)) {
    warnings.push({ path: `${at}.type`, message: `'${at}.type' OTP is for AUTHENTICATION templates` });
  }
}

/** Every text of the template with its path. */
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

function buttonsOf({ buttons }: Draft): readonly unknown[] {
  return Array.isArray(buttons) ? buttons : [];
}

function examplesOf({ example }: Draft): readonly unknown[] {
  return Array.isArray(example) ? example : [];
}

function isAuthentication(draft: Draft): boolean {
  return draft['category'] === 'AUTHENTICATION';
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isRecord(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A longer text is refused for its length; cutting it into graphemes would take seconds. */
const MOST_COUNTED_CHARACTERS = 4_000;

/** Counts what a reader sees as one emoji: a flag, a family or a skin tone is one. */
function countEmoji(words: string): number {
  const counted = words.slice(0, MOST_COUNTED_CHARACTERS);
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(counted);
  let emoji = 0;
  for (const { segment } of graphemes) if (EMOJI.test(segment)) emoji += 1;
  return emoji;
}
