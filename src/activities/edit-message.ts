/**
 * Posts one edit of an everpost message within its window, by the gateway's clock.
 *
 * EDIT-1 The claim is durable before bytes leave. A try may be repeated, since posting the same text twice has no
 *    further effect. Edits of one message are serial. None is posted after a newer edit or after the window.
 * EDIT-2 An edit returns to `pending` only if its request surely never left. Only the gateway rejects an edit. Both
 *    concern only the try that made the request, see EDITROW-6.
 * EDIT-3 After a 200 of the gateway the edit is posted. Its recording is retried. If the ledger stays unavailable, the
 *    activity returns the edit, and the workflow records it.
 * EDIT-4 In all other cases the edit stays `sending`. A notification, the journal or a rejection decides, or it becomes
 *    `unconfirmed`.
 */
import { randomUUID } from 'node:crypto';
import { AppError, ErrorNext, type EditId, type EditSnapshot, present } from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { untilRecorded } from './failures.js';

type EditDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'log'>;

/** An edit that got a 200, which the ledger could not record. */
export interface UnrecordedEdit {
  readonly kind: 'unrecorded';
  readonly idMessageReturned: string;
}

/**
 * @param onLeft  called when the request was written to the socket
 * @returns the edit's row: ended, posted, or `sending` if an earlier request may have arrived
 * @throws AppError wait, human or ask: retry; the claim checks the window each time
 */
export async function postEdit(
  { ledger, gateway, clock, log }: EditDependencies,
  editId: EditId,
  { onLeft }: { readonly onLeft?: () => void } = {},
): Promise<EditSnapshot | UnrecordedEdit> {
  const token = randomUUID();
  const claim = await untilRecorded(() => ledger.edits.claim(editId, token, clock.nowMs()));
  switch (claim.kind) {
    case 'nothing_to_post':
    case 'unanswered':
      return claim.edit;
    case 'wait':
      throw new AppError(
        'MESSAGE_CLAIMED_ELSEWHERE',
        `Edit ${editId} waits: its message is not sent yet, or an earlier edit is under way.`,
      );
    case 'claimed':
      break;
  }
  const { instance, chatId, idMessage, text, editableUntilMs } = claim;
  let idMessageReturned: string;
  try {
    const request = { chatId, idMessage, message: text };
    const options = { deadlineMs: editableUntilMs, ...present({ onLeft }) };
    const { response } = await gateway.call(instance, 'editMessage', request, options);
    idMessageReturned = response.idMessage;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, next, httpStatus, gatewayText } = error;
    switch (next) {
      case ErrorNext.stop: {
        const refusal = { code, ...present({ httpStatus, text: gatewayText }) };
        return untilRecorded(() => ledger.edits.refuse(editId, token, refusal, clock.nowMs()));
      }
      case ErrorNext.wait:
      case ErrorNext.human:
        await untilRecorded(() => ledger.edits.giveBack(editId, token, clock.nowMs()));
        throw error;
      case ErrorNext.ask:
      case ErrorNext.bug:
        throw error;
    }
  }
  // EDIT-3
  try {
    return await untilRecorded(() => ledger.edits.recordPosted(editId, idMessageReturned, clock.nowMs()));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'LEDGER_UNAVAILABLE') throw error;
    log({ level: 'warn', message: 'posted edit not recorded yet', editId, error });
    return { kind: 'unrecorded', idMessageReturned };
  }
}
