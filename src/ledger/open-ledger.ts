import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, sql, type Dialect } from 'kysely';
import { AppError } from '../contract/index.js';
import { Account } from './account/account.js';
import { Amendments } from './campaigns/amendments.js';
import { Audiences } from './campaigns/audiences.js';
import { CampaignLife } from './campaigns/campaign-life.js';
import { Dispatch } from './dispatch/dispatch.js';
import { lockDataDir } from './data-dir-lock.js';
import { ledgerError } from './database-error.js';
import { Leases } from './leases.js';
import { Edits } from './edits.js';
import { Deliveries } from './events/deliveries.js';
import { EventEndpoints } from './events/event-endpoints.js';
import { StoredEvents } from './events/stored-events.js';
import { Files } from './files/files.js';
import { GatewayClocks } from './gateway-clocks.js';
import { Ids } from './ids.js';
import { Audit } from './keys/audit.js';
import { ApiKeys } from './keys/keys.js';
import { InstanceStates } from './instance-states.js';
import { Instances } from './instances/instances.js';
import { closeDatabaseFiles, makeDataDir } from './make-data-dir.js';
import { Messages } from './messages.js';
import { migrate } from './migrate.js';
import { Metrics } from './metrics.js';
import { Notifications } from './notifications/notifications.js';
import { Replays } from './notifications/replays.js';
import { Operations } from './operations.js';
import { PGliteDialect, type EmbeddedDatabase } from './pglite-dialect.js';
import { openPostgresPool } from './postgres-pool.js';
import { Reconciling } from './reconciling.js';
import { RateLimitBuckets } from './rate-limit-buckets.js';
import { Receipts } from './receipts.js';
import type { Schema } from './schema.js';
import { Retention } from './retention.js';
import { Schedules } from './schedules/schedules.js';
import { Signals } from './signals/signals.js';
import { Store } from './store.js';
import { Suppressions } from './suppressions/suppressions.js';
import { Templates } from './templates/templates.js';
import { PostgresWakes } from './wakes/postgres-wakes.js';
import { Erasures } from './privacy/erasures.js';
import { ProcessWakes } from './wakes/process-wakes.js';
import type { WakeLedger } from './wakes/wake-ledger.js';

/** Its public methods: a test may replace one of them. */
type PublicOf<Part> = Pick<Part, keyof Part>;

/**
 * The ledger: every message a row, every POST of it an attempt, every decision an entry of evidence. All times that
 * come in are milliseconds since the epoch by the caller's clock; the ledger asks no clock of its own.
 *
 * Every method throws AppError LEDGER_UNAVAILABLE when the store cannot be reached or was interrupted; each is written
 * so that calling it again with the same arguments is safe.
 */
export interface Ledger {
  readonly messages: PublicOf<Messages>;
  readonly edits: PublicOf<Edits>;
  readonly receipts: PublicOf<Receipts>;
  readonly notifications: PublicOf<Notifications>;
  readonly replays: PublicOf<Replays>;
  readonly eventEndpoints: PublicOf<EventEndpoints>;
  readonly events: PublicOf<StoredEvents>;
  readonly deliveries: PublicOf<Deliveries>;
  readonly signals: PublicOf<Signals>;
  readonly operations: PublicOf<Operations>;
  readonly account: PublicOf<Account>;
  readonly files: PublicOf<Files>;
  readonly gatewayClocks: PublicOf<GatewayClocks>;
  readonly rateLimitBuckets: PublicOf<RateLimitBuckets>;
  readonly instanceStates: PublicOf<InstanceStates>;
  readonly instances: PublicOf<Instances>;
  readonly leases: PublicOf<Leases>;
  readonly reconciling: PublicOf<Reconciling>;
  readonly audiences: PublicOf<Audiences>;
  readonly campaigns: PublicOf<CampaignLife>;
  readonly amendments: PublicOf<Amendments>;
  readonly schedules: PublicOf<Schedules>;
  readonly templates: PublicOf<Templates>;
  readonly ids: PublicOf<Ids>;
  readonly suppressions: PublicOf<Suppressions>;
  readonly apiKeys: PublicOf<ApiKeys>;
  readonly audit: PublicOf<Audit>;
  readonly dispatch: PublicOf<Dispatch>;
  readonly wakes: WakeLedger;
  readonly retention: PublicOf<Retention>;
  readonly erasures: PublicOf<Erasures>;
  readonly metrics: PublicOf<Metrics>;
  /** One cheap round trip, for readiness. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Where the rows live. */
export type LedgerLocation =
  /** PostgreSQL 15 or newer. */
  | { readonly databaseUrl: string }
  /** Embedded, in `<dataDir>/ledger`: one process at a time. */
  | { readonly dataDir: string }
  /** An embedded one that is open already; closed with the ledger. */
  | { readonly database: EmbeddedDatabase };

export interface LedgerOptions {
  /** Connections to PostgreSQL, of this process. @default 10 */
  readonly maxConnections?: number;
}

/**
 * Opens the ledger and brings its tables up to date. A write that was acknowledged is there after a kill of the
 * process; a PostgreSQL keeps it through a power cut too, as it is configured to.
 * @throws AppError LEDGER_UNAVAILABLE | DATA_DIR_IN_USE | CONFIG_INVALID
 */
export async function openLedger(location: LedgerLocation, options: LedgerOptions = {}): Promise<Ledger> {
  const opened = await openDialect(location, options);
  const db = new Kysely<Schema>({ dialect: opened.dialect });
  try {
    await migrate(db, placeOf(location));
  } catch (error) {
    await db.destroy();
    await opened.release();
    throw atStart(error);
  }
  const store = new Store(db);
  const wakes = 'databaseUrl' in location ? new PostgresWakes(store, location.databaseUrl) : new ProcessWakes();
  return {
    ...ledgerParts(store),
    wakes,
    async ping() {
      await store.run((any) => sql`select 1`.execute(any));
    },
    async close() {
      wakes.close();
      await store.close();
      await opened.release();
    },
  };
}

/** What works on rows alone. */
export function ledgerParts(store: Store): Omit<Ledger, 'wakes' | 'ping' | 'close'> {
  return {
    messages: new Messages(store),
    edits: new Edits(store),
    receipts: new Receipts(store),
    notifications: new Notifications(store),
    replays: new Replays(store),
    eventEndpoints: new EventEndpoints(store),
    events: new StoredEvents(store),
    deliveries: new Deliveries(store),
    signals: new Signals(store),
    operations: new Operations(store),
    account: new Account(store),
    files: new Files(store),
    gatewayClocks: new GatewayClocks(store),
    rateLimitBuckets: new RateLimitBuckets(store),
    instanceStates: new InstanceStates(store),
    instances: new Instances(store),
    leases: new Leases(store),
    reconciling: new Reconciling(store),
    audiences: new Audiences(store),
    campaigns: new CampaignLife(store),
    amendments: new Amendments(store),
    schedules: new Schedules(store),
    templates: new Templates(store),
    ids: new Ids(store),
    suppressions: new Suppressions(store),
    apiKeys: new ApiKeys(store),
    audit: new Audit(store),
    dispatch: new Dispatch(store),
    retention: new Retention(store),
    erasures: new Erasures(store),
    metrics: new Metrics(store),
  };
}

function placeOf(location: LedgerLocation): string {
  return 'dataDir' in location ? `in ${join(location.dataDir, 'ledger')}` : 'of DATABASE_URL';
}

interface OpenedDialect {
  readonly dialect: Dialect;
  /** What is left to do once the database is closed. */
  release(): Promise<void>;
}

async function openDialect(location: LedgerLocation, options: LedgerOptions): Promise<OpenedDialect> {
  if ('databaseUrl' in location) {
    const pool = openPostgresPool(location.databaseUrl, options.maxConnections ?? 10);
    return { dialect: new PostgresDialect({ pool }), release: async () => {} };
  }
  if ('database' in location) return { dialect: new PGliteDialect(location.database), release: async () => {} };
  return openDataDir(location.dataDir);
}

async function openDataDir(dataDir: string): Promise<OpenedDialect> {
  await makeDataDir(dataDir);
  const lock = await lockDataDir(join(dataDir, 'ledger.lock'));
  try {
    // Not relaxed: a query returns after what it wrote has been handed to the operating system.
    const database = await PGlite.create({ dataDir: join(dataDir, 'ledger'), relaxedDurability: false });
    await closeDatabaseFiles(join(dataDir, 'ledger'));
    return { dialect: new PGliteDialect(database), release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw ledgerError(error);
  }
}

function atStart(error: unknown): AppError {
  const known = ledgerError(error);
  return new AppError(known.code, `At start: ${known.message}`, { cause: known.cause });
}
