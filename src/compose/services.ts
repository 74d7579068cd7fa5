/** What a process runs: a worker, an API, or both. */
export { assembleDependencies, startApiService, startMetricsService, startWorkerService } from './dependencies.js';
export { openSharedDependencies, openSharedLedger } from './shared-dependencies.js';
