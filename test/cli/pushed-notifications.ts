/** Notifications that a test pushes to an `everpost dev` in place of its simulated gateway. */
import { expect } from 'vitest';
import { controlGateway } from '../../src/testing/index.js';
import { eventually } from '../support/eventually.js';
import type { DevProcess } from './run/dev-process.js';

export const CHATS = ['15550000000@c.us', '15550000001@c.us', '15550000002@c.us', '15550000003@c.us'] as const;

/**
 * Pushes twenty as the gateway does: each one until it is accepted.
 * @param pushed  all earlier ones; these are added
 */
export async function pushNotifications({ facts }: DevProcess, pushed: string[]): Promise<void> {
  const instance = await controlGateway(facts.simulatorUrl ?? '').showInstance();
  const { webhookUrlToken } = instance['settings'] as { readonly webhookUrlToken: string };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${webhookUrlToken}` };
  for (let one = 0; one < 20; one += 1) {
    const body = notification(pushed.length);
    await eventually(async () => {
      const { status } = await fetch(`${facts.apiUrl}/webhooks/main`, { method: 'POST', body, headers });
      expect(status).toBe(200);
    });
    pushed.push(body);
  }
}

/** With whitespace that no parser keeps; every seventh is invalid JSON. */
function notification(at: number): string {
  if (at % 7 === 6) return `{ "typeWebhook": broken ${at}`;
  const senderData = { chatId: CHATS[at % CHATS.length] };
  return JSON.stringify(
    { typeWebhook: 'incomingMessageReceived', idMessage: `M${at}`, senderData, at },
    undefined,
    at % 3,
  );
}
