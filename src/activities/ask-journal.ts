import { AppError, RECEIPT_WAIT_MS, type MessageId } from '../contract/index.js';
import type { Receipt } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** A status from the gateway's journal that was applied as a receipt, or why there was none. */
export type JournalStatus =
  'sent' | 'delivered' | 'read' | 'failed' | 'no_account' | 'no_status' | `not_readable (${string})`;

/** A single poll does not wait long for its turn. */
const TURN_WITHIN_MS = 5_000;
const STATES = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
  ['noAccount', 'no_account'],
] as const);

/**
 * Asks the journal once for a message without a receipt after the time in which one could come: its notifications may
 * be lost. Not every instance has a journal, and its silence proves nothing, so a failure is ignored.
 * @returns undefined when it is not due, or nothing is missing
 */
export async function askJournal(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  messageId: MessageId,
): Promise<JournalStatus | undefined> {
  const message = await ledger.messages.view(messageId, clock.nowMs());
  if (message?.state !== 'accepted' || message.acceptedAt === undefined || message.endedAt !== undefined)
    return undefined;
  if (Date.parse(message.acceptedAt) + RECEIPT_WAIT_MS > clock.nowMs()) return undefined;
  const { instance, chatId, idMessage } = message;
  if (chatId === undefined || idMessage === undefined) return undefined;
  const deadlineMs = clock.nowMs() + TURN_WITHIN_MS;
  const read = await readJournal(gateway, instance, { chatId, idMessage }, deadlineMs);
  if ('failure' in read) return `not_readable (${read.failure})`;
  const status = [...STATES].find(([word]) => word === read.status)?.[1];
  if (status === undefined) return 'no_status';
  const atMs = read.atMs ?? clock.nowMs();
  const receipt: Receipt = { kind: 'status', idMessage, status, atMs, source: 'journal' };
  await ledger.receipts.apply(instance, receipt, clock.nowMs());
  return status;
}

async function readJournal(
  gateway: ActivityDependencies['gateway'],
  instance: string,
  request: { readonly chatId: string; readonly idMessage: string },
  deadlineMs: number,
): Promise<{ readonly status: string | undefined; readonly atMs?: number } | { readonly failure: string }> {
  try {
    const { response } = await gateway.call(instance, 'getMessage', request, { deadlineMs });
    return {
      status: response.statusMessage ?? undefined,
      ...(response.timestampSeconds === undefined ? {} : { atMs: response.timestampSeconds * 1_000 }),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    return { failure: error.code };
  }
}
