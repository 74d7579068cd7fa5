import { parseRatePerSecond, parseSizeBytes } from './values/values.js';

/** What one API key may use, unless the key has a rate of its own. */
export interface KeyLimits {
  /** Requests per second, of all processes together. */
  readonly ratePerSecond: number;
  /** Requests that wait for a change, in each process. */
  readonly waits: number;
  /** Imports, uploads of files and plans that are under way, in each process. */
  readonly longRequests: number;
  /** Size of the files that the key has stored. */
  readonly fileBytes: number;
}

/** In the notation of EVERPOST_KEY_LIMITS. Far above what a program needs that waits for the responses of the API. */
export const DEFAULT_KEY_LIMITS = 'rate=500/s,waits=500,long=20,files=10gb';

const NAMES: readonly string[] = ['rate', 'waits', 'long', 'files'];

/**
 * Reads limits such as `rate=100/s,files=50gb`. A limit that is not named keeps its default.
 * @throws Error with the reason
 */
export function parseKeyLimits(text: string): KeyLimits {
  const values = new Map<string, string>();
  for (const part of `${DEFAULT_KEY_LIMITS},${text}`.split(',')) {
    const [name = '', ...value] = part.split('=');
    if (!NAMES.includes(name.trim())) throw new Error(`must name limits, e.g. ${DEFAULT_KEY_LIMITS}`);
    values.set(name.trim(), value.join('='));
  }
  const limit = (name: string, parse: (value: string) => number): number => {
    try {
      return parse((values.get(name) ?? '').trim());
    } catch (error) {
      throw new Error(`has a limit ${name} that ${(error as Error).message}`, { cause: error });
    }
  };
  return {
    ratePerSecond: limit('rate', parseRatePerSecond),
    waits: limit('waits', parseCount),
    longRequests: limit('long', parseCount),
    fileBytes: limit('files', parseSizeBytes),
  };
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error('must be a number from 1 to 999999');
  return Number(text);
}
