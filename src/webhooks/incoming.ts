import { type Clock, type InstanceDirectory, type Log, type OptOutConfig, present } from '../contract/index.js';
import {
  optOutVocabulary,
  optOutWord,
  possibleOptOut,
  type OptOutVocabulary,
  type PossibleOptOut,
} from '../domain/index.js';
import type { Ledger } from '../ledger/index.js';
import type { IncomingMessage } from './read-notification.js';

const DIRECT_CHAT = /@(?:c\.us|lid)$/;
const EVERY_LANGUAGE: OptOutConfig = {};

/**
 * @returns a function that learns lids from incoming messages, finds STOP and START in direct chats, changes the
 *   suppression list, and records replies and opt-outs of campaigns. It throws AppError LEDGER_UNAVAILABLE.
 */
export function createIncoming({
  ledger,
  instances,
  clock,
  log,
}: {
  readonly ledger: Pick<
    Ledger,
    'suppressions' | 'possibleOptOuts' | 'responses' | 'lids' | 'gatewayClocks' | 'conversations'
  >;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const vocabularies = new WeakMap<OptOutConfig, OptOutVocabulary>();

  /** The words of an instance. Messages to an instance that is no longer configured still count. */
  function vocabularyOf(instance: string): OptOutVocabulary {
    const { optOut = EVERY_LANGUAGE } = instances.names().includes(instance) ? instances.get(instance) : {};
    const vocabulary = vocabularies.get(optOut) ?? optOutVocabulary(optOut);
    vocabularies.set(optOut, vocabulary);
    return vocabulary;
  }

  /** The time of the message, at most its arrival: a time in the future would disable every later word. */
  async function saidAtMs({ instance, atMs, receivedAtMs }: IncomingMessage): Promise<number> {
    if (atMs <= receivedAtMs) return atMs;
    const offset = await ledger.gatewayClocks.offset(instance, receivedAtMs);
    return Math.min(atMs, receivedAtMs + Math.max(0, offset?.highestMs ?? 0));
  }

  /** @returns whether it may be an opt-out */
  async function recordPossible(
    message: IncomingMessage,
    text: string,
    { possible, atMs }: { readonly possible: PossibleOptOut; readonly atMs: number },
  ): Promise<boolean> {
    const { instance, idMessage, chatId } = message;
    const times = { atMs, nowMs: clock.nowMs() };
    const recorded = await ledger.possibleOptOuts.record({ instance, idMessage, chatId, text, ...possible, ...times });
    if (recorded === 'open') {
      const note = 'A message may mean STOP. Decide: everpost suppression possible';
      log({ level: 'info', message: note, instance, idMessage });
    }
    return recorded !== 'dismissed';
  }

  async function applyWord(
    message: IncomingMessage,
    text: string,
    { what, atMs }: { readonly what: 'stop' | 'start'; readonly atMs: number },
  ): Promise<void> {
    const { instance, idMessage, chatId } = message;
    const word = { what, instance, chatId, word: text.trim(), idMessage, atMs, nowMs: clock.nowMs() };
    const { changed, left } = await ledger.suppressions.applyWord(word);
    if (what === 'stop' && changed > 0) {
      log({ level: 'info', message: 'STOP received: its sender is on the suppression list', instance, idMessage });
    }
    if (what === 'start') {
      const facts = left.length === 0 ? {} : { stillSuppressedBy: left };
      log({ level: 'info', message: 'START received', instance, idMessage, removed: changed, ...facts });
    }
  }

  /** @returns whether the message is, or may be, an opt-out */
  async function applyOptOut(message: IncomingMessage, atMs: number): Promise<boolean> {
    const { instance, text } = message;
    if (text === undefined) return false;
    const vocabulary = vocabularyOf(instance);
    const what = optOutWord(vocabulary, text);
    if (what !== undefined) {
      await applyWord(message, text, { what, atMs });
      return what === 'stop';
    }
    const possible = possibleOptOut(vocabulary, text);
    return possible !== undefined && recordPossible(message, text, { possible, atMs });
  }

  return async (message: IncomingMessage): Promise<void> => {
    const { instance, idMessage, chatId, quotedId, lids, isReaction } = message;
    if (lids.length > 0) await ledger.lids.learn(lids, 'notification', clock.nowMs());
    const atMs = await saidAtMs(message);
    await ledger.conversations.heard(message, atMs);
    if (!DIRECT_CHAT.test(chatId)) return;
    const isOptOut = await applyOptOut(message, atMs);
    if (isReaction === true) return;
    await ledger.responses.record({ instance, idMessage, chatId, isOptOut, atMs, ...present({ quotedId }) });
  };
}
