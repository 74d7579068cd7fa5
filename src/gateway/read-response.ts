import { parseJson, wellFormed, wellFormedJson, type OperationName } from '../contract/index.js';
import { contractOf } from './operations/index.js';

export type ReadResponse =
  | { readonly kind: 'agreed'; readonly response: unknown }
  /** The gateway refused, although the status says success. */
  | { readonly kind: 'refused'; readonly words: string }
  /** Not what was agreed; `fields` names where. Values are left out: they may be private. */
  | { readonly kind: 'invalid'; readonly fields: string };

/** JSON where it is JSON, the text where it is not, undefined where there is nothing. */
export function rawBody(body: Buffer): unknown {
  // TextDecoder drops a byte order mark and never throws on broken UTF-8.
  const text = wellFormed(new TextDecoder().decode(body));
  if (text.trim() === '') return undefined;
  try {
    return parseJson(wellFormedJson(text));
  } catch {
    // Too deep is no form of this gateway either. Bare words are a form that this gateway answers in; whether they are
    // good is for the contract to say.
    return text;
  }
}

/** Reads a 2xx: leniently where the gateway varies, strictly where we rely on it. */
export function readResponse(name: OperationName, raw: unknown): ReadResponse {
  const contract = contractOf(name);
  const words = contract.refusalIn200?.(raw);
  if (words !== undefined) return { kind: 'refused', words };
  const read = contract.response.safeParse(raw);
  if (read.success) return { kind: 'agreed', response: read.data };
  const fields = [...new Set(read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole body'))];
  return { kind: 'invalid', fields: fields.slice(0, 5).join(', ') };
}
