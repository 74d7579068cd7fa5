/** How the campaigns of a sequence are defined. */
import { chatOf, HOUR_MS } from '../command.js';
import { textOf, type Hours, type ModelCampaign } from './reference.js';

export const MINUTE_MS = 60_000;

export const RULES = ['none', 'none', 'hours', 'zones', 'perDay', 'jitter', 'deadline', 'later', 'missed'] as const;
export type Rule = (typeof RULES)[number];

export interface NewCampaign {
  readonly instance: string;
  /** Whether both accounts send it. */
  readonly isPool: boolean;
  readonly chats: readonly number[];
  /** How many items of the queue it fills: with few, it is posted for some seconds. */
  readonly highWater: number;
  readonly kind: 'text' | 'template';
  readonly rule: Rule;
  /** Minutes until its hours begin; 0: they have begun. */
  readonly inMinutes: number;
  readonly missedStart: 'run' | 'skip' | 'hold';
  readonly isStarted: boolean;
}

/** A time of day of the world's clock, in UTC. */
function timeOfDay(nowMs: number, minutes: number): string {
  return new Date(nowMs + minutes * MINUTE_MS).toISOString().slice(11, 16);
}

export function hoursOf(nowMs: number, timezone: Hours['timezone'], inMinutes: number): Hours {
  const from = timeOfDay(nowMs, inMinutes === 0 ? -1 : inMinutes);
  return { timezone, from, until: timeOfDay(nowMs, inMinutes + 2) };
}

export const asWindows = ({ timezone, from, until }: Hours) => ({ timezone, windows: [{ from, until }] });

export function contentOf({ name, kind }: Pick<ModelCampaign, 'name' | 'kind'>, version: number, elementName: string) {
  const text = textOf(name, version);
  return kind === 'text' ? { kind, text } : { kind, elementName, params: [text] };
}

export function listOf(chats: readonly number[]): string {
  const lines = chats.map((chat) => `${chatOf(chat).split('@')[0]},N${chat},${zoneOf(chat)}`);
  return ['phone,name,timezone', ...lines, ''].join('\n');
}

/** Every other recipient lives where it is nine hours later. */
export function zoneOf(chat: number): 'UTC' | 'Asia/Tokyo' {
  return chat % 2 === 0 ? 'UTC' : 'Asia/Tokyo';
}

const GRACE_MS = 10_000;

/** How late a campaign may begin without an operator. */
export function mayBeLateMs({ rule, missedStart }: NewCampaign): number {
  if (rule === 'missed') return missedStart === 'run' ? Infinity : GRACE_MS;
  return rule === 'later' ? HOUR_MS : Infinity;
}

/** The fields of a definition that a rule sets. */
interface Rules {
  readonly sendingWindows?: ReturnType<typeof asWindows>;
  readonly limits?: { readonly perDay?: number; readonly jitter?: object };
  readonly deadline?: string;
  readonly startAt?: string;
  readonly graceTime?: string;
  readonly missedStart?: string;
}

export function hoursOfRule({ rule, inMinutes }: NewCampaign, nowMs: number): Hours | undefined {
  if (rule === 'zones') return hoursOf(nowMs, 'recipient', inMinutes);
  return rule === 'hours' ? hoursOf(nowMs, 'UTC', inMinutes) : undefined;
}

export function rulesOf(campaign: NewCampaign, nowMs: number): Rules {
  const at = (ms: number): string => new Date(nowMs + ms).toISOString();
  const { rule, missedStart } = campaign;
  const hours = hoursOfRule(campaign, nowMs);
  if (hours !== undefined) return { sendingWindows: asWindows(hours) };
  switch (rule) {
    case 'perDay':
      return { limits: { perDay: 2 } };
    case 'jitter':
      return { limits: { jitter: { minMs: 1_000, maxMs: 3_000 } } };
    case 'deadline':
      return { deadline: at(MINUTE_MS) };
    case 'later':
      return { startAt: at(MINUTE_MS) };
    case 'missed':
      return { startAt: at(MINUTE_MS), graceTime: `${GRACE_MS / 1_000}s`, missedStart };
    case 'none':
    case 'hours':
    case 'zones':
      return {};
  }
}
