import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { REQUEST_RULES } from '../request-rules.js';
import type { Json } from '../scene.js';
import type { SimulatorResponse, SimulatorDriver } from '../simulator-driver.js';
import { expectOk, expectValidationFailed, onSimulator } from './assertions.js';
import { aGroup } from './groups.js';

const EDIT: Json = GOOD.editMessage.request;
const FILE: Json = GOOD.sendFileByUrl.request;
const LIMIT_BYTES = 100 * 1024;

/** The simulator knows the message or group that the request names. */
export async function validRequest(sim: SimulatorDriver, operation: keyof typeof GOOD): Promise<Json> {
  const { request } = GOOD[operation];
  if (operation === 'editMessage') return { ...request, idMessage: await sim.text('old') };
  return operation === 'getGroupData' ? { groupId: await aGroup(sim) } : request;
}

for (const [rowId, { operation, sent = [], refused = [], words }] of Object.entries(REQUEST_RULES)) {
  onSimulator(rowId, async (sim) => {
    const request = await validRequest(sim, operation);
    for (const change of sent) expectOk(await sim.post(operation, { ...request, ...change }));
    for (const change of refused) {
      expectValidationFailed(await sim.post(operation, { ...request, ...change }), ...(words ?? Object.keys(change)));
    }
  });
}

for (const [rowId, ...operations] of [
  ['errors.edit.validation', 'editMessage'],
  ['errors.send-file.validation', 'sendFileByUrl'],
  ['errors.group.validation', 'getGroupData'],
  ['errors.read-chat.validation', 'readChat'],
  ['settings.at-least-one', 'setSettings'],
  ['kinds.validation', 'sendPoll', 'sendLocation', 'sendContact', 'forwardMessages'],
] as const) {
  onSimulator(rowId, async (sim) => {
    for (const operation of operations) expectValidationFailed(await sim.post(operation, {}));
  });
}

/** Posts a body of exactly this many bytes, filled by an unknown field so that no other limit applies first. */
async function postOfSize(
  sim: SimulatorDriver,
  method: string,
  body: Json,
  sizeBytes: number,
): Promise<SimulatorResponse> {
  const empty = JSON.stringify({ ...body, padding: '' });
  const rawBody = JSON.stringify({ ...body, padding: 'x'.repeat(sizeBytes - empty.length) });
  expect(Buffer.byteLength(rawBody)).toBe(sizeBytes);
  return await sim.post(method, undefined, { rawBody });
}

async function expectTooLarge(sim: SimulatorDriver, method: string, body: Json): Promise<void> {
  const response = await postOfSize(sim, method, body, LIMIT_BYTES + 1);
  expect(response.status).toBe(500);
  expect(response.text).toContain('request entity too large');
}

onSimulator('errors.edit.entity-too-large', (sim) => expectTooLarge(sim, 'editMessage', EDIT));
onSimulator('errors.send-file.entity-too-large', (sim) => expectTooLarge(sim, 'sendFileByUrl', FILE));

onSimulator('limits.request-100-kb', async (sim) => {
  expectOk(await postOfSize(sim, 'sendFileByUrl', FILE, LIMIT_BYTES));
  await expectTooLarge(sim, 'sendFileByUrl', FILE);
  expectOk(await postOfSize(sim, 'editMessage', await validRequest(sim, 'editMessage'), LIMIT_BYTES));
  await expectTooLarge(sim, 'editMessage', EDIT);
});
