import { expect } from 'vitest';
import { START_MS, type Json } from '../scene.js';
import type { SimulatorResponse, SimulatorDriver } from '../simulator-driver.js';
import {
  aTemplate,
  anAuthenticationTemplate,
  CATEGORY_WORDS,
  MEDIA,
  MEDIA_TYPES,
  PHONE_BUTTON,
  QUICK_REPLY,
  TEMPLATE_RULES,
  URL_BUTTON,
} from '../template-requests.js';
import { expectOk, expectRefused, onSimulator } from './assertions.js';

let names = 0;
/** Another name for each template, since a name can be used once. */
function aName(): string {
  names += 1;
  return `template_${names}`;
}

async function create(sim: SimulatorDriver, more: Json = {}): Promise<SimulatorResponse> {
  return await sim.post('createTemplate', aTemplate({ elementName: aName(), ...more }));
}

async function created(sim: SimulatorDriver, more: Json = {}): Promise<Json> {
  const response = await create(sim, more);
  expectOk(response);
  return (response.json as { template: Json }).template;
}

async function createdAuthentication(sim: SimulatorDriver, more: Json = {}): Promise<Json> {
  const response = await sim.post('createTemplate', anAuthenticationTemplate({ elementName: aName(), ...more }));
  expectOk(response);
  return (response.json as { template: Json }).template;
}

async function expectTaken(sim: SimulatorDriver, ...variants: readonly Json[]): Promise<void> {
  for (const variant of variants) expectOk(await create(sim, variant));
}

async function expectNotTaken(sim: SimulatorDriver, word: string, ...variants: readonly Json[]): Promise<void> {
  for (const variant of variants) expectRefused(await create(sim, variant), word);
}

async function decide(sim: SimulatorDriver, elementName: string, decision: Json): Promise<void> {
  await sim.control('POST', `/templates/${elementName}/decision`, decision);
}

async function readTemplate(sim: SimulatorDriver, templateId: unknown): Promise<Json> {
  const response = await sim.post('getTemplateById', { templateId });
  expectOk(response);
  return (response.json as { template: Json }).template;
}

/** The template after this decision. */
async function decided(sim: SimulatorDriver, decision: Json): Promise<Json> {
  const template = await created(sim);
  await decide(sim, String(template['elementName']), decision);
  return await readTemplate(sim, template['templateId']);
}

for (const status of ['PENDING', 'APPROVED', 'REJECTED', 'FAILED', 'PAUSED']) {
  onSimulator(`template-status.${status}`, async (sim) => {
    expect(await decided(sim, { status })).toMatchObject({ status });
  });
}

onSimulator('template-status.pending-when-new', async (sim) => {
  expect(await created(sim)).toMatchObject({ status: 'PENDING' });
});

onSimulator('template-status.reason-when-failed', async (sim) => {
  expect(await decided(sim, { status: 'FAILED', reason: 'bad words' })).toMatchObject({ reason: 'bad words' });
});

onSimulator('template.times-in-milliseconds', async (sim) => {
  const { createdOn, modifiedOn } = await created(sim);
  expect(createdOn).toBe(START_MS);
  expect(modifiedOn).toBeGreaterThanOrEqual(START_MS);
});

onSimulator('template.modified-equals-created', async (sim) => {
  const { createdOn, modifiedOn } = await created(sim);
  expect(modifiedOn).toBe(createdOn);
});

onSimulator('template.id-under-two-names', async (sim) => {
  const { id, templateId } = await created(sim);
  expect(id).toEqual(expect.any(String));
  expect(templateId).toBe(id);
});

for (const [rowId, { taken = [], refused }] of Object.entries(TEMPLATE_RULES)) {
  onSimulator(rowId, async (sim) => {
    await expectTaken(sim, ...taken);
    if (refused !== undefined) await expectNotTaken(sim, ...refused);
  });
}

onSimulator('create-template.elementName-unique', async (sim) => {
  const elementName = aName();
  await expectTaken(sim, { elementName });
  await expectNotTaken(sim, 'elementName', { elementName });
});

onSimulator('create-template.category-listed', async (sim) => {
  await expectTaken(sim, { category: 'MARKETING' }, { category: 'UTILITY' });
  await createdAuthentication(sim);
  await expectNotTaken(sim, 'category', { category: 'NEWS' });
});

onSimulator('errors.template.category', async (sim) => {
  const response = await create(sim, { category: 'NEWS' });
  expect(response.status).toBe(400);
  expect(response.json).toMatchObject({ message: CATEGORY_WORDS });
});

onSimulator('create-template.mediaUrl', async (sim) => {
  for (const templateType of MEDIA_TYPES) {
    const { containerMeta } = await created(sim, { templateType, ...MEDIA });
    expect(containerMeta).toContain(MEDIA.mediaUrl);
  }
});

onSimulator('create-template.authentication-content-default', async (sim) => {
  const { data } = await createdAuthentication(sim);
  expect(data).toContain('*{{1}}* is your verification code.');
});

onSimulator('create-template.authentication-example-default', async (sim) => {
  const { meta } = await createdAuthentication(sim);
  expect(meta).toContain('*1234* is your verification code.');
});

onSimulator('create-template.authentication-needs-otp-button', async (sim) => {
  const without = anAuthenticationTemplate({ elementName: aName(), buttons: undefined });
  expectRefused(await sim.post('createTemplate', without), 'OTP');
  const other = anAuthenticationTemplate({ elementName: aName(), buttons: [QUICK_REPLY] });
  expectRefused(await sim.post('createTemplate', other), 'OTP');
});

onSimulator('create-template.buttons-string-or-list', async (sim) => {
  await expectTaken(sim, { buttons: [QUICK_REPLY] }, { buttons: JSON.stringify([QUICK_REPLY]) });
});

onSimulator('create-template.enableSample', async (sim) => {
  await expectTaken(sim, { enableSample: true }, { enableSample: undefined });
});

/** A template's fields, except those that differ between templates. */
function comparable(template: Json): Json {
  return { category: template['category'], flag: template['allowTemplateCategoryChange'], data: template['data'] };
}

async function expectFlagIgnored(sim: SimulatorDriver): Promise<void> {
  const on = await created(sim, { allowTemplateCategoryChange: true });
  const off = await created(sim, { allowTemplateCategoryChange: false });
  expect(comparable(on)).toEqual(comparable(off));
}

onSimulator('create-template.category-change-ignored', expectFlagIgnored);
onSimulator('versioning.deprecated-category-change', expectFlagIgnored);

onSimulator('create-template.security-recommendation', async (sim) => {
  const plain = String((await createdAuthentication(sim))['data']);
  const advised = String((await createdAuthentication(sim, { addSecurityRecommendation: true }))['data']);
  expect(advised.length).toBeGreaterThan(plain.length);
});

onSimulator('create-template.expiry-sentence', async (sim) => {
  expect((await createdAuthentication(sim, { codeExpirationMinutes: 17 }))['data']).toContain('17');
});

onSimulator('create-template.answers-template', async (sim) => {
  const response = await create(sim);
  expectOk(response);
  expect(response.json).toEqual({ template: expect.any(Object) });
});

const BUTTONS = [QUICK_REPLY, URL_BUTTON, PHONE_BUTTON];

onSimulator('button.type', async (sim) => {
  for (const button of BUTTONS) await expectTaken(sim, { buttons: [button] });
  await createdAuthentication(sim);
  await expectNotTaken(sim, 'type', { buttons: [{ type: 'SONG', text: 'Sing' }] });
});

for (const [rowId, shown] of [
  ['button.phone_number', PHONE_BUTTON.phone_number],
  ['button.url', URL_BUTTON.url],
  ['button.example', 'https://example.com/1'],
] as const) {
  onSimulator(rowId, async (sim) => {
    expect((await created(sim, { buttons: BUTTONS }))['containerMeta']).toContain(shown);
  });
}

onSimulator('button.otp_type', async (sim) => {
  expect((await createdAuthentication(sim))['containerMeta']).toContain('COPY_CODE');
});

onSimulator('limits.code-expiration-1-to-90', async (sim) => {
  for (const codeExpirationMinutes of [1, 2.5, 90]) await createdAuthentication(sim, { codeExpirationMinutes });
  for (const codeExpirationMinutes of [0, 91]) {
    const request = anAuthenticationTemplate({ elementName: aName(), codeExpirationMinutes });
    expectRefused(await sim.post('createTemplate', request), 'codeExpirationMinutes');
  }
});
