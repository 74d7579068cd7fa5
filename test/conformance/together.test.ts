import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixedInstances, simulatorInstance } from '../../src/config/index.js';
import { createGateway, type Gateway } from '../../src/gateway/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { GOOD } from './good-requests.js';
import { CHAT, GROUP, INSTANCE, OTHER_CHAT, START_MS } from './scene.js';

/** Client and simulator were written separately; here they meet, so that a mistake on either side shows. */
describe('the client with the simulator', () => {
  let simulator: Simulator;
  let gateway: Gateway;

  beforeAll(async () => {
    simulator = await startSimulator({ clock: { nowMs: () => START_MS }, rateLimits: false });
    const unlimited = Object.fromEntries(Object.keys(GOOD).map((operation) => [operation, 0]));
    gateway = createGateway({
      instances: fixedInstances([{ ...simulatorInstance(simulator.url), rateLimits: unlimited }]),
      clock: { nowMs: () => simulator.nowMs() },
    });
  });

  beforeEach(async () => {
    await simulator.reset();
  });

  afterAll(async () => {
    await gateway.close();
    await simulator.close();
  });

  async function control(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${simulator.url}/_sim/instances/${INSTANCE}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
  }

  async function sentText(): Promise<string> {
    const { response } = await gateway.call('main', 'sendMessage', { chatId: CHAT, message: 'old' });
    await simulator.advance(1000);
    return response.idMessage;
  }

  for (const operation of [
    'sendMessage',
    'sendFileByUrl',
    'sendTextStatus',
    'sendPoll',
    'sendLocation',
    'sendContact',
  ] as const) {
    it(`sends ${operation}, and the phone shows it`, async () => {
      const { response } = await gateway.call('main', operation, GOOD[operation].request);
      await simulator.advance(60_000);
      expect(simulator.delivered().map(({ idMessage }) => idMessage)).toEqual([response.idMessage]);
    });
  }

  it('forwards a message, and reads the id of its copy', async () => {
    const original = await sentText();
    const request = { chatId: OTHER_CHAT, chatIdFrom: CHAT, messages: [original] };
    const { response } = await gateway.call('main', 'forwardMessages', request);
    await simulator.advance(60_000);
    expect(simulator.delivered().map(({ idMessage }) => idMessage)).toEqual([original, response.idMessage]);
  });

  it('edits a sent text, and reads it in the journal', async () => {
    const idMessage = await sentText();
    await gateway.call('main', 'editMessage', { chatId: CHAT, idMessage, message: 'new' });
    const { response } = await gateway.call('main', 'getMessage', { chatId: CHAT, idMessage });
    expect(response).toMatchObject({
      idMessage,
      textMessage: 'new',
      isEdited: true,
      timestampSeconds: START_MS / 1000,
    });
    const journal = await gateway.call('main', 'lastOutgoingMessages', { minutes: 5 });
    expect(journal.response.map((entry) => entry.idMessage)).toContain(idMessage);
  });

  it('accepts the empty response of sendTyping', async () => {
    const { httpStatus } = await gateway.call('main', 'sendTyping', GOOD.sendTyping.request);
    expect(httpStatus).toBe(200);
  });

  it('reads a group, and the two errors with status 200', async () => {
    const groupId = GROUP;
    await expect(gateway.call('main', 'getGroupData', { groupId })).rejects.toMatchObject({
      code: 'GATEWAY_REJECTED',
      gatewayText: 'Error: item-not-found',
    });
    await control('groups', { groupId, subject: 'Friends', participants: [{ id: CHAT }] });
    await expect(gateway.call('main', 'getGroupData', { groupId })).rejects.toMatchObject({
      code: 'GATEWAY_REJECTED',
      gatewayText: 'Error: forbidden',
    });
    await control('groups', { groupId, subject: 'Friends', participants: [{ id: `1${INSTANCE}@c.us` }] });
    const { response } = await gateway.call('main', 'getGroupData', { groupId });
    expect(response).toMatchObject({ groupId, subject: 'Friends', size: 1, creationSeconds: START_MS / 1000 });
  });

  it('reads stories, and marks a chat as read by its digits', async () => {
    await control('stories', { textMessage: 'hello' });
    const stories = await gateway.call('main', 'getIncomingStories', { minutes: 5 });
    expect(stories.response).toMatchObject([{ textMessage: 'hello' }]);
    await gateway.call('main', 'setSettings', { incomingWebhook: 'yes' });
    await control('incoming', { chatId: CHAT, textMessage: 'hello' });
    const { response } = await gateway.call('main', 'readChat', { chatId: CHAT.replace('@c.us', '') });
    expect(response).toEqual({ setRead: true });
  });

  it('fetches a notification, deletes it, and reads the next one', async () => {
    await gateway.call('main', 'setSettings', { incomingWebhook: 'yes' });
    await control('incoming', { chatId: CHAT, textMessage: 'hello' });
    await control('incoming', { chatId: CHAT, textMessage: 'again' });
    const first = await gateway.call('main', 'receiveNotification', { receiveTimeout: 60 });
    expect(first.response.body).toMatchObject({ typeWebhook: 'incomingMessageReceived' });
    const { receiptId } = first.response;
    for (const result of [true, false]) {
      const deleted = await gateway.call('main', 'deleteNotification', { receiptId: receiptId ?? 0 });
      expect(deleted.response).toEqual({ result });
    }
    const second = await gateway.call('main', 'receiveNotification', {});
    expect(second.response.receiptId).not.toBe(receiptId);
  });

  it('creates a template with buttons', async () => {
    const request = { ...GOOD.createTemplate.request, buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] };
    const { response } = await gateway.call('main', 'createTemplate', request as never);
    expect(response.template).toMatchObject({
      elementName: 'order_ready',
      status: 'PENDING',
      buttonSupported: 'QUICK_REPLY',
      createdOnMs: START_MS,
    });
  });

  it('reads settings, state and queue', async () => {
    const settings = await gateway.call('main', 'getSettings', {});
    expect(settings.response.delaySendMessagesMilliseconds).toBe(500);
    const state = await gateway.call('main', 'getStateInstance', {});
    expect(state.response).toEqual({ stateInstance: 'authorized' });
    await sentText();
    const first = await gateway.call('main', 'sendMessage', { chatId: CHAT, message: 'leaves' });
    const second = await gateway.call('main', 'sendMessage', { chatId: CHAT, message: 'waits' });
    const queue = await gateway.call('main', 'showMessagesQueue', {});
    expect(queue.response.map(({ messageID }) => messageID)).toContain(second.response.idMessage);
    expect(queue.response.map(({ messageID }) => messageID)).not.toContain(first.response.idMessage);
  });
});
