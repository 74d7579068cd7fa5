import { expect } from 'vitest';
import type { ClientDriver } from '../client-driver.js';
import { GOOD } from '../good-requests.js';
import type { Json } from '../scene.js';
import {
  aTemplate,
  anAuthenticationTemplate,
  CATEGORY_WORDS,
  MEDIA,
  PHONE_BUTTON,
  QUICK_REPLY,
  TEMPLATE_RULES,
  URL_BUTTON,
} from '../template-requests.js';
import { expectError, expectRefused, expectSent, onClient, onFields } from './assertions.js';

const { response: CREATED } = GOOD.createTemplate;

async function expectTaken(client: ClientDriver, ...variants: readonly Json[]): Promise<void> {
  client.responses(CREATED);
  for (const variant of variants) {
    const { buttons: _buttons, allowTemplateCategoryChange: _ignored, ...rest } = variant;
    expect(await expectSent(client, 'createTemplate', aTemplate(variant))).toMatchObject(rest);
  }
}

async function expectNotTaken(client: ClientDriver, word: string, ...variants: readonly Json[]): Promise<void> {
  for (const variant of variants) await expectRefused(client, 'createTemplate', aTemplate(variant), word);
}

/** The buttons as sent. */
async function sentButtons(client: ClientDriver, request: Json): Promise<unknown> {
  client.responses(CREATED);
  const { buttons } = await expectSent(client, 'createTemplate', request);
  expect(typeof buttons).toBe('string');
  return JSON.parse(buttons as string);
}

for (const [rowId, { taken = [], refused }] of Object.entries(TEMPLATE_RULES)) {
  onClient(rowId, async (client) => {
    await expectTaken(client, ...taken);
    if (refused !== undefined) await expectNotTaken(client, ...refused);
  });
}

onClient('create-template.category-listed', async (client) => {
  await expectTaken(client, { category: 'MARKETING' }, { category: 'UTILITY' });
  expect(await expectSent(client, 'createTemplate', anAuthenticationTemplate())).toMatchObject({
    category: 'AUTHENTICATION',
  });
  await expectNotTaken(client, CATEGORY_WORDS, { category: 'NEWS' });
});

onClient('errors.template.category', async (client) => {
  await expectNotTaken(client, CATEGORY_WORDS, { category: 'NEWS' });
  for (const status of [400, 200]) {
    client.respondsWith({ status, json: { message: CATEGORY_WORDS } });
    const error = await expectError(client, 'createTemplate', aTemplate(), 'GATEWAY_REJECTED');
    expect(error.gatewayText).toContain(CATEGORY_WORDS);
  }
});

onFields('create-template.mediaUrl', 'createTemplate', {
  sent: [{ templateType: 'IMAGE', ...MEDIA }, { templateType: 'IMAGE' }],
});

for (const field of ['content', 'example']) {
  onClient(`create-template.authentication-${field}-default`, async (client) => {
    client.responses(CREATED);
    expect(await expectSent(client, 'createTemplate', anAuthenticationTemplate())).not.toHaveProperty(field);
  });
}

onClient('create-template.authentication-needs-otp-button', async (client) => {
  for (const buttons of [undefined, [], [QUICK_REPLY]]) {
    await expectRefused(client, 'createTemplate', anAuthenticationTemplate({ buttons }), 'OTP');
  }
});

onClient('create-template.buttons-string-or-list', async (client) => {
  expect(await sentButtons(client, aTemplate({ buttons: [QUICK_REPLY] }))).toEqual([QUICK_REPLY]);
});

onClient('create-template.enableSample', async (client) => {
  client.responses(CREATED);
  const { enableSample: _enableSample, ...without } = aTemplate();
  for (const request of [without, { ...without, enableSample: undefined }]) {
    expect(await expectSent(client, 'createTemplate', request)).toMatchObject({ enableSample: true });
  }
  expect(await expectSent(client, 'createTemplate', aTemplate({ enableSample: false }))).toMatchObject({
    enableSample: false,
  });
});

async function expectMarkedDeprecated(client: ClientDriver): Promise<void> {
  expect(client.requestSchema('createTemplate')).toMatchObject({
    properties: { allowTemplateCategoryChange: { deprecated: true } },
  });
  client.responses(CREATED);
  const request = aTemplate({ allowTemplateCategoryChange: true });
  expect(await expectSent(client, 'createTemplate', request)).not.toHaveProperty('allowTemplateCategoryChange');
  expect(client.warnings('createTemplate', request).join()).toContain('deprecated');
}

onClient('create-template.category-change-ignored', expectMarkedDeprecated);
onClient('versioning.deprecated-category-change', expectMarkedDeprecated);

for (const [rowId, field] of [
  ['create-template.security-recommendation', { addSecurityRecommendation: true }],
  ['create-template.expiry-sentence', { codeExpirationMinutes: 17 }],
] as const) {
  onClient(rowId, async (client) => {
    client.responses(CREATED);
    expect(await expectSent(client, 'createTemplate', anAuthenticationTemplate(field))).toMatchObject(field);
  });
}

onClient('create-template.answers-template', async (client) => {
  client.responses({ template: { id: '4c4b', status: 'PENDING' } });
  expect(await client.call('createTemplate', aTemplate())).toMatchObject({ template: { status: 'PENDING' } });
  client.responses({});
  await expectError(client, 'createTemplate', aTemplate(), 'GATEWAY_RESPONSE_INVALID');
});

const OTP_BUTTON = { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' };

onClient('button.type', async (client) => {
  const buttons = [QUICK_REPLY, URL_BUTTON, PHONE_BUTTON, OTP_BUTTON];
  expect(await sentButtons(client, aTemplate({ buttons }))).toEqual(buttons);
  await expectNotTaken(client, 'type', { buttons: [{ type: 'SONG', text: 'Sing' }] });
});

for (const [rowId, button] of [
  ['button.phone_number', PHONE_BUTTON],
  ['button.url', URL_BUTTON],
  ['button.example', URL_BUTTON],
  ['button.otp_type', OTP_BUTTON],
] as const) {
  onClient(rowId, async (client) => {
    expect(await sentButtons(client, aTemplate({ buttons: [button] }))).toEqual([button]);
  });
}

onClient('limits.code-expiration-1-to-90', async (client) => {
  client.responses(CREATED);
  for (const codeExpirationMinutes of [1, 2.5, 90]) {
    const request = anAuthenticationTemplate({ codeExpirationMinutes });
    expect(await expectSent(client, 'createTemplate', request)).toMatchObject({ codeExpirationMinutes });
  }
  for (const codeExpirationMinutes of [0, 91]) {
    const request = anAuthenticationTemplate({ codeExpirationMinutes });
    await expectRefused(client, 'createTemplate', request, 'codeExpirationMinutes');
  }
});

onClient('create-template.elementName-unique', async (client) => {
  client.respondsWith({ status: 400, json: { message: 'elementName is taken' } });
  await expectError(client, 'createTemplate', GOOD.createTemplate.request, 'GATEWAY_REJECTED');
});
