/** The services of a process: a worker, an API, or both. */
import { SIMULATOR_PORT, fixedInstances, simulatorInstance, type Config } from '../config/index.js';
import { AppError, type InstanceDirectory } from '../contract/index.js';
import { openLedger, type Ledger } from '../ledger/index.js';
import type { Log } from '../worker/index.js';
import { assembleDependencies, type Dependencies } from './dependencies.js';
import type { ServiceContext } from './teardown.js';

/**
 * Opens the resources that a separate worker or API shares with other processes: Temporal and a PostgreSQL ledger.
 * @param command  for the message, e.g. `everpost worker`
 * @throws AppError CONFIG_INVALID without DATABASE_URL | LEDGER_UNAVAILABLE
 */
export async function openSharedDependencies(
  command: string,
  { config, log, teardown }: Pick<ServiceContext, 'teardown'> & { readonly config: Config; readonly log: Log },
): Promise<Dependencies> {
  const instances = openInstances(config, log);
  const ledger = await openSharedLedger(command, config);
  teardown.add('ledger', () => ledger.close());
  return assembleDependencies({ config, log, ledger, instances, temporal: config.temporal, teardown });
}

/**
 * Opens the PostgreSQL ledger and brings its tables up to date.
 * @param command  for the message, e.g. `everpost migrate`
 * @throws AppError CONFIG_INVALID without DATABASE_URL | LEDGER_NEWER | LEDGER_UNAVAILABLE
 */
export async function openSharedLedger(command: string, config: Config): Promise<Ledger> {
  if (config.databaseUrl === undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      `${command} needs a ledger that other processes can share: set DATABASE_URL to a PostgreSQL. Without one, everpost dev runs everything in one process with an embedded ledger.`,
      { problems: [{ path: 'DATABASE_URL', message: 'is not set' }] },
    );
  }
  return openLedger({ databaseUrl: config.databaseUrl.reveal() });
}

/** The configured instances, else the instance of a simulator at its default address. */
function openInstances(config: Config, log: Log): InstanceDirectory {
  return config.instances?.open(log) ?? fixedInstances([simulatorInstance(`http://127.0.0.1:${SIMULATOR_PORT}`)]);
}

export { assembleDependencies, startApiService, startMetricsService, startWorkerService } from './dependencies.js';
