import { AppError, type ColumnFacts, type Recipient, present } from '../contract/index.js';
import { isMissing } from '../domain/index.js';

/** More than any usual file has. Column names stay in memory for the whole import. */
const MAX_COLUMNS = 1_000;

/**
 * Counts for each column the recipients with a value, and finds the first line without one, so that plan and start do
 * not read every recipient again.
 */
export class ColumnTally {
  readonly #columns = new Map<string, { recipients: number; firstMissingLine?: number }>();
  #recipients = 0;
  #firstLine: number | undefined;

  /** @throws AppError INPUT_INVALID if there are more than {@link MAX_COLUMNS} columns */
  add({ line, values }: Recipient): void {
    for (const name of Object.keys(values)) {
      if (isMissing(values[name])) continue;
      const column = this.#columns.get(name) ?? this.#begin(name);
      column.recipients += 1;
    }
    this.#recipients += 1;
    this.#firstLine ??= line;
    for (const column of this.#columns.values()) {
      if (column.recipients < this.#recipients) column.firstMissingLine ??= line;
    }
  }

  get columns(): Readonly<Record<string, ColumnFacts>> {
    return Object.fromEntries(this.#columns);
  }

  /** A field that first appears on a later line is missing for every earlier recipient. */
  #begin(name: string): { recipients: number; firstMissingLine?: number } {
    if (this.#columns.size === MAX_COLUMNS) {
      throw new AppError(
        'INPUT_INVALID',
        `The recipients are refused: their objects have more than ${MAX_COLUMNS} different fields. Give all objects the same fields and import again; nothing was changed.`,
        { problems: [{ path: 'recipients', message: `has more than ${MAX_COLUMNS} different fields` }] },
      );
    }
    const column = { recipients: 0, ...present({ firstMissingLine: this.#firstLine }) };
    this.#columns.set(name, column);
    return column;
  }
}
