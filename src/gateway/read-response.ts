import { parseJson, wellFormed, wellFormedJson, type OperationName } from '../contract/index.js';
import { contractOf } from './operations/index.js';

export type ReadResponse =
  | { readonly kind: 'agreed'; readonly response: unknown }
  /** The gateway refused, although the status says success. */
  | { readonly kind: 'refused'; readonly words: string }
  /** Invalid; `fields` names where. Values are left out: they may be private. */
  | { readonly kind: 'invalid'; readonly fields: string };

/** The parsed JSON, else the text; undefined for an empty body. */
export function rawBody(body: Buffer): unknown {
  // TextDecoder drops a byte order mark and never throws on broken UTF-8.
  const text = wellFormed(new TextDecoder().decode(body));
  if (text.trim() === '') return undefined;
  try {
    return parseJson(wellFormedJson(text));
  } catch {
    // This gateway also answers with bare text; the contract of the operation decides whether it is valid.
    return text;
  }
}

/** Reads a 2xx: leniently where the gateway varies, strictly for fields that everpost relies on. */
export function readResponse(name: OperationName, raw: unknown): ReadResponse {
  const contract = contractOf(name);
  const words = contract.refusalIn200?.(raw);
  if (words !== undefined) return { kind: 'refused', words };
  const read = contract.response.safeParse(raw);
  if (read.success) return { kind: 'agreed', response: read.data };
  const fields = [...new Set(read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole body'))];
  return { kind: 'invalid', fields: fields.slice(0, 5).join(', ') };
}
