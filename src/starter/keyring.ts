/**
 * Identifies the caller of a request.
 *
 * KEYRING-1 Keys of the environment have every scope and every instance. Every comparison takes constant time and
 *    includes all of them.
 * KEYRING-2 A key of the ledger is looked up by its id and cached for {@link REMEMBERED_MS}. A revocation takes effect
 *    within that time in every process, and at once in the process that revoked it.
 * KEYRING-3 Unknown keys are not cached, so that a new key is valid at once and guesses use no memory. A key that this
 *    ledger did not issue costs no query: its check needs the ledger's secret ({@link newKeyText}).
 * KEYRING-4 A key is identified permanently by its id, one of the environment by its name. Its Idempotency-Keys belong to
 *    it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type ApiKey,
  type Caller,
  type Clock,
  type NamedSecret,
  SCOPES,
  SHORT_ID_PATTERN,
  present,
  shortId,
  AppError,
  type Log,
} from '../contract/index.js';
import { type KnownApiKey, type Ledger, isValidKey } from '../ledger/index.js';

export interface KeyHolder extends Caller {
  /** Absent: no limit. */
  readonly limit?: { readonly id: string; readonly perSecond: number };
}

interface KeyringDependencies {
  readonly apiKeys: Pick<Ledger['apiKeys'], 'known' | 'used'>;
  readonly digest: Ledger['digest'];
  /** The environment's current keys. */
  readonly configured: () => readonly NamedSecret[];
  readonly clock: Clock;
  readonly log: Log;
}

/** docs/keys.md documents this time. */
const REMEMBERED_MS = 2_000;
const USED_EVERY_MS = 60_000;

export function createKeyring({ apiKeys, digest, configured, clock, log }: KeyringDependencies) {
  const remembered = new Map<string, { readonly key: Promise<KnownApiKey | undefined>; readonly untilMs: number }>();
  const notedUseMs = new Map<string, number>();

  async function known(id: string): Promise<KnownApiKey | undefined> {
    const nowMs = performance.now();
    const before = remembered.get(id);
    if (before !== undefined && before.untilMs > nowMs) return before.key;
    const reading = apiKeys.known(id);
    remembered.set(id, { key: reading, untilMs: nowMs + REMEMBERED_MS });
    let key: KnownApiKey | undefined;
    try {
      key = await reading;
      return key;
    } finally {
      if (key === undefined) remembered.delete(id);
    }
  }

  function noteUse({ id, lastUsedAt, name }: ApiKey, nowMs: number): void {
    const lastMs = notedUseMs.get(id) ?? (lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt));
    if (nowMs - lastMs < USED_EVERY_MS) return;
    notedUseMs.set(id, nowMs);
    // Shown to operators. No request waits for it.
    apiKeys.used(id, nowMs).catch((error: unknown) => {
      log({ level: 'warn', message: 'the last use of an API key was not recorded', key: name, error });
    });
  }

  return {
    /** @returns undefined if the key is not valid */
    async identify(given: string): Promise<KeyHolder | undefined> {
      const hash = hashOf(given);
      const matching = configured().filter(({ secret }) => isSameHash(hashOf(secret.reveal()), hash));
      const [own] = matching;
      if (own !== undefined) {
        return { witness: witnessOf(own.name), keyId: `environment:${own.name}`, scopes: SCOPES };
      }
      const id = keyIdOf(given, digest);
      const key = id === undefined ? undefined : await known(id);
      const nowMs = clock.nowMs();
      if (key === undefined || !opens(key, hash, nowMs)) return undefined;
      noteUse(key, nowMs);
      const { name, scopes, instances, ratePerSecond } = key;
      return {
        witness: witnessOf(name),
        keyId: key.id,
        scopes,
        ...present({ instances }),
        ...(ratePerSecond === undefined ? {} : { limit: { id: key.id, perSecond: ratePerSecond } }),
      };
    },

    /** Removes a key from the cache after it was changed. */
    forget: (id: string) => void remembered.delete(id),

    /** The names of the environment's keys. */
    configuredNames: (): readonly string[] => configured().map(({ name }) => name),
  };
}

export type Keyring = ReturnType<typeof createKeyring>;

export function witnessOf(name: string): string {
  return `key:${name}`;
}

function opens(key: KnownApiKey, hash: string, nowMs: number): boolean {
  const isCurrent = isSameHash(key.hash, hash);
  const isPrevious = key.previousHash !== undefined && isSameHash(key.previousHash, hash);
  if (!isCurrent && !(isPrevious && Date.parse(key.previousUntil ?? '') > nowMs)) return false;
  return isValidKey(key, nowMs);
}

/**
 * The text of a key: `ep_<id>_<secret><check>`. The id finds its row, the secret is 256 random bits, and the check is 36
 * bits of a digest with the ledger's own key: no text that the ledger did not issue is looked up.
 */
const SECRET_BYTES = 32;
const SECRET_CHARACTERS = 43;
const CHECK_CHARACTERS = 6;
const BASE64URL = '[A-Za-z0-9_-]';
const KEY = new RegExp(
  `^(ep_(${SHORT_ID_PATTERN})_${BASE64URL}{${SECRET_CHARACTERS}})(${BASE64URL}{${CHECK_CHARACTERS}})$`,
);

export function newKeyId(): string {
  return shortId(randomBytes(SECRET_BYTES));
}

/** Shown once. Only {@link hashOf} of it is stored. */
export function newKeyText(id: string, digest: Ledger['digest']): string {
  const text = `ep_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return text + checkOf(text, digest);
}

/** @returns the id of a key that this ledger issued; undefined for any other text */
export function keyIdOf(given: string, digest: Ledger['digest']): string | undefined {
  const [, text = '', id, check = ''] = KEY.exec(given) ?? [];
  return id !== undefined && isSameHash(check, checkOf(text, digest)) ? id : undefined;
}

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** In constant time. Both hashes have the same length. */
function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function checkOf(text: string, digest: Ledger['digest']): string {
  return digest(text).toString('base64url').slice(0, CHECK_CHARACTERS);
}

/** @throws AppError KEY_RATE_LIMITED */
export type TakeTurn = (limit: { readonly id: string; readonly perSecond: number }) => Promise<void>;

/** The turns of this time may be used at once. */
const BURST_MS = 1_000;
const RESERVED_MS = 250;
/** Turns that were not used within this time are discarded, so that an idle process reserves nothing. */
const VALID_MS = 1_000;
const BUCKET = 'api';

interface Turns {
  left: number;
  validUntilMs: number;
  refusedUntilMs: number;
  reserving?: Promise<void> | undefined;
}

/**
 * The rate limits of keys, for all processes that share a ledger. Each process reserves the turns of a quarter of a
 * second from the key's bucket, so most requests need no query.
 */
export function createKeyRates(buckets: Pick<Ledger['rateLimitBuckets'], 'reserve'>): TakeTurn {
  const turnsOf = new Map<string, Turns>();

  async function reserve(turns: Turns, id: string, perSecond: number): Promise<void> {
    const granted = await buckets.reserve({
      instance: `key:${id}`,
      operation: BUCKET,
      turns: Math.max(1, Math.ceil((perSecond * RESERVED_MS) / 1_000)),
      spacingMs: 1_000 / perSecond,
      maxWaitMs: BURST_MS,
    });
    const nowMs = performance.now();
    turns.left = granted.turns;
    turns.validUntilMs = nowMs + VALID_MS;
    if (granted.turns === 0) turns.refusedUntilMs = nowMs + Math.max(1, granted.firstInMs - BURST_MS);
  }

  return async ({ id, perSecond }) => {
    const turns = turnsOf.get(id) ?? { left: 0, validUntilMs: 0, refusedUntilMs: 0 };
    turnsOf.set(id, turns);
    for (;;) {
      const nowMs = performance.now();
      if (turns.left > 0 && nowMs < turns.validUntilMs) {
        turns.left -= 1;
        return;
      }
      if (nowMs < turns.refusedUntilMs) throw rateLimited(perSecond, turns.refusedUntilMs - nowMs);
      turns.reserving ??= reserve(turns, id, perSecond).finally(() => (turns.reserving = undefined));
      await turns.reserving;
    }
  };
}

function rateLimited(perSecond: number, retryAfterMs: number): AppError {
  return new AppError(
    'KEY_RATE_LIMITED',
    `The request is refused: its API key is limited to ${perSecond} requests a second. Nothing was begun. Retry after retryAfterMs.`,
    { retryAfterMs },
  );
}
