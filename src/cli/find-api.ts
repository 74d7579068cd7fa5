import type { Config } from '../config/index.js';
import { AppError } from '../contract/index.js';
import { readDevRecord } from '../tools/dev/index.js';

/** The address of the HTTP API for commands. */
export interface FoundApi {
  readonly url: string;
  /** The source of the address, for messages. */
  readonly origin: string;
}

/**
 * Returns EVERPOST_API_URL, else the address of the everpost dev that the data directory records, else the default.
 * @throws AppError API_UNREACHABLE when that everpost dev was killed: another program may use its ports now
 */
export async function findApi({ api, dataDir }: Pick<Config, 'api' | 'dataDir'>): Promise<FoundApi> {
  if (api.isNamed) return { url: api.url, origin: 'EVERPOST_API_URL' };
  const dev = await readDevRecord(dataDir);
  switch (dev.kind) {
    case 'running':
      return { url: dev.facts.apiUrl, origin: `the everpost dev of ${dataDir}` };
    case 'none':
      return { url: api.url, origin: `the default, because no everpost dev runs on ${dataDir}` };
    case 'stale': {
      const { why, remedy } = killedDev(dataDir, dev.pid);
      throw new AppError('API_UNREACHABLE', `${why}. ${remedy} To use another API, set EVERPOST_API_URL.`);
    }
  }
}

/** The reason why the record of a killed everpost dev cannot be used, and the remedy. */
export function killedDev(dataDir: string, pid: number): { readonly why: string; readonly remedy: string } {
  return {
    why: `The everpost dev of ${dataDir} (process ${pid}) was killed`,
    remedy: `Start it again: everpost dev --data-dir ${dataDir}.`,
  };
}
