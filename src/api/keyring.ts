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
  type Log,
} from '../contract/index.js';
import { type KnownApiKey, type Ledger, isValidKey } from '../ledger/index.js';
import { forgetStale } from './forget-stale.js';

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
  const forgetRead = forgetStale(remembered, ({ untilMs }) => untilMs < performance.now());
  const notedUseMs = new Map<string, number>();
  const forgetNoted = forgetStale(notedUseMs, (notedMs) => notedMs + USED_EVERY_MS < clock.nowMs());

  async function known(id: string): Promise<KnownApiKey | undefined> {
    const nowMs = performance.now();
    const before = remembered.get(id);
    if (before !== undefined && before.untilMs > nowMs) return before.key;
    const reading = apiKeys.known(id);
    remembered.set(id, { key: reading, untilMs: nowMs + REMEMBERED_MS });
    forgetRead();
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
    forgetNoted();
    // Shown to operators. No request waits for it.
    apiKeys.used(id, nowMs).catch((error: unknown) => {
      log({ level: 'warn', message: 'the last use of an API key was not recorded', key: name, error });
    });
  }

  return {
    /** @returns undefined if the key is not valid */
    async identify(given: string): Promise<Caller | undefined> {
      const hash = hashOf(given);
      const matching = configured().filter(({ secret }) => isSameHash(hashOf(secret.reveal()), hash));
      const [own] = matching;
      if (own !== undefined) {
        return { witness: witnessOf(own.name), keyId: `environment:${own.name}`, scopes: SCOPES };
      }
      const id = keyIdOf(given, digest);
      const key = id === undefined ? undefined : await known(id);
      const nowMs = clock.nowMs();
      if (key === undefined) return undefined;
      const isCurrent = isSameHash(key.hash, hash);
      const isPrevious = key.previousHash !== undefined && isSameHash(key.previousHash, hash);
      if (!isCurrent && !(isPrevious && Date.parse(key.previousUntil ?? '') > nowMs)) return undefined;
      if (!isValidKey(key, nowMs)) return undefined;
      noteUse(key, nowMs);
      const { name, scopes, instances, ratePerSecond } = key;
      return {
        witness: witnessOf(name),
        keyId: key.id,
        scopes,
        ...present({ instances }),
        key: { id: key.id, ...present({ ratePerSecond }) },
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
