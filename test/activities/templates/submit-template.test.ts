import { describe, expect, test } from 'vitest';
import { OPERATION_NAMES, isDecided } from '../../../src/contract/index.js';
import { aDefinition, anInput, aTemplateWorld, KEY } from '../template-world.js';

const WITHOUT_LIST = {
  capabilities: OPERATION_NAMES.filter((name) => name !== 'getTemplates' && name !== 'getTemplateById'),
};
const LOST = { method: 'createTemplate', kind: 'lose-answer', times: 1 };

/** Proves TEMPLATE-1 to TEMPLATE-3. */
describe('submitting a template', () => {
  test('searches its name, posts once, and keeps the gateway’s id and its first status', async () => {
    const world = await aTemplateWorld();
    await world.ask();
    expect(await world.submit()).toMatchObject({ state: 'submitted', status: 'PENDING' });
    expect(await world.requests()).toEqual(['getTemplates', 'createTemplate']);
    const { templateId, changes } = await world.view();
    expect(templateId).toMatch(/./);
    expect(changes.map(({ what }) => what)).toEqual(['pending', 'submitted', 'status']);
  });

  test('changes nothing the second time', async () => {
    const world = await aTemplateWorld();
    await world.ask();
    const first = await world.submit();
    expect(await world.ask()).toEqual(first);
    expect(await world.submit()).toEqual(first);
    expect(await world.names()).toEqual([KEY.elementName]);
  });

  test('finds a template by its name after a lost response, and never creates a second one', async () => {
    const world = await aTemplateWorld();
    await world.control('POST', 'faults', { ...LOST, accepted: true });
    await world.ask();
    await expect(world.submit()).rejects.toMatchObject({ code: 'TEMPLATE_OUTCOME_UNKNOWN' });
    expect(await world.view()).toMatchObject({ state: 'unknown' });
    expect(await world.submitted()).toMatchObject({ state: 'submitted', status: 'PENDING' });
    const changes = (await world.view()).changes.map(({ what }) => what);
    expect(changes).toEqual(['pending', 'lost_response', 'submitted', 'status']);
    expect(await world.names()).toEqual([KEY.elementName]);
    expect((await world.requests()).filter((name) => name === 'createTemplate')).toHaveLength(1);
  });

  test('posts again only when the time of the lost request has passed and its name is not listed', async () => {
    const world = await aTemplateWorld();
    await world.control('POST', 'faults', { ...LOST, accepted: false });
    await world.ask();
    await expect(world.submit()).rejects.toMatchObject({ code: 'TEMPLATE_OUTCOME_UNKNOWN' });
    await expect(world.submit()).rejects.toMatchObject({ code: 'TEMPLATE_OUTCOME_UNKNOWN' });
    expect(await world.view()).toMatchObject({ state: 'unknown' });
    expect(await world.submitted()).toMatchObject({ state: 'submitted' });
    expect(await world.names()).toEqual([KEY.elementName]);
  });

  test('takes the refusal of the name as evidence when the instance cannot list templates', async () => {
    const world = await aTemplateWorld(WITHOUT_LIST);
    await world.control('POST', 'faults', { ...LOST, accepted: true });
    await world.ask();
    const template = await world.submitted();
    expect(template).toMatchObject({ state: 'submitted' });
    expect(isDecided(template)).toBe(false);
    expect((await world.view()).changes.at(-1)).toMatchObject({ witness: 'refusal', what: 'submitted' });
    expect(await world.names()).toEqual([KEY.elementName]);
  });

  test('adopts an equal existing template without a POST', async () => {
    const world = await aTemplateWorld();
    await world.createElsewhere(aDefinition());
    await world.setReview('APPROVED');
    await world.ask();
    expect(await world.submit()).toMatchObject({ state: 'submitted', status: 'APPROVED' });
    expect((await world.requests()).filter((name) => name === 'createTemplate')).toHaveLength(1);
  });

  test.each([
    ['when the instance can list templates', {}, /content/],
    ['when it cannot', WITHOUT_LIST, /cannot read the template of this name/],
  ])('is refused when the name belongs to another template, %s', async (_, instance, why) => {
    const world = await aTemplateWorld(instance);
    await world.createElsewhere(aDefinition({ content: 'Hello {{1}}', example: 'Hello you' }));
    await world.ask();
    const refused = await world.submit();
    expect(refused).toMatchObject({ state: 'refused' });
    expect(refused.reason).toMatch(why);
    expect(isDecided(refused)).toBe(true);
  });

  test('is refused with the gateway’s reason, and may be corrected under the same name', async () => {
    const world = await aTemplateWorld();
    const body = { message: 'vertical is odd' };
    await world.control('POST', 'faults', { method: 'createTemplate', kind: 'status', status: 400, body, times: 1 });
    await world.ask();
    expect(await world.submit()).toMatchObject({ state: 'refused', reason: 'vertical is odd' });
    expect(await world.ask(aDefinition({ vertical: 'Orders' }))).toMatchObject({ state: 'pending' });
    expect(await world.submit()).toMatchObject({ state: 'submitted' });
    expect((await world.view()).definition.vertical).toBe('Orders');
  });

  test('waits while the gateway is busy or unavailable, with the reason', async () => {
    const world = await aTemplateWorld();
    await world.control('POST', 'faults', { method: 'createTemplate', kind: 'status', status: 429, times: 1 });
    await world.ask();
    await expect(world.submit()).rejects.toMatchObject({ code: 'GATEWAY_BUSY' });
    expect(await world.view()).toMatchObject({ state: 'pending', checkCode: 'GATEWAY_BUSY' });
    await world.outage(true);
    await expect(world.submit()).rejects.toMatchObject({
      code: expect.stringMatching(/UNREACHABLE|UNKNOWN/) as string,
    });
    await world.outage(false);
    expect(await world.submitted()).toMatchObject({ state: 'submitted' });
  });

  test('continues after a worker died between its claim and the response', async () => {
    const world = await aTemplateWorld();
    await world.ask();
    const reconcileAfterMs = Date.parse('2026-01-01T00:00:07Z');
    await world.ledger.templates.claim({ key: KEY, token: 'dead', reconcileAfterMs });
    await expect(world.submit()).rejects.toMatchObject({ code: 'TEMPLATE_OUTCOME_UNKNOWN' });
    expect(await world.submitted()).toMatchObject({ state: 'submitted' });
    expect(await world.names()).toEqual([KEY.elementName]);
  });
});

describe('a changed template under a used name', () => {
  test('is refused with each difference and the remedy, and without its texts', async () => {
    const world = await aTemplateWorld();
    await world.ask();
    await world.submit();
    const changed = world.ask(aDefinition({ content: 'Come and get {{1}}', footer: 'Bye' }));
    await expect(changed).rejects.toMatchObject({
      code: 'TEMPLATE_DIFFERS',
      problems: [{ path: 'content' }, { path: 'footer' }],
      message: expect.stringMatching(/order_ready_2/) as string,
    });
    await expect(changed).rejects.not.toMatchObject({ message: expect.stringMatching(/Come and get/) as string });
  });

  test('is refused for a run as well, which continues from the row when it is the same', async () => {
    const world = await aTemplateWorld();
    const { templates } = world.ledger;
    const opened = await templates.open(anInput(), 'default', 0);
    expect(await templates.open(anInput(), 'default', 0)).toEqual(opened);
    const other = anInput(aDefinition({ footer: 'Bye' }));
    await expect(templates.open(other, 'default', 0)).rejects.toMatchObject({ code: 'TEMPLATE_DIFFERS' });
  });
});
