import {
  type Amendment,
  type AmendRequest,
  type EditId,
  isEditOutcome,
  type MessageId,
} from '../../../src/contract/index.js';
import type { DueAttempt, DueEdit } from '../../../src/ledger/index.js';
import { acceptedAs, claimEdits, recordEdit } from '../../support/edits.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { CampaignCast } from './campaign-life-cast.js';

export const LATER = NOW + MINUTE;
const NEW = 'Dear {{name}}';
export const NOT_SENT = { kind: 'not_accepted', code: 'GATEWAY_BUSY' } as const;
export const RATE = { nowMs: LATER, spacingMs: () => SECOND };

export interface OpenEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly state: string;
}

/** A campaign, and its amendments. */
export class AmendCast extends CampaignCast {
  amend(text = NEW, { nowMs = LATER, ...rest }: Partial<AmendRequest> & { nowMs?: number } = {}): Promise<Amendment> {
    return this.ledger.amendments.begin(this.id, { text, ...rest }, { nowMs, spacingMs: () => SECOND });
  }

  plan(text = NEW, nowMs = LATER) {
    return this.ledger.amendments.plan(this.id, text, { nowMs, spacingMs: () => SECOND });
  }

  async opened(nowMs = LATER): Promise<readonly OpenEdit[]> {
    await this.ledger.amendments.openEdits(this.id, nowMs);
    return this.open();
  }

  /** The edits that have not ended. */
  async open(): Promise<readonly OpenEdit[]> {
    const rows = await this.report();
    const views = await Promise.all(rows.map(({ messageId }) => this.editOf(messageId)));
    return rows.flatMap(({ messageId }, at) =>
      (views[at] ?? [])
        .filter(({ state }) => !isEditOutcome(state))
        .map(({ id: editId, state }) => ({ editId, messageId, state })),
    );
  }

  async newest(nowMs = LATER): Promise<Amendment> {
    const [newest] = await this.ledger.amendments.list(this.id, { nowMs, spacingMs: () => SECOND });
    if (newest === undefined) throw new Error('no amendment');
    return newest;
  }

  /** Sent at {@link NOW} or at the given time. */
  async sent(recipients: number, nowMs = NOW): Promise<readonly DueAttempt[]> {
    const claimed = await this.dispatched(recipients, 'accepted', nowMs);
    await this.receive(claimed, 'sent', nowMs, nowMs);
    return claimed;
  }

  /** Posts an edit and applies its notification. */
  async finish(edit: OpenEdit, nowMs = LATER): Promise<void> {
    const due = await this.claimEdit(edit, nowMs);
    await recordEdit(this.ledger, due, acceptedAs(due.idMessage), nowMs);
    const receipt = {
      kind: 'edited',
      originalIdMessage: due.idMessage,
      idMessage: `E-${due.editId}`,
      text: due.post!.text,
      atMs: nowMs,
    } as const;
    await this.ledger.receipts.apply(this.instance, receipt, nowMs);
  }

  async claimEdit({ editId }: OpenEdit, nowMs = LATER): Promise<DueEdit> {
    const edits = await claimEdits(this.ledger, this.instance, nowMs, { posts: 200 });
    for (const other of edits) if (other.editId !== editId) await recordEdit(this.ledger, other, NOT_SENT, nowMs);
    const due = edits.find((one) => one.editId === editId);
    if (due === undefined) throw new Error(`${editId} is not due`);
    return due;
  }

  async editOf(id: MessageId) {
    return (await this.ledger.views.message(id, LATER))?.edits ?? [];
  }
}
