/** The part of OpenAPI 3.1 that the reference shows, and the fields of a schema as lines of a table. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
}

interface Media {
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One line of a table of fields. */
export interface Field {
  /** With the names of the objects around it, e.g. `content.text`, `items[].id`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

const DEEPEST = 4;

export function resolved(schema: Schema, { components }: Document): Schema {
  const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '') ?? [];
  const { $ref: _, ...own } = schema;
  return name === '' ? schema : { ...components.schemas[name], ...own };
}

/** The fields of an object, also those of objects in it. A variant's fields are optional. */
export function fieldsOf(schema: Schema, document: Document, prefix = '', depth = 0): readonly Field[] {
  const whole = resolved(schema, document);
  if (depth > DEEPEST) return [];
  if (whole.items !== undefined) return fieldsOf(whole.items, document, `${prefix}[]`, depth);
  const variants = [...(whole.oneOf ?? []), ...(whole.anyOf ?? []), ...(whole.allOf ?? [])];
  const ofVariants = variants.flatMap((variant) =>
    fieldsOf(variant, document, prefix, depth + 1).map((field) => ({ ...field, isRequired: false })),
  );
  const own = Object.entries(whole.properties ?? {}).flatMap(([name, inner]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const found = resolved(inner, document);
    const isRequired = whole.required?.includes(name) ?? false;
    const line: Field = { name: path, type: typeOf(found, document), isRequired, meaning: found.description ?? '' };
    return [line, ...fieldsOf(found, document, path, depth + 1)];
  });
  // The first of each name.
  const byName = new Map([...own, ...ofVariants].toReversed().map((field) => [field.name, field]));
  return [...byName.values()].toReversed();
}

function typeOf(schema: Schema, document: Document): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items !== undefined) return `list of ${typeOf(resolved(schema.items, document), document)}`;
  if (schema.type === 'string') return schema.format === 'date-time' ? 'time' : 'text';
  if (schema.type !== undefined) return schema.type;
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map((one) =>
    typeOf(resolved(one, document), document),
  );
  return variants.length === 0 ? 'any' : [...new Set(variants)].join(' or ');
}
