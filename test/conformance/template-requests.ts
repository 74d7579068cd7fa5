import type { Json } from './scene.js';
import { TEMPLATE } from '../support/template.js';

/** A valid request for a TEXT template. */
export function aTemplate(more: Json = {}): Json {
  return { ...TEMPLATE, enableSample: true, ...more };
}

/** A valid request for an AUTHENTICATION template, which needs neither content nor example. */
export function anAuthenticationTemplate(more: Json = {}): Json {
  return {
    elementName: 'login_code',
    languageCode: 'en',
    category: 'AUTHENTICATION',
    templateType: 'TEXT',
    vertical: 'Login codes',
    buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }],
    enableSample: true,
    ...more,
  };
}

/** Every code of the document, in its order. */
// prettier-ignore
const LANGUAGE_CODES = [
  'af', 'sq', 'ar', 'az', 'bn', 'bg', 'ca', 'zh_CN', 'zh_HK', 'zh_TW', 'hr', 'cs', 'da', 'nl', 'en', 'en_GB', 'en_US',
  'et', 'fil', 'fi', 'fr', 'ka', 'de', 'el', 'gu', 'ha', 'he', 'hi', 'hu', 'id', 'ga', 'it', 'ja', 'kn', 'kk', 'rw_RW',
  'ko', 'ky_KG', 'lo', 'lv', 'lt', 'mk', 'ms', 'ml', 'mr', 'nb', 'fa', 'pl', 'pt_BR', 'pt_PT', 'pa', 'ro', 'ru', 'sr',
  'sk', 'sl', 'es', 'es_AR', 'es_ES', 'es_MX', 'sw', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi', 'zu',
] as const;

export const QUICK_REPLY = { type: 'QUICK_REPLY', text: 'Yes' };
export const URL_BUTTON = {
  type: 'URL',
  text: 'Open',
  url: 'https://example.com/{{1}}',
  example: ['https://example.com/1'],
};
export const PHONE_BUTTON = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550000009' };
export const MEDIA = { mediaUrl: 'https://files.example/sample.jpg' };
export const MEDIA_TYPES = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const;
export const CATEGORY_WORDS =
  'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY';

const HEADER = { header: 'Order', exampleHeader: 'order' };
const REQUIRED = ['elementName', 'languageCode', 'category', 'templateType', 'vertical', 'content', 'example'];

/** What a template may have, and what is refused with a word. */
interface TemplateRule {
  readonly taken?: readonly Json[];
  readonly refused?: readonly [word: string, ...variants: Json[]];
}

/** A text field that may have so many characters and not one more. */
function longest(name: string, maxCharacters: number, ...withText: readonly ((text: string) => Json)[]): TemplateRule {
  const of = (characters: number): Json[] => withText.map((variant) => variant('x'.repeat(characters)));
  return { taken: of(maxCharacters), refused: [name, ...of(maxCharacters + 1)] };
}

/** By the id of its row: the client and the simulator both keep it. */
export const TEMPLATE_RULES: Readonly<Record<string, TemplateRule>> = {
  ...Object.fromEntries(
    REQUIRED.map((name) => [`create-template.${name}-required`, { refused: [name, { [name]: undefined }] } as const]),
  ),
  'create-template.elementName-characters': {
    taken: [{ elementName: 'order_ready_2' }],
    refused: ['elementName', ...['Order', 'order-ready', 'order ready'].map((elementName) => ({ elementName }))],
  },
  'create-template.languageCode-listed': {
    taken: LANGUAGE_CODES.map((languageCode) => ({ languageCode })),
    refused: ['languageCode', { languageCode: 'xx' }],
  },
  'create-template.templateType-listed': {
    taken: [{ templateType: 'TEXT' }, ...MEDIA_TYPES.map((templateType) => ({ templateType, ...MEDIA }))],
    refused: ['templateType', { templateType: 'SONG' }],
  },
  'create-template.content-lines-fold': { taken: [{ content: '1\n2\n3\n4\n5\n6' }] },
  'create-template.header-for-text-only': {
    taken: [HEADER],
    refused: ['header', { templateType: 'IMAGE', ...MEDIA, ...HEADER }],
  },
  'create-template.exampleHeader-with-header': { refused: ['exampleHeader', { header: 'Order' }] },
  'create-template.exampleHeader-lowercase': {
    taken: [HEADER],
    refused: ['exampleHeader', { ...HEADER, exampleHeader: 'Order' }],
  },
  'create-template.footer-optional': { taken: [{}, { footer: 'Bye' }] },
  'button.text': { refused: ['text', { buttons: [{ type: 'QUICK_REPLY' }] }] },
  'limits.vertical-180': longest('vertical', 180, (vertical) => ({ vertical })),
  'limits.content-550': longest('content', 550, (content) => ({ content })),
  'limits.header-60': longest('header', 60, (header) => ({ ...HEADER, header })),
  'limits.footer-60': longest('footer', 60, (footer) => ({ footer })),
  'limits.button-text-20': longest('text', 20, (text) => ({ buttons: [{ ...PHONE_BUTTON, text }] })),
  'limits.button-text-25': longest(
    'text',
    25,
    ...[QUICK_REPLY, URL_BUTTON].map((button) => (text: string) => ({ buttons: [{ ...button, text }] })),
  ),
  'limits.content-10-emoji': {
    // A flag, a family and a waving brown hand: one each to anyone who reads them.
    taken: [{ content: '🙂'.repeat(10) }, { content: '🇩🇪👨‍👩‍👧👋🏾' + '🙂'.repeat(7) }],
    refused: ['emoji', { content: '🙂'.repeat(11) }],
  },
};
