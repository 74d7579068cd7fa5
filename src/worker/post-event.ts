import { Agent, request } from 'undici';
import { namesPrivateHost, isPublicAddress } from '../domain/index.js';
import { retryAfterMs } from '../gateway/index.js';
import { present, codeOf } from '../contract/index.js';
import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

export interface PostResult {
  /** The reason of a failure, without the URL. Absent after a 2xx. */
  readonly problem?: string;
  /** The status of a response that is not a 2xx. */
  readonly httpStatus?: number;
  /** How long the target asks to wait. */
  readonly retryAfterMs?: number;
}

export interface EventPoster {
  /** Posts once and follows no redirect. Never rejects. */
  post(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<PostResult>;
  close(): Promise<void>;
}

/** The time limit from the DNS lookup to the head of the response. */
const RESPONSE_WITHIN_MS = 10_000;
/** How much of a response body is read, so that the connection can be used again. */
const READ_BYTES = 16 * 1024;

/**
 * Posts events. Without `allowPrivate` it refuses targets in private networks, by the address that a name resolves to.
 */
export function createEventPoster({ allowPrivate }: { readonly allowPrivate: boolean }): EventPoster {
  const dispatcher = new Agent({ connect: allowPrivate ? {} : { lookup: lookUpPublic } });

  return {
    async post(url, headers, body) {
      try {
        // A URL with an IP address needs no lookup, so it is checked here.
        if (!allowPrivate && namesPrivateHost(new URL(url))) return { problem: PRIVATE_ADDRESS };
        const {
          statusCode: httpStatus,
          headers: answered,
          body: rest,
        } = await request(url, {
          dispatcher,
          method: 'POST',
          headers: { ...headers, 'user-agent': 'everpost' },
          body,
          signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
        });
        // The status decides. An interrupted body changes nothing.
        await rest.dump({ limit: READ_BYTES }).catch(() => undefined);
        if (httpStatus >= 200 && httpStatus < 300) return {};
        const wait = retryAfterMs(oneOf(answered['retry-after']), oneOf(answered['date']), Date.now());
        return { problem: `HTTP ${httpStatus}`, httpStatus, ...present({ retryAfterMs: wait }) };
      } catch (error) {
        return { problem: reasonOf(error) };
      }
    },

    close: () => dispatcher.destroy(),
  };
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Why a request got no response: a code, without the URL. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  return codeOf(error) ?? 'no response';
}

/** The error of a connection that would lead to this machine or into a private network. */
export const PRIVATE_ADDRESS = 'private_address';

/**
 * Resolves a name and skips addresses that are not public. The connection uses the checked address; the name is not
 * resolved again.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
    const allowed = error ? [] : addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (first === undefined) {
      callback(error ?? Object.assign(new Error('no public address'), { code: PRIVATE_ADDRESS }), '');
    } else if (options.all === true) {
      callback(null, [...allowed]);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
