import { type Clock, type InstanceDirectory, type Log, type OptOutConfig, present } from '../contract/index.js';
import { optOutVocabulary, optOutWord, possibleOptOut, type OptOutVocabulary } from '../domain/index.js';
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

  /** @returns whether the message is, or may be, an opt-out */
  async function applyOptOut({ instance, idMessage, chatId, text }: IncomingMessage, atMs: number): Promise<boolean> {
    if (text === undefined) return false;
    const vocabulary = vocabularyOf(instance);
    const said = { instance, idMessage, chatId, atMs, nowMs: clock.nowMs() };
    const what = optOutWord(vocabulary, text);
    if (what === undefined) {
      const possible = possibleOptOut(vocabulary, text);
      if (possible === undefined) return false;
      const recorded = await ledger.possibleOptOuts.record({ ...said, text, ...possible });
      if (recorded === 'open') {
        const note = 'A message may mean STOP. Decide: everpost suppression possible';
        log({ level: 'info', message: note, instance, idMessage });
      }
      return recorded !== 'dismissed';
    }
    const { changed, left } = await ledger.suppressions.applyWord({ ...said, what, word: text.trim() });
    if (what === 'start') {
      const facts = left.length === 0 ? {} : { stillSuppressedBy: left };
      log({ level: 'info', message: 'START received', instance, idMessage, removed: changed, ...facts });
    } else if (changed > 0) {
      log({ level: 'info', message: 'STOP received: its sender is on the suppression list', instance, idMessage });
    }
    return what === 'stop';
  }

  return async (message: IncomingMessage): Promise<void> => {
    const { instance, idMessage, chatId, quotedId, lids, isReaction, receivedAtMs } = message;
    if (lids.length > 0) await ledger.lids.learn(lids, 'notification', clock.nowMs());
    let { atMs } = message;
    if (atMs > receivedAtMs) {
      // A time in the future would disable every later word.
      const offset = await ledger.gatewayClocks.offset(instance, receivedAtMs);
      atMs = Math.min(atMs, receivedAtMs + Math.max(0, offset?.highestMs ?? 0));
    }
    await ledger.conversations.heard(message, atMs);
    if (!DIRECT_CHAT.test(chatId)) return;
    const isOptOut = await applyOptOut(message, atMs);
    if (isReaction === true) return;
    await ledger.responses.record({ instance, idMessage, chatId, isOptOut, atMs, ...present({ quotedId }) });
  };
}
