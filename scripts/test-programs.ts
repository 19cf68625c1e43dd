/**
 * Gets the programs that the tests need and npm cannot give: a Chromium where npm's does not start, a nats-server,
 * Prometheus' promtool, libfaketime, the proxies of deploy/, the PostgreSQL of the release before, and programs of other
 * authors that read our books and documents.
 * `npm test` calls this first. Nothing is downloaded when the programs are there already, and no test downloads anything.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchFormer } from '../server/platform/database/embedded/former-programs.ts';
import { FAKETIME_ADVICE, FAKETIME_CACHE, searchFaketime } from '../server/testing/programs/faketime.ts';
import { FORMER_ADVICE, FORMER_CACHE, FORMER_MAJOR } from '../server/testing/programs/former-postgres.ts';
import { NATS_ADVICE, NATS_CACHE, searchNatsServer } from '../extensions/nats/testing/nats-server.ts';
import { PROMTOOL_ADVICE, PROMTOOL_CACHE, searchPromtool } from '../server/testing/programs/promtool.ts';
import { PROXY_PROGRAMS, searchProxy } from '../server/testing/programs/proxies.ts';
import { missingReaders } from '../server/testing/programs/readers.ts';
import { findBrowser } from './browser.ts';
import { step } from './progress.mjs';

const run = promisify(execFile);
const hasApt = existsSync('/usr/bin/apt-get');
const isRoot = process.getuid?.() === 0;

/** Fetches the programs that are missing. Returns a sentence for each that it could not get, with what to do. */
export async function getTestPrograms(): Promise<string[]> {
  const proxies: (string | null)[] = [];
  for (const { name, packages, cache, advice } of PROXY_PROGRAMS)
    proxies.push(
      await getFromDebian(name, cache, async () => (await searchProxy(name)) && name, advice, packages),
    );
  return [
    await getBrowser(),
    await getFromDebian('nats-server', NATS_CACHE, searchNatsServer, NATS_ADVICE),
    await getFromDebian('libfaketime', FAKETIME_CACHE, async () => searchFaketime(), FAKETIME_ADVICE),
    await getFromDebian('prometheus', PROMTOOL_CACHE, searchPromtool, PROMTOOL_ADVICE),
    await getFormerPostgres(),
    await getReaders(),
    ...proxies,
  ].filter((sentence) => sentence !== null);
}

async function getBrowser(): Promise<string | null> {
  const missing = async () =>
    await findBrowser().then(
      () => null,
      (error: Error) => error.message,
    );
  const sentence = await missing();
  if (sentence === null || !hasApt || !isRoot) return sentence;
  await installFromDebian('chromium');
  return await missing();
}

/** They need many libraries, so they are installed and not only unpacked. */
async function getReaders(): Promise<string | null> {
  const missing = await missingReaders();
  if (missing.length > 0 && hasApt && isRoot) await installFromDebian(...missing);
  const left = await missingReaders();
  return left.length === 0 ? null : `NOT RUN: some tests of books and documents. Install ${left.join(', ')}`;
}

async function installFromDebian(...packages: string[]): Promise<void> {
  await step(`Installing Debian’s ${packages.join(', ')} (once; about a minute)`, async () => {
    await tolerant(async () => {
      await apt('update');
      await apt('install', '-y', '--no-install-recommends', ...packages);
    });
  });
}

/** As `openslot database move` does. */
async function getFormerPostgres(): Promise<string | null> {
  if (!existsSync(FORMER_CACHE))
    await step(`Downloading PostgreSQL ${FORMER_MAJOR} (once)`, async () => {
      await mkdir(path.dirname(FORMER_CACHE), { recursive: true });
      await tolerant(async () => await fetchFormer(FORMER_MAJOR, FORMER_CACHE));
    });
  return existsSync(FORMER_CACHE) ? null : FORMER_ADVICE;
}

/** Unpacks Debian's packages without installing them, so that the machine stays as it is and no service starts. */
async function getFromDebian(
  name: string,
  cache: string,
  search: () => Promise<string | null>,
  advice: string,
  packages: readonly string[] = [name],
): Promise<string | null> {
  const missing = async () =>
    await search().then(
      (program) => (program === null ? advice : null),
      (error: Error) => error.message,
    );
  const sentence = await missing();
  if (sentence === null || !hasApt) return sentence;
  await step(`Downloading Debian’s ${name} (once)`, async () => {
    const draft = `${cache}.${process.pid}`;
    await mkdir(draft, { recursive: true, mode: 0o755 });
    const download = async () => await run('apt-get', ['-q', 'download', ...packages], { cwd: draft });
    await tolerant(async () => {
      await download().catch(async () => {
        // A new machine has no lists of packages yet. Only root may fetch them.
        await apt('update');
        await download();
      });
      await run(
        '/bin/sh',
        ['-c', 'for package in ./*.deb; do dpkg -x $package . || exit 1; done; rm ./*.deb'],
        { cwd: draft },
      );
      await rename(draft, cache);
    });
    await rm(draft, { recursive: true, force: true });
  });
  return await missing();
}

async function apt(...args: string[]): Promise<void> {
  await run('apt-get', ['-q', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Prints a failure and continues. The caller checks whether the program is there now. */
async function tolerant(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(`  ${error instanceof Error ? error.message : String(error)}`);
  }
}
