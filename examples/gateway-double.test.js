// A test of code that calls the gateway, against everpost's simulator of the gateway. Run: node --test
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { startGateway } from '@everpost/testing';

const CHAT = '15550000001@c.us';

/** @type {import('@everpost/testing').TestGateway} */
let gateway;
beforeEach(async () => {
  gateway = await startGateway({ speed: 100 });
});
afterEach(() => gateway.close());

/**
 * The code under test, from a program without everpost.
 * @param {string} message
 */
async function send(message) {
  const { baseUrl, idInstance, apiTokenInstance } = gateway.instance;
  const response = await fetch(`${baseUrl}/waInstance${idInstance}/sendMessage/${apiTokenInstance}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId: CHAT, message }),
  });
  return response.status;
}

test('a message arrives at the phone', async () => {
  assert.equal(await send('Hello'), 200);
  await gateway.control.advanceMs(1_000);
  const [received] = await gateway.control.delivered(CHAT);
  assert.equal(received?.text, 'Hello');
});

test('a 429 comes once, and nothing is sent', async () => {
  await gateway.control.addFault({ method: 'sendMessage', kind: 'status', status: 429 });
  assert.equal(await send('Hello'), 429);
  await gateway.control.advanceMs(60_000);
  assert.deepEqual(await gateway.control.delivered(), []);
  assert.equal(await send('Hello'), 200);
});

test('the response is lost, and the message is accepted', async () => {
  await gateway.control.addFault({ method: 'sendMessage', kind: 'lose-answer', accepted: true });
  await assert.rejects(send('Hello'));
  await gateway.control.advanceMs(1_000);
  assert.equal((await gateway.control.delivered(CHAT)).length, 1);
});
