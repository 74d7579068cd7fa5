/** Who may ask the API for what. */

/** What a key may do. None of them includes another. */
export const SCOPES = ['read', 'send', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The name of a key: a witness. */
export const KEY_NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** A named API key, without the key itself: of that only a hash is kept. */
export interface ApiKey {
  /** The part of the key that is no secret. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Absent: every instance. */
  readonly instances?: readonly string[];
  /** Requests a second. Absent: no limit. */
  readonly ratePerSecond?: number;
  /** ISO UTC, as are all times. */
  readonly createdAt: string;
  /** A witness. */
  readonly createdBy: string;
  /** To the minute. */
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
  /** After a rotation: until when the key before is valid as well. */
  readonly previousUntil?: string;
  readonly revokedAt?: string;
}

/** Who asks. */
export interface Caller {
  /** As evidence and the audit list name it: `key:<name>`, or `loopback` where no key was brought. */
  readonly witness: string;
  readonly scopes: readonly Scope[];
  /** Absent: every instance. */
  readonly instances?: readonly string[];
}

/** A caller on this machine where no API key is configured. */
export const LOOPBACK_CALLER: Caller = { witness: 'loopback', scopes: SCOPES };

/** A request that changed something, or was refused it. */
export interface AuditEntry {
  /** ISO UTC. */
  readonly at: string;
  readonly witness: string;
  /** The operationId in openapi.json. */
  readonly route: string;
  readonly objectId?: string;
  readonly instance?: string;
  /** Of the response. */
  readonly status: number;
  /** Of the error that was answered. */
  readonly code?: string;
  readonly requestId: string;
}
