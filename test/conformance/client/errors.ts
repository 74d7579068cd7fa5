import { expect } from 'vitest';
import type { ErrorCode } from '../../../src/contract/index.js';
import type { ClientDriver } from '../client-driver.js';
import { GOOD } from '../good-requests.js';
import { TOKEN } from '../scene.js';
import { expectError, onClient } from './assertions.js';

type Operation = keyof typeof GOOD;

async function expectStatus(
  client: ClientDriver,
  operation: Operation,
  status: number,
  code: ErrorCode,
): Promise<void> {
  client.respondsWith({ status, json: { message: 'words of the gateway' } });
  const error = await expectError(client, operation, GOOD[operation].request, code);
  expect(error.httpStatus).toBe(status);
}

/** A 400 is the caller's error, and shows the gateway's text. */
function onValidationError(rowId: string, operation: Operation): void {
  onClient(rowId, async (client) => {
    const message = "Validation failed, details: 'something' is wrong";
    client.respondsWith({ status: 400, json: { statusCode: 400, message } });
    const error = await expectError(client, operation, GOOD[operation].request, 'GATEWAY_REJECTED');
    expect(error.gatewayText).toContain(message);
  });
}

onValidationError('errors.edit.validation', 'editMessage');
onValidationError('errors.send-file.validation', 'sendFileByUrl');
onValidationError('errors.group.validation', 'getGroupData');
onValidationError('errors.read-chat.validation', 'readChat');

async function expectForbidden(client: ClientDriver): Promise<void> {
  client.respondsWith({ status: 403, raw: 'Forbidden' });
  const error = await expectError(client, 'sendTextStatus', GOOD.sendTextStatus.request, 'GATEWAY_REJECTED');
  expect(error.httpStatus).toBe(403);
  expect(error.message).toContain('Ask for access');
  expect(client.recorder.requests).toHaveLength(1);
}

onClient('errors.status.forbidden', expectForbidden);
onClient('status.beta-access', expectForbidden);

for (const [rowId, status, code] of [
  ['errors.unauthorized', 401, 'GATEWAY_UNAUTHORIZED'],
  ['errors.wrong-verb', 404, 'GATEWAY_REJECTED'],
  ['errors.499-is-open', 499, 'GATEWAY_OUTCOME_UNKNOWN'],
  ['errors.466-plan-limit', 466, 'GATEWAY_PLAN_LIMIT'],
] as const) {
  onClient(rowId, (client) => expectStatus(client, 'sendMessage', status, code));
}

onClient('errors.read-chat.body-shape', async (client) => {
  const path = `/waInstance1101000001/readChat/${TOKEN}`;
  const message = "Validation failed. Details: 'chatId' is wrong";
  client.respondsWith({ status: 400, json: { statusCode: 400, timestamp: '2026-01-01T00:00:00.000Z', path, message } });
  const error = await expectError(client, 'readChat', GOOD.readChat.request, 'GATEWAY_REJECTED');
  expect(error.gatewayText).toContain(message);
  expect(JSON.stringify([error.message, error.gatewayText, error.problems, error.stack])).not.toContain(TOKEN);
});

onClient('errors.body-shape-elsewhere', async (client) => {
  for (const response of [{ raw: 'plain words' }, { json: { error: 'words' } }, { json: 'words' }, { raw: '' }]) {
    client.respondsWith({ status: 400, ...response });
    await expectError(client, 'editMessage', GOOD.editMessage.request, 'GATEWAY_REJECTED');
  }
});

async function expectBusy(client: ClientDriver, operation: Operation): Promise<void> {
  client.respondsWith({ status: 429, raw: 'Too Many Requests', headers: { 'Retry-After': '7' } });
  const error = await expectError(client, operation, GOOD[operation].request, 'GATEWAY_BUSY');
  expect(error.next).toBe('wait');
  expect(error.retryAfterMs).toBe(7000);
  expect(client.recorder.requests).toHaveLength(1);
}

onClient('read-chat.rate-limit', (client) => expectBusy(client, 'readChat'));
onClient('limits.read-chat-rate', (client) => expectBusy(client, 'readChat'));
onClient('rate-limit.per-second', (client) => expectBusy(client, 'sendMessage'));

for (const status of [500, 502, 503, 504] as const) {
  onClient(`errors.${status}-is-open`, async (client) => {
    await expectStatus(client, 'sendMessage', status, 'GATEWAY_OUTCOME_UNKNOWN');
    expect(client.recorder.requests).toHaveLength(1);
    const statusMeanings = { [status]: 'not_accepted' } as const;
    const told = await client.failure('sendMessage', GOOD.sendMessage.request, { statusMeanings });
    expect(told.code).toBe('GATEWAY_NOT_ACCEPTED');
  });
}
