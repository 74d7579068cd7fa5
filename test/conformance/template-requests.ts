import type { Json } from './scene.js';

/** A valid request for a TEXT template. */
export function aTemplate(more: Json = {}): Json {
  return {
    elementName: 'order_ready',
    languageCode: 'en',
    category: 'UTILITY',
    templateType: 'TEXT',
    vertical: 'Orders',
    content: 'Your order {{1}} is ready.',
    example: 'Your order 17 is ready.',
    enableSample: true,
    ...more,
  };
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
export const LANGUAGE_CODES = [
  'af', 'sq', 'ar', 'az', 'bn', 'bg', 'ca', 'zh_CN', 'zh_HK', 'zh_TW', 'hr', 'cs', 'da', 'nl', 'en', 'en_GB', 'en_US',
  'et', 'fil', 'fi', 'fr', 'ka', 'de', 'el', 'gu', 'ha', 'he', 'hi', 'hu', 'id', 'ga', 'it', 'ja', 'kn', 'kk', 'rw_RW',
  'ko', 'ky_KG', 'lo', 'lv', 'lt', 'mk', 'ms', 'ml', 'mr', 'nb', 'fa', 'pl', 'pt_BR', 'pt_PT', 'pa', 'ro', 'ru', 'sr',
  'sk', 'sl', 'es', 'es_AR', 'es_ES', 'es_MX', 'sw', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi', 'zu',
] as const;
