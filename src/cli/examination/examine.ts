import { randomBytes } from 'node:crypto';
import { Client as PostgresClient } from 'pg';
import { openInstancesFile, unknownVariableRemedy, type Config } from '../../config/index.js';
import { loadTemporal, type TemporalPlace } from '../../compose/index.js';
import { createApiClient } from '../../client/index.js';
import {
  AppError,
  Secret,
  codeOf,
  isPublic,
  present,
  type Finding,
  type InstanceDirectory,
} from '../../contract/index.js';
import { checkInstance, checkLedger, checkTemporal, unknownFinding, type Examination } from '../../doctor/index.js';
import { createGateway } from '../../gateway/index.js';
import { findStack, type Stack } from './stack.js';

/** Checks everything that messages depend on, and changes nothing. A failed check does not stop the others. */
export async function examine(config: Config): Promise<Examination> {
  const stack = await findStack(config);
  const [instances, api, temporal] = await Promise.all([
    checkInstances(config, stack),
    checkApi(config, stack),
    stack.temporal.isKnown ? checkTemporalAt(stack.temporal.at) : [unknownFinding('temporal', stack.temporal)],
  ]);
  const ledger = await checkDatabase(config, api);
  // Variables without an effect. Their values may be secrets.
  const variables = config.unknownVariables.map((unknown): Finding => {
    const found = `${unknown.name} is no variable of everpost and has no effect`;
    return { subject: 'environment', verdict: 'advice', found, remedy: unknownVariableRemedy(unknown) };
  });
  return {
    findings: [...variables, ...api.findings, ...ledger, ...temporal, ...instances.findings],
    changes: instances.changes,
  };
}

/** Whether the API is ready, and what in its ledger needs an operator. */
async function checkApi(
  { api: { apiKey } }: Config,
  { api }: Stack,
): Promise<{ readonly findings: readonly Finding[]; readonly isReady: boolean; readonly ledgerId?: string }> {
  const subject = 'api';
  if (!api.isKnown) return { findings: [unknownFinding(subject, api)], isReady: false };
  const { url, origin } = api.at;
  const client = createApiClient({ url, origin, ...present({ apiKey }) });
  try {
    const { ledger: ledgerId } = await client.readyz();
    const found = `${url} (${origin}) is ready: its ledger responds`;
    const ready: Finding = { subject, verdict: 'ok', found };
    return { findings: [ready, ...(await checkLedger(client, Date.now()))], isReady: true, ledgerId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const broken: Finding = { subject, verdict: 'broken', found: `${error.message} [${error.code}]` };
    if (!error.code.startsWith('TEMPORAL_')) return { findings: [broken], isReady: false };
    // The ledger responds, and does not depend on Temporal.
    return { findings: [broken, ...(await checkLedger(client, Date.now()))], isReady: true };
  } finally {
    await client.close();
  }
}

async function checkTemporalAt(place: TemporalPlace): Promise<Finding[]> {
  const { temporalClient, setupCommands } = await loadTemporal();
  const { client, connection, close } = temporalClient(place);
  try {
    return await checkTemporal({ client, connection, setupCommands });
  } finally {
    await close();
  }
}

/** Only the process that has opened an embedded ledger can read it, so the doctor asks its API. */
async function checkDatabase(
  { databaseUrl }: Config,
  { isReady, ledgerId }: { readonly isReady: boolean; readonly ledgerId?: string },
): Promise<Finding[]> {
  const subject = 'ledger';
  if (databaseUrl === undefined) {
    const why = 'Only the API can read an embedded ledger, and the API does not respond';
    if (!isReady) return [unknownFinding(subject, { why })];
    const found = 'responds through the API (embedded, because DATABASE_URL is not set)';
    return [{ subject, verdict: 'ok', found }];
  }
  const client = new PostgresClient({ connectionString: databaseUrl.reveal(), connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ id: string }>('select id from ledger_identity');
    return [ledgerFinding(subject, rows[0]?.id, ledgerId)];
  } catch (error) {
    const code = codeOf(error) ?? 'no response';
    if (code === UNDEFINED_TABLE) return [ledgerFinding(subject, undefined, ledgerId)];
    const remedy = 'Start PostgreSQL, or correct DATABASE_URL.';
    return [{ subject, verdict: 'broken', found: `PostgreSQL cannot be used (${code})`, remedy }];
  } finally {
    await client.end().catch(() => undefined); // it was never connected
  }
}

const UNDEFINED_TABLE = '42P01';

/** Compares the ledger of DATABASE_URL with that of the API: findings about two stacks would mislead. */
function ledgerFinding(subject: string, own: string | undefined, ofApi: string | undefined): Finding {
  if (ofApi !== undefined && own !== ofApi) {
    const found = `DATABASE_URL has ${own === undefined ? 'no ledger' : `the ledger ${own}`}, and the API uses the ledger ${ofApi}`;
    const remedy =
      "They are different stacks. Set DATABASE_URL to the API's database, or EVERPOST_API_URL to the API of this database.";
    return { subject, verdict: 'broken', found, remedy };
  }
  if (own === undefined) {
    const found = 'the PostgreSQL of DATABASE_URL responds, and has no ledger of this version yet';
    return { subject, verdict: 'advice', found, remedy: 'Create it: everpost migrate' };
  }
  return { subject, verdict: 'ok', found: `the PostgreSQL of DATABASE_URL responds, with the ledger ${own}` };
}

const TOKEN_BYTES = 32;

async function checkInstances(config: Config, { instances: target, dev }: Stack): Promise<Examination> {
  if (!target.isKnown) return { findings: [unknownFinding('instances', target)], changes: [] };
  let instances: InstanceDirectory;
  try {
    instances = target.at();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = error.problems?.map((problem) => `${problem.path}: ${problem.message}`).join('; ') ?? '';
    const broken: Finding = { subject: 'instances', verdict: 'broken', found: `${error.message} ${problems}` };
    return { findings: [broken], changes: [] };
  }
  const gateway = createGateway({ instances, clock: { nowMs: () => Date.now() }, gatewayTimeoutMs: 10_000 });
  try {
    const isConfigured = config.instances !== undefined;
    const open = config.instances && openInstancesFile(config.instances.filePath);
    // The simulator of an everpost dev pushes to that everpost.
    const publicUrl = isConfigured ? config.publicUrl : dev?.apiUrl;
    const newToken = () => (isConfigured ? new Secret(randomBytes(TOKEN_BYTES).toString('base64url')) : undefined);
    const found = await Promise.all(
      instances.names().map((name) => {
        const options = {
          publicUrl,
          isExposed: config.http.isExposed || isPublic(config.api.url),
          newToken: newToken(),
        };
        return checkInstance(gateway, instances.get(name), options);
      }),
    );
    return {
      findings: [
        ...(open === undefined ? [] : [{ subject: 'instances file', verdict: 'advice', ...open } as const]),
        ...otherInstances(config, dev),
        ...found.flatMap(({ findings }) => findings),
      ],
      changes: found.flatMap(({ changes }) => changes),
    };
  } finally {
    await gateway.close();
  }
}

/** Reports an instances file that an everpost dev ignores, because it was set after the start. */
function otherInstances({ instances }: Config, dev: Stack['dev']): Finding[] {
  if (instances === undefined || dev?.simulatorUrl === undefined) return [];
  const found = `the everpost dev of ${dev.dataDir} was started without EVERPOST_INSTANCES_FILE, and uses its simulator`;
  return [{ subject: 'instances', verdict: 'broken', found, remedy: 'Start it again with EVERPOST_INSTANCES_FILE.' }];
}
