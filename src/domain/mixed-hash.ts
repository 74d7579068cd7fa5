/** A hash that spreads well, for shares and pauses; not for secrets. */

/** The FNV-1a hash of the UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** The finisher of MurmurHash3, applied twice, so that adjacent numbers give unrelated values. From 0 to 2³² - 1. */
export function mixed(seed: number, number: number): number {
  return finished(finished(seed) + Math.imul(number, 0x9e3779b9)) >>> 0;
}

function finished(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
