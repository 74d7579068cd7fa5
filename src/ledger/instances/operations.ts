import { type Selectable, sql } from 'kysely';
import { AppError } from '../../contract/index.js';
import { assertSameRequest, isSameHash } from '../commands.js';
import type { OperationsTable } from '../schema.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, LedgerPart } from '../storage/store.js';

type OperationRow = Selectable<OperationsTable>;

/** Gateway operations as jobs: one key, one stored response. */
export class Operations extends LedgerPart {
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
    return this.database.run(async (db) => {
      await sql`
        insert into operations (id, method, instance, request_hash, request, state, created_at)
        values (${id}, ${method}, ${instance}, ${keyedHash(requestHash)},
          ${request === undefined ? null : jsonText(request)}, 'pending', ${new Date(nowMs)})
        on conflict (id) do nothing`.execute(db);
      const row = await existing(db, id);
      assertSameRequest(
        await isSameHash(db, row.request_hash, requestHash),
        `Operation ${id} was created by another request with the same key. Use a new Idempotency-Key for a new operation.`,
      );
      return operationView(row);
    });
  }

  /** The request. Undefined once the operation has ended. */
  async requestOf(id: string): Promise<unknown> {
    const row = await this.database.run((db) => read(db, id));
    return row?.request ?? undefined;
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
      update operations set state = 'sending' where id = ${id} and state = 'pending' returning id`);
    return begun.length > 0;
  }

  /** Reverts {@link beginOnce} if the request surely did not arrive. */
  async giveBack(id: string): Promise<void> {
    await this.database.rows(sql`update operations set state = 'pending' where id = ${id} and state = 'sending'`);
  }

  async finish(
    id: string,
    end:
      | { readonly state: 'done'; readonly result: unknown }
      | { readonly state: 'failed' | 'may_have_happened'; readonly code: string; readonly text?: string },
    nowMs: number,
  ): Promise<OperationView> {
    const { result, code, text } = { result: undefined, code: undefined, text: undefined, ...end };
    return this.database.run(async (db) => {
      // The request may contain secrets, so it is deleted once the operation has ended.
      await sql`
        update operations set state = ${end.state}, result = ${result === undefined ? null : jsonText(result)},
          code = ${code}, text = ${text}, request = null, ended_at = ${new Date(nowMs)}
        where id = ${id} and state in ('pending', 'sending')`.execute(db);
      return operationView(await existing(db, id));
    });
  }
}

async function read(db: Db, id: string): Promise<OperationRow | undefined> {
  const { rows } = await sql<OperationRow>`select * from operations where id = ${id}`.execute(db);
  return rows[0];
}

async function existing(db: Db, id: string): Promise<OperationRow> {
  const row = await read(db, id);
  if (row !== undefined) return row;
  throw new AppError(
    'OPERATION_NOT_FOUND',
    `Operation ${id} is not in the ledger. Check the id: the response to its POST contains it.`,
  );
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
