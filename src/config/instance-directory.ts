import { statSync } from 'node:fs';
import { AppError, Secret, type InstanceConfig, type InstanceDirectory } from '../contract/index.js';
import { openInstancesFile } from './open-file.js';
import { readInstancesFile, type TokenSources } from './instances-file.js';

/** The account that the simulator has at its start. */
export const SIMULATOR_INSTANCE = { name: 'main', idInstance: '1101000001', token: 'simulator-token' } as const;

/** The default port of `everpost simulator`, at which the default instance finds it. */
export const SIMULATOR_PORT = 8090;

/** A directory that does not change while running. */
export function fixedInstances(instances: readonly InstanceConfig[]): InstanceDirectory {
  const byName = new Map(instances.map((instance) => [instance.name, instance]));
  return { get: (name) => find(byName, name), names: () => [...byName.keys()] };
}

/** The default instance `main`: the simulator's, which answers 503 only when it did not accept. */
export function simulatorInstance(baseUrl: string, webhookToken?: Secret): InstanceConfig {
  return {
    name: SIMULATOR_INSTANCE.name,
    baseUrl,
    mediaUrl: baseUrl,
    idInstance: SIMULATOR_INSTANCE.idInstance,
    apiTokenInstance: new Secret(SIMULATOR_INSTANCE.token),
    statusMeanings: { '503': 'not_accepted' },
    ...(webhookToken === undefined ? {} : { webhookTokens: [webhookToken] }),
  };
}

/** Shortest time between two polls of the files. */
const CHECK_EVERY_MS = 1000;

export type InstancesLog = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly problems?: unknown;
}) => void;

export interface WatchedInstancesOptions extends TokenSources {
  readonly filePath: string;
  /** Milliseconds that only grow; decides when to poll again. @default performance.now */
  readonly monotonicMs?: () => number;
  /** Called for each change that was applied, and for each file that could not be read. */
  readonly log: InstancesLog;
}

/**
 * Instances from a file that is read again when it, or a token file it points to, changes: at most one poll a second,
 * made on use. A file that became invalid changes nothing: the last good one stays, and the log says why.
 * @throws AppError CONFIG_INVALID when the first reading fails
 */
export function watchedInstances(options: WatchedInstancesOptions): InstanceDirectory {
  const { filePath, env, log, monotonicMs = () => performance.now() } = options;
  let current = readInstancesFile(filePath, { env });
  const open = openInstancesFile(filePath);
  if (open !== undefined) log({ level: 'warn', message: `${open.found} Close it: ${open.remedy}` });
  let seen = fingerprint(current.files);
  let polledAtMs = monotonicMs();

  function refreshed() {
    const nowMs = monotonicMs();
    if (nowMs - polledAtMs < CHECK_EVERY_MS) return current.instances;
    polledAtMs = nowMs;
    const now = fingerprint(current.files);
    if (now === seen) return current.instances;
    seen = now;
    try {
      current = readInstancesFile(filePath, { env });
      seen = fingerprint(current.files);
      log({ level: 'info', message: `Instances read again: ${[...current.instances.keys()].join(', ')}.` });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log({ level: 'error', message: `${error.message} Going on with the last valid one.`, problems: error.problems });
    }
    return current.instances;
  }

  return { get: (name) => find(refreshed(), name), names: () => [...refreshed().keys()] };
}

function find(instances: ReadonlyMap<string, InstanceConfig>, name: string): InstanceConfig {
  const instance = instances.get(name);
  if (instance !== undefined) return instance;
  const known = [...instances.keys()].join(', ');
  throw new AppError(
    'INSTANCE_NOT_FOUND',
    `Instance ${name} is not known. Use one of: ${known}; or add it to EVERPOST_INSTANCES_FILE.`,
  );
}

/** Changes whenever one of the files does; a missing file is a state of its own. */
function fingerprint(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats === undefined ? 'missing' : `${stats.mtimeMs}/${stats.size}/${stats.ino}`;
    })
    .join(' ');
}
