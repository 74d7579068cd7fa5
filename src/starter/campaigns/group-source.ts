import { groupRecipients, type Participant, type RecipientBatch, type VerdictRules } from '../../audience/index.js';
import { AppError } from '../../contract/index.js';
import type { AskGateway } from './ask-gateway.js';

/** Both responses are asked for at about one a second, and a gate may be taken. */
const GROUP_WAIT_MS = 30_000;

/** The participants of a group as recipients. @throws AppError OPERATION_FAILED | GATEWAY_UNREACHABLE */
export async function* groupSource(
  askGateway: AskGateway,
  { instance, group, rules, signal }: { instance: string; group: string; rules: VerdictRules; signal: AbortSignal },
): AsyncGenerator<RecipientBatch> {
  const wait = { timeoutMs: GROUP_WAIT_MS, signal };
  const [{ participants }, own] = await Promise.all([
    askGateway<{ participants?: Participant[] | null }>('getGroupData', instance, { groupId: group }, wait),
    ownChat(askGateway, instance, wait),
  ]);
  yield groupRecipients(participants ?? [], own, rules);
}

/** Undefined where the account does not show it: then its own number gets a message like any other. */
async function ownChat(
  askGateway: AskGateway,
  instance: string,
  wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const { wid } = await askGateway<{ wid?: string | null }>('getSettings', instance, {}, wait);
    return wid ?? undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'OPERATION_FAILED') return undefined;
    throw error;
  }
}
