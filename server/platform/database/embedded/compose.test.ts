/** The database and the network of deploy/compose.yaml. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { chooseLocation } from './account.ts';
import { findPrograms } from './programs.ts';
import { findVersionFault } from '../servers/writable.ts';

const compose = readFileSync(new URL('../../../../deploy/compose.yaml', import.meta.url), 'utf8');

const valueOf = (pattern: RegExp): string => pattern.exec(compose)?.[1] ?? '';

it('the image of the database is of one minor version, which does not have the fault of PostgreSQL 18', () => {
  const version = valueOf(/^ {4}image: docker\.io\/library\/postgres:(\d+\.\d+)-[a-z]+$/m);
  const [major, minor] = version.split('.').map(Number);
  expect([version, findVersionFault(major! * 10_000 + minor!)]).toEqual([expect.stringMatching(/./), null]);
});

it('the database gets the builtin collation, by arguments that initdb takes', () => {
  const folder = newTemporaryFolder('compose');
  const { account, copies } = chooseLocation(folder, () => {});
  const { uid, gid } = account.ids;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  chmodSync(folder, 0o755);
  const { initdb, postgres } = findPrograms(account, copies);
  const data = path.join(folder, 'compose');
  const options = { ...account.ids, cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  const args = valueOf(/POSTGRES_INITDB_ARGS: (.+)/).split(' ');
  execFileSync(initdb, ['-D', data, '-U', 'openslot', ...args], options);
  const answer = execFileSync(postgres, ['--single', '-D', data, 'postgres'], {
    ...options,
    input: 'select datlocprovider, datlocale, encoding from pg_database where datname = current_database()\n',
  });
  removeFolder(folder);
  expect(answer).toMatch(/datlocprovider = "b"[^]*datlocale = "C\.UTF-8"[^]*encoding = "6"/);
});

it('visitors with IPv6 reach Caddy by IPv6, and the server trusts each address of Caddy', () => {
  const addresses = [valueOf(/ipv4_address: ([\d.]+)/), valueOf(/ipv6_address: '([\da-f:]+)'/)];
  expect(compose).toMatch(/^ {2}inside:\n(?: {4}.*\n)* {4}enable_ipv6: true$/m);
  expect(valueOf(/TRUSTED_PROXIES: (.+)/).split(',')).toEqual(addresses);
  expect(addresses).not.toContain('');
});
