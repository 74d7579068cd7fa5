import { parseUrl, type Problem } from '../contract/index.js';
import { namesPrivateHost } from '../domain/index.js';

const MAX_LENGTH = 2_000;

/**
 * What stands against posting events to this URL. What its name stands for shows only when it is posted to.
 * @param path  how a refusal calls it
 * @param allowPrivate whether it may be of this machine or of a private network; undefined: decided by the worker alone
 */
export function checkTarget(path: string, target: string | undefined, allowPrivate: boolean | undefined): Problem[] {
  const url = target === undefined ? undefined : parseUrl(target);
  if (target === undefined || url === undefined) return [];
  const problems: Problem[] = [];
  if (target.length > MAX_LENGTH) problems.push({ path, message: `is longer than ${MAX_LENGTH} characters` });
  if (url.username !== '' || url.password !== '') {
    problems.push({ path, message: 'carries credentials; what is posted is signed instead' });
  }
  if (allowPrivate === false && namesPrivateHost(url)) {
    const message = 'is on this machine or in a private network; set EVERPOST_ALLOW_PRIVATE_TARGETS=yes to allow that';
    problems.push({ path, message });
  }
  return problems;
}
