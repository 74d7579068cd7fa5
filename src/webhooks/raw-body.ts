import { createHash, type Hash } from 'node:crypto';
import { parseJson, wellFormed, wellFormedJson } from '../contract/index.js';

/** A notification as it comes in: whole, or in pieces. */
export type RawBody = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface ReadBody {
  readonly body: unknown;
  readonly isCut: boolean;
  /** As they came; absent for what is larger than is passed on whole. */
  readonly bytes?: Uint8Array;
}

/**
 * What is larger is kept cut. The documents name no limit; the largest that the gateway makes carry a preview of a
 * picture.
 */
export const KEPT_WHOLE_BYTES = 1024 * 1024;
/** What is larger is not passed on whole either. */
const PASSED_ON_BYTES = 8 * 1024 * 1024;
/** Of a cut one: enough for what stands at its head. */
const BEGINNING_BYTES = 64 * 1024;
/** The rest of a larger one is not even read; its sender has the response before the end. */
const READ_AT_MOST_BYTES = 100 * 1024 * 1024;

/**
 * Reads a notification without ever refusing it. What is no JSON, or no sane one, is kept as the text it is, for an
 * operator to look at; of what is too large the beginning is kept, with the size and a hash of all of it. Characters
 * that the ledger cannot store are replaced first, in keys too.
 */
export async function readRawBody(raw: RawBody): Promise<ReadBody> {
  const kept: Uint8Array[] = [];
  let hash: Hash | undefined;
  let sizeBytes = 0;
  for await (const chunk of raw instanceof Uint8Array ? [raw] : raw) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= PASSED_ON_BYTES || hash === undefined) kept.push(chunk);
    if (hash !== undefined) hash.update(chunk);
    else if (sizeBytes > KEPT_WHOLE_BYTES) hash = hashOf(kept);
    if (sizeBytes > READ_AT_MOST_BYTES) break;
  }
  const bytes = Buffer.concat(kept);
  if (hash === undefined) return { body: parse(textOf(bytes)), isCut: false, bytes };
  const beginning = textOf(bytes.subarray(0, BEGINNING_BYTES));
  const cut = { body: { sizeBytes, sha256: hash.digest('hex'), beginning }, isCut: true };
  return sizeBytes > PASSED_ON_BYTES ? cut : { ...cut, bytes };
}

function hashOf(chunks: readonly Uint8Array[]): Hash {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash;
}

function textOf(bytes: Uint8Array): string {
  return wellFormed(new TextDecoder().decode(bytes));
}

function parse(text: string): unknown {
  try {
    return parseJson(wellFormedJson(text));
  } catch {
    return text;
  }
}
