import { AppError, present, type ColumnFacts, type Columns, type Recipient } from '../contract/index.js';
import { foldedName, isMissing } from '../domain/index.js';

/** More than any usual file has. Column names stay in memory for the whole import. */
const MAX_COLUMNS = 1_000;

type Tallied = { -readonly [Fact in keyof ColumnFacts]: ColumnFacts[Fact] };

/** What is known of an audience that is added to. */
export interface Tally {
  readonly columns: Columns;
  readonly recipients: number;
  /** The line of the first recipient. */
  readonly firstLine?: number | undefined;
}

/**
 * Counts for each column the recipients with a value, and finds the first line without one, so that plan and start do
 * not read every recipient again. The columns of two sources whose names are compared as one count as one; a single
 * source has no such columns (COLUMN-1).
 */
export class ColumnTally {
  readonly #columns: Map<string, Tallied>;
  readonly #byName = new Map<string, Tallied>();
  #recipients: number;
  #firstLine: number | undefined;

  constructor({ columns, recipients, firstLine }: Tally = { columns: {}, recipients: 0 }) {
    this.#columns = new Map(Object.entries(columns).map(([fold, facts]) => [fold, { ...facts }]));
    this.#recipients = recipients;
    this.#firstLine = firstLine;
  }

  /** A column of the source, which may have no value. @throws AppError INPUT_INVALID if there are more than {@link MAX_COLUMNS} */
  declare(name: string): void {
    this.#columnOf(name);
  }

  /** @throws AppError INPUT_INVALID if there are more than {@link MAX_COLUMNS} columns */
  add({ line, values }: Recipient): void {
    for (const [name, value] of Object.entries(values)) {
      if (!isMissing(value)) this.#columnOf(name).recipients += 1;
    }
    this.#recipients += 1;
    this.#firstLine ??= line;
    for (const column of this.#columns.values()) {
      if (column.recipients < this.#recipients) column.firstMissingLine ??= line;
    }
  }

  get columns(): Columns {
    return Object.fromEntries(this.#columns);
  }

  #columnOf(name: string): Tallied {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const fold = foldedName(name);
    // A field that first appears on a later line is missing for every earlier recipient.
    const firstMissing = present({ firstMissingLine: this.#firstLine });
    const column: Tallied = this.#columns.get(fold) ?? { name, recipients: 0, ...firstMissing };
    if (this.#byName.size === MAX_COLUMNS) {
      throw new AppError(
        'INPUT_INVALID',
        `The recipients are refused: their objects have more than ${MAX_COLUMNS} different fields. Give all objects the same fields and import again; nothing was changed.`,
        { problems: [{ path: 'recipients', message: `has more than ${MAX_COLUMNS} different fields` }] },
      );
    }
    this.#columns.set(fold, column);
    this.#byName.set(name, column);
    return column;
  }
}
