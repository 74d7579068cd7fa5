import { parseUrl, type Problem } from '../contract/index.js';
import { namesPrivateHost } from '../domain/index.js';

const MAX_LENGTH = 2_000;

/**
 * What stands against telling this URL of a message. What its name stands for shows only when it is told.
 * @param allowPrivate whether it may be of this machine or of a private network; undefined: decided by the worker alone
 */
export function checkCallback(callback: string | undefined, allowPrivate: boolean | undefined): Problem[] {
  const url = callback === undefined ? undefined : parseUrl(callback);
  if (callback === undefined || url === undefined) return [];
  const path = 'statusCallback';
  const problems: Problem[] = [];
  if (callback.length > MAX_LENGTH) problems.push({ path, message: `is longer than ${MAX_LENGTH} characters` });
  if (url.username !== '' || url.password !== '') {
    problems.push({ path, message: 'carries credentials; put what proves a callback into its path or query' });
  }
  if (allowPrivate === false && namesPrivateHost(url)) {
    const message = 'is on this machine or in a private network; set EVERPOST_ALLOW_PRIVATE_TARGETS=yes to allow that';
    problems.push({ path, message });
  }
  return problems;
}
