/**
 * Makes a chaos run on this machine and accounts for every message. The parts:
 *
 *   gateway and phones   in this process; the reference, never killed
 *   Temporal's server    a child process, killed and restarted on its data
 *   the product          one or more child processes with worker, API and receiver, killed and restarted on their ledger
 */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { present, type OnUnknown, type Log } from '../../contract/index.js';
import type { Config, Environment } from '../../config/index.js';
import { createApiClient, type ApiClient } from '../../client/index.js';
import type { Teardown } from '../../compose/index.js';
import { choosePorts, findTemporalCli, startDevServer } from '../local-temporal/index.js';
import { account, type Account } from './account/account.js';
import { createBackend } from './backend.js';
import {
  accountCampaigns,
  recipientsOf,
  type AskedAndRead,
  type AskedCampaign,
  type CampaignAccount,
} from './account/campaign-account.js';
import { ChaosRun } from './chaos-run.js';
import { startGatewayUnderTest, type Count } from './gateway-under-test.js';
import { accountKills, type KillAccount } from './account/kill-account.js';
import { instancesOf, type Plan } from './plan/plan.js';
import { openDoor, productUnderTest } from './product-process.js';
import { readCampaign, readRows } from './progress.js';
import { StallMeter, type Stall } from './stall-meter.js';
import type { Weakness } from './weakness.js';

export interface ProveOptions {
  readonly plan: Plan;
  /** The directory for all files of the run, logs included. */
  readonly dir: string;
  readonly binary: Config['temporal']['binary'];
  readonly env: Environment;
  readonly without: Weakness | undefined;
  /** A PostgreSQL server that several processes share. The run creates its own database there. */
  readonly databaseUrl: string | undefined;
  /** The folder of the version from which the processes are upgraded, and to which they are rolled back. */
  readonly otherVersion: string | undefined;
  /** How the product gets notifications. */
  readonly notifications: 'push' | 'poll';
  readonly log: Log;
  readonly teardown: Teardown;
  /** Aborted to end the run. */
  readonly stopping: AbortSignal;
  /** After this time the run stops killing and waiting, and accounts for the messages as they are. */
  readonly limitMs: number;
  /** Shows progress, one line at a time. */
  readonly tell: (line: string) => void;
  readonly notice: (text: string) => void;
}

export interface Proof extends Account {
  readonly seed: number;
  readonly kills: KillAccount;
  readonly workers: number;
  readonly onUnknown?: OnUnknown;
  readonly notificationFaults: boolean;
  readonly campaigns: CampaignAccount;
  readonly seconds: number;
  /** False if the time limit came before the last kill or before the last message ended. */
  readonly finished: boolean;
  /** The longest stall and all long ones, the longest first. */
  readonly stalls: readonly Stall[];
  /** How often each kill, outage and fault was planned, and how often it happened. */
  readonly happened: ReadonlyMap<string, Count>;
  /** Responses of the API and ends of the product that the plan does not explain. */
  readonly surprises: readonly string[];
}

/** The time limit for reading the ledger, in case the product stops responding. */
const ACCOUNT_MS = 60_000;

/** @throws AppError TEMPORAL_BINARY_MISSING | TEMPORAL_UNAVAILABLE | INTERNAL if the product does not start */
export async function prove(options: ProveOptions): Promise<Proof> {
  const over = new AbortController();
  try {
    return await runAndAccount(options, over.signal);
  } finally {
    // Ends the requests that are still retried.
    over.abort();
  }
}

async function runAndAccount(options: ProveOptions, over: AbortSignal): Promise<Proof> {
  const { plan, stopping } = options;
  const beganMs = performance.now();
  const limit = AbortSignal.timeout(options.limitMs);
  const stop = AbortSignal.any([stopping, limit, over]);
  // Every requested message and every wait adds a listener.
  setMaxListeners(0, stop);
  const dependencies = await assemble(options, stop);
  const run = new ChaosRun(dependencies);
  const finished = await run.play(plan).then(
    () => true,
    (error: unknown) => {
      if (stopping.aborted || !limit.aborted) throw error;
      return false;
    },
  );
  const { gateway, backend, api, meter } = dependencies;
  const patience = new AbortController();
  setTimeout(() => patience.abort(), ACCOUNT_MS).unref();
  await run.startForGood(AbortSignal.any([stopping, patience.signal]));
  const read = await Promise.all(backend.campaigns.map((campaign) => readWhatStarted(api, campaign)));
  const asked = [...backend.asked, ...recipientsOf(read)];
  const views = await readRows(
    api,
    asked.flatMap(({ id }) => (id === undefined ? [] : [id])),
  );
  return {
    ...account(asked, views, gateway.delivered()),
    campaigns: accountCampaigns(read, views),
    seed: plan.seed,
    kills: accountKills(run.killed, views, run.windows),
    workers: plan.workers,
    ...present({ onUnknown: plan.onUnknown }),
    notificationFaults: plan.notificationFaults,
    seconds: Math.round((performance.now() - beganMs) / 1000),
    finished,
    stalls: meter.stalls,
    happened: new Map([...run.counts, ...backend.counts(), ...(await gateway.faultCounts())]),
    surprises: [...run.surprises, ...backend.surprises],
  };
}

async function readWhatStarted(api: ApiClient, campaign: AskedCampaign): Promise<AskedAndRead> {
  return campaign.isStarted ? { ...campaign, read: await readCampaign(api, campaign.planned.id) } : campaign;
}

async function assemble(options: ProveOptions, stop: AbortSignal) {
  const { plan, dir, teardown, tell } = options;
  await mkdir(dir, { recursive: true });
  const ports = await choosePorts('127.0.0.1', Array<number>(plan.workers).fill(0));
  const apiUrl = `http://127.0.0.1:${await openDoor(ports, teardown)}`;
  const gateway = await startGatewayUnderTest({ ...options, apiUrl, instances: instancesOf(plan) });
  const instancesFile = path.join(dir, 'instances.json');
  await writeFile(instancesFile, gateway.instancesFile);
  const temporal = await startTemporalUnderTest(options);
  const databaseUrl = options.databaseUrl && (await makeDatabase(options.databaseUrl, teardown));
  const product = productUnderTest({
    ...options,
    ports,
    instancesFile,
    databaseUrl,
    temporalAddress: temporal.address,
  });
  const api = createApiClient({ url: apiUrl });
  teardown.add('API client', () => api.close());
  const backend = createBackend(api, gateway, stop);
  return { gateway, temporal, product, api, backend, meter: new StallMeter(), stop, tell };
}

/** With this limit a campaign's run continues as new at its second change, not after thousands of events. */
const LONG_HISTORY_EVENTS = 12;

/**
 * Starts a Temporal server for this run, which keeps its data on disk.
 * @throws AppError TEMPORAL_BINARY_MISSING | TEMPORAL_UNAVAILABLE
 */
async function startTemporalUnderTest({ dir, binary, notice, teardown }: ProveOptions) {
  const { path: cliPath } = await findTemporalCli({ ...binary, notice });
  const start = (port: number) =>
    startDevServer({
      cliPath,
      dir,
      notice,
      port,
      namespace: 'default',
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_HISTORY_EVENTS },
    });
  let server = await start(0);
  let restarting: Promise<unknown> = Promise.resolve();
  teardown.add(
    "Temporal's server",
    async () => {
      await Promise.allSettled([restarting]);
      await server.stop();
    },
    () => process.kill(server.pid, 'SIGKILL'),
  );
  const { address } = server;
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return {
    address,
    /** Kills the server and starts it again at the same address after `downMs`. */
    async killAndRestart(downMs: number, stop: AbortSignal): Promise<void> {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      await delay(downMs, undefined, { signal: stop });
      restarting = start(port).then((started) => (server = started));
      await restarting;
    },
  };
}

/**
 * Creates a database for this run on a PostgreSQL server. The teardown drops it.
 * @param serverUrl  of a user who may create databases
 * @returns its URL
 */
async function makeDatabase(serverUrl: string, teardown: Teardown): Promise<string> {
  const name = `everpost_prove_${randomBytes(4).toString('hex')}`;
  await query(serverUrl, `create database ${name}`);
  teardown.add('database', () => query(serverUrl, `drop database ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
