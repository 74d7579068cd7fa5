import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NUMBER_COLUMNS } from '../../src/audience/index.js';
import { RECIPIENT_VERDICTS } from '../../src/contract/index.js';

const document = readFileSync(new URL('../../docs/recipients.md', import.meta.url), 'utf8');

it('docs/recipients.md explains every verdict, and no other', () => {
  const explained = [...document.matchAll(/^\| `(\w+)` +\| [A-Z]/gm)].map(([, verdict]) => verdict);
  expect(explained).toEqual(RECIPIENT_VERDICTS);
});

it('docs/recipients.md names the columns that hold a number', () => {
  for (const name of NUMBER_COLUMNS) expect(document).toContain(`\`${name}\``);
});
