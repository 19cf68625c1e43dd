/** Finds the proxies that deploy/ has an example for: the system's program, else Debian's package in .cache. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');

/** `packages` are those of Debian that hold the program and the libraries that other packages seldom bring. */
const PROXIES = {
  nginx: { packages: ['nginx'], file: 'usr/sbin/nginx', version: '-v' },
  haproxy: {
    packages: ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
    file: 'usr/sbin/haproxy',
    version: '-v',
  },
  caddy: { packages: ['caddy'], file: 'usr/bin/caddy', version: 'version' },
} as const;
export type ProxyName = keyof typeof PROXIES;

/** The packages that `npm test` downloads (scripts/test-programs.ts). */
export const PROXY_PROGRAMS = (Object.keys(PROXIES) as ProxyName[]).map((name) => ({
  name,
  packages: PROXIES[name].packages,
  cache: cacheOf(name),
  advice: `NOT RUN: no ${name} here. Install it (Debian: apt-get install ${name})`,
}));

/** `env` is the environment in which the program finds its libraries. */
export type ProxyProgram = { program: string; env: NodeJS.ProcessEnv };

export async function searchProxy(name: ProxyName): Promise<ProxyProgram | null> {
  const { file, version } = PROXIES[name];
  const unpacked = {
    program: path.join(cacheOf(name), file),
    env: { ...process.env, LD_LIBRARY_PATH: librariesOf(name) },
  };
  for (const found of [{ program: `/${file}`, env: process.env }, unpacked]) {
    const starts = await run(found.program, [version], { env: found.env, timeout: 60_000 }).then(
      () => true,
      () => false,
    );
    if (starts) return found;
  }
  return null;
}

/**
 * Returns the program, or null. `note` is for the title of a test that cannot run without it. On CI this function throws
 * instead, because a skipped test would go unnoticed there.
 */
export async function proxyIsHere(name: ProxyName): Promise<{ found: ProxyProgram | null; note: string }> {
  const found = await searchProxy(name);
  const advice = PROXY_PROGRAMS.find((each) => each.name === name)!.advice;
  if (found === null && process.env['CI']) throw new Error(advice);
  return { found, note: found === null ? ` (${advice})` : '' };
}

function cacheOf(name: ProxyName): string {
  return path.join(ROOT, '.cache', name);
}

/** Debian keeps libraries in a folder that is named after the machine, such as usr/lib/x86_64-linux-gnu. */
function librariesOf(name: ProxyName): string {
  const folder = path.join(cacheOf(name), 'usr/lib');
  try {
    return readdirSync(folder)
      .map((each) => path.join(folder, each))
      .join(':');
  } catch {
    return '';
  }
}
