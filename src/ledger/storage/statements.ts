import { wellFormed, wellFormedJson } from '../../contract/index.js';

/**
 * Makes a parameter storable in PostgreSQL, also inside an array: replaces characters that PostgreSQL rejects. JSON
 * goes through {@link jsonText} first, since its escapes hide the same characters.
 */
export function storable(parameter: unknown): unknown {
  if (typeof parameter === 'string') return wellFormed(parameter);
  return Array.isArray(parameter) ? parameter.map(storable) : parameter;
}

/** The only conversion of a value to JSON for a statement; test/ledger/storable.test.ts enforces this. */
export function jsonText(value: unknown): string {
  return wellFormedJson(JSON.stringify(value) ?? 'null');
}

const NAME = /^\/\* (\w+) \*\//;

/**
 * The name of a statement that begins with one, as in `/* claim_message *\/ update …`. A connection keeps the plan of such a
 * statement, since to plan it costs more than to run it; the server's own lists show it by its name. Its text is always the
 * same, and it names the columns it returns, so that a newer version's migration cannot change what an old plan yields.
 */
export function statementName(text: string): string | undefined {
  return NAME.exec(text)?.[1];
}

/** A column's time as the contract writes it. */
export function iso(at: Date | null): string | undefined {
  return at?.toISOString();
}
