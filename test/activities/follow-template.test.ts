import { describe, expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../src/contract/index.js';
import { aTemplateWorld, DAY, KEY, MINUTE, POLL_MS, type TemplateWorld } from './template-world.js';

async function aSubmitted(instance = {}): Promise<{ world: TemplateWorld; version: number }> {
  const world = await aTemplateWorld(instance);
  await world.ask();
  const { version } = await world.submitted();
  return { world, version };
}

/** Proves TEMPLATE-4 and TEMPLATE-5. */
describe('following a review', () => {
  test('polls by the schedule while nothing changes: first often, then at the longest interval', async () => {
    const { world, version } = await aSubmitted();
    for (const [polls, retryAfterMs] of [
      [1, POLL_MS[0]],
      [2, POLL_MS[1]],
      [3, POLL_MS[2]],
      [99, POLL_MS[2]],
    ] as const) {
      await expect(world.follow(version, polls)).rejects.toMatchObject({ code: 'TEMPLATE_UNDECIDED', retryAfterMs });
    }
    const { checkedAt, nextCheckAt } = await world.view();
    expect(Date.parse(nextCheckAt ?? '') - Date.parse(checkedAt ?? '')).toBe(POLL_MS[2]);
  });

  test.each([
    ['APPROVED', undefined],
    ['REJECTED', 'too pushy'],
    ['FAILED', 'no example'],
    ['PAUSED', undefined],
    ['SOMETHING_NEW', undefined],
  ])('returns once the review is %s', async (status, reason) => {
    const { world, version } = await aSubmitted();
    if (status === 'SOMETHING_NEW') await world.control('POST', 'faults', newStatus(await world.view()));
    else await world.setReview(status, reason);
    expect(await world.follow(version)).toMatchObject({ status, ...(reason === undefined ? {} : { reason }) });
    expect((await world.view()).changes.at(-1)).toMatchObject({ what: 'status', status, witness: 'getTemplateById' });
  });

  test('finds the template in the list by its name when its id is unknown', async () => {
    const { world } = await aSubmitted();
    await world.ledger.templates.setReview(KEY, { status: 'PENDING', templateId: 'another' }, 0);
    const { version } = await world.view();
    await world.setReview('APPROVED');
    expect(await world.follow(version)).toMatchObject({ status: 'APPROVED' });
    expect((await world.view()).changes.at(-1)).toMatchObject({ witness: 'getTemplates' });
  });

  test('records an earlier status that returns', async () => {
    const { world, version } = await aSubmitted();
    await world.setReview('APPROVED');
    const approved = await world.follow(version);
    await world.message({ elementName: KEY.elementName, params: ['17'] });
    await world.setReview('PENDING');
    expect(await world.follow(approved.version)).toMatchObject({ status: 'PENDING' });
    expect((await world.view()).changes.at(-1)).toMatchObject({ status: 'PENDING', detail: { after: 'APPROVED' } });
  });

  test("ignores a response from before an operator's decision", async () => {
    const { world } = await aSubmitted();
    const { templates } = world.ledger;
    const decided = await templates.setReview(KEY, { status: 'APPROVED' }, 0);
    const poll = { reading: { status: 'PENDING' }, witness: 'getTemplateById', nowMs: 0 };
    expect(await templates.recordReading(KEY, poll)).toEqual(decided);
    expect(await templates.recordReading(KEY, { ...poll, reading: { status: 'PAUSED' } })).toMatchObject({
      status: 'PAUSED',
    });
  });

  test('returns a change that the run does not know at once, and an approved template without dependents', async () => {
    const { world, version } = await aSubmitted();
    await world.setReview('APPROVED');
    const approved = await world.follow(version);
    const before = await world.requests();
    expect(await world.follow(version)).toEqual(approved);
    expect(await world.follow(approved.version)).toEqual(approved);
    expect(await world.requests()).toEqual(before);
  });

  test('polls an approved template while a message waits to be sent with it', async () => {
    const { world, version } = await aSubmitted();
    await world.setReview('APPROVED');
    const approved = await world.follow(version);
    await world.message({ elementName: KEY.elementName, params: ['17'] });
    await expect(world.follow(approved.version)).rejects.toMatchObject({ code: 'TEMPLATE_UNDECIDED' });
    await world.setReview('PAUSED');
    expect(await world.follow(approved.version)).toMatchObject({ status: 'PAUSED' });
  });

  test('survives an unavailable gateway and invalid responses, and shows why the last poll failed', async () => {
    const { world, version } = await aSubmitted();
    await world.outage(true);
    await expect(world.follow(version)).rejects.toMatchObject({ code: 'TEMPLATE_UNDECIDED' });
    expect(await world.view()).toMatchObject({
      status: 'PENDING',
      checkCode: expect.stringMatching(/UNREACHABLE|UNKNOWN/) as string,
    });
    await world.outage(false);
    await world.control('POST', 'faults', { method: 'getTemplateById', kind: 'status', status: 401, times: 1 });
    await expect(world.follow(version)).rejects.toMatchObject({ code: 'TEMPLATE_UNDECIDED' });
    expect(await world.view()).toMatchObject({ checkCode: 'GATEWAY_UNAUTHORIZED' });
    await world.setReview('APPROVED');
    expect(await world.follow(version)).toMatchObject({ status: 'APPROVED' });
    expect(await world.view()).not.toHaveProperty('checkCode');
  });

  test('waits for the pushed decision, and shows that, when the instance cannot read templates', async () => {
    const capabilities = OPERATION_NAMES.filter((name) => name !== 'getTemplates' && name !== 'getTemplateById');
    const { world, version } = await aSubmitted({ capabilities });
    await expect(world.follow(version)).rejects.toMatchObject({
      code: 'TEMPLATE_UNDECIDED',
      message: expect.stringContaining('everpost template set-review') as string,
    });
    expect(await world.requests()).toEqual(['createTemplate']);
    expect(await world.view()).toMatchObject({ checkText: expect.stringContaining('push its decision') as string });
    const decided = await world.ledger.templates.setReview(KEY, { status: 'REJECTED', reason: 'by mail' }, 0);
    expect(await world.follow(version)).toEqual(decided);
  });

  test('ends after thirty days without a decision, and begins again when the template is submitted again', async () => {
    const { world, version } = await aSubmitted();
    world.pass(29 * DAY);
    await expect(world.follow(version)).rejects.toMatchObject({ code: 'TEMPLATE_UNDECIDED' });
    world.pass(DAY + MINUTE);
    const ended = await world.follow(version);
    expect(ended).toMatchObject({ status: 'PENDING', unwatchedSince: expect.any(String) as string });
    expect(await world.ask()).not.toHaveProperty('unwatchedSince');
  });
});

describe('an operator’s decision', () => {
  test('is refused while the gateway does not have the template', async () => {
    const world = await aTemplateWorld();
    const review = { status: 'APPROVED' };
    await expect(world.ledger.templates.setReview(KEY, review, 0)).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
    await world.ask();
    await expect(world.ledger.templates.setReview(KEY, review, 0)).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_SUBMITTED',
    });
  });
});

describe('a message that names a template', () => {
  const params = ['17'];

  test.each([
    ['REJECTED', 'template_rejected'],
    ['FAILED', 'template_failed'],
  ])('ends when the template is %s, with the reason', async (status, reason) => {
    const { world, version } = await aSubmitted();
    await world.setReview(status, 'too pushy');
    await world.follow(version);
    const id = await world.message({ ...KEY, params });
    expect(await world.claimed(id)).toMatchObject({ state: 'rejected', reason, reasonText: 'too pushy' });
  });

  test('ends for an unsubmitted name, and for a wrong number of values', async () => {
    const { world } = await aSubmitted();
    const unheard = await world.message({ elementName: 'unheard_of' });
    expect(await world.claimed(unheard)).toMatchObject({ state: 'rejected', reason: 'template_unknown' });
    const short = await world.message({ ...KEY, params: [] });
    expect(await world.claimed(short)).toMatchObject({ state: 'rejected', reason: 'template_parameters' });
  });

  test('is claimed for an id that everpost does not know: the gateway decides', async () => {
    const { world } = await aSubmitted();
    expect(await world.claimed(await world.message({ templateId: 'made-elsewhere', params }))).toBe('claimed');
    const { templateId = '' } = await world.view();
    expect(await world.claimed(await world.message({ templateId, params }))).toMatchObject({ state: 'pending' });
  });
});

function newStatus({ templateId }: { readonly templateId?: string }) {
  const body = { template: { id: templateId, elementName: KEY.elementName, status: 'SOMETHING_NEW' } };
  return { method: 'getTemplateById', kind: 'status', status: 200, body, times: 1 };
}
