import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { INSTANCE, TOKEN } from '../scene.js';
import { expectError, onClient } from './assertions.js';

const { request: SEND } = GOOD.sendTemplate;

onClient('get-template-by-id.read', async (client) => {
  for (const name of ['id', 'templateId']) {
    client.responses({ template: { [name]: '4c4b', status: 'FAILED', reason: 'no example' } });
    expect(await client.call('getTemplateById', GOOD.getTemplateById.request)).toMatchObject({
      template: { templateId: '4c4b', status: 'FAILED', reason: 'no example' },
    });
  }
  expect(client.recorder.requests[0]).toMatchObject({
    verb: 'POST',
    path: `/waInstance${INSTANCE}/getTemplateById/${TOKEN}`,
    json: { templateId: '4c4b' },
  });
  client.responses({});
  await expectError(client, 'getTemplateById', GOOD.getTemplateById.request, 'GATEWAY_RESPONSE_INVALID');
});

onClient('get-templates.read', async (client) => {
  client.responses({
    templates: ['odd', { status: 'PENDING' }, { id: '4c4b', elementName: 'order_ready', status: 'NEW' }],
  });
  expect(await client.call('getTemplates', {})).toEqual({
    templates: [{ status: 'PENDING' }, { id: '4c4b', templateId: '4c4b', elementName: 'order_ready', status: 'NEW' }],
  });
  expect(client.recorder.requests).toMatchObject([
    { verb: 'GET', path: `/waInstance${INSTANCE}/getTemplates/${TOKEN}` },
  ]);
  for (const none of [{ templates: [] }, { templates: null }, '']) {
    client.responses(none);
    expect(await client.call('getTemplates', {})).toMatchObject({ templates: [] });
  }
  client.responses({});
  await expectError(client, 'getTemplates', {}, 'GATEWAY_RESPONSE_INVALID');
});

onClient('send-template.accepted', async (client) => {
  expect(await client.call('sendTemplate', SEND)).toMatchObject({ idMessage: 'BAE5000000000001' });
  expect(client.recorder.requests).toMatchObject([
    { verb: 'POST', path: `/waInstance${INSTANCE}/sendTemplate/${TOKEN}`, json: SEND },
  ]);
});

onClient('send-template.approved-only', async (client) => {
  client.respondsWith({ status: 400, json: { message: 'the template is not approved' } });
  const error = await expectError(client, 'sendTemplate', SEND, 'GATEWAY_REJECTED');
  expect(error.gatewayText).toContain('not approved');
});
