import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('no text names the days of a silent tag or of an unfinished campaign by hand', () => {
  const files = globSync('{domain,server,web}/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
  const byHand = /\b(?:72 hours|(?:for|after) 14 days|(?:within|in) 90 days)\b/i;
  const code = (file: string) => readFileSync(file, 'utf8').replaceAll(/^\s*(?:\*|\/\*|\/\/).*$/gm, '');
  expect(files.filter((file) => byHand.test(code(file)))).toEqual([]);
});
