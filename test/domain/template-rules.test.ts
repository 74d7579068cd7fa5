import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AppError, type TemplateFinding } from '../../src/contract/index.js';
import {
  parameterFault,
  validateTemplate,
  templateParameters,
  templateVariables,
  withButtonList,
} from '../../src/domain/index.js';
import { validateTemplate as lintOfTheLibrary } from '../../src/index.js';
import { aGateway, anInstance } from '../gateway/cast.js';
import { TEMPLATE } from '../support/template.js';

type Fields = Readonly<Record<string, unknown>>;

const aTemplate = (more: Fields = {}): Fields => ({ ...TEMPLATE, ...more });

function anAuthentication(more: Fields = {}): Fields {
  const { content: _content, example: _example, ...rest } = aTemplate();
  const buttons = [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }];
  return { ...rest, category: 'AUTHENTICATION', buttons, ...more };
}

const button = (more: Fields) => ({ buttons: [{ type: 'QUICK_REPLY', text: 'Yes', ...more }] });
const reply = (text: string) => ({ type: 'QUICK_REPLY', text });
const pathsOf = (findings: readonly TemplateFinding[]) => findings.map(({ path }) => path);

describe('a valid template', () => {
  test.each([
    ['a text', aTemplate()],
    [
      'a text with header, footer and buttons',
      aTemplate({ header: 'Order', exampleHeader: 'order', footer: 'Bye', ...button({}) }),
    ],
    ['an image', aTemplate({ templateType: 'IMAGE', mediaUrl: 'https://files.example/a.jpg' })],
    ['a code, whose body and example have defaults', anAuthentication()],
    ['a code with its own additions', anAuthentication({ addSecurityRecommendation: true, codeExpirationMinutes: 90 })],
    [
      'texts at their limits',
      aTemplate({
        vertical: 'x'.repeat(180),
        content: 'y'.repeat(550),
        example: 'y'.repeat(550),
        footer: 'z'.repeat(60),
      }),
    ],
  ])('has no findings: %s', (_, template) => {
    expect(validateTemplate(template)).toEqual({ errors: [], warnings: [] });
  });
});

describe('an error', () => {
  test.each<[string, Fields, string, Partial<TemplateFinding>]>([
    ['elementName with capitals', aTemplate({ elementName: 'Order' }), 'elementName', { found: 'Order' }],
    ['an empty name', aTemplate({ elementName: '' }), 'elementName', {}],
    ['an unlisted language', aTemplate({ languageCode: 'xx' }), 'languageCode', { found: 'xx' }],
    ['an unlisted category', aTemplate({ category: 'NEWS' }), 'category', { found: 'NEWS' }],
    ['an unlisted type', aTemplate({ templateType: 'SONG' }), 'templateType', { found: 'SONG' }],
    ['a long vertical', aTemplate({ vertical: 'x'.repeat(181) }), 'vertical', { limit: 180, found: 181 }],
    ['a long content', aTemplate({ content: 'x'.repeat(551) }), 'content', { limit: 550, found: 551 }],
    ['eleven emoji', aTemplate({ content: '🙂'.repeat(11) }), 'content', { limit: 10, found: 11 }],
    ['a long header', aTemplate({ header: 'x'.repeat(61), exampleHeader: 'x' }), 'header', { limit: 60, found: 61 }],
    [
      'a header on an image',
      aTemplate({ templateType: 'IMAGE', mediaUrl: 'https://a.b/c', header: 'A', exampleHeader: 'a' }),
      'header',
      { found: 'IMAGE' },
    ],
    ['a header without its example', aTemplate({ header: 'Order' }), 'exampleHeader', {}],
    [
      'capitals in exampleHeader',
      aTemplate({ header: 'Order', exampleHeader: 'Order' }),
      'exampleHeader',
      { found: 1 },
    ],
    ['a long footer', aTemplate({ footer: 'x'.repeat(61) }), 'footer', { limit: 60, found: 61 }],
    ['an unknown button', aTemplate(button({ type: 'SONG' })), 'buttons[0].type', { found: 'SONG' }],
    ['a long button text', aTemplate(button({ text: 'x'.repeat(26) })), 'buttons[0].text', { limit: 25, found: 26 }],
    [
      'a long text of a phone button',
      aTemplate(button({ type: 'PHONE_NUMBER', phone_number: '1', text: 'x'.repeat(21) })),
      'buttons[0].text',
      { limit: 20, found: 21 },
    ],
    ['a code without an OTP button', anAuthentication({ buttons: [] }), 'buttons', { limit: 1, found: 0 }],
    [
      'a code that expires at once',
      anAuthentication({ codeExpirationMinutes: 0 }),
      'codeExpirationMinutes',
      { limit: 1, found: 0 },
    ],
    [
      'a code that expires too late',
      anAuthentication({ codeExpirationMinutes: 91 }),
      'codeExpirationMinutes',
      { limit: 90, found: 91 },
    ],
    ['no content', aTemplate({ content: undefined }), 'content', {}],
    ['no example', aTemplate({ example: '' }), 'example', {}],
    ['a variable in the example', aTemplate({ example: 'Your order {{1}} is ready.' }), 'example', { found: '{{1}}' }],
    ['an invalid media link', aTemplate({ templateType: 'IMAGE', mediaUrl: 'ftp://a' }), 'mediaUrl', {}],
    ['a byte order mark', aTemplate({ footer: '\uFEFFBye' }), 'footer', {}],
    ['half of a surrogate pair', aTemplate({ footer: 'Bye \uD83D' }), 'footer', {}],
    ['an unknown field', aTemplate({ colour: 'red' }), 'colour', {}],
    ['a number for a text', aTemplate({ content: 5 }), 'content', { found: 'number' }],
  ])('is reported for %s', (_, template, path, finding) => {
    expect(validateTemplate(template).errors).toContainEqual(expect.objectContaining({ path, ...finding }));
  });

  test('is reported together with all others, each under its path', () => {
    const { errors } = validateTemplate({
      elementName: 'Order Ready',
      category: 'UTILITY',
      templateType: 'IMAGE',
      vertical: 'v',
      header: 'Hello',
      buttons: [{ type: 'URL', text: 'a'.repeat(26), link: 'https://example.com' }],
    });
    expect(pathsOf(errors).toSorted()).toEqual([
      'buttons[0].link',
      'buttons[0].text',
      'content',
      'elementName',
      'example',
      'exampleHeader',
      'header',
      'languageCode',
    ]);
  });
});

describe('a warning', () => {
  test.each<[string, Fields, string]>([
    ['a text over its limit in UTF-16 units only', aTemplate({ footer: '🙂'.repeat(31) }), 'footer'],
    ['a content of six lines', aTemplate({ content: '1\n2\n3\n4\n5\n6', example: '1\n2\n3\n4\n5\n6' }), 'content'],
    ['a media type without media', aTemplate({ templateType: 'VIDEO' }), 'mediaUrl'],
    ['media on a text', aTemplate({ mediaUrl: 'https://files.example/a.jpg' }), 'mediaUrl'],
    ['an example of another text', aTemplate({ example: 'Something else' }), 'example'],
    ['variables with a gap', aTemplate({ content: 'A {{1}} and {{3}}', example: 'A b and c' }), 'content'],
    ['braces without a variable', aTemplate({ content: 'A {{1', example: 'A {{1' }), 'content'],
    ['a link button without its link', aTemplate(button({ type: 'URL' })), 'buttons[0].url'],
    [
      'a link with variables but without a sample',
      aTemplate(button({ type: 'URL', url: 'https://a.b/{{1}}' })),
      'buttons[0].example',
    ],
    ['a link on a reply button', aTemplate(button({ url: 'https://a.b' })), 'buttons[0].url'],
    ['an OTP button in another category', aTemplate(button({ type: 'OTP', otp_type: 'COPY_CODE' })), 'buttons[0].type'],
    ['an expiry in another category', aTemplate({ codeExpirationMinutes: 5 }), 'codeExpirationMinutes'],
    ['enableSample switched off', aTemplate({ enableSample: false }), 'enableSample'],
    ['a deprecated field', aTemplate({ allowTemplateCategoryChange: true }), 'allowTemplateCategoryChange'],
    ['an exampleHeader without a header', aTemplate({ exampleHeader: 'order' }), 'exampleHeader'],
    // What the network's reviewers reject.
    [
      'a body that begins with a variable',
      aTemplate({ content: '{{1}} is ready.', example: '17 is ready.' }),
      'content',
    ],
    ['a body that ends with a variable', aTemplate({ content: 'Ready: {{1}}\n', example: 'Ready: 17\n' }), 'content'],
    ['adjacent variables', aTemplate({ content: 'A {{1}} {{2}} b', example: 'A x y b' }), 'content'],
    ['an emoji in the header', aTemplate({ header: 'Order 🎉', exampleHeader: 'order 🎉' }), 'header'],
    ['a line break in the header', aTemplate({ header: 'Your\norder', exampleHeader: 'your\norder' }), 'header'],
    [
      'buttons with the same text',
      aTemplate({ buttons: [reply('Yes'), reply('No'), reply(' Yes')] }),
      'buttons[2].text',
    ],
    ['eleven buttons', aTemplate({ buttons: Array.from({ length: 11 }, (_, at) => reply(`B${at}`)) }), 'buttons'],
  ])('is given for %s, and no error', (_, template, path) => {
    const { errors, warnings } = validateTemplate(template);
    expect(pathsOf(warnings)).toContain(path);
    expect(errors).toEqual([]);
  });

  test('is found without backtracking in a long example with many variables', () => {
    const content = Array.from({ length: 90 }, (_, index) => `{{${index + 1}}}`).join('a');
    const begunMs = performance.now();
    expect(pathsOf(validateTemplate(aTemplate({ content, example: 'a'.repeat(5_000) })).warnings)).not.toContain(
      'header',
    );
    expect(performance.now() - begunMs).toBeLessThan(1_000);
  });
});

describe('buttons as a text that contains the list, as the samples of the gateway print them', () => {
  const asText = (buttons: unknown) => aTemplate({ buttons: JSON.stringify(buttons) });

  test('are the same as the list', () => {
    const buttons = [reply('Yes'), reply('No')];
    expect(withButtonList(asText(buttons))).toEqual(aTemplate({ buttons }));
    expect(validateTemplate(asText(buttons))).toEqual({ errors: [], warnings: [] });
  });

  test('have their problems under the paths of the list', () => {
    const { errors } = validateTemplate(asText([{ type: 'QUICK_REPLY' }, { type: 'URL', text: 'x'.repeat(26) }]));
    expect(pathsOf(errors)).toEqual(['buttons[0].text', 'buttons[1].text']);
  });

  test.each(['', 'Yes, No', '{"type":"URL"}', '"a"', '['.repeat(20_000)])('are an error if they are %j', (buttons) => {
    const { errors } = validateTemplate(aTemplate({ buttons }));
    expect(errors).toEqual([expect.objectContaining({ path: 'buttons', found: 'string' })]);
  });
});

describe('a value of a variable', () => {
  test.each([
    ['', 'is empty'],
    [' \n ', 'is empty'],
    ['counter 4\nground floor', 'has a line break'],
    ['a\r\nb', 'has a line break'],
    ['a\tb', 'has a tab'],
    ['a     b', 'has more than four blanks in a row'],
    ['a    b', undefined],
    ['17', undefined],
  ])('that the network refuses: %j %s', (value, fault) => {
    expect(parameterFault(value)).toBe(fault);
  });
});

describe('the validation', () => {
  const anything = fc.anything({ maxDepth: 3 });
  const field = fc.constantFrom(
    'content',
    'example',
    'header',
    'buttons',
    'category',
    'templateType',
    'codeExpirationMinutes',
    'mediaUrl',
    'x',
  );

  test('never throws, for any input', () => {
    fc.assert(
      fc.property(anything, field, anything, (one, name, value) => {
        expect(validateTemplate(one)).toHaveProperty('errors');
        expect(validateTemplate(aTemplate({ [name]: value }))).toHaveProperty('warnings');
      }),
    );
  });

  test('agrees with the check of the request on errors and their paths', () => {
    const gateway = aGateway(anInstance('http://127.0.0.1:9'));
    const value = fc.oneof(
      fc.string({ maxLength: 70 }),
      fc.double(),
      fc.boolean(),
      fc.constant(undefined),
      fc.constant('IMAGE'),
      fc.constant([{ type: 'URL' }]),
    );
    fc.assert(
      fc.property(field, value, field, value, (first, one, second, other) => {
        const template = aTemplate({ [first]: one, [second]: other });
        expect([...new Set(checked(template))].toSorted()).toEqual(
          [...new Set(pathsOf(validateTemplate(template).errors))].toSorted(),
        );
      }),
    );

    function checked(template: Fields): string[] {
      try {
        gateway.check('createTemplate', template);
        return [];
      } catch (error) {
        return ((error as AppError).problems ?? []).map(({ path }) => path);
      }
    }
  });

  test('is exported by the package', () => {
    expect(lintOfTheLibrary).toBe(validateTemplate);
  });
});

describe('the variables of a template', () => {
  test('are listed once each, in the order of their first use', () => {
    expect(templateVariables('{{2}} {{1}} {{ 2 }}')).toEqual(['2', '1']);
  });

  test('are those of the default body for a code without a body', () => {
    expect(templateParameters({ category: 'AUTHENTICATION' }).length).toBe(1);
    expect(templateParameters({ category: 'UTILITY', content: 'Hello {{1}} and {{2}}' }).length).toBe(2);
  });
});
