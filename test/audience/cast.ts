import type { ListFacts, Recipient, RejectedLine } from '../../src/contract/index.js';
import { readRecipients, type RecipientSource } from '../../src/audience/index.js';

export interface Read {
  readonly recipients: readonly Recipient[];
  readonly rejects: readonly RejectedLine[];
  readonly facts: ListFacts;
}

/** Reads a whole source from these pieces. */
export async function readAll(
  pieces: string | Uint8Array | readonly (string | Uint8Array)[],
  options: Partial<Omit<RecipientSource, 'bytes'>> = {},
): Promise<Read> {
  const list = typeof pieces === 'string' || pieces instanceof Uint8Array ? [pieces] : pieces;
  const recipients: Recipient[] = [];
  const rejects: RejectedLine[] = [];
  const facts: ListFacts = {};
  for await (const batch of readRecipients({ bytes: inBytes(list), format: 'csv', ...options }, 100, facts)) {
    recipients.push(...batch.recipients);
    rejects.push(...batch.rejects);
  }
  return { recipients, rejects, facts };
}

async function* inBytes(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}
