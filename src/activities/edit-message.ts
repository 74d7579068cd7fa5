import { AppError, ErrorNext, type EditId, type EditSnapshot } from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';

/**
 * Posts one edit of a message of ours, inside the window by the gateway's clock. May be tried again: the same text twice is
 * the same text, edits of one message are serial, and none is posted after a newer one or after the window.
 * @throws AppError wait, human or ask: try again, the claim checks the window anew each time
 */
export async function postEdit(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  editId: EditId,
): Promise<EditSnapshot> {
  const { ledger, gateway, clock } = deps;
  const claim = await ledger.edits.claim(editId, clock.nowMs());
  switch (claim.kind) {
    case 'settled':
      return claim.edit;
    case 'wait':
      throw new AppError(
        'MESSAGE_CLAIMED_ELSEWHERE',
        `Edit ${editId} waits: its message is not sent yet, or an older edit is under way.`,
      );
    case 'claimed':
      break;
  }
  const { instance, chatId, idMessage, text, editableUntilMs } = claim;
  try {
    const { answer } = await gateway.call(
      instance,
      'editMessage',
      { chatId, idMessage, message: text },
      { deadlineMs: editableUntilMs },
    );
    return await ledger.edits.recordPosted(editId, answer.idMessage, clock.nowMs());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.next === ErrorNext.stop) {
      return ledger.edits.settle(
        editId,
        'refused',
        { witness: 'answer', reason: error.code, detail: { httpStatus: error.httpStatus, text: error.gatewayText } },
        clock.nowMs(),
      );
    }
    if (error.next !== ErrorNext.ask) await ledger.edits.giveBack(editId, clock.nowMs());
    throw error;
  }
}
