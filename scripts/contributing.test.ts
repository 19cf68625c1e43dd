/** The files that CONTRIBUTING.md names. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './node.mjs';

const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The files and folders in backticks, such as `server/ads/store.ts` or `server/delivery/traffic/`. */
const pathsIn = (part: string) =>
  [...part.matchAll(/`((?:domain|server|web|tag|scripts|e2e|docs)\/[^`*\s]+)`/g)].map(([, file]) =>
    String(file),
  );

it('CONTRIBUTING names files that exist', () => {
  const paths = pathsIn(text);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

it.each(['a view is counted', 'a card is charged and refunded', 'an operator suspends a website'])(
  'CONTRIBUTING follows the path "%s" from file to file',
  (name) => {
    const part = text.split(/^## /m).find((each) => each.split('\n', 1)[0]?.toLowerCase().includes(name));
    expect(new Set(pathsIn(part ?? '')).size).toBeGreaterThanOrEqual(5);
  },
);
