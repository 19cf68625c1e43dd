/**
 * Finds a Chromium for the browser tests. Each step is accepted only if the program really starts:
 * CHROME_PATH -> the Chromium of npm's @sparticuz/chromium -> the system's. Nothing is downloaded here; `npm test`
 * installs Debian's package beforehand if no step finds one (scripts/test-programs.ts).
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';

export interface FoundBrowser {
  executablePath: string;
  /** Environment variables that this program needs in addition to ours. */
  env: Record<string, string>;
  /** The step of the ladder that found it. */
  from: string;
}

const root = path.resolve(import.meta.dirname, '..');
const decompress = promisify(brotliDecompress);

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const advice =
  'No Chromium could be started. Set CHROME_PATH to a Chrome or Chromium, or install one (Debian: apt-get install chromium).';

let found: Promise<FoundBrowser> | undefined;

/** The first browser of the ladder that starts. Throws with advice if there is none. */
export async function findBrowser(): Promise<FoundBrowser> {
  // After a failure, the next call searches again, because a browser may have been installed in between.
  found ??= search().catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return await found;
}

/** A headless browser. The caller closes it. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return await chromium.launch(await launchOptions(options));
}

/** How the Chromium that was found is started. */
export async function launchOptions(options: LaunchOptions = {}): Promise<LaunchOptions> {
  const browser = await findBrowser();
  return {
    ...options,
    executablePath: browser.executablePath,
    env: { ...ownEnvironment(), ...browser.env },
    // Playwright never lets Chromium use /dev/shm.
    ignoreDefaultArgs: (await hasSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
    args: [
      // Containers and root have no user namespaces for the sandbox. The tests load only our own pages.
      '--no-sandbox',
      '--disable-gpu',
      // Turn off update checks, field trials and field reports, which would use the network.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-default-apps',
      '--disable-sync',
      '--no-first-run',
      '--no-default-browser-check',
      // Every frame is drawn in software and copied to this process. A thread needs less time for it than a process.
      '--in-process-gpu',
      '--autoplay-policy=no-user-gesture-required',
      // An ad may only lead to a public host, so the advertiser's page of a test needs a name of its own.
      '--host-resolver-rules=MAP advertiser.test 127.0.0.1',
      ...(options.args ?? []),
    ],
  };
}

/**
 * Whether /dev/shm has room for the pixels of many pages. It is 64 MB in many containers, and Chromium crashes when it is
 * full. Without it, Chromium shares files in the folder for temporary files, which costs more processor time.
 */
async function hasSharedMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= 2 ** 30;
}

async function search(): Promise<FoundBrowser> {
  const named = process.env['CHROME_PATH'];
  if (named) {
    const browser = { executablePath: named, env: {}, from: 'CHROME_PATH' };
    if (await starts(browser)) return browser;
    throw new Error(
      `CHROME_PATH is ${named}, which does not start. Set it to a Chrome or Chromium that starts, or unset it.`,
    );
  }
  for (const browser of await fromNpm()) if (await starts(browser)) return browser;
  const system = await fromSystem();
  if (system) return system;
  throw new Error(advice);
}

async function fromSystem(): Promise<FoundBrowser | undefined> {
  for (const executablePath of systemBrowsers) {
    const browser = { executablePath, env: {}, from: executablePath };
    if (existsSync(executablePath) && (await starts(browser))) return browser;
  }
  return undefined;
}

/**
 * The package's own executablePath() is never called, because it takes any Chromium that it finds in the folder for
 * temporary files, also an old one or that of another user. Its pages crash without fonts, hence fonts.conf. Its NSS is
 * used only where the system has none.
 */
async function fromNpm(): Promise<FoundBrowser[]> {
  const home = path.join(root, 'node_modules/@sparticuz/chromium');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(home)) return [];
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as {
    version: string;
  };
  const dir = path.join(root, '.cache', `chromium-${version}`);
  if (!existsSync(dir)) await unpack(path.join(home, 'bin'), dir);
  const plain = {
    executablePath: path.join(dir, 'chromium'),
    env: { FONTCONFIG_PATH: path.join(dir, 'fontconfig') },
    from: '@sparticuz/chromium',
  };
  const withNss = {
    ...plain,
    env: { ...plain.env, LD_LIBRARY_PATH: path.join(dir, 'nss', 'lib') },
    from: '@sparticuz/chromium with its NSS',
  };
  return [plain, withNss];
}

async function unpack(archives: string, dir: string): Promise<void> {
  const unfinished = `${dir}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const read = async (name: string) => await decompress(await readFile(path.join(archives, name)));
  await writeFile(path.join(unfinished, 'chromium'), await read('chromium.br'), { mode: 0o755 });
  await untar(await read('swiftshader.tar.br'), unfinished);
  await untar(await read('al2023.tar.br'), path.join(unfinished, 'nss'));
  await untar(await read('fonts.tar.br'), path.join(unfinished, 'fontconfig'));
  // The fonts are named from this file on. Otherwise a checkout that is moved or copied would lose them, and every text
  // would get another width.
  await writeFile(
    path.join(unfinished, 'fontconfig', 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir>` +
      `<dir prefix="relative">fonts</dir><cachedir>${path.join(dir, 'font-cache')}</cachedir></fontconfig>`,
  );
  try {
    await rename(unfinished, dir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another test process may have unpacked the same files at the same moment. Use those.
    if (!existsSync(dir)) throw error;
  }
}

async function untar(archive: Buffer, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await new Promise<void>((resolve, reject) => {
    const tar = spawn('tar', ['-x', '-f', '-', '-C', into, '--no-same-owner'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    tar.on('error', reject);
    tar.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`))));
    tar.stdin.end(archive);
  });
}

async function starts(browser: FoundBrowser): Promise<boolean> {
  const env = { ...ownEnvironment(), ...browser.env };
  return await new Promise((resolve) => {
    execFile(
      browser.executablePath,
      ['--version', '--no-sandbox'],
      { env, timeout: 60_000 },
      (error, stdout) => {
        resolve(error === null && /Chrom/.test(stdout));
      },
    );
  });
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
