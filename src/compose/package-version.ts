import { readFileSync } from 'node:fs';

/** The version in everpost's own package.json, two folders above both `src/compose` and `dist/compose`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
