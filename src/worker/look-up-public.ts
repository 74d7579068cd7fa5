import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../domain/index.js';

/** What a connection fails of that would lead to this machine or into a private network. */
export const PRIVATE_ADDRESS = 'private_address';

/**
 * Looks a name up and passes over what is not public. The connection is made to what was checked, not looked up again.
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
