/** The rights of the API's callers. */

/** The rights of a key. None of them includes another. */
export const SCOPES = ['read', 'send', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The name of a key: a witness. */
export const KEY_NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** The caller of a request. */
export interface Caller {
  /** The name in evidence and in the audit list: `key:<name>`, or `loopback` for a request without a key. */
  readonly witness: string;
  readonly scopes: readonly Scope[];
  /** Absent: the key is valid for every instance. */
  readonly instances?: readonly string[];
}

/** The caller when no API key is configured: a program on this machine. */
export const LOOPBACK_CALLER: Caller = { witness: 'loopback', scopes: SCOPES };
