/**
 * The session of a reader who signed in with an API key.
 *
 * SESSION-1 A session is the key itself with the time at which the session ends, sealed with a secret of the ledger.
 *    Nothing is stored, so that it survives a restart and is valid in every process of the ledger; every request of a
 *    page carries the key, so that the session ends with its key, and nothing but the API decides what it may do.
 * SESSION-2 It ends after {@link SESSION_MS}, and when the reader signs out.
 * SESSION-3 A form is accepted only with the token of its reader's key, which no page of another site can read. It stays
 *    the same in the next session with this key, so that a form that was open meanwhile can still be sent.
 */
import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { PagesDoor } from '../api/index.js';

const SESSION_MS = 12 * 60 * 60_000;
/** A browser keeps at most 4,096 bytes of a cookie. */
export const LONGEST_KEY = 2_048;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createSessions({ digest, clock }: Pick<PagesDoor, 'digest' | 'clock'>) {
  const secret = digest('console session');
  // A browser sends the cookies of one port of a machine to its other ports too, where another ledger may be.
  const name = `everpost_${digest('console cookie').toString('hex').slice(0, 8)}`;

  function seal(plain: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  function open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    } catch {
      // Changed, or sealed by another ledger.
      return undefined;
    }
  }

  return {
    /** The API key of the session. @returns undefined without a session */
    keyOf(c: Context): string | undefined {
      const [, endsAt, key] = /^(\d+) (.+)$/s.exec(open(getCookie(c, name) ?? '') ?? '') ?? [];
      return Number(endsAt) > clock.nowMs() ? key : undefined;
    },

    begin(c: Context, key: string): void {
      setCookie(c, name, seal(`${clock.nowMs() + SESSION_MS} ${key}`), {
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        secure: c.req.header('X-Forwarded-Proto') === 'https' || new URL(c.req.url).protocol === 'https:',
        maxAge: SESSION_MS / 1_000,
      });
    },

    end(c: Context): void {
      deleteCookie(c, name, { path: '/' });
    },

    /** @param key  absent for a reader who needs none */
    formToken: (key = ''): string => digest(`console form of ${key}`).toString('base64url'),

    isFormToken(given: string, key: string | undefined): boolean {
      const [one, other] = [Buffer.from(given), Buffer.from(this.formToken(key))];
      return one.length === other.length && timingSafeEqual(one, other);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
