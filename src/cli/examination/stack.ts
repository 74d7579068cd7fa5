/**
 * Selects the stack that the doctor checks: the one in the environment, else the `everpost dev` of the data directory.
 * The default addresses count only with DATABASE_URL, because then `everpost api` and `everpost worker` use them;
 * otherwise another everpost may use them.
 */
import { present, type InstanceDirectory } from '../../contract/index.js';
import { SIMULATOR_PORT, fixedInstances, simulatorInstance, type Config } from '../../config/index.js';
import { localTemporal, type TemporalPlace } from '../../compose/index.js';
import { readDevRecord, type DevRecord, type DevStackFacts } from '../../tools/dev/index.js';
import { killedDev, type FoundApi } from '../command-context.js';

/** An address, or the reason why it is unknown and the remedy. */
export type Target<Found> =
  | { readonly isKnown: true; readonly at: Found }
  | { readonly isKnown: false; readonly why: string; readonly remedy: string };

export interface Stack {
  /** The `everpost dev` that the doctor checks, if any. */
  readonly dev?: DevStackFacts;
  readonly api: Target<FoundApi>;
  readonly temporal: Target<TemporalPlace>;
  /** `at` may throw AppError CONFIG_INVALID. */
  readonly instances: Target<() => InstanceDirectory>;
}

export async function findStack(config: Config): Promise<Stack> {
  const { api, temporal, dataDir, databaseUrl } = config;
  const record = await readDevRecord(dataDir);
  const runsApart = databaseUrl !== undefined;
  // If EVERPOST_API_URL names another API than that of the data directory, the data directory is ignored.
  const isOther = record.kind !== 'running' || (api.isNamed && api.url !== record.facts.apiUrl);
  const dev = isOther ? undefined : record.facts;
  const missing = missingDev(config, record);
  return {
    ...present({ dev }),
    api: firstKnown(missing, [
      api.isNamed && { url: api.url, origin: 'EVERPOST_API_URL' },
      dev && { url: dev.apiUrl, origin: `the everpost dev of ${dataDir}` },
      runsApart && { url: api.url, origin: 'the default' },
    ]),
    temporal: firstKnown({ ...missing, remedy: `${missing.remedy} Or set TEMPORAL_ADDRESS.` }, [
      temporal.isNamed && temporal,
      dev && localTemporal(dev.temporalAddress, temporal),
      runsApart && temporal,
    ]),
    instances: firstKnown(missingInstances(dev, missing), [
      config.instances && (() => config.instances?.open(() => undefined) ?? fixedInstances([])),
      dev?.simulatorUrl !== undefined && simulatorAt(dev.simulatorUrl),
      dev === undefined && runsApart && simulatorAt(`http://127.0.0.1:${SIMULATOR_PORT}`),
    ]),
  };
}

interface Missing {
  readonly why: string;
  readonly remedy: string;
}

function missingDev({ api, dataDir }: Config, record: DevRecord): Missing {
  if (record.kind === 'stale') return killedDev(dataDir, record.pid);
  if (api.isNamed) {
    const why = 'EVERPOST_API_URL names an API whose other settings are unknown here';
    return { why, remedy: 'Run the doctor with the environment of that API.' };
  }
  return {
    why: `No everpost dev runs on ${dataDir}, and the environment names no other stack`,
    remedy: `Start it: everpost dev --data-dir ${dataDir}. Or name another data directory: --data-dir.`,
  };
}

function missingInstances(dev: DevStackFacts | undefined, missing: Missing): Missing {
  if (dev === undefined) return { ...missing, remedy: `${missing.remedy} Or set EVERPOST_INSTANCES_FILE.` };
  return {
    why: `The everpost dev of ${dev.dataDir} reads its instances from a file that is not configured here`,
    remedy: 'Set EVERPOST_INSTANCES_FILE to the same file.',
  };
}

function simulatorAt(url: string): () => InstanceDirectory {
  return () => fixedInstances([simulatorInstance(url)]);
}

function firstKnown<Found>(missing: Missing, places: readonly (Found | false | undefined)[]): Target<Found> {
  for (const at of places) if (at !== false && at !== undefined) return { isKnown: true, at };
  return { isKnown: false, ...missing };
}
