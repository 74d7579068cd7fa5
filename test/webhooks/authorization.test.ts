import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/contract/index.js';
import { isAuthorized } from '../../src/webhooks/verify-sender.js';

describe('the Authorization of a notification', () => {
  it.each([
    ['a bare token', 'abc', 'Bearer abc'],
    ['a token written with Bearer', 'Bearer abc', 'Bearer abc'],
    ['a token written with Basic', 'Basic dXNlcjpwYXNz', 'Basic dXNlcjpwYXNz'],
    ['a bare token that came bare', 'abc', 'abc'],
    ['a scheme in another case', 'Bearer abc', 'bearer abc'],
    ['a token written with Bearer, before which the gateway put another', 'Bearer abc', 'Bearer Bearer abc'],
    ['a token with spaces inside', 'a b c', 'Bearer a b c'],
  ])('is accepted for %s', (_, token, header) => {
    expect(isAuthorized(header, [new Secret(token)])).toBe(true);
  });

  it.each([
    ['another token', 'abc', 'Bearer abd'],
    ['a beginning of the token', 'abc', 'Bearer ab'],
    ['the other scheme', 'abc', 'Basic abc'],
    ['no header', 'abc', undefined],
    ['an empty header', 'abc', ''],
    ['the case of the token', 'abc', 'Bearer ABC'],
  ])('is refused for %s', (_, token, header) => {
    expect(isAuthorized(header, [new Secret(token)])).toBe(false);
  });

  it('is accepted for each of several tokens while one is being replaced', () => {
    const tokens = [new Secret('old'), new Secret('new')];

    expect(['Bearer old', 'Bearer new', 'Bearer other'].map((header) => isAuthorized(header, tokens))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
