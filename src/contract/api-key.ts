/** The rights of the API's callers. */

/** The rights of a key. None of them includes another. */
export const SCOPES = ['read', 'send', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The name of a key: a witness. */
export const KEY_NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** The caller of a request. */
export interface Caller {
  /** As evidence and the audit list name it: `key:<name>`, or `loopback` where no key was brought. */
  readonly witness: string;
  readonly scopes: readonly Scope[];
  /** Absent: every instance. */
  readonly instances?: readonly string[];
}

/** A caller on this machine where no API key is configured. */
export const LOOPBACK_CALLER: Caller = { witness: 'loopback', scopes: SCOPES };
