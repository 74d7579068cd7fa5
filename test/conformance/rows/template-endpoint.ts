import { row, rowsOf, type RowDraft } from '../row.js';

const refused = (id: string, says: string, simulator: string, client: string): RowDraft => ({
  id,
  says,
  simulator,
  rule: true,
  client,
});

export const TEMPLATE_ENDPOINT_ROWS = rowsOf('Endpoints', [
  ...(['elementName', 'languageCode', 'category', 'templateType', 'vertical', 'content', 'example'] as const).map(
    (name) => ({
      id: `create-template.${name}-required`,
      says: `${name} is required`,
      simulator: `a TEXT template without it is 400 that names ${name}`,
      rule: 'create-template.required-fields',
      client: `missing: refused before sending, naming ${name}`,
    }),
  ),
  refused(
    'create-template.elementName-characters',
    'lowercase letters, digits, underscores',
    'capital letters, a hyphen and a space are 400',
    'capital letters, a hyphen and a space are refused before sending',
  ),
  row('create-template.elementName-unique', 'unique within the namespace of the account', {
    simulator: 'the second template of a name is 400',
    rule: true,
    client: 'the refusal of a second one is an error, not a result',
  }),
  refused(
    'create-template.languageCode-listed',
    'one of 71 language codes',
    'every listed code is accepted, xx is 400',
    'every listed code is sent, xx is refused before sending',
  ),
  refused(
    'create-template.category-listed',
    'AUTHENTICATION, MARKETING, UTILITY',
    'all three are accepted, another is refused',
    'all three are sent, another is refused before sending with the gateway’s text',
  ),
  refused(
    'create-template.templateType-listed',
    'TEXT, IMAGE, VIDEO, DOCUMENT',
    'all four are accepted, another is 400',
    'all four are sent, another is refused before sending',
  ),
  row('create-template.content-lines-fold', 'beyond five lines the rest is folded under a button', {
    absent: 'shown by the phone; six lines are valid on both sides',
    simulator: 'content of six lines is accepted',
    client: 'content of six lines is sent',
  }),
  row('create-template.authentication-content-default', 'AUTHENTICATION: content is optional, with a default', {
    simulator: 'the template has the default text as its data',
    rule: true,
    client: 'an AUTHENTICATION template without content is sent without it',
  }),
  row('create-template.authentication-example-default', 'AUTHENTICATION: example is optional, with a default', {
    simulator: 'the template has the default example in its meta',
    rule: true,
    client: 'an AUTHENTICATION template without example is sent without it',
  }),
  refused(
    'create-template.header-for-text-only',
    'header is for templateType TEXT',
    'a header on an IMAGE template is 400',
    'a header on an IMAGE template is refused before sending',
  ),
  refused(
    'create-template.exampleHeader-with-header',
    'exampleHeader is required with a header',
    'a header without it is 400',
    'a header without it is refused before sending',
  ),
  refused(
    'create-template.exampleHeader-lowercase',
    'exampleHeader has no capital letter',
    'a capital letter is 400',
    'a capital letter is refused before sending',
  ),
  row('create-template.exampleHeader-not-for-catalog', 'exampleHeader does not apply to the type CATALOG', {
    absent: 'CATALOG is not among the template types of the same table, so neither side takes it',
  }),
  row('create-template.footer-optional', 'footer is optional', {
    simulator: 'accepted with and without',
    client: 'sent when given',
  }),
  refused(
    'create-template.authentication-needs-otp-button',
    'AUTHENTICATION needs an OTP button',
    'a request without one is 400',
    'without one it is refused before sending',
  ),
  row('create-template.buttons-string-or-list', 'samples give buttons as a string that contains a list', {
    simulator: 'a string and a list are both taken',
    rule: true,
    client: 'a list is sent as a string that contains the list',
  }),
  row('create-template.enableSample', 'enableSample is needed for every type, per its description', {
    simulator: 'accepted with and without',
    client: 'true is sent when not given',
  }),
  row('create-template.category-change-ignored', 'allowTemplateCategoryChange is deprecated and ignored', {
    simulator: 'true and false give the same template',
    rule: true,
    client: 'marked deprecated in the schema, advised against, and not sent',
  }),
  row('create-template.security-recommendation', 'addSecurityRecommendation adds a sentence to the content', {
    simulator: 'the data of the template is longer with it',
    rule: true,
    client: 'sent as given',
  }),
  row('create-template.expiry-sentence', 'codeExpirationMinutes adds a sentence to the footer', {
    simulator: 'the data of the template names the minutes',
    rule: true,
    client: 'sent as given',
  }),
  row('create-template.mediaUrl', 'mediaUrl goes with IMAGE, VIDEO and DOCUMENT', {
    simulator: 'accepted with all three, and kept in containerMeta',
    dropField: 'containerMeta',
    client: 'sent as given; not demanded',
  }),
  row('create-template.answers-template', 'answers template', {
    simulator: 'the response has the one key template',
    dropField: 'template',
    client: 'is read; a 200 without it is GATEWAY_RESPONSE_INVALID',
  }),
  refused(
    'button.type',
    'QUICK_REPLY, URL, PHONE_NUMBER, OTP',
    'all four are accepted, another is 400',
    'all four are sent, another is refused before sending',
  ),
  row('button.text', 'text is required', {
    simulator: 'missing: 400',
    rule: true,
    client: 'missing: refused before sending',
  }),
  ...(
    [
      ['phone_number', 'PHONE_NUMBER'],
      ['url', 'URL'],
      ['example', 'URL'],
      ['otp_type', 'OTP'],
    ] as const
  ).map(([name, type]) => ({
    id: `button.${name}`,
    says: `${name} goes with ${type}`,
    simulator: `accepted with ${type} and kept in containerMeta`,
    dropField: 'containerMeta',
    client: 'sent under its name',
  })),
]);
