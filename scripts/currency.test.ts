/** The marketplace sells in the currency of its settings, so no other code may name one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './node.mjs';

/** The list of currencies, and the smallest charge in each of them. */
const LISTS = /^(?:domain\/money|domain\/payments\/limits|server\/platform\/database\/tables)\.ts$/;

/** Tests and their tools choose a currency. Migrations repeat the list in their constraints. */
const TESTS =
  /\.test\.tsx?$|^(?:web\/testing|server\/testing|server\/platform\/database\/migrations|server\/platform\/provider\/contract)\//;

/** The code or the name of a currency, or an amount with a dollar sign. Parameters of SQL ($1) are no amounts. */
const CURRENCY =
  /\b(?:USD|EUR|GBP|CAD|AUD)\b|\bdollars?\b|'\$'|\$\d+(?:\.\d\d\b| (?:a|per|for)\b)|\$\d\d+(?:['"`<]|\s*$)/im;

/** An amount such as `<b>${price}</b>`, which is text in JSX. */
const IN_JSX = />\s*\$\{/;

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$|(?<=^|\s)--\s.*$/gm, '');
}

// Proves BOOK-06
it('only the list of currencies names one', () => {
  const folders = ['domain', 'server', 'web', 'tag'];
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  const sources = files
    .split('\n')
    .filter((file) => /\.(?:tsx?|sql|html)$/.test(file) && !TESTS.test(file) && !LISTS.test(file));
  expect(sources.length).toBeGreaterThan(100);
  const naming = sources.filter((file) => {
    const code = withoutComments(readFileSync(path.join(root, file), 'utf8'));
    return CURRENCY.test(code) || (file.endsWith('.tsx') && IN_JSX.test(code));
  });
  expect(naming).toEqual([]);
});
