/**
 * What authenticates the deliveries of an endpoint: the secrets that sign them, and the Authorization header. Both are
 * sealed in the endpoint's row. The hash of the request that created it is sealed too, since it includes the header.
 */
import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AppError, present, Secret, type AtRest } from '../../contract/index.js';
import type { EventEndpointsTable } from '../storage/schema.js';

/** The sealed columns. */
type SealedRow = Pick<Selectable<EventEndpointsTable>, 'id' | 'auth_header' | 'secrets' | 'request_hash'>;

/** A signing key; the newest one has no end. */
export interface StoredSecret {
  /** Sealed. */
  readonly secret: string;
  /** ISO UTC. */
  readonly until?: string;
}

/** In the format of Standard Webhooks. */
export function newSecret(): Secret {
  return new Secret(`whsec_${randomBytes(32).toString('base64')}`);
}

/** For AtRest: the place of a sealed column. */
export function placeIn(column: Exclude<keyof SealedRow, 'id'>, id: string): string {
  return `event_endpoints.${column} of ${id}`;
}

/** `secrets` sign now, newest first. @throws AppError ENCRYPTION_KEY_MISSING */
export function readCredentials(
  { id, auth_header, secrets }: Pick<SealedRow, 'id' | 'auth_header' | 'secrets'>,
  { open }: AtRest,
  nowMs: number,
) {
  const header = auth_header === null ? null : new Secret(open(auth_header, placeIn('auth_header', id)));
  return {
    secrets: signing(secrets, nowMs).map(({ secret }) => new Secret(open(secret, placeIn('secrets', id)))),
    ...present({ authorization: header }),
  };
}

/** Why deliveries cannot be authenticated, with the remedy. Undefined if every secret can be read, former ones too. */
export function credentialsProblem(row: SealedRow, atRest: AtRest): string | undefined {
  try {
    readCredentials(row, atRest, 0);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENCRYPTION_KEY_MISSING') return error.message;
    throw error;
  }
}

/** Whether a former key sealed the header or a secret, or none did, or a former secret signs no more. */
export function isStale({ auth_header, secrets }: SealedRow, { current }: AtRest, nowMs: number): boolean {
  const known = secrets as readonly StoredSecret[];
  const sealed = [auth_header ?? current, ...known.map(({ secret }) => secret)];
  return signing(secrets, nowMs).length < known.length || sealed.some((stored) => !stored.startsWith(current));
}

/** The columns as the first key seals them, without secrets that sign no more. @throws AppError ENCRYPTION_KEY_MISSING */
export function sealedAgain(row: SealedRow, atRest: AtRest, nowMs: number) {
  const again = (column: Exclude<keyof SealedRow, 'id'>, stored: string) =>
    atRest.seal(atRest.open(stored, placeIn(column, row.id)), placeIn(column, row.id));
  const secrets = signing(row.secrets, nowMs).map((one) => ({ ...one, secret: again('secrets', one.secret) }));
  const header = row.auth_header === null ? null : again('auth_header', row.auth_header);
  try {
    return { secrets, header, requestHash: again('request_hash', row.request_hash) };
  } catch {
    // After a lost key there are a new secret and header, but the hash of that request is lost.
    return { secrets, header, requestHash: row.request_hash };
  }
}

function signing(secrets: unknown, nowMs: number): readonly StoredSecret[] {
  return (secrets as readonly StoredSecret[]).filter(({ until }) => until === undefined || Date.parse(until) > nowMs);
}
