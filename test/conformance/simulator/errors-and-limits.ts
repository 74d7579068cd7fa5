import { expect } from 'vitest';
import { CHAT, type Json } from '../scene.js';
import type { SimulatorResponse, SimulatorDriver } from '../simulator-driver.js';
import { expectOk, expectRefused, expectValidationFailed, onSimulator } from './assertions.js';

const EDIT = { chatId: CHAT, idMessage: 'BAE5000000000001', message: 'new' };
const FILE = { chatId: CHAT, urlFile: 'https://files.example/a.jpg', fileName: 'a.jpg' };
const LIMIT_BYTES = 100 * 1024;

for (const name of ['chatId', 'idMessage', 'message'] as const) {
  onSimulator(`edit.${name}`, async (sim) => {
    expectValidationFailed(await sim.post('editMessage', { ...EDIT, [name]: undefined }), name);
  });
}

onSimulator('edit.message-without-bom', async (sim) => {
  expectValidationFailed(await sim.post('editMessage', { ...EDIT, message: '\uFEFFnew' }), 'message');
});

for (const [rowId, operation] of [
  ['errors.edit.validation', 'editMessage'],
  ['errors.send-file.validation', 'sendFileByUrl'],
] as const) {
  onSimulator(rowId, async (sim) => expectValidationFailed(await sim.post(operation, {})));
}

async function expectEditTooLong(sim: SimulatorDriver): Promise<void> {
  expectRefused(
    await sim.post('editMessage', { ...EDIT, message: 'x'.repeat(20_001) }),
    "Validation failed, details: 'message' length must be less than or equal to 20000 characters long",
  );
}

onSimulator('errors.edit.text-too-long', expectEditTooLong);

onSimulator('limits.edit-message-20000', async (sim) => {
  const idMessage = await sim.text('old');
  expectOk(await sim.post('editMessage', { ...EDIT, idMessage, message: 'x'.repeat(20_000) }));
  await expectEditTooLong(sim);
});

onSimulator('send-message.limits', async (sim) => {
  expectOk(await sim.post('sendMessage', { chatId: CHAT, message: 'x'.repeat(20_000) }));
  expectValidationFailed(await sim.post('sendMessage', { chatId: CHAT, message: 'x'.repeat(20_001) }), 'message');
});

onSimulator('errors.send-file.url-format', async (sim) => {
  for (const urlFile of ['ftp://files.example/a.jpg', 'files.example/a.jpg']) {
    expectRefused(
      await sim.post('sendFileByUrl', { ...FILE, urlFile }),
      'Validation failed, details: url has incorrect format, it should start with http(s)://',
    );
  }
});

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
  const idMessage = await sim.text('old');
  expectOk(await postOfSize(sim, 'editMessage', { ...EDIT, idMessage }, LIMIT_BYTES));
  await expectTooLarge(sim, 'editMessage', EDIT);
});
