import type { Amendment, AmendmentPlan, AmendRequest, CampaignId, EditId, MessageId } from '../../contract/index.js';
import type { AskedCommand } from '../commands.js';

/** An edit of an amendment that has not ended. */
export interface AmendmentEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly state: 'pending' | 'sending' | 'posted';
  /** By our own clock, until when it can be posted; absent while the message is not sent. */
  readonly untilMs?: number;
  readonly postedAtMs?: number;
  /** The message will not be seen sent any more. */
  readonly isHopeless: boolean;
}

/** Amendments: a campaign's new text, also for those who have an older one. */
export interface AmendmentLedger {
  /**
   * What an amendment could do now.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | EDIT_NOT_TEXT
   */
  plan(
    id: CampaignId,
    text: string,
    at: { readonly nowMs: number; readonly spacingMs: number },
  ): Promise<AmendmentPlan>;
  /**
   * From its return on no recipient is posted to with an older text, and with `stop` none at all.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_INCOMPLETE | EDIT_NOT_TEXT | COMMAND_SUPERSEDED
   */
  begin(
    id: CampaignId,
    request: AmendRequest,
    at: { readonly nowMs: number; readonly spacingMs: number },
    asked?: AskedCommand,
  ): Promise<Amendment>;
  /** Of a campaign, the newest first. */
  list(id: CampaignId): Promise<Amendment[]>;
  /** Campaigns with an amendment that has not ended. */
  open(): Promise<CampaignId[]>;
  /** Gives every recipient who has, or may get, an older text an edit that waits for its turn. */
  openEdits(id: CampaignId, nowMs: number): Promise<void>;
  edits(id: CampaignId): Promise<AmendmentEdit[]>;
  /** Ends the amendments that have nothing left to do. @returns whether one is left */
  settle(id: CampaignId, nowMs: number): Promise<boolean>;
}
