/** The files of the pages. Their address changes with their content, so that a browser may keep them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const FILES = {
  style: fileOf('style.css', 'text/css; charset=utf-8'),
  script: fileOf('script.js', 'text/javascript; charset=utf-8'),
  icon: fileOf('icon.svg', 'image/svg+xml'),
} as const;

function fileOf(name: string, type: string) {
  const content = readFileSync(new URL(`files/${name}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { path: `/console/${name}`, href: `/console/${name}?${hash}`, hash, type, content } as const;
}
