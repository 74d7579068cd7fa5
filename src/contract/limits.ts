/** How many messages may leave, and how far apart. */

/** A new account sends a few messages on its first day, and more every day. */
export interface WarmUp {
  /** Date of day 1 by the instance's clock. Earlier days count as day 1. */
  readonly firstDay: string;
  /** On day 1. */
  readonly perDay: number;
  /** Each day so many percent more than the day before. */
  readonly growthPercent: number;
}

/** At most so many marketing messages to one recipient, of all campaigns together, in so many times 24 hours. */
export interface FrequencyCap {
  readonly messages: number;
  readonly days: number;
}

export interface InstanceLimits {
  /** IANA name: when a day begins. */
  readonly timezone: string;
  readonly perDay?: number;
  readonly warmUp?: WarmUp;
  readonly frequencyCap?: FrequencyCap;
}

/** A pause after each message, between both limits and at random, but the same for the same seed and line. */
export interface Jitter {
  readonly minMs: number;
  readonly maxMs: number;
  /** @default the campaign's id */
  readonly seed?: string;
}

export interface CampaignLimits {
  /** By the days of the instance's clock, or of UTC where it has none. */
  readonly perDay?: number;
  readonly jitter?: Jitter;
}

/** An instance cannot send more in a day, at 500 ms a message; a ramp ends here too. */
export const MAX_PER_DAY = 1_000_000;

/** What the gateway takes of one file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
