/** What a caller and an operator know: what they asked for, and when they last disturbed the world. */
import type { MessageId } from '../../../src/contract/index.js';
import type { ModelCampaign } from './campaigns/reference.js';
import type { ModelSchedule } from './schedules/reference.js';

/** Something that is not so, and the rule that says that it is. */
export interface Finding {
  readonly rule: string;
  readonly text: string;
}

/** One message that the API has accepted. */
export interface Asked {
  readonly id: MessageId;
  readonly key: string;
  readonly instance: string;
  readonly chatId: string;
  /** The first word of its text and of all its edits. Only identical messages share one. */
  readonly stem: string;
  readonly atMs: number;
  readonly isUrgent: boolean;
  readonly isLater: boolean;
  isCancelled: boolean;
  isResolved: boolean;
  isErased: boolean;
}

export class Reference {
  asked: readonly Asked[] = [];
  /** Commands that the table counts. */
  number = 0;
  paused = new Set<string>();
  suppressed = new Set<string>();
  /** Instances whose hours hold back all but urgent messages. */
  readonly closed = new Set<string>();
  isReadOnly = false;
  isClockWrong = false;
  /** Then idle instances begin no shift, and a dead worker's messages wait. */
  isTemporalAway = false;
  isRunning = true;
  /** By name. A change replaces the campaign. */
  campaigns: ReadonlyMap<string, ModelCampaign> = new Map();
  schedules: ReadonlyMap<string, ModelSchedule> = new Map();
  /** When the runs of schedules began, as the ledger first said. */
  readonly began = new Map<string, number>();
  wasTemporalAway = false;
  /** Since when a chat gets no marketing message, by its instance or `*`, and its chat. */
  silentSince: ReadonlyMap<string, number> = new Map();
  /** How far a worker's clock was wrong that still works. */
  skewMs = 0;
  /** How many of the gateway's requests were compared with what was in force. */
  compared = 0;
  /** What was so at the time of the ledger's copy. */
  copy:
    | (Pick<Reference, 'asked' | 'paused' | 'suppressed' | 'campaigns' | 'schedules' | 'silentSince'> & {
        readonly atMs: number;
      })
    | undefined;
  /** The time between a copy and its restore: the ledger does not know what was requested and happened then. */
  readonly lost: { readonly fromMs: number; readonly toMs: number }[] = [];
  /** Of templates, as the ledger was told. */
  readonly verdicts: { readonly template: string; readonly status: string; readonly atMs: number }[] = [];
  /** Messages of a copy. They may be pending, and on the phone, until the next shift of their instance. */
  readonly restored = new Set<string>();
  /** Messages that were requested in it. */
  forgotten: readonly Asked[] = [];
  /** Until then anything may wait: the last disturbance, and the longest pause that it may cause. */
  calmFromMs = 0;

  disturbed(nowMs: number, forMs = 0): void {
    this.calmFromMs = Math.max(this.calmFromMs, nowMs + forMs);
  }
}

/** What identical messages share. */
export function groupOf({ instance, chatId, stem }: Pick<Asked, 'instance' | 'chatId' | 'stem'>): string {
  return `${instance} ${chatId} ${stem}`;
}
