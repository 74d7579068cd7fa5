import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { KINDS, MESSAGE_KINDS } from '../../src/contract/index.js';
import { contentSchema } from '../../src/contract/schemas.js';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
/** What has an implementation of its own, and what is generated. */
const APART = /^(?:simulator|http-client)\//;

/** A kind that no rule treats specially: whatever names it is a place that a further kind would have to touch. */
it('a further kind of message touches four files', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const naming = files.filter(
    (file) =>
      !APART.test(file) &&
      /\bsendContact\b|\bcontact: \{|literal\('contact'\)/.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(naming.toSorted()).toEqual([
    'contract/kinds.ts',
    'contract/schemas/message.ts',
    'domain/reconcile/kinds.ts',
    'gateway/operations/sends.ts',
  ]);
});

it('every kind has a schema of its content, and no schema lacks a kind', () => {
  const kinds = contentSchema.options.map(({ shape }) => shape.kind.value);
  expect(kinds.toSorted()).toEqual(MESSAGE_KINDS.toSorted());
});

it('what an erasure leaves of a message is a content of its kind', () => {
  for (const kind of MESSAGE_KINDS) expect(contentSchema.parse({ kind, ...KINDS[kind].erased })).toBeDefined();
});
