import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Markup, escapeHtml, markup } from '../../src/domain/index.js';

describe('markup', () => {
  it('escapes every text, and leaves its own markup as it is', () => {
    const hostile = `"><script>alert('1 & 2')</script>`;
    expect(markup`<a title="${hostile}">${hostile} ${7}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1 &amp; 2&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;1 &amp; 2&#39;)&lt;/script&gt; 7</a>',
    );
    expect(markup`<ul>${['<a>', '<b>'].map((item) => markup`<li>${item}</li>`)}</ul>`.text).toBe(
      '<ul><li>&lt;a&gt;</li>\n<li>&lt;b&gt;</li></ul>',
    );
    expect(markup`<style>${new Markup('a > b {}')}</style>${[]}`.text).toBe('<style>a > b {}</style>');
  });

  it('lets no text end a tag, an attribute or an entity', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '#', ';') }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
        const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
        expect(escaped.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => entities[one as keyof typeof entities])).toBe(
          text,
        );
      }),
    );
  });
});
