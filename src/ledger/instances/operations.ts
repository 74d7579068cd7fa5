import { type Selectable, sql } from 'kysely';
import { isRecord, operationUnknown } from '../../contract/index.js';
import { assertSameRequest } from '../storage/commands.js';
import type { OperationsTable } from '../storage/schema.js';
import { keyedHashOf } from '../storage/keyed-hash.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, SealingPart } from '../storage/store.js';

type OperationRow = Selectable<OperationsTable>;

/** The only field of a request that grants access: the token that the gateway sends with each notification. */
const SECRET_FIELD = 'webhookUrlToken';

/**
 * Gateway operations as jobs: one key, one stored response. A secret in a request is sealed until the operation ends, and
 * so is the hash of that request.
 */
export class Operations extends SealingPart {
  /** @throws AppError IDEMPOTENCY_MISMATCH when the id exists with another request hash */
  async open(input: {
    readonly id: string;
    readonly method: string;
    readonly instance: string;
    readonly requestHash: string;
    /** Kept until the operation ends. The request stays in the ledger, so that its secrets never enter a history. */
    readonly request: unknown;
    readonly nowMs: number;
  }): Promise<OperationView> {
    const { id, method, instance, requestHash, request, nowMs } = input;
    const { seal, open } = this.atRest;
    const stored = withSecret(request, (secret) => seal(secret, placeIn('request', id)));
    return this.database.run(async (db) => {
      const keyed = await keyedHashOf(db, requestHash);
      const hash = stored === request ? keyed : seal(keyed, placeIn('request_hash', id));
      await sql`
        insert into operations (id, method, instance, request_hash, request, state, created_at)
        values (${id}, ${method}, ${instance}, ${hash},
          ${stored === undefined ? null : jsonText(stored)}, 'pending', ${new Date(nowMs)})
        on conflict (id) do nothing`.execute(db);
      const row = await existing(db, id);
      assertSameRequest(
        open(row.request_hash, placeIn('request_hash', id)) === keyed,
        `Operation ${id} was created by another request with the same key. Use a new Idempotency-Key for a new operation.`,
      );
      return operationView(row);
    });
  }

  /** The request. Undefined once the operation has ended. @throws AppError ENCRYPTION_KEY_MISSING */
  async requestOf(id: string): Promise<unknown> {
    const row = await this.database.run((db) => read(db, id));
    return withSecret(row?.request ?? undefined, (secret) => this.atRest.open(secret, placeIn('request', id)));
  }

  /** Seals with the first key what a former key sealed. @returns how many @throws AppError ENCRYPTION_KEY_MISSING */
  async sealAgain(): Promise<number> {
    const { seal, open, current } = this.atRest;
    return this.database.transaction(async (tx) => {
      const { rows } = await sql<Pick<OperationRow, 'id' | 'request' | 'request_hash'>>`
        select id, request, request_hash from operations
        where request_hash like 'enc:%' and not starts_with(request_hash, ${current}) for update`.execute(tx);
      for (const { id, request, request_hash } of rows) {
        const again = (column: SealedColumn) => (stored: string) =>
          seal(open(stored, placeIn(column, id)), placeIn(column, id));
        await sql`
          update operations
          set request_hash = ${again('request_hash')(request_hash)},
            request = ${request === null ? null : jsonText(withSecret(request, again('request')))}
          where id = ${id}`.execute(tx);
      }
      return rows.length;
    });
  }

  async view(id: string): Promise<OperationView | undefined> {
    const row = await this.database.run((db) => read(db, id));
    return row && operationView(row);
  }

  /**
   * For operations that may run only once: compare-and-set from `pending` to `sending`. False if another attempt was
   * first.
   */
  async beginOnce(id: string): Promise<boolean> {
    const begun = await this.database.rows(sql`
      update operations set state = 'sending', begun_seq = nextval('ledger_seq')
      where id = ${id} and state = 'pending' returning id`);
    return begun.length > 0;
  }

  /** Reverts {@link beginOnce} if the request surely did not arrive. */
  async giveBack(id: string): Promise<void> {
    await this.database.rows(sql`update operations set state = 'pending' where id = ${id} and state = 'sending'`);
  }

  readonly finish = this.statement(finishOperation);
}

export type OperationEnd =
  | { readonly state: 'done'; readonly result: unknown }
  | { readonly state: 'failed' | 'may_have_happened'; readonly code: string; readonly text?: string };

/** The request may contain secrets, so it is deleted once the operation has ended. */
export async function finishOperation(db: Db, id: string, end: OperationEnd, nowMs: number): Promise<OperationView> {
  const { result, code, text } = { result: undefined, code: undefined, text: undefined, ...end };
  await sql`
    update operations set state = ${end.state}, result = ${result === undefined ? null : jsonText(result)},
      code = ${code}, text = ${text}, request = null, ended_at = ${new Date(nowMs)},
      stops_posts_until = null, queue_before = null
    where id = ${id} and state in ('pending', 'sending')`.execute(db);
  return operationView(await existing(db, id));
}

type SealedColumn = 'request' | 'request_hash';

/** For AtRest: the place of a sealed column. */
function placeIn(column: SealedColumn, id: string): string {
  return `operations.${column} of ${id}`;
}

/** The request with its secret changed, or the request itself if it has none. */
function withSecret(request: unknown, change: (secret: string) => string): unknown {
  if (!isRecord(request)) return request;
  const secret = request[SECRET_FIELD];
  return typeof secret === 'string' && secret !== '' ? { ...request, [SECRET_FIELD]: change(secret) } : request;
}

async function read(db: Db, id: string): Promise<OperationRow | undefined> {
  const { rows } = await sql<OperationRow>`select * from operations where id = ${id}`.execute(db);
  return rows[0];
}

async function existing(db: Db, id: string): Promise<OperationRow> {
  const row = await read(db, id);
  if (row === undefined) throw operationUnknown(id);
  return row;
}

function operationView(row: OperationRow) {
  return {
    ...shown(row, 'id', 'method', 'instance', 'state', 'created_at', 'code', 'text', 'ended_at'),
    // A result may be null, so the state decides whether there is one.
    ...(row.state === 'done' ? { result: row.result } : {}),
  };
}

/** `result` is the gateway's response, secret fields removed. */
export type OperationView = ReturnType<typeof operationView>;
