import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { findTemporalCli, startDevServer } from '../../../src/tools/local-temporal/index.js';
import { localTemporal } from '../../../src/compose/temporal-place.js';
import { prepareTemporal } from '../../../src/compose/temporal.js';
import { binaryOptions } from './temporal-programs.js';

/** Shared by all files with Temporal: one server for the run, and the bundled workflows. */
export interface SharedTemporal {
  readonly address: string;
  readonly namespace: string;
  /** The bundled code of src/workflows, for `Worker.create({ workflowBundle: { codePath } })`. */
  readonly workflowBundlePath: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    temporal: SharedTemporal;
  }
}

const WORKFLOWS = fileURLToPath(new URL('../../../src/workflows/index.ts', import.meta.url));
const TRACE_HEADER = fileURLToPath(new URL('../../../src/workflows/trace-header.ts', import.meta.url));
const FAILURE_CONVERTER = fileURLToPath(new URL('../../../src/workflows/failure-converter.ts', import.meta.url));

/** Files that get Temporal; those that record histories are not tests. */
const NEEDS_TEMPORAL = /\.temporal\.test\.ts$|\/histories\/record\.ts$/;

/** Each test has task queues of its own. The server divides a queue into four by default, and loads each of them. */
const UNDIVIDED = { 'matching.numTaskqueueReadPartitions': 1, 'matching.numTaskqueueWritePartitions': 1 };

/** Starts nothing when no file of this run needs Temporal. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.vitest.state.getPaths().some((path) => NEEDS_TEMPORAL.test(path))) return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'everpost-test-'));
  const [server, workflowBundlePath] = await Promise.all([obtainServer(dir), bundleWorkflows(dir)]);
  project.provide('temporal', { address: server.address, namespace: server.namespace, workflowBundlePath });
  return async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
}

interface ObtainedServer {
  readonly address: string;
  readonly namespace: string;
  stop(): Promise<void>;
}

/** The server of TEMPORAL_ADDRESS, or a dev server in memory for this run. */
async function obtainServer(dir: string): Promise<ObtainedServer> {
  const namespace = process.env['TEMPORAL_NAMESPACE'] ?? 'default';
  const address = process.env['TEMPORAL_ADDRESS'];
  if (address === undefined) {
    const { path } = await findTemporalCli(binaryOptions('TEMPORAL_CLI_PATH'));
    const server = await startDevServer({
      cliPath: path,
      port: 0,
      namespace,
      dir,
      inMemory: true,
      dynamicConfig: UNDIVIDED,
    });
    return { address: server.address, namespace, stop: () => server.stop() };
  }
  await prepareTemporal(localTemporal(address, { namespace }));
  return { address, namespace, stop: () => Promise.resolve() };
}

async function bundleWorkflows(dir: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [TRACE_HEADER],
    failureConverterPath: FAILURE_CONVERTER,
    logger: new DefaultLogger('ERROR'),
  });
  const path = join(dir, 'workflow-bundle.js');
  await writeFile(path, code);
  return path;
}
