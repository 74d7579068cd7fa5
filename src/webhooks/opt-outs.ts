import type { Clock, InstanceDirectory, OptOutConfig, Log } from '../contract/index.js';
import {
  optOutVocabulary,
  optOutWord,
  possibleOptOut,
  type OptOutVocabulary,
  type PossibleOptOut,
} from '../domain/index.js';
import type { Ledger } from '../ledger/index.js';
import type { IncomingMessage } from './read-notification.js';

interface OptOutDependencies {
  readonly ledger: Pick<Ledger, 'suppressions' | 'possibleOptOuts' | 'lids' | 'gatewayClocks' | 'conversations'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly log: Log;
}

const DIRECT_CHAT = /@(?:c\.us|lid)$/;
const EVERY_LANGUAGE: OptOutConfig = {};

/**
 * @returns a function that learns lids and conversations from incoming messages, finds STOP and START in direct chats, and changes the
 *   suppression list. It throws AppError LEDGER_UNAVAILABLE.
 */
export function createOptOuts({ ledger, instances, clock, log }: OptOutDependencies) {
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

  async function recordPossible(message: IncomingMessage, text: string, possible: PossibleOptOut): Promise<void> {
    const { instance, idMessage, chatId } = message;
    const times = { atMs: await saidAtMs(message), nowMs: clock.nowMs() };
    const isNew = await ledger.possibleOptOuts.record({ instance, idMessage, chatId, text, ...possible, ...times });
    if (!isNew) return;
    const note = 'A message may mean STOP. Decide: everpost suppression possible';
    log({ level: 'info', message: note, instance, idMessage });
  }

  return async (message: IncomingMessage): Promise<void> => {
    const { instance, idMessage, chatId, lids, text } = message;
    if (lids.length > 0) await ledger.lids.learn(lids, 'notification', clock.nowMs());
    if (!DIRECT_CHAT.test(chatId)) return;
    await ledger.conversations.heard(instance, chatId, await saidAtMs(message));
    if (text === undefined) return;
    const vocabulary = vocabularyOf(instance);
    const what = optOutWord(vocabulary, text);
    if (what === undefined) {
      const possible = possibleOptOut(vocabulary, text);
      if (possible !== undefined) await recordPossible(message, text, possible);
      return;
    }
    const { changed, left } = await ledger.suppressions.applyWord({
      what,
      instance,
      chatId,
      word: text.trim(),
      idMessage,
      atMs: await saidAtMs(message),
      nowMs: clock.nowMs(),
    });
    if (what === 'stop' && changed > 0) {
      log({ level: 'info', message: 'STOP received: its sender is on the suppression list', instance, idMessage });
    }
    if (what === 'start') {
      const facts = left.length === 0 ? {} : { stillSuppressedBy: left };
      log({ level: 'info', message: 'START received', instance, idMessage, removed: changed, ...facts });
    }
  };
}
