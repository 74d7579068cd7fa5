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

/** A key of AES-256-GCM for the payloads in Temporal. */
export interface EncryptionKey {
  /** Stands in clear beside each payload that it encrypted. */
  readonly id: string;
  /** 32 bytes in base64. */
  readonly secret: Secret;
}

/** The first one encrypts, all of them decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

const KEY = /^([\w.-]{1,64}):([\w+/-]{43}=?)$/;

/**
 * Reads `id:key,id:key`, each key 32 bytes in base64.
 * @throws Error with the reason, which shows no key
 */
export function parseEncryptionKeys(text: string): EncryptionKeys {
  const keys = text.split(',').map((part, at) => {
    const [, id, key] = KEY.exec(part.trim()) ?? [];
    if (id === undefined || key === undefined) {
      throw new Error(
        `entry ${at + 1} is not <id>:<32 bytes in base64>. Make one: echo "key1:$(openssl rand -base64 32)"`,
      );
    }
    return { id, secret: new Secret(key) };
  });
  const ids = new Set(keys.map(({ id }) => id));
  if (ids.size < keys.length) throw new Error('names a key id twice');
  const [first, ...others] = keys;
  if (first === undefined) throw new Error('names no key');
  return [first, ...others];
}

/** The scheme of an Authorization header, in small letters, and the rest of it. */
export interface Credentials {
  readonly scheme: 'basic' | 'bearer';
  readonly rest: string;
}

/**
 * Longer headers prove nothing: no token that everpost accepts is near this length. The HTTP server takes no more
 * either.
 */
export const MAX_CREDENTIALS_CHARACTERS = 8 * 1024;

/**
 * Reads the scheme by hand, in one pass: a pattern that allows blanks on both sides of a token takes quadratic time.
 * @returns undefined when there is no scheme, or nothing behind it
 */
export function splitScheme(credentials: string): Credentials | undefined {
  const end = credentials.search(/\s/);
  if (end === -1) return undefined;
  const scheme = credentials.slice(0, end).toLowerCase();
  if (scheme !== 'basic' && scheme !== 'bearer') return undefined;
  return { scheme, rest: credentials.slice(end).trimStart() };
}
