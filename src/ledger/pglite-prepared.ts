import { parse, protocol, type PGlite } from '@electric-sql/pglite';

const { serialize } = protocol;

/** The part of PGlite's wire protocol that is used. */
export type EmbeddedProtocol = Pick<PGlite, 'execProtocolStream' | 'serializers' | 'parsers'>;

/**
 * Statements that an embedded database has planned once and keeps by their names. PGlite's own `query` plans each
 * again.
 */
export class PreparedStatements {
  readonly #database: EmbeddedProtocol;
  /** The types of its parameters, by its text. */
  readonly #types = new Map<string, readonly number[]>();

  constructor(database: EmbeddedProtocol) {
    this.#database = database;
  }

  /** Nothing else may use the database meanwhile. */
  async execute(
    name: string,
    text: string,
    parameters: readonly unknown[],
  ): Promise<{ rows: unknown[]; affectedRows?: number }> {
    const types = this.#types.get(text) ?? (await this.#prepare(name, text));
    const values = parameters.map((parameter, at) => this.#asText(parameter, types[at]));
    const messages = await this.#send(
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
    );
    const [result] = parse.parseResults(messages, this.#database.parsers);
    return result ?? { rows: [] };
  }

  async #prepare(name: string, text: string): Promise<readonly number[]> {
    const messages = await this.#send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const types = parse.parseDescribeStatementResults(messages);
    this.#types.set(text, types);
    return types;
  }

  #asText(parameter: unknown, type: number | undefined): string | null {
    if (parameter === null || parameter === undefined) return null;
    const serializer = type === undefined ? undefined : this.#database.serializers[type];
    if (serializer !== undefined) return serializer(parameter);
    return typeof parameter === 'string' ? parameter : JSON.stringify(parameter);
  }

  /** All in one go, up to the sync that ends it, after an error too. */
  #send(...messages: Uint8Array[]) {
    return this.#database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]));
  }
}
