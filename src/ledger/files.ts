/**
 * Files that callers upload, for messages that name them by id.
 *
 * FILE-1 The id is derived from the bytes and their type: the same file is stored once, also if it is uploaded again.
 * FILE-2 An attempt gets the gateway's link before any byte of it leaves, and only while it has no outcome. So an
 *    attempt with a stored file and no link was never posted.
 * FILE-3 A link is used until some time before the gateway removes it, then the file is uploaded again.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../contract/index.js';
import { LedgerPart } from './storage/store.js';

export interface StoredFile {
  readonly fileId: string;
  readonly sha256: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** ISO UTC: kept at least until then. */
  readonly expiresAt: string;
}

/** How long a file is kept after it was stored, uploaded again or sent. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** How long an incomplete upload is kept. */
const INCOMPLETE_KEPT_MS = 60 * 60_000;
/** The gateway keeps an upload for 15 days. A message may wait in its queue for a day, and clocks differ. */
const LINK_USED_MS = 13 * 24 * 60 * 60_000;
const PART_BYTES = 1024 * 1024;

export class Files extends LedgerPart {
  /**
   * Stores the file part by part while it arrives; it cannot be used before it is complete.
   * @throws AppError INPUT_INVALID when it is empty
   */
  async store(
    body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    contentType: string,
    nowMs: number,
  ): Promise<StoredFile> {
    const incoming = `incoming_${randomUUID()}`;
    const expiresAt = new Date(nowMs + INCOMPLETE_KEPT_MS);
    const row = { id: incoming, sha256: '', content_type: contentType, size_bytes: 0, expires_at: expiresAt };
    await this.database.run((db) => db.insertInto('files').values(row).execute());
    try {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      let no = 0;
      for await (const bytes of inParts(body)) {
        sizeBytes += bytes.length;
        hash.update(bytes);
        const part = { file_id: incoming, no: no++, bytes };
        await this.database.run((db) => db.insertInto('file_parts').values(part).execute());
      }
      if (sizeBytes === 0) throw new AppError('INPUT_INVALID', 'The file is empty. Nothing was stored.');
      return await this.#complete(incoming, { sha256: hash.digest('hex'), contentType, sizeBytes }, nowMs);
    } finally {
      await this.database.run((db) => db.deleteFrom('files').where('id', '=', incoming).execute());
    }
  }

  async #complete(
    incoming: string,
    facts: Pick<StoredFile, 'sha256' | 'contentType' | 'sizeBytes'>,
    nowMs: number,
  ): Promise<StoredFile> {
    const { sha256, contentType, sizeBytes } = facts;
    const fileId = `file_${createHash('sha256').update(`${contentType}\n${sha256}`).digest('hex').slice(0, 24)}`;
    const [storedAt, expiresAt] = [new Date(nowMs), new Date(nowMs + KEPT_MS)];
    const kept = await this.database.transaction(async (tx) => {
      // When two requests store the same file at once, the second waits here and finds it.
      await sql`select pg_advisory_xact_lock(hashtextextended(${fileId}, 0))`.execute(tx);
      const [found] = await tx
        .updateTable('files')
        .set(({ fn, val, ref }) => ({ expires_at: fn<Date>('greatest', [ref('expires_at'), val(expiresAt)]) }))
        .where('id', '=', fileId)
        .returning('expires_at')
        .execute();
      if (found !== undefined) return found.expires_at;
      await tx
        .updateTable('files')
        .set({ id: fileId, sha256, size_bytes: sizeBytes, stored_at: storedAt, expires_at: expiresAt })
        .where('id', '=', incoming)
        .execute();
      return expiresAt;
    });
    return { fileId, ...facts, expiresAt: kept.toISOString() };
  }

  /** Keeps the file for a message that may be sent until this time. @returns false if there is no such file */
  async keep(fileId: string, untilMs: number): Promise<boolean> {
    const until = new Date(untilMs + KEPT_MS);
    const { numUpdatedRows } = await this.database.run((db) =>
      db
        .updateTable('files')
        .set(({ fn, val, ref }) => ({ expires_at: fn<Date>('greatest', [ref('expires_at'), val(until)]) }))
        .where('id', '=', fileId)
        .where('stored_at', 'is not', null)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  /** @returns the complete file; undefined if it is no longer stored */
  async read(fileId: string): Promise<{ readonly contentType: string; readonly bytes: Uint8Array } | undefined> {
    return this.database.run(async (db) => {
      const file = await db
        .selectFrom('files')
        .select('content_type')
        .where('id', '=', fileId)
        .where('stored_at', 'is not', null)
        .executeTakeFirst();
      if (file === undefined) return undefined;
      const parts = await db
        .selectFrom('file_parts')
        .select('bytes')
        .where('file_id', '=', fileId)
        .orderBy('no')
        .execute();
      return { contentType: file.content_type, bytes: Buffer.concat(parts.map(({ bytes }) => bytes)) };
    });
  }

  /** Stores the link of a file that the gateway accepted (FILE-3). */
  async storeLink(instance: string, fileId: string, url: string, nowMs: number): Promise<void> {
    const link = { url, expires_at: new Date(nowMs + LINK_USED_MS) };
    await this.database.run((db) =>
      db
        .insertInto('file_links')
        .values({ instance, file_id: fileId, ...link })
        .onConflict((conflict) => conflict.columns(['instance', 'file_id']).doUpdateSet(link))
        .execute(),
    );
  }

  /**
   * FILE-2. @returns the link for the attempt; undefined if the file has to be uploaded first, or the attempt has an
   * outcome
   */
  async giveLink(token: string, instance: string, fileId: string, nowMs: number): Promise<string | undefined> {
    const rows = await this.database.rows(sql<{ url: string }>`
        update attempts a set content = (a.content::jsonb || jsonb_build_object('url', l.url))::json
        from file_links l
        where a.token = ${token} and a.outcome is null and l.instance = ${instance} and l.file_id = ${fileId}
          and l.expires_at > ${new Date(nowMs)}::timestamptz
        returning l.url`);
    return rows[0]?.url;
  }
}

/** Parts of equal size, except the last one, from chunks of any size. */
async function* inParts(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    sizeBytes += piece.length;
    while (sizeBytes >= PART_BYTES) {
      const whole = Buffer.concat(pieces);
      yield whole.subarray(0, PART_BYTES);
      pieces = [whole.subarray(PART_BYTES)];
      sizeBytes -= PART_BYTES;
    }
  }
  if (sizeBytes > 0) yield Buffer.concat(pieces);
}
