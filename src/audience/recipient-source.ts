import type { ListFacts, ListFormat, ListOptions } from '../contract/index.js';
import type { RecipientBatch, VerdictRules } from './classify-line.js';

/** A list has one number a line, and nothing else. */
export type RecipientFormat = ListFormat | 'list';

/** A file with a list of recipients, and how it is read. */
export interface ListFile extends ListOptions {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: RecipientFormat;
}

export interface RecipientSource extends ListFile, VerdictRules {
  /** Gets the names of the columns and the first rows, also of a file whose column with the number is not known. */
  readonly onColumns?: ((names: readonly string[], rows: readonly (readonly string[])[]) => void) | undefined;
}

/** A source that is being read. */
export interface OpenSource extends RecipientSource {
  readonly facts: ListFacts;
}

/** Adds the verdicts on a part of the source to a batch. */
export type ClassifyBatch = (batch: RecipientBatch) => void;
