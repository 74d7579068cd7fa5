import { isObject, WireError } from './wire.js';

const CHAT_ID = /^(\d+@c\.us|\d+(-\d+)?@g\.us|\d+@lid)$/;
const BYTE_ORDER_MARK = '\uFEFF';

interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** Reads the fields of one request, and refuses the first invalid one with the gateway's message. */
export class RequestFields {
  readonly #body: Record<string, unknown>;
  readonly #begins: string;

  /** @param begins  the beginning of the validation errors of this operation, e.g. `Validation failed, details: ` */
  constructor(body: Record<string, unknown>, begins: string) {
    this.#body = body;
    this.#begins = begins;
  }

  error(words: string): WireError {
    return new WireError(400, this.#begins + words);
  }

  /** Refuses any other field. The gateway itself ignores unknown fields. */
  only(names: readonly string[]): void {
    const unknown = Object.keys(this.#body).filter((name) => !names.includes(name));
    if (unknown.length > 0) throw this.error(`unknown fields: ${unknown.join(', ')}`);
  }

  has(name: string): boolean {
    return this.#body[name] !== undefined && this.#body[name] !== null;
  }

  text(name: string, maxCharacters = Infinity): string {
    const text = this.optionalText(name, maxCharacters);
    if (text === undefined || text === '') throw this.error(`'${name}' is required`);
    return text;
  }

  optionalText(name: string, maxCharacters = Infinity): string | undefined {
    const value = this.#body[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw this.error(`'${name}' must be a string`);
    if (value.startsWith(BYTE_ORDER_MARK)) throw this.error(`'${name}' must be UTF-8 without BOM`);
    if (value.length > maxCharacters) {
      throw this.error(`'${name}' length must be less than or equal to ${maxCharacters} characters long`);
    }
    return value;
  }

  oneOf<const T extends readonly string[]>(name: string, allowed: T): T[number] | undefined {
    return this.optionalText(name) === undefined ? undefined : this.requiredOneOf(name, allowed);
  }

  requiredOneOf<const T extends readonly string[]>(name: string, allowed: T): T[number] {
    const value = this.text(name);
    if (!allowed.includes(value)) throw this.error(`'${name}' must be one of [${allowed.join(', ')}]`);
    return value;
  }

  chatId(name = 'chatId'): string {
    const chatId = this.text(name);
    if (!CHAT_ID.test(chatId)) {
      throw this.error(`'${name}' must be one of the next formats: 'phone_number@c.us' or 'group_id@g.us'`);
    }
    return chatId;
  }

  number(name: string, { min = -Infinity, max = Infinity }: Range = {}): number | undefined {
    const value = this.#body[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.error(`'${name}' must be a number`);
    if (value < min) throw this.error(`'${name}' must be larger than or equal to ${min}`);
    if (value > max) throw this.error(`'${name}' must be less than or equal to ${max}`);
    return value;
  }

  requiredNumber(name: string, range: Range = {}): number {
    const value = this.number(name, range);
    if (value === undefined) throw this.error(`'${name}' is required`);
    return value;
  }

  integer(name: string, range: Range): number | undefined {
    const value = this.number(name, range);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value)) throw this.error(`'${name}' must be an integer`);
    return value;
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.#body[name] ?? otherwise;
    if (typeof value !== 'boolean') throw this.error(`'${name}' must be a boolean`);
    return value;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#body[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
      throw this.error(`'${name}' must be an array of strings`);
    }
    return value as string[];
  }

  /** Every field, as a string. */
  allTexts(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.keys(this.#body).map((name) => [name, this.text(name)]));
  }

  objects(name: string): readonly Record<string, unknown>[] | undefined {
    const value = this.#body[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value) || !value.every(isObject)) throw this.error(`'${name}' must be an array of objects`);
    return value;
  }

  object(name: string): Record<string, unknown> {
    const value = this.#body[name];
    if (!isObject(value)) throw this.error(`'${name}' must be an object`);
    return value;
  }
}
