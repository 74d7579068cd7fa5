/**
 * The sections of the gateway's document, in its order; `Neighbours` are operations known from public material only.
 */
export type Section =
  | 'What the service does'
  | 'Resources and fields'
  | 'States and transitions'
  | 'Endpoints'
  | 'Webhook delivery'
  | 'Authentication'
  | 'Events'
  | 'Errors'
  | 'Limits'
  | 'Versioning'
  | 'Neighbours';

/**
 * A table row or numbered rule of the gateway's document.
 *
 * `simulator` and `client` state the assertion on each side. An omitted side needs `absent`: why nothing can be
 * asserted there. `rule` names the mutation of the simulator that makes the statement false: with it the assertion has
 * to fail. `dropField` does the same for a row about a field: the field is removed from every response and notification
 * before the assertion.
 */
export interface Row {
  readonly id: string;
  readonly section: Section;
  readonly says: string;
  readonly simulator?: string;
  readonly rule?: string;
  readonly dropField?: string;
  readonly fieldType?: FieldType;
  readonly client?: string;
  readonly absent?: string;
}

/** A row in a section's list; `rule: true` stands for the rule with the row's own id. */
export type RowDraft = Omit<Row, 'section' | 'rule'> & { readonly rule?: string | true };

/** One row of a section's list: its id and what the document says, then what is asserted. */
export function row(id: string, says: string, asserted: Omit<RowDraft, 'id' | 'says'>): RowDraft {
  return { id, says, ...asserted };
}

/** Completes the rows of one section. */
export function rowsOf(section: Section, drafts: readonly RowDraft[]): Row[] {
  return drafts.map(({ rule, ...rest }) => ({
    ...rest,
    section,
    ...(rule === undefined ? {} : { rule: rule === true ? rest.id : rule }),
  }));
}

/** JSON types as in the document's field tables. */
export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'string or number' | 'string or boolean';

/** One row for each field of a table of responses: the simulator must give it, the client must read it. */
export function responseFields(area: string, fields: Readonly<Record<string, FieldType>>): RowDraft[] {
  return Object.entries(fields).map(([name, type]) => ({
    id: `${area}.${name}`,
    says: `${name}: ${type}`,
    simulator: `a response carries ${name} as ${type}`,
    dropField: name,
    fieldType: type,
    client: `${name} is read as given`,
  }));
}
