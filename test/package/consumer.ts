// A user's program, for `scripts/check-package.js`: it has to compile against the installed package in an empty, strict
// project.
import { AppError, connectEverpost, createEverpost, messageId, type MessageHandle, type SendRequest } from 'everpost';
import { MESSAGE_STATES, type MessageState } from 'everpost/contract';

const greeting: SendRequest = { instance: 'main', to: '15551234567', content: { kind: 'text', text: 'Hello' } };

export async function greet(address: string): Promise<MessageState | undefined> {
  const everpost = connectEverpost({ address });
  try {
    const message: MessageHandle = await everpost.send({ ...greeting, key: 'greeting-1' });
    const edit = await message.edit('Hello again');
    const { state } = await message.waitFor('delivered', { timeoutMs: 5_000 });
    return edit.outcome === 'edited' ? state : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_MISMATCH') return undefined;
    throw error;
  } finally {
    await everpost.close();
  }
}

export const knownId = messageId('main', 'greeting-1');
export const states: readonly MessageState[] = MESSAGE_STATES;

// @ts-expect-error a message needs its instance
export const incomplete: SendRequest = { content: { kind: 'text', text: 'Hello' } };

// @ts-expect-error this is no client of Temporal
createEverpost({ client: {} });
