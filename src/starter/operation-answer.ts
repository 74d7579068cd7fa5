import type { OperationName } from '../contract/index.js';
import type { EditView, MessageView, OperationView } from '../ledger/index.js';

/** An operation as a durable job: where it stands, and the gateway's answer once there is one. */
export interface OperationAnswer {
  readonly id: string;
  readonly method: OperationName;
  readonly instance?: string;
  /** `may_have_happened`: a request left and nobody can say what became of it. */
  readonly state: OperationView['state'];
  readonly result?: unknown;
  readonly code?: string;
  /** The gateway's own words. */
  readonly text?: string;
  readonly createdAt?: string;
  readonly endedAt?: string;
}

export function hasEnded({ state }: OperationAnswer): boolean {
  return state !== 'open' && state !== 'posting';
}

export function ofRow(method: OperationName, row: OperationView): OperationAnswer {
  return { ...row, method };
}

const OF_MESSAGE: Readonly<Record<MessageView['state'], OperationView['state']>> = {
  planned: 'open',
  posting: 'posting',
  unknown: 'may_have_happened',
  held: 'may_have_happened',
  accepted: 'done',
  sent: 'done',
  delivered: 'done',
  read: 'done',
  rejected: 'failed',
  failed: 'done',
  noAccount: 'done',
  expired: 'failed',
  cancelled: 'failed',
  suppressed: 'failed',
};

/** The operation is the gateway's acceptance; what became of the message afterwards, its own page tells. */
export function ofMessage(method: OperationName, row: MessageView): OperationAnswer {
  const state = OF_MESSAGE[row.state];
  const accepted = state === 'done' && row.idMessage !== undefined;
  return {
    id: row.id,
    method,
    instance: row.instance,
    state,
    ...(accepted ? { result: { idMessage: row.idMessage } } : {}),
    ...(state === 'failed' || state === 'may_have_happened' ? { code: row.reason ?? row.state } : {}),
    ...(state === 'failed' && row.reasonText !== undefined ? { text: row.reasonText } : {}),
    createdAt: row.createdAt,
    ...(row.acceptedAt === undefined ? {} : { endedAt: row.acceptedAt }),
  };
}

const OF_EDIT: Readonly<Record<EditView['state'], OperationView['state']>> = {
  waiting: 'open',
  posting: 'posting',
  posted: 'posting',
  edited: 'done',
  too_late: 'failed',
  refused: 'failed',
  unconfirmed: 'may_have_happened',
  superseded: 'failed',
  not_possible: 'failed',
};

export function ofEdit(edit: EditView): OperationAnswer {
  const state = OF_EDIT[edit.state];
  const idMessage = edit.idMessageAnswered ?? edit.idMessageGiven;
  return {
    id: edit.id,
    method: 'editMessage',
    state,
    ...(state === 'done' ? { result: { idMessage } } : {}),
    ...(state === 'failed' || state === 'may_have_happened' ? { code: edit.state } : {}),
    ...(edit.reason === undefined ? {} : { text: edit.reason }),
    createdAt: edit.requestedAt,
    ...(edit.endedAt === undefined ? {} : { endedAt: edit.endedAt }),
  };
}
