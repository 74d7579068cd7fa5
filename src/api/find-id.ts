/**
 * Finds the id that a caller abbreviated.
 *
 * A generated id of full length is never treated as an abbreviation. An id that an operator chose (campaigns,
 * templates) may be a prefix of another one, so reading accepts prefixes, and changes require the full id. Otherwise a
 * program that cancels the deleted `sale-1` would cancel `sale-10`.
 */
import {
  AppError,
  SHORT_ID_CHARACTERS,
  SHORT_ID_PATTERN,
  asTyped,
  type MessageId,
  type OperationName,
  type TemplateKey,
} from '../contract/index.js';
import type { IdSource, Ledger } from '../ledger/index.js';

/** Without the prefix. */
const LEAST_CHARACTERS = 4;
const MOST_CANDIDATES = 5;
const OWN_CHARACTERS = new RegExp(`^${SHORT_ID_PATTERN.replace(/\{\d+\}$/, '+')}$`);

/** @param instances  only ids of these instances are searched. @default all */
export function findIdWith({
  ledger,
  instances,
}: {
  readonly ledger: Pick<Ledger, 'ids'>;
  readonly instances?: readonly string[] | undefined;
}) {
  async function only(source: IdSource, beginning: string): Promise<string | undefined> {
    const found = await ledger.ids.beginningWith(source, beginning, MOST_CANDIDATES + 1, instances);
    const [first] = found;
    // Ids are sorted, so an exact match comes before longer ids with the same beginning.
    if (found.length <= 1 || first === beginning) return first;
    const count = found.length > MOST_CANDIDATES ? `More than ${MOST_CANDIDATES}` : found.length;
    const candidates = found.slice(0, MOST_CANDIDATES);
    throw new AppError(
      'ID_AMBIGUOUS',
      `${count} ${source.kind}s have an id that begins with ${beginning}. Give more characters of the id.`,
      { candidates },
    );
  }

  async function own(source: IdSource, prefix: string, given: string): Promise<string | undefined> {
    const typed = asTyped(given.toLowerCase().startsWith(prefix) ? given.slice(prefix.length) : given);
    if (!OWN_CHARACTERS.test(typed) || typed.length > SHORT_ID_CHARACTERS) return undefined;
    if (typed.length === SHORT_ID_CHARACTERS) return `${prefix}${typed}`;
    return typed.length < LEAST_CHARACTERS ? undefined : only(source, `${prefix}${typed}`);
  }

  async function chosen(source: IdSource, given: string): Promise<string> {
    const found = given.length < LEAST_CHARACTERS ? undefined : await only(source, given);
    return found ?? given;
  }

  return {
    /** With or without `msg_`. Undefined if no message id begins with it. @throws AppError ID_AMBIGUOUS */
    message: (given: string) => own({ kind: 'message' }, 'msg_', given) as Promise<MessageId | undefined>,
    /** With or without `op_`. @throws AppError ID_AMBIGUOUS */
    operation: (method: OperationName, given: string) => own({ kind: 'operation', method }, 'op_', given),
    /** Returns the given text if no campaign id begins with it. @throws AppError ID_AMBIGUOUS */
    campaign: (given: string) => chosen({ kind: 'campaign' }, given),
    /** Like `campaign`. @throws AppError ID_AMBIGUOUS */
    template: async ({ instance, elementName }: TemplateKey): Promise<TemplateKey> => ({
      instance,
      elementName: await chosen({ kind: 'template', instance }, elementName),
    }),
  };
}
