import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, sql, type Dialect } from 'kysely';
import { AppError, shortId, type AtRest } from '../contract/index.js';
import { Account } from './instances/account.js';
import { Amendments } from './campaigns/amendments/amendments.js';
import { Audiences } from './campaigns/audiences/audiences.js';
import { Forecasts } from './campaigns/forecasts.js';
import { CampaignLife } from './campaigns/steering/campaign-life.js';
import { Dispatch } from './dispatch/shifts/dispatch.js';
import { checkOrigin } from './dispatch/went-back.js';
import { Intake } from './dispatch/intake.js';
import { checkServer } from './storage/check-server.js';
import { closeDatabaseFiles, lockDataDir, makeDataDir } from './storage/data-dir.js';
import { ledgerError } from './storage/database-error.js';
import { Leases } from './leases.js';
import { Edits } from './messages/edits/edits.js';
import { Deliveries } from './events/deliveries.js';
import { EventEndpoints } from './events/event-endpoints.js';
import { StoredEvents } from './events/stored-events.js';
import { Files } from './files.js';
import { GatewayClocks } from './instances/gateway-clocks.js';
import { Ids } from './ids.js';
import { Audit } from './keys/audit.js';
import { ApiKeys } from './keys/keys.js';
import { InstanceStates } from './instances/instance-states.js';
import { Instances } from './instances/instances.js';
import { Messages } from './messages/messages.js';
import { createTables, migrate } from './storage/migrate.js';
import { placeNewDatabase } from './storage/new-database.js';
import { Metrics } from './metrics.js';
import { Notifications } from './notifications/notifications.js';
import { Replays } from './notifications/replays.js';
import { Operations } from './instances/operations.js';
import { QueueClears } from './messages/queue-clears.js';
import { pgliteDialect, type EmbeddedDatabase } from './storage/pglite-dialect.js';
import { openPostgresPool } from './storage/postgres-pool.js';
import { Observations } from './reconciling/observations.js';
import { QueueReadings } from './reconciling/queue-readings.js';
import { Reconciling } from './reconciling/reconciling.js';
import { RateLimitBuckets } from './instances/rate-limit-buckets.js';
import { Receipts } from './notifications/receipts.js';
import type { Schema } from './storage/schema.js';
import { Retention } from './retention.js';
import { Schedules } from './schedules/schedules.js';
import { Outbox } from './messages/outbox.js';
import { Texts } from './sensitive/texts.js';
import { Store } from './storage/store.js';
import { Conversations } from './recipients/conversations.js';
import { KnownLids } from './recipients/known-lids.js';
import { PossibleOptOuts } from './recipients/possible-opt-outs.js';
import { Responses } from './recipients/responses.js';
import { Suppressions } from './recipients/suppressions.js';
import { Templates } from './templates/templates.js';
import { Traces } from './views/traces.js';
import { Views } from './views/views.js';
import { PostgresWakes, ProcessWakes, type WakeLedger } from './wakes.js';
import { Erasures } from './privacy/erasures.js';

/** The public methods of each part, so that a test can replace one of them. */
type Parts = { readonly [Name in keyof Assembled]: Pick<Assembled[Name], keyof Assembled[Name]> };
type Assembled = ReturnType<typeof ledgerParts>;

/**
 * The ledger: every message is a row, every POST an attempt, every decision an entry of evidence. All time arguments
 * are milliseconds since the epoch by the caller's clock; the ledger has no clock of its own.
 *
 * Every method throws AppError LEDGER_UNAVAILABLE if the store cannot be reached or was interrupted, and may then be
 * called again with the same arguments.
 */
export interface Ledger extends Parts {
  readonly wakes: WakeLedger;
  /** Distinguishes this ledger from all others. A restored backup has the id of its ledger. */
  readonly id: string;
  /** SHA-256 with the ledger's own key, which no other ledger has. */
  readonly digest: (text: string) => Buffer;
  /** One cheap write, for readiness: a server may read and not write, e.g. after a failover. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Where the rows are stored. */
export type LedgerLocation =
  /** PostgreSQL 15 or newer. */
  | { readonly databaseUrl: string }
  /** Embedded, in `<dataDir>/ledger`: one process at a time. */
  | { readonly dataDir: string }
  /** An embedded database that is open; it is closed with the ledger. */
  | { readonly database: EmbeddedDatabase };

export interface LedgerOptions {
  /** Encrypts the columns that hold secrets. */
  readonly atRest: AtRest;
  /** Connections to PostgreSQL, of this process. @default 10 */
  readonly maxConnections?: number;
  /** How long an account's observed state, or a reading of a queue, waits for those of others. @default 100 */
  readonly gatherMs?: number;
}

/**
 * Opens the ledger (MIGRATE-3). An acknowledged write survives a kill of the process. With
 * PostgreSQL it also survives a power failure, as configured there.
 * @throws AppError LEDGER_UNAVAILABLE | LEDGER_OLDER | LEDGER_NEWER | DATA_DIR_IN_USE | CONFIG_INVALID
 */
export async function openLedger(location: LedgerLocation, options: LedgerOptions): Promise<Ledger> {
  if ('databaseUrl' in location) await checkServer(location.databaseUrl).catch(failAtStart);
  const opened = await openDialect(location, options);
  const db = new Kysely<Schema>({ dialect: opened.dialect });
  let identity: Awaited<ReturnType<typeof identityOf>>;
  try {
    const place = { place: 'dataDir' in location ? `in ${join(location.dataDir, 'ledger')}` : 'of DATABASE_URL' };
    await ('databaseUrl' in location ? createTables(db, place) : migrate(db, place));
    identity = await identityOf(db, options.atRest);
    await checkOrigin(db);
  } catch (error) {
    await db.destroy();
    await opened.release();
    failAtStart(error);
  }
  const store = new Store(db);
  const wakes = 'databaseUrl' in location ? new PostgresWakes(store, location.databaseUrl) : new ProcessWakes();
  return {
    ...ledgerParts(store, { ...options, textKey: identity.textKey }),
    wakes,
    id: identity.id,
    digest: identity.digest,
    async ping() {
      await store.run((any) => sql`select nextval('ledger_seq')`.execute(any));
    },
    async close() {
      wakes.close();
      await store.close();
      await opened.release();
    },
  };
}

const ID_BYTES = 16;
const KEY_BYTES = 32;

const TEXT_KEY_PLACE = 'ledger_identity.text_key';

/** The id of the ledger and the keys of its hashes, created when it is opened for the first time. */
export async function identityOf(db: Kysely<Schema>, atRest: AtRest) {
  const read = () => db.selectFrom('ledger_identity').selectAll().executeTakeFirst();
  if ((await read()) === undefined) {
    const text_key = atRest.seal(randomBytes(KEY_BYTES).toString('base64'), TEXT_KEY_PLACE);
    const created = { id: `ldg_${shortId(randomBytes(ID_BYTES))}`, hash_key: randomBytes(KEY_BYTES), text_key };
    const insert = db.insertInto('ledger_identity').values(created);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
  }
  // Another process may have created it at the same time.
  const { id, hash_key: key, text_key } = (await read())!;
  return {
    id,
    digest: (text: string): Buffer => createHash('sha256').update(key).update(text).digest(),
    textKey: await openTextKey(db, text_key, atRest),
  };
}

/**
 * The first encryption key seals the key of the hashes of texts again. Without the key that sealed it the ledger opens,
 * and is shown; what needs such a hash fails until the key is back (SECRET-2).
 */
async function openTextKey(db: Kysely<Schema>, text_key: string, { seal, open, current }: AtRest) {
  let textKey: string;
  try {
    textKey = open(text_key, TEXT_KEY_PLACE);
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENCRYPTION_KEY_MISSING') return error;
    throw error;
  }
  if (!text_key.startsWith(current)) {
    const sealed = seal(textKey, TEXT_KEY_PLACE);
    await db.updateTable('ledger_identity').set({ text_key: sealed }).where('text_key', '=', text_key).execute();
  }
  return textKey;
}

/** The parts that need only the store. */
export function ledgerParts(
  store: Store,
  {
    atRest,
    textKey,
    gatherMs,
  }: Pick<LedgerOptions, 'atRest' | 'gatherMs'> & {
    /** Base64, or why it cannot be opened. */ readonly textKey: string | AppError;
  },
) {
  const texts = new Texts(atRest, textKey);
  const forecasts = new Forecasts(store);
  return {
    intake: new Intake(store, texts),
    messages: new Messages(store, texts),
    edits: new Edits(store, texts),
    receipts: new Receipts(store, texts),
    notifications: new Notifications(store),
    replays: new Replays(store, texts),
    eventEndpoints: new EventEndpoints(store, atRest),
    events: new StoredEvents(store),
    deliveries: new Deliveries(store, atRest),
    outbox: new Outbox(store),
    operations: new Operations(store, atRest),
    queueClears: new QueueClears(store),
    account: new Account(store),
    files: new Files(store),
    gatewayClocks: new GatewayClocks(store),
    rateLimitBuckets: new RateLimitBuckets(store),
    instanceStates: new InstanceStates(store, gatherMs),
    instances: new Instances(store),
    views: new Views(store),
    traces: new Traces(store),
    leases: new Leases(store),
    reconciling: new Reconciling(store, texts),
    queueReadings: new QueueReadings(store, gatherMs),
    observations: new Observations(store, texts),
    audiences: new Audiences(store, forecasts),
    campaigns: new CampaignLife(store, forecasts),
    amendments: new Amendments(store, texts),
    schedules: new Schedules(store),
    templates: new Templates(store),
    ids: new Ids(store),
    suppressions: new Suppressions(store),
    possibleOptOuts: new PossibleOptOuts(store),
    responses: new Responses(store),
    lids: new KnownLids(store),
    conversations: new Conversations(store),
    apiKeys: new ApiKeys(store),
    audit: new Audit(store),
    dispatch: new Dispatch(store, texts),
    retention: new Retention(store),
    erasures: new Erasures(store),
    metrics: new Metrics(store),
  };
}

/** PostgreSQL fills all of it at its start. Its own default, 128 MB, makes an idle process twice as large. */
const SHARED_BUFFERS = '32MB';

/** @returns `release`: called once the database is closed */
async function openDialect(
  location: LedgerLocation,
  options: LedgerOptions,
): Promise<{ readonly dialect: Dialect; release(): Promise<void> }> {
  if ('databaseUrl' in location) {
    const pool = openPostgresPool(location.databaseUrl, options.maxConnections ?? 10);
    return { dialect: new PostgresDialect({ pool }), release: async () => {} };
  }
  if ('database' in location) return { dialect: pgliteDialect(location.database), release: async () => {} };
  const { dataDir } = location;
  await makeDataDir(dataDir);
  const lock = await lockDataDir(join(dataDir, 'ledger.lock'));
  const dir = join(dataDir, 'ledger');
  try {
    await placeNewDatabase(dir);
    // Not relaxed: a query returns after its writes were passed to the operating system.
    const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`];
    const database = await PGlite.create({ dataDir: dir, relaxedDurability: false, startParams });
    await closeDatabaseFiles(dir);
    return { dialect: pgliteDialect(database), release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw ledgerError(error);
  }
}

function failAtStart(error: unknown): never {
  const known = ledgerError(error);
  throw new AppError(known.code, `At start: ${known.message}`, { cause: known.cause });
}
