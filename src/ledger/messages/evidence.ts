import type { MessageId } from '../../contract/index.js';
import { jsonText } from '../storage/statements.js';
import type { Db } from '../storage/store.js';

export interface NewEvidence {
  readonly messageId: MessageId;
  /** Identifies the fact within its message: the same fact is recorded once. */
  readonly fact: string;
  readonly witness: string;
  readonly what: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}

/** @returns false if this fact was recorded before */
export async function addEvidence(db: Db, entry: NewEvidence): Promise<boolean> {
  const { messageId, fact, witness, what, detail, nowMs } = entry;
  const written = await db
    .insertInto('evidence')
    .values({
      message_id: messageId,
      fact,
      at: new Date(nowMs),
      witness,
      what,
      detail: detail === undefined ? null : jsonText(detail),
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'fact']).doNothing())
    .executeTakeFirst();
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
