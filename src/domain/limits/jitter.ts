import type { Jitter } from '../../contract/index.js';

/**
 * The pause after the message of a line: every whole millisecond from `minMs` to `maxMs` is equally likely, and the same
 * seed and line have the same one, so that a plan shows what a campaign does.
 */
export function jitterMs(seed: string, line: number, { minMs, maxMs }: Pick<Jitter, 'minMs' | 'maxMs'>): number {
  return minMs + Math.floor((mixed(hashOf(seed), line) / 2 ** 32) * (maxMs - minMs + 1));
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** The finisher of MurmurHash3, twice: neighbouring lines have nothing in common. */
function mixed(seed: number, line: number): number {
  return finished(finished(seed) + Math.imul(line, 0x9e3779b9)) >>> 0;
}

function finished(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
