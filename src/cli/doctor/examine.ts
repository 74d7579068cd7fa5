import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client as PostgresClient } from 'pg';
import { SIMULATOR_PORT, fixedInstances, simulatorInstance, type Config } from '../../config/index.js';
import { AppError, type InstanceDirectory } from '../../contract/index.js';
import { createGateway } from '../../gateway/index.js';
import { createApiClient } from '../api-client.js';
import { localTemporal } from '../compose/connect-temporal.js';
import { DEV_FACTS_FILE, type DevStackFacts } from '../compose/dev-facts.js';
import { checkBrakes } from './check-brakes.js';
import { checkInstance } from './check-instance.js';
import { checkNotifications } from './check-notifications.js';
import { checkTemporal } from './check-temporal.js';
import type { Examination, Finding } from './finding.js';

/** Looks at everything that messages depend on, and changes nothing. Each part is looked at whatever the others are like. */
export async function examine(config: Config): Promise<Examination> {
  const dev = await runningDev(config.dataDir);
  const { isNamed, namespace } = config.temporal;
  const place = isNamed || dev === undefined ? config.temporal : localTemporal(dev.temporalAddress, namespace);
  const [instances, ...others] = await Promise.all([
    checkInstances(config, dev),
    checkApi(config, dev),
    checkLedger(config),
    checkTemporal(place),
  ]);
  return { findings: [...others.flat(), ...instances.findings], changes: instances.changes };
}

/** What an `everpost dev` on this data directory wrote of itself; it takes it away when it ends. */
async function runningDev(dataDir: string): Promise<DevStackFacts | undefined> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, DEV_FACTS_FILE), 'utf8')) as DevStackFacts;
  } catch {
    return undefined;
  }
}

async function checkApi({ api: { url, token } }: Config, dev: DevStackFacts | undefined): Promise<Finding[]> {
  const subject = 'api';
  const client = createApiClient({ url, ...(token === undefined ? {} : { token }) });
  try {
    await client.ready();
    const ready: Finding = { subject, verdict: 'ok', found: `${url} is ready: its ledger and its Temporal answer` };
    return [ready, ...(await checkBrakes(client)), ...(await checkNotifications(client, Date.now()))];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const elsewhere = dev !== undefined && dev.apiUrl !== url ? `Set EVERPOST_API_URL=${dev.apiUrl}` : undefined;
    const broken: Finding = {
      subject,
      verdict: 'broken',
      found: `${error.message} [${error.code}]`,
      ...(elsewhere === undefined ? {} : { remedy: elsewhere }),
    };
    if (!error.code.startsWith('TEMPORAL_')) return [broken];
    // The ledger answers: what it knows does not depend on Temporal.
    return [broken, ...(await checkBrakes(client)), ...(await checkNotifications(client, Date.now()))];
  } finally {
    await client.close();
  }
}

async function checkLedger({ databaseUrl, dataDir }: Config): Promise<Finding[]> {
  const subject = 'ledger';
  if (databaseUrl === undefined)
    return [{ subject, verdict: 'ok', found: `embedded in ${dataDir}; the API tells of it` }];
  const client = new PostgresClient({ connectionString: databaseUrl.reveal(), connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query('select 1');
    return [{ subject, verdict: 'ok', found: 'PostgreSQL answers' }];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    const remedy = 'Start PostgreSQL, or correct DATABASE_URL.';
    return [{ subject, verdict: 'broken', found: `PostgreSQL cannot be used (${code})`, remedy }];
  } finally {
    await client.end().catch(() => undefined); // it never was connected
  }
}

async function checkInstances(config: Config, dev: DevStackFacts | undefined): Promise<Examination> {
  let instances: InstanceDirectory;
  try {
    instances = config.instances?.open(() => undefined) ?? simulatorOf(dev);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = error.problems?.map((problem) => `${problem.path}: ${problem.message}`).join('; ') ?? '';
    const broken: Finding = { subject: 'instances', verdict: 'broken', found: `${error.message} ${problems}` };
    return { findings: [broken], changes: [] };
  }
  const gateway = createGateway({ instances, clock: { nowMs: () => Date.now() }, httpTimeoutMs: 10_000 });
  try {
    const isConfigured = config.instances !== undefined;
    // The simulator of an everpost dev pushes to that everpost.
    const publicUrl = isConfigured ? config.publicUrl : dev?.apiUrl;
    const options = { knowsWebhookTokens: isConfigured, publicUrl };
    const found = await Promise.all(
      instances.names().map((name) => checkInstance(gateway, instances.get(name), options)),
    );
    return {
      findings: found.flatMap(({ findings }) => findings),
      changes: found.flatMap(({ changes }) => changes),
    };
  } finally {
    await gateway.close();
  }
}

function simulatorOf(dev: DevStackFacts | undefined): InstanceDirectory {
  return fixedInstances([simulatorInstance(dev?.simulatorUrl ?? `http://127.0.0.1:${SIMULATOR_PORT}`)]);
}
