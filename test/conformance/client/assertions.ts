import { expect } from 'vitest';
import type { AppError, ErrorCode } from '../../../src/contract/index.js';
import type { ClientDriver } from '../client-driver.js';
import { GOOD } from '../good-requests.js';
import type { FieldRule } from '../request-rules.js';
import type { Json } from '../scene.js';

export type ClientAssertion = (client: ClientDriver) => Promise<void>;

/** The assertions on the client, by the id of their row. */
export const CLIENT_ASSERTIONS = new Map<string, ClientAssertion>();

export function onClient(rowId: string, assertion: ClientAssertion): void {
  if (CLIENT_ASSERTIONS.has(rowId)) throw new Error(`Row ${rowId} has two assertions on the client. Keep one.`);
  CLIENT_ASSERTIONS.set(rowId, assertion);
}

/** An error's problems: their places and texts. */
export function problemWords(error: AppError): string {
  return [error.message, ...(error.problems ?? []).map(({ path, message }) => `${path}: ${message}`)].join('\n');
}

/** Refused before any byte left, with each of these words. */
export async function expectRefused(
  client: ClientDriver,
  operation: string,
  request: Json,
  ...words: readonly string[]
): Promise<void> {
  const sentBefore = client.recorder.requests.length;
  const error = await client.failure(operation, request);
  expect(['INPUT_INVALID', 'INPUT_TOO_LARGE']).toContain(error.code);
  for (const word of words) expect(problemWords(error)).toContain(word);
  expect(client.recorder.requests).toHaveLength(sentBefore);
}

/** Sent, with this body. */
export async function expectSent(client: ClientDriver, operation: string, request: Json): Promise<Json> {
  const sentBefore = client.recorder.requests.length;
  await client.call(operation, request);
  expect(client.recorder.requests).toHaveLength(sentBefore + 1);
  return client.lastBody();
}

/** The client sends the caller's request unchanged. */
export function onSent(rowId: string, operation: string, request: Json, response?: unknown): void {
  onClient(rowId, async (client) => {
    if (response !== undefined) client.responses(response);
    expect(await expectSent(client, operation, request)).toEqual(request);
  });
}

/** The client's error for a response without success. */
export async function expectError(
  client: ClientDriver,
  operation: string,
  request: Json,
  code: ErrorCode,
): Promise<AppError> {
  const error = await client.failure(operation, request);
  expect(error.code).toBe(code);
  return error;
}

/** A valid request is sent unchanged with each of these changes, or refused before a byte left. */
export function onFields(
  rowId: string,
  operation: keyof typeof GOOD,
  { sent = [], refused = [], words }: FieldRule,
): void {
  onClient(rowId, async (client) => {
    const { request, response } = GOOD[operation];
    client.responses(response);
    for (const change of sent) {
      const changed = { ...request, ...change };
      expect(await expectSent(client, operation, changed)).toEqual(changed);
    }
    for (const change of refused) {
      await expectRefused(client, operation, { ...request, ...change }, ...(words ?? Object.keys(change)));
    }
  });
}
