/**
 * A table row or numbered rule of the gateway's document. Each has an assertion on the simulator and one on the client,
 * registered under its id, or the reason why nothing can be asserted on a side.
 */
export interface Row {
  readonly id: string;
  /** What the document says. */
  readonly says: string;
  /** The mutation of the simulator that makes the statement false: with it, the assertion has to fail. */
  readonly rule?: string;
  /** Removed from every response and notification before the assertion, which then has to fail. */
  readonly dropField?: string;
  readonly fieldType?: FieldType;
  readonly notOnSimulator?: string;
  readonly notOnClient?: string;
  /** Why neither side has an assertion. */
  readonly notAsserted?: string;
}

/** JSON types as in the document's field tables. */
export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'string or number' | 'string or boolean';

type Facts = Omit<Row, 'id' | 'says'>;

export function row(id: string, says: string, facts: Facts = {}): Row {
  return { id, says, ...facts };
}

/** A row whose mutation has the row's own id. */
export function rule(id: string, says: string, facts: Omit<Facts, 'rule'> = {}): Row {
  return { id, says, rule: id, ...facts };
}

/** A row for each name in a table of fields: a response carries the field with this type. */
export function fields(area: string, names: Partial<Record<FieldType, string>>, facts: Facts = {}): Row[] {
  return Object.entries(names).flatMap(([type, listed]) =>
    listed
      .split(' ')
      .map((name) =>
        row(`${area}.${name}`, `${name}: ${type}`, { dropField: name, fieldType: type as FieldType, ...facts }),
      ),
  );
}

export function notOnClient(reason: string, rows: readonly Row[]): Row[] {
  return rows.map((one) => ({ ...one, notOnClient: reason }));
}

export const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';
export const QUEUE_IS_THEIRS = 'the queue is inside the gateway; a client can only watch it through showMessagesQueue';
export const BY_FAULT_CONTROL = 'the simulator answers it by its fault control, tested with the simulator';
export const RECEIVER =
  'notifications are read by the webhook receiver, which has its own tests; the gateway client receives none';
