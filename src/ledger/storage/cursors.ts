/**
 * The cursors of all lists. A cursor names its list and the last row of a page, so that new rows do not shift pages. A
 * text that its list cannot have written is refused before a statement reads it.
 */
import { AppError, isSupportedTime, parseJson } from '../../contract/index.js';

/** One value of a cursor: how it is written, and undefined for a text that the list cannot have written. */
interface Part<Value> {
  write(value: Value): string;
  read(text: string): Value | undefined;
}

export const timePart: Part<Date> = {
  write: (time) => String(time.getTime()),
  read: (text) => (/^-?\d{1,15}$/.test(text) && isSupportedTime(Number(text)) ? new Date(Number(text)) : undefined),
};

export const textPart: Part<string> = { write: (text) => text, read: (text) => text };

/** A number of a column: its digits, at most `most`. */
export function digitsPart(most: bigint): Part<string | number | bigint> {
  return {
    write: String,
    read: (text) => (/^\d{1,19}$/.test(text) && BigInt(text) <= most ? text : undefined),
  };
}

/** The largest values of PostgreSQL's integer types. */
export const MAX_INTEGER = 2_147_483_647n;
export const MAX_BIGINT = 9_223_372_036_854_775_807n;

export interface Cursors<Values extends readonly unknown[]> {
  write(...values: Values): string;
  /** @throws AppError INPUT_INVALID */
  read(cursor: string): Values;
}

/** @param list  distinguishes its cursors from those of all other lists */
export function cursorsOf<const Values extends readonly unknown[]>(
  list: string,
  ...parts: { readonly [At in keyof Values]: Part<Values[At]> }
): Cursors<Values> {
  return {
    write: (...values) =>
      Buffer.from(JSON.stringify([list, ...values.map((value, at) => parts[at]?.write(value))])).toString('base64url'),
    read(cursor) {
      const [given, ...texts] = textsIn(cursor);
      const values = parts.map((part, at) => part.read(texts[at] ?? ''));
      if (given !== list || texts.length !== parts.length || values.includes(undefined)) {
        const message = 'The cursor cannot be read. Use the cursor of the previous page unchanged.';
        const problems = [{ path: 'cursor', message: 'is not a cursor of this list' }];
        throw new AppError('INPUT_INVALID', message, { problems });
      }
      return values as unknown as Values;
    },
  };
}

function textsIn(cursor: string): readonly string[] {
  try {
    const read = parseJson(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) && read.every((one) => typeof one === 'string') ? read : [];
  } catch {
    return [];
  }
}
