import type { Readable } from 'node:stream';
import type { Suppression, SuppressionImport } from '../contract/index.js';
import type { ApiRequests } from './api-requests.js';

/** Of a number or chat id. */
export interface SuppressionOf {
  readonly to: string;
  readonly instance?: string;
  readonly defaultCountry?: string;
}

export interface RemovedSuppressions {
  readonly removed: readonly Suppression[];
  /** What still holds. */
  readonly left: readonly Suppression[];
}

/** What commands ask about the suppression list. */
export interface SuppressionCalls {
  suppress(entry: SuppressionOf & { readonly scope?: string; readonly note?: string }): Promise<Suppression>;
  unsuppress(who: SuppressionOf): Promise<RemovedSuppressions>;
  suppressions(
    filter: Readonly<Record<string, string>>,
  ): Promise<{ readonly items: readonly Suppression[]; readonly cursor?: string }>;
  importSuppressions(
    file: { readonly type: string; readonly body: Readable; readonly sizeBytes?: number | undefined },
    options: Readonly<Record<string, string>>,
  ): Promise<SuppressionImport>;
}

export function suppressionCalls({ ask }: Pick<ApiRequests, 'ask'>): SuppressionCalls {
  return {
    suppress: (entry) => ask('POST', '/v1/suppressions', { body: entry }),
    unsuppress: (who) => ask('POST', '/v1/suppressions/remove', { body: who }),
    suppressions: (filter) => ask('GET', '/v1/suppressions', { query: filter }),
    importSuppressions: (stream, query) => ask('POST', '/v1/suppressions/import', { stream, query, timeoutMs: 0 }),
  };
}
