import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atRest } from '../../src/codec/index.js';
import { parseEncryptionKeys } from '../../src/contract/index.js';
import { runs } from '../support/runs.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const PLACE = 'event_endpoints.auth_header of evp_1';

const withKeys = (keys: string) => atRest(parseEncryptionKeys(keys));
const without = atRest(undefined);

describe('a secret at rest', () => {
  it('is stored under the first key, never twice alike, and read again (REST-2)', () => {
    const { seal, open, current } = withKeys(`${NEW},${OLD}`);
    const stored = seal('Bearer velvet otter', PLACE);
    expect(stored).toMatch(/^enc:new:[\w+/]+=*$/);
    expect(stored).not.toBe(seal('Bearer velvet otter', PLACE));
    expect(open(stored, PLACE)).toBe('Bearer velvet otter');
    expect(stored.startsWith(current)).toBe(true);
  });

  it('is read after a rotation, and known to be under a former key (REST-2)', () => {
    const stored = withKeys(OLD).seal('Bearer velvet otter', PLACE);
    const rotated = withKeys(`${NEW},${OLD}`);
    expect(rotated.open(stored, PLACE)).toBe('Bearer velvet otter');
    expect(stored.startsWith(rotated.current)).toBe(false);
  });

  it('that was stored before there were keys is read unchanged (REST-1)', () => {
    const stored = without.seal('Bearer velvet otter', PLACE);
    expect(stored).toBe('Bearer velvet otter');
    expect(withKeys(OLD).open(stored, PLACE)).toBe('Bearer velvet otter');
    expect(stored.startsWith(withKeys(OLD).current)).toBe(false);
    expect(stored.startsWith(without.current)).toBe(true);
  });

  it('is read back whatever it is, with and without keys, also if it looks like a stored form (REST-1)', () => {
    const stored = fc.constantFrom('enc:', 'enc:old:', 'plain:', 'plain:enc:old:AAAA', '');
    fc.assert(
      fc.property(stored, fc.string({ unit: 'grapheme' }), (head, tail) => {
        const text = head + tail;
        for (const { seal, open } of [without, withKeys(OLD)]) expect(open(seal(text, PLACE), PLACE)).toBe(text);
        expect(withKeys(OLD).open(without.seal(text, PLACE), PLACE)).toBe(text);
      }),
      { numRuns: runs(100) },
    );
  });

  it('cannot be read at another place (REST-3)', () => {
    const { seal, open } = withKeys(OLD);
    const stored = seal('Bearer velvet otter', PLACE);
    expect(() => open(stored, 'event_endpoints.auth_header of evp_2')).toThrow(
      expect.objectContaining({
        code: 'ENCRYPTION_KEY_MISSING',
        message: expect.stringContaining('of evp_2') as string,
      }),
    );
  });

  it('names the missing key and the remedy, but not the secret', () => {
    const stored = withKeys(OLD).seal('Bearer velvet otter', PLACE);
    for (const { open } of [withKeys(NEW), without]) {
      expect(() => open(stored, PLACE)).toThrow(
        `The stored ${PLACE} was encrypted with key old, which is not configured. Add it to EVERPOST_ENCRYPTION_KEYS, after the first one.`,
      );
    }
  });

  it('refuses every changed or foreign byte', () => {
    const { seal, open } = withKeys(OLD);
    const stored = seal('Bearer velvet otter', PLACE);
    const from = 'enc:old:'.length;
    fc.assert(
      fc.property(
        fc.integer({ min: from, max: stored.length - 3 }),
        fc.base64String({ minLength: 4 }),
        (at, foreign) => {
          const changed = stored.slice(0, at) + (stored[at] === 'A' ? 'B' : 'A') + stored.slice(at + 1);
          for (const text of [changed, `enc:old:${foreign}`, `enc::${foreign}`, 'enc:old:']) {
            expect(() => open(text, PLACE)).toThrow(expect.objectContaining({ code: 'ENCRYPTION_KEY_MISSING' }));
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
