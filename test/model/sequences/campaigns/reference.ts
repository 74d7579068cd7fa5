/** What callers know of their campaigns: what was in force when. Times are those of the world's clock. */
import type { CampaignId } from '../../../../src/contract/index.js';

/** A value, and since when it is in force. */
export interface Since<Value> {
  readonly fromMs: number;
  readonly value: Value;
}

/** Open from one time of day until another, in UTC or by each recipient's own clock. */
export interface Hours {
  readonly timezone: 'UTC' | 'recipient';
  readonly from: string;
  readonly until: string;
}

export interface ModelCampaign {
  readonly id: CampaignId;
  readonly name: string;
  /** The first account of its list. */
  readonly instance: string;
  readonly accounts: readonly Since<readonly string[]>[];
  readonly kind: 'text' | 'template';
  /** Numbers of chats. */
  readonly chats: readonly number[];
  readonly isStarted: boolean;
  /** Whether its recipients were imported with timezones. */
  readonly knowsZones: boolean;
  /** Versions of its text. */
  readonly texts: readonly Since<number>[];
  /** Versions that an amendment brings to messages that were sent. */
  readonly amended: readonly Since<number>[];
  /** Those of an amendment that also stopped it: only for recipients who have an older one. */
  readonly stops: readonly number[];
  /** Whether its commands allow it to post. */
  readonly open: readonly Since<boolean>[];
  readonly hours: readonly Since<Hours | undefined>[];
  readonly perDay: readonly Since<number | undefined>[];
  readonly deadlineMs: readonly Since<number>[];
  readonly startMs: readonly Since<number>[];
  /** How late it may begin by itself. */
  readonly lateMs: number;
  /** How often a retry may have posted to a chat again. */
  readonly again: ReadonlyMap<number, number>;
  /** Whether an operator has resumed or retried it. */
  readonly isTouched: boolean;
}

/** From the beginning of the world. */
export function always<Value>(value: Value): readonly Since<Value>[] {
  return [{ fromMs: -Infinity, value }];
}

/** Every account that it has had by this time. */
export function accountsUntil({ accounts }: Pick<ModelCampaign, 'accounts'>, untilMs = Infinity): string[] {
  return [...new Set(accounts.filter(({ fromMs }) => fromMs <= untilMs).flatMap(({ value }) => value))];
}

export function current<Value>(history: readonly Since<Value>[]): Value {
  return history.at(-1)!.value;
}

export function changed<Value>(history: readonly Since<Value>[], value: Value, fromMs: number) {
  return [...history, { fromMs, value }];
}

/** Whether a condition holds for a value that was in force at one of these times. */
export function held<Value>(
  history: readonly Since<Value>[],
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  holds: (value: Value) => boolean,
): boolean {
  return history.some(
    ({ fromMs: sinceMs, value }, at) =>
      sinceMs <= untilMs && (history[at + 1]?.fromMs ?? Infinity) >= fromMs && holds(value),
  );
}

/** Every text of a campaign or schedule begins so; a text of a single message does not. */
export function textOf(name: string, version: number): string {
  return `${name}.v${version} for {{name}}`;
}

export function campaignOf(text: string): { readonly name: string; readonly version: number } | undefined {
  const read = /^([cs]\d+)\.v(\d+) /.exec(text);
  return read === null ? undefined : { name: read[1]!, version: Number(read[2]) };
}
