/**
 * The suppression list: who does not want to be written to.
 *
 * SUPPRESS-1 A chat is on the list for a message while one entry holds: not removed, for the message's instance or for
 *    all, of a scope that covers its category. `marketing` covers marketing only, `all` transactional messages as well.
 *    A status, which goes to no single recipient, is never held up by it.
 * SUPPRESS-2 The claim looks. No claim that begins once an entry was committed takes a message to its chat: the message
 *    ends `suppressed` there, with the entry as its evidence. What was claimed before is a send under way, and shows
 *    what became of it.
 * SUPPRESS-3 STOP words converge. Each is an entry of its own, by the gateway's time; it is closed by the first START
 *    of the same chat and instance that is later. So doubled, late and disordered notifications come to the same. In
 *    one and the same second, which is all that the gateway's time tells, STOP counts.
 * SUPPRESS-4 A START closes entries of STOP words alone. What an operator or a file put there stays, and says that it
 *    came.
 * SUPPRESS-5 Nothing is deleted. An entry that holds no longer says since when and by whose word.
 * SUPPRESS-6 A recipient is known by each of their ids: the number in every form in which the network knows it, and the
 *    id that stands for it (`…@lid`) where a notification tells both.
 * SUPPRESS-7 A pending message to a chat on the list ends when the later of the two is written, whatever it waits for.
 */
import type { SuppressionScope, SuppressionSource } from '../../contract/index.js';
import type { ListFilter } from '../page-cursor.js';

export interface AddSuppression {
  readonly chatId: string;
  /** Absent: for all. */
  readonly instance?: string;
  readonly scope: SuppressionScope;
  readonly note?: string;
  readonly nowMs: number;
}

/** Many at once, of a file. */
export interface ImportSuppressions extends Omit<AddSuppression, 'chatId' | 'note'> {
  readonly chatIds: readonly string[];
}

/** A message that says STOP or START. */
export interface OptOutMessage {
  readonly what: 'stop' | 'start';
  readonly instance: string;
  /** The recipient's ids; the first is the chat of the message. */
  readonly chatIds: readonly [string, ...string[]];
  /** As written. */
  readonly word: string;
  readonly idMessage: string;
  /** The gateway's time, milliseconds since the epoch. */
  readonly atMs: number;
  readonly nowMs: number;
}

/** Of an instance: its own entries, and those for all. Of `instances`: entries for one of these alone. */
export interface SuppressionFilter extends ListFilter {
  /** In any form. */
  readonly chatId?: string;
  readonly source?: SuppressionSource;
  readonly scope?: SuppressionScope;
  /** @default false: only those that hold */
  readonly withRemoved?: boolean;
}
