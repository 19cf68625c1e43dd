import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, expectTypeOf, it } from 'vitest';
import { html, type Markup, rawText, xml } from './html.ts';
import { renderPage } from './page/page.ts';

const EVIL = `<script>alert('1')</script> & "more"`;
const ESCAPED = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;more&quot;';

// Proves RUN-19
it('a template escapes every string, between tags and in attributes', () => {
  expect(String(html`<p title="${EVIL}">${EVIL}</p>`)).toBe(`<p title="${ESCAPED}">${ESCAPED}</p>`);
  expect(String(xml`<Ad id="${EVIL}">${EVIL}</Ad>`)).toBe(`<Ad id="${ESCAPED}">${ESCAPED}</Ad>`);
  // Markup that was turned into a string is escaped like any other string.
  expect(String(html`${String(html`<b>1</b>`)}`)).toBe('&lt;b&gt;1&lt;/b&gt;');
});

it('keeps markup, joins lists of any depth, and writes nothing for an absent part', () => {
  const item = (name: string) => html`<li>${name}</li>`;
  expect(String(html`<ol>${['a', '&'].map(item)}</ol>`)).toBe('<ol><li>a</li><li>&amp;</li></ol>');
  expect(String(html`${[[item('a'), ['<']], 1]}`)).toBe('<li>a</li>&lt;1');
  expect(String(html`[${null}${undefined}${false}${[]}${''}${0}]`)).toBe('[0]');
  expect(String(html``)).toBe('');
});

it('XML loses the characters that it cannot hold; HTML keeps them', () => {
  expect(String(xml`${'a\0\u000b\ufffe\ud800b\t🙂'}`)).toBe('ab\t🙂');
  expect(String(html`${'a\u000bb'}`)).toBe('a\u000bb');
});

it('raw text is for styles and scripts, and cannot end them', () => {
  const style = 'a>b{content:"&"}';
  expect(String(html`<style>${rawText(style)}</style>`)).toBe(`<style>${style}</style>`);
  for (const text of ['</style>', '<!--']) expect(() => rawText(text)).toThrow('cannot hold');
});

it('a page takes finished markup only, and a template no value that has no text', () => {
  expectTypeOf<string>().not.toExtend<Markup>();
  expectTypeOf<{ toString: () => string }>().not.toExtend<Markup>();
  expectTypeOf<Parameters<typeof renderPage>[0]['main']>().toEqualTypeOf<Markup>();
  type Value = Parameters<typeof html>[1];
  expectTypeOf<object>().not.toExtend<Value>();
  expectTypeOf<true>().not.toExtend<Value>();
  expectTypeOf<Promise<Markup>>().not.toExtend<Value>();
});

// A value outside of quotes could begin another attribute with a space, which needs no escaping.
// Proves RUN-19
it('no template has an attribute without quotes, and raw text stands in styles and scripts alone', () => {
  const server = path.resolve(import.meta.dirname, '../..');
  const wrong = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(server, file), 'utf8');
      const unquoted = /\b(html|xml)`/.test(text) ? (text.match(/<[^<>`]*\s[\w-]+=\$\{/g) ?? []) : [];
      const raw = text.match(/(?<!<(style|script)>\$\{)\brawText\((?!text)/g) ?? [];
      return [...unquoted, ...raw].map((found) => `${file}: ${found}`);
    });
  expect(wrong).toEqual([]);
});
