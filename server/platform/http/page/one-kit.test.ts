import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SERVER = path.resolve(import.meta.dirname, '../../..');

/** The folders and files with markup or a style of their own. */
const OTHERS: Readonly<Record<string, string>> = {
  'platform/http/page/': 'the kit',
  'platform/http/web-app/': 'documents of the web application, which its build has made',
  'platform/brand/': 'the colors of both',
  'notify/layout.ts': 'mails',
  'money/documents/page.ts': 'a document prints like its PDF',
  'delivery/formats/': 'the frame of an ad on the page of a publisher',
  'testing/': 'tests',
};

/** A document, a style sheet, a style attribute, or a rule of CSS as it is written in one line. */
const STYLE =
  /<html(?!')|<style>(?![`(])|\sstyle="|[}\n`'][^\n{}]*\{(?:-{0,2}[a-z]+(?:-[a-z]+)*):[^\s{}][^{}\n]*\}/;

it('the pages of the server have no style outside of the kit', () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /(?<!\.test)\.(?:ts|css|html)$/.test(file));
  const inFile = (file: string) => STYLE.exec(readFileSync(path.join(SERVER, file), 'utf8'))?.[0];
  const found = files
    .filter((file) => !Object.keys(OTHERS).some((other) => file.startsWith(other)))
    .flatMap((file) => inFile(file) ?? []);
  expect(found).toEqual([]);
  // The search finds what it looks for.
  for (const other of [
    'platform/http/page/style.ts',
    'platform/http/page/page.ts',
    'notify/layout.ts',
    'money/documents/page.ts',
  ])
    expect([other, inFile(other)]).toEqual([other, expect.any(String)]);
});
