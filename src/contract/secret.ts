/**
 * A value that shows itself only to any caller that asks for it by name: printing, logging and JSON give a placeholder.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself. Call it where it is used, keep the result nowhere. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}

/** A secret that evidence and audit list can name. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: Secret;
}
