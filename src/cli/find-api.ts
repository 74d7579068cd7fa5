import type { Config } from '../config/index.js';
import { AppError } from '../contract/index.js';
import { readDevRecord } from '../tools/dev/index.js';

/** Where commands find the HTTP API. */
export interface FoundApi {
  readonly url: string;
  /** Who named the address, for messages. */
  readonly origin: string;
}

/**
 * EVERPOST_API_URL, else where the data directory says that an everpost dev runs, else the default.
 * @throws AppError API_UNREACHABLE when that everpost dev was killed: another program may have its ports by now
 */
export async function findApi({ api, dataDir }: Pick<Config, 'api' | 'dataDir'>): Promise<FoundApi> {
  if (api.isNamed) return { url: api.url, origin: 'EVERPOST_API_URL' };
  const dev = await readDevRecord(dataDir);
  switch (dev.kind) {
    case 'running':
      return { url: dev.facts.apiUrl, origin: `the everpost dev of ${dataDir}` };
    case 'none':
      return { url: api.url, origin: `the default, as no everpost dev runs on ${dataDir}` };
    case 'stale': {
      const { why, remedy } = killedDev(dataDir, dev.pid);
      throw new AppError('API_UNREACHABLE', `${why}. ${remedy} For another API set EVERPOST_API_URL.`);
    }
  }
}

/** Why the record of a killed everpost dev cannot be used, and the remedy. */
export function killedDev(dataDir: string, pid: number): { readonly why: string; readonly remedy: string } {
  return {
    why: `The everpost dev of ${dataDir} (process ${pid}) was killed and runs no more`,
    remedy: `Start it again: everpost dev --data-dir ${dataDir}.`,
  };
}
