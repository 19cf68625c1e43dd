/** `npm run fraud` must run after `npm start`, which installs no development packages. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './node.mjs';

const { devDependencies, imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
  imports: Record<string, string>;
};

/** The packages that a file needs, directly and through other files. Imports of types are left out. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(file)) return found;
  seen.add(file);
  for (const [, named] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm,
  )) {
    const inside = Object.entries(imports).find(([from]) => named!.startsWith(from.slice(0, -1)));
    if (named!.startsWith('.'))
      for (const each of packagesOf(path.resolve(path.dirname(file), named!), seen)) found.add(each);
    else if (inside)
      for (const each of packagesOf(
        path.join(root, inside[1].replace('*', named!.slice(inside[0].length - 1))),
        seen,
      ))
        found.add(each);
    else found.add(named!);
  }
  return found;
}

// Proves FRAUD-04
it('npm run fraud needs no development package', () => {
  const packages = packagesOf(path.join(root, 'scripts', 'fraud.ts'));
  expect(packages).toContain('kysely');
  expect([...packages].filter((name) => name in devDependencies)).toEqual([]);
});
