import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../domain/index.js';

/** The error of a connection that would lead to this machine or into a private network. */
export const PRIVATE_ADDRESS = 'private_address';

/**
 * Resolves a name and skips addresses that are not public. The connection uses the checked address; the name is not resolved again.
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
