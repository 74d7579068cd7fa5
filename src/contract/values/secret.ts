/** A value that printing, logging and JSON show as a placeholder. Only an explicit call returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself. Call it where it is used; do not store the result. */
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

/** Beyond loopback, secrets that callers send must be at least this long: a shorter one could be guessed. */
const SHORTEST_SECRET = 16;

/** @returns why the secret cannot be used where other machines can send guesses; undefined if it can */
export function weaknessOf(secret: Secret): string | undefined {
  if (secret.reveal().length >= SHORTEST_SECRET) return undefined;
  return `has fewer than ${SHORTEST_SECRET} characters, so that other machines could guess it. Make a longer one: openssl rand -hex 32`;
}

/** A secret with a name for evidence and audit. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: Secret;
}

/** An AES-256-GCM key for the payloads in Temporal. */
export interface EncryptionKey {
  /** Stored in clear text beside each payload that it encrypted. */
  readonly id: string;
  /** 32 bytes in base64. */
  readonly secret: Secret;
}

/** The first key encrypts, all keys decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

const KEY = /^([\w.-]{1,64}):([\w+/-]{43}=?)$/;

/**
 * Reads `id:key,id:key`, each key 32 bytes in base64.
 * @throws Error with a reason that contains no key
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
  if (ids.size < keys.length) throw new Error('contains a key id twice');
  const [first, ...others] = keys;
  if (first === undefined) throw new Error('contains no key');
  return [first, ...others];
}

/** The scheme of an Authorization header in lower case, and the rest of the header. */
export interface Credentials {
  readonly scheme: 'basic' | 'bearer';
  readonly rest: string;
}

/**
 * A longer header is refused: no token that everpost accepts is near this length. The HTTP server has the same limit.
 */
export const MAX_CREDENTIALS_CHARACTERS = 8 * 1024;

/**
 * Parses the scheme without a regular expression: a pattern with blanks on both sides of a token takes quadratic time.
 * @returns undefined when there is no scheme, or nothing follows it
 */
export function splitScheme(credentials: string): Credentials | undefined {
  const end = credentials.search(/\s/);
  if (end === -1) return undefined;
  const scheme = credentials.slice(0, end).toLowerCase();
  if (scheme !== 'basic' && scheme !== 'bearer') return undefined;
  return { scheme, rest: credentials.slice(end).trimStart() };
}

/** The rights of a key. None of them includes another. */
export const SCOPES = ['read', 'send', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The name of a key: a witness. */
export const KEY_NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** The caller of a request. */
export interface Caller {
  /** The name in evidence and in the audit list: `key:<name>`, or `loopback` for a request without a key. */
  readonly witness: string;
  /** Identifies its API key permanently, also after a rotation. Absent: a request without a key. */
  readonly keyId?: string;
  readonly scopes: readonly Scope[];
  /** Absent: the key is valid for every instance. */
  readonly instances?: readonly string[];
  /** Absent for a key of the environment, and without a key: these have no limits of their own. */
  readonly key?: {
    readonly id: string;
    /** @default the rate of KeyLimits */
    readonly ratePerSecond?: number;
  };
}

/** The caller when no API key is configured: a program on this machine. */
export const LOOPBACK_CALLER: Caller = { witness: 'loopback', scopes: SCOPES };
