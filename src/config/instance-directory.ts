import { instanceUnknown, Secret, type InstanceConfig, type InstanceDirectory } from '../contract/index.js';
import { openInstancesFile, readInstancesFile, type TokenSources } from './instances-file.js';
import { watched, type ConfigLog } from './watched.js';

/** The initial account of the simulator. */
export const SIMULATOR_INSTANCE = { name: 'main', idInstance: '1101000001', token: 'simulator-token' } as const;

/** The default port of `everpost simulator`, which the default instance uses. */
export const SIMULATOR_PORT = 8090;

/** A directory that never changes. */
export function fixedInstances(instances: readonly InstanceConfig[]): InstanceDirectory {
  const byName = new Map(instances.map((instance) => [instance.name, instance]));
  return { get: (name) => find(byName, name), names: () => [...byName.keys()] };
}

/** The default instance `main`: the simulator's account, which responds 503 only if it did not accept the request. */
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

export interface WatchedInstancesOptions extends TokenSources {
  readonly filePath: string;
  /** Monotonic time, which decides when to poll again. @default performance.now */
  readonly monotonicMs?: () => number;
  /** Called for each change that was applied, and for each file that could not be read. */
  readonly log: ConfigLog;
}

/**
 * Instances from a file, which is read again when it or one of its token files changes.
 * @throws AppError CONFIG_INVALID when the first reading fails
 */
export function watchedInstances({
  filePath,
  log,
  monotonicMs,
  ...sources
}: WatchedInstancesOptions): InstanceDirectory {
  const current = watched({
    read: () => {
      const { instances, files } = readInstancesFile(filePath, sources);
      return { value: instances, files };
    },
    described: (instances) => `Instances reloaded: ${[...instances.keys()].join(', ')}.`,
    log,
    monotonicMs,
  });
  const open = openInstancesFile(filePath);
  if (open !== undefined) log({ level: 'warn', message: `${open.found} Restrict access: ${open.remedy}` });
  return { get: (name) => find(current(), name), names: () => [...current().keys()] };
}

function find(instances: ReadonlyMap<string, InstanceConfig>, name: string): InstanceConfig {
  const instance = instances.get(name);
  if (instance === undefined) throw instanceUnknown(name, [...instances.keys()]);
  return instance;
}
