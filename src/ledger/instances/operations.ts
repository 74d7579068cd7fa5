import type { Selectable } from 'kysely';
import { AppError } from '../../contract/index.js';
import { assertSameRequest } from '../commands.js';
import type { OperationsTable } from '../schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, LedgerPart } from '../storage/store.js';

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
      await db
        .insertInto('operations')
        .values({
          id,
          method,
          instance,
          request_hash: requestHash,
          request: request === undefined ? null : jsonText(request),
          state: 'pending',
          created_at: new Date(nowMs),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      const row = await existing(db, id);
      assertSameRequest(
        row.request_hash === requestHash,
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
    const begun = await this.database.run((db) =>
      db
        .updateTable('operations')
        .set({ state: 'sending' })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .executeTakeFirst(),
    );
    return begun.numUpdatedRows === 1n;
  }

  /** Reverts {@link beginOnce} if the request surely did not arrive. */
  async giveBack(id: string): Promise<void> {
    await this.database.run((db) =>
      db
        .updateTable('operations')
        .set({ state: 'pending' })
        .where('id', '=', id)
        .where('state', '=', 'sending')
        .execute(),
    );
  }

  async finish(
    id: string,
    end:
      | { readonly state: 'done'; readonly result: unknown }
      | { readonly state: 'failed' | 'may_have_happened'; readonly code: string; readonly text?: string },
    nowMs: number,
  ): Promise<OperationView> {
    const facts =
      end.state === 'done'
        ? { state: end.state, result: end.result === undefined ? null : jsonText(end.result) }
        : { state: end.state, code: end.code, text: end.text ?? null };
    return this.database.run(async (db) => {
      // The request may contain secrets, so it is deleted once the operation has ended.
      await db
        .updateTable('operations')
        .set({ ...facts, request: null, ended_at: new Date(nowMs) })
        .where('id', '=', id)
        .where('state', 'in', ['pending', 'sending'])
        .execute();
      return operationView(await existing(db, id));
    });
  }
}

async function read(db: Db, id: string): Promise<Selectable<OperationsTable> | undefined> {
  return db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();
}

async function existing(db: Db, id: string): Promise<Selectable<OperationsTable>> {
  const row = await read(db, id);
  if (row !== undefined) return row;
  throw new AppError(
    'OPERATION_NOT_FOUND',
    `Operation ${id} is not in the ledger. Check the id: the response to its POST contains it.`,
  );
}

function operationView(row: Selectable<OperationsTable>) {
  return {
    ...shown(row, 'id', 'method', 'instance', 'state', 'created_at', 'code', 'text', 'ended_at'),
    // A result may be null, so the state decides whether there is one.
    ...(row.state === 'done' ? { result: row.result } : {}),
  };
}

/** `result` is the gateway's response, secret fields removed. */
export type OperationView = ReturnType<typeof operationView>;
