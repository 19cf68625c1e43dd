import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newPassword } from './contract.ts';
import { SAMPLE_PASSWORD } from './passwords.ts';

// Proves SEC-18
it.each([
  'aaaaaaaa',
  'abababab',
  'aababbab',
  'AbAbAbAb',
  'abcabcab',
  '12341234',
  'Ab1!aB1!Ab1!',
  '😀😀😀😀😀😀😀😀',
  'openslot',
  'OpenSlot',
  'openslot2026',
  '!!openslot_1',
  'openslot-openslot',
  'ｏｐｅｎｓｌｏｔ',
  SAMPLE_PASSWORD,
  'Openslot-Sample',
  'Summer2026',
  'summer-2026!',
  '2026Summer',
  'Welcome 1999',
  'Sommerzeit2027',
  'Čokoláda2026',
  'Ｓｕｍｍｅｒ２０２６',
])('a new password may not be %s', (password) => {
  expect(newPassword.safeParse(password).success).toBe(false);
});

// Proves SEC-18
it.each([
  'correct horse battery',
  'eight-8c',
  'abcdeabcde',
  'aaaaaaaabc',
  'my openslot account',
  'openslots',
  'correcthorsebattery2026',
  'summer of 2026',
  'summer92026',
  'kitten-42',
])('a new password may be %s', (password) => {
  expect(newPassword.safeParse(password).success).toBe(true);
});

// Proves SEC-18
it('a new password may be none that the README or the documents print as one', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const documents = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const files = ['README.md', 'CONTRIBUTING.md', ...documents.map((name) => `docs/${name}`)];
  const printed = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/password[^.|\n]{0,40} is `([^`]+)`/gi)].map(
      ([, password]) => password,
    ),
  );
  expect(printed).toContain(SAMPLE_PASSWORD);
  for (const password of printed) expect(newPassword.safeParse(password).success).toBe(false);
});
