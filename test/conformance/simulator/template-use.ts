import { expect } from 'vitest';
import { CHAT, MINUTE_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { aTemplate } from '../template-requests.js';
import { expectOk, expectRefused, onSimulator } from './assertions.js';

/** Created, and decided by the reviewers. @returns its id */
async function aReviewed(sim: SimulatorDriver, status: string, elementName = 'order_ready'): Promise<string> {
  const response = await sim.post('createTemplate', aTemplate({ elementName }));
  expectOk(response);
  await sim.control('POST', `/templates/${elementName}/decision`, { status });
  return String((response.json as { template?: Json }).template?.['templateId']);
}

onSimulator('get-template-by-id.read', async (sim) => {
  const templateId = await aReviewed(sim, 'APPROVED');
  const response = await sim.post('getTemplateById', { templateId });
  expectOk(response);
  expect(response.json).toMatchObject({ template: { templateId, elementName: 'order_ready', status: 'APPROVED' } });
  expectRefused(await sim.post('getTemplateById', { templateId: 'unknown' }), 'not found');
});

onSimulator('get-templates.read', async (sim) => {
  await aReviewed(sim, 'APPROVED', 'first');
  await aReviewed(sim, 'PAUSED', 'second');
  const response = await sim.get('getTemplates');
  expect(response.json).toMatchObject({
    templates: [
      { elementName: 'first', status: 'APPROVED' },
      { elementName: 'second', status: 'PAUSED' },
    ],
  });
});

onSimulator('send-template.accepted', async (sim) => {
  const templateId = await aReviewed(sim, 'APPROVED');
  await sim.control('PATCH', '/instances/1101000001', { state: 'notAuthorized' });
  const idMessage = await sim.accepted('sendTemplate', { chatId: CHAT, templateId, params: ['17'] });
  expect((await sim.get('showMessagesQueue')).json).toEqual([]);
  await sim.control('PATCH', '/instances/1101000001', { state: 'authorized' });
  await sim.advance(MINUTE_MS);
  expect(await sim.delivered()).toMatchObject([
    { idMessage, chatId: CHAT, kind: 'template', typeMessage: 'templateMessage', text: 'Your order 17 is ready.' },
  ]);
});

onSimulator('send-template.approved-only', async (sim) => {
  for (const status of ['PENDING', 'REJECTED', 'FAILED', 'PAUSED']) {
    const templateId = await aReviewed(sim, status, `template_${status.toLowerCase()}`);
    expectRefused(await sim.post('sendTemplate', { chatId: CHAT, templateId, params: ['17'] }), 'APPROVED');
  }
});

onSimulator('send-template.params', async (sim) => {
  const templateId = await aReviewed(sim, 'APPROVED');
  expectOk(await sim.post('sendTemplate', { chatId: CHAT, templateId, params: ['17'] }));
  for (const params of [undefined, [], ['17', '18']]) {
    expectRefused(await sim.post('sendTemplate', { chatId: CHAT, templateId, params }), 'params');
  }
});
