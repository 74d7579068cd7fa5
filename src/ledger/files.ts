/**
 * Files that callers upload, for messages that name them by id.
 *
 * FILE-1 The id is derived from the bytes and their type: the same file is stored once, also if it is uploaded again.
 * FILE-2 An attempt gets the gateway's link before any byte of it leaves, and only while it has no outcome. So an
 *    attempt with a stored file and no link was never posted.
 * FILE-3 A link is used until some time before the gateway removes it, then the file is uploaded again.
 * FILE-4 A file is deleted once its time has passed and nothing needs it (`fileIsNeeded`).
 * FILE-5 A file counts for the key that stored it first. The total size of a key's files is limited.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../contract/index.js';
import { keyedHashOf } from './storage/keyed-hash.js';
import { LedgerPart, type Tx } from './storage/store.js';

export interface StoredFile {
  readonly fileId: string;
  readonly sha256: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** ISO UTC: kept at least until then. */
  readonly expiresAt: string;
}

/** The key that a file counts for. */
export interface FileOwner {
  readonly keyId: string;
  /** The most that its files may have together. */
  readonly maxBytes: number;
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
   * @param owner  absent: it counts for no key
   * @throws AppError INPUT_INVALID when it is empty | KEY_FILES_LIMITED
   */
  async store(
    body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    contentType: string,
    nowMs: number,
    owner?: FileOwner,
  ): Promise<StoredFile> {
    const incoming = `incoming_${randomUUID()}`;
    await this.database.rows(sql`
      insert into files (id, sha256, content_type, size_bytes, expires_at)
      values (${incoming}, '', ${contentType}, 0, ${new Date(nowMs + INCOMPLETE_KEPT_MS)})`);
    try {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      let no = 0;
      for await (const bytes of inParts(body)) {
        sizeBytes += bytes.length;
        hash.update(bytes);
        await this.database.rows(sql`
          insert into file_parts (file_id, no, bytes) values (${incoming}, ${no++}, ${bytes})`);
      }
      if (sizeBytes === 0) throw new AppError('INPUT_INVALID', 'The file is empty. Nothing was stored.');
      return await this.#complete(incoming, { sha256: hash.digest('hex'), contentType, sizeBytes }, nowMs, owner);
    } finally {
      await this.database.rows(sql`delete from files where id = ${incoming}`);
    }
  }

  async #complete(
    incoming: string,
    facts: Pick<StoredFile, 'sha256' | 'contentType' | 'sizeBytes'>,
    nowMs: number,
    owner: FileOwner | undefined,
  ): Promise<StoredFile> {
    const { sha256, contentType, sizeBytes } = facts;
    const expiresAt = new Date(nowMs + KEPT_MS);
    return this.database.transaction(async (tx) => {
      const hash = await keyedHashOf(tx, `${contentType}\n${sha256}`);
      const fileId = `file_${hash.replace('hash:', '').slice(0, 24)}`;
      // When two requests store the same file at once, the second waits here and finds it.
      await sql`select pg_advisory_xact_lock(hashtextextended(${fileId}, 0))`.execute(tx);
      const { rows } = await sql<{ expires_at: Date }>`
        update files set expires_at = greatest(expires_at, ${expiresAt}) where id = ${fileId}
        returning expires_at`.execute(tx);
      if (rows[0] !== undefined) return { fileId, ...facts, expiresAt: rows[0].expires_at.toISOString() };
      if (owner !== undefined) await assertFits(tx, owner, sizeBytes);
      await sql`
        update files set id = ${fileId}, sha256 = ${sha256}, size_bytes = ${sizeBytes}, stored_at = ${new Date(nowMs)},
          expires_at = ${expiresAt}, stored_by = ${owner?.keyId}
        where id = ${incoming}`.execute(tx);
      return { fileId, ...facts, expiresAt: expiresAt.toISOString() };
    });
  }

  /** Keeps the file for a message that may be sent until this time. @returns false if there is no such file */
  async keep(fileId: string, untilMs: number): Promise<boolean> {
    const kept = await this.database.rows(sql`
      update files set expires_at = greatest(expires_at, ${new Date(untilMs + KEPT_MS)})
      where id = ${fileId} and stored_at is not null returning id`);
    return kept.length > 0;
  }

  /** @returns the complete file; undefined if it is no longer stored */
  async read(fileId: string): Promise<{ readonly contentType: string; readonly bytes: Uint8Array } | undefined> {
    const rows = await this.database.rows(sql<{ content_type: string; bytes: Uint8Array }>`
      select f.content_type, p.bytes from files f join file_parts p on p.file_id = f.id
      where f.id = ${fileId} and f.stored_at is not null order by p.no`);
    const [first] = rows;
    return first && { contentType: first.content_type, bytes: Buffer.concat(rows.map(({ bytes }) => bytes)) };
  }

  /** Stores the link of a file that the gateway accepted (FILE-3). */
  async storeLink(instance: string, fileId: string, url: string, nowMs: number): Promise<void> {
    await this.database.rows(sql`
      insert into file_links (instance, file_id, url, expires_at)
      values (${instance}, ${fileId}, ${url}, ${new Date(nowMs + LINK_USED_MS)})
      on conflict (instance, file_id) do update set url = excluded.url, expires_at = excluded.expires_at`);
  }

  /**
   * FILE-2. @returns the link for the attempt; undefined if the file has to be uploaded first, or the attempt has an
   * outcome
   */
  async giveLink(token: string, instance: string, fileId: string, nowMs: number): Promise<string | undefined> {
    const row = await this.database.row(sql<{ url: string }>`
        update attempts a set content = (a.content::jsonb || jsonb_build_object('url', l.url))::json
        from file_links l
        where a.token = ${token} and a.outcome is null and l.instance = ${instance} and l.file_id = ${fileId}
          and l.expires_at > ${new Date(nowMs)}::timestamptz
        returning l.url`);
    return row?.url;
  }
}

/** FILE-5. @throws AppError KEY_FILES_LIMITED */
async function assertFits(tx: Tx, { keyId, maxBytes }: FileOwner, sizeBytes: number): Promise<void> {
  // Of two uploads at once, the second one counts the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files of ${keyId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ stored: string }>`
    select coalesce(sum(size_bytes), 0)::text as stored from files where stored_by = ${keyId}`.execute(tx);
  const storedBytes = Number(rows[0]?.stored ?? 0);
  if (storedBytes + sizeBytes <= maxBytes) return;
  const [stored, size, most] = [storedBytes, sizeBytes, maxBytes].map((bytes) => `${Math.ceil(bytes / 1024)} kB`);
  throw new AppError(
    'KEY_FILES_LIMITED',
    `The file of ${size} is refused: its API key has stored files of ${stored}, and its limit is ${most}. Nothing was stored. Files are deleted when nothing needs them. Use a link (content.url), or raise the limit "files" of EVERPOST_KEY_LIMITS.`,
  );
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
