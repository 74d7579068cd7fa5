import { isRecord, parseJson, type RecipientValues } from '../../contract/index.js';
import { classifyLine, reject, type RecipientBatch, type VerdictRules } from '../classify-line.js';
import type { ClassifyBatch, OpenSource } from '../recipient-source.js';
import type { linesOf, TextLine } from '../text/text-lines.js';
import { SAMPLE_ROWS } from './classify-table.js';
import { listColumns } from './list-columns.js';

/** What the fields of all objects are, as the first objects show it. */
interface ListFields {
  /** The field with the number. */
  readonly number: string | undefined;
  /** The field with the timezone. */
  readonly timezone: string | undefined;
  /** The variables of a field, if they have another name than the field. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

/** Reads one JSON object a line. @throws AppError INPUT_INVALID if the number's field is not known */
export async function* classifyObjects(
  pieces: ReturnType<typeof linesOf>,
  source: OpenSource,
): AsyncGenerator<ClassifyBatch> {
  let fields: ListFields | undefined;
  let held: readonly TextLine[] = [];
  for await (const piece of pieces) {
    const lines = piece.lines.filter(({ text }) => text.trim() !== '');
    if (fields !== undefined) {
      yield classifyLines(lines, fields, source);
      continue;
    }
    held = [...held, ...lines];
    if (held.length < SAMPLE_ROWS && !piece.isEnd) continue;
    fields = fieldsOf(held.slice(0, SAMPLE_ROWS), source);
    yield classifyLines(held, fields, source);
  }
}

function fieldsOf(lines: readonly TextLine[], source: OpenSource): ListFields {
  const objects = lines.map((line) => objectOf(line)).filter((object) => object !== undefined);
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (header.length === 0) return { number: undefined, timezone: undefined, variables: new Map() };
  const rows = objects.map((object) => header.map((name) => textOf(valueOf(object, name)) ?? ''));
  const { numberAt, timezoneAt, variables } = listColumns(header, rows, source);
  const byField = new Map<string, string[]>();
  for (const { name, at } of variables) {
    const field = header[at] ?? '';
    byField.set(field, [...(byField.get(field) ?? []), name]);
  }
  return { number: header[numberAt], timezone: header[timezoneAt ?? -1], variables: byField };
}

function classifyLines(lines: readonly TextLine[], fields: ListFields, rules: VerdictRules): ClassifyBatch {
  return (batch) => {
    for (const line of lines) classifyObject(batch, line, fields, rules);
  };
}

function classifyObject(batch: RecipientBatch, source: TextLine, fields: ListFields, rules: VerdictRules): void {
  const { line, text } = source;
  const object = objectOf(source);
  if (object === undefined) {
    return reject(batch, { line, columns: () => ({ [fields.number ?? 'phone']: text }) }, 'unreadable', text);
  }
  const columns = (): RecipientValues =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, textOf(value) ?? JSON.stringify(value)]));
  const values: [string, string][] = [];
  for (const [field, value] of Object.entries(object)) {
    batch.columns.add(field);
    if (field === fields.number) continue;
    const names = fields.variables.get(field) ?? [field];
    for (const name of names) batch.variables.add(name);
    if (value === null || value === '') continue;
    const shown = textOf(value);
    if (shown === undefined) return reject(batch, { line, columns }, 'bad_value', JSON.stringify(value));
    for (const name of names) values.push([name, shown]);
  }
  const textAt = (name: string | undefined) => (name === undefined ? undefined : textOf(valueOf(object, name)));
  const read = { line, written: textAt(fields.number) ?? '', values: Object.fromEntries(values), columns };
  classifyLine(batch, { ...read, timezone: textAt(fields.timezone) || undefined }, rules);
}

function valueOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function objectOf({ text, isCut }: TextLine): Record<string, unknown> | undefined {
  try {
    const value = isCut ? undefined : parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A line that cannot be read gets a verdict.
    return undefined;
  }
}
