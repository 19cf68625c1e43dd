/**
 * Installs the packages of package-lock.json before `npm start` and, with `--tests`, before `npm test`, which also needs the
 * development packages. It prints nothing if all are installed. It runs on Node 20 or newer and uses only Node's built-in
 * modules.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNode, root, wantedMajor } from './node.mjs';
import { step } from './progress.mjs';

const modules = path.join(root, 'node_modules');
const stampWithTests = path.join(modules, '.openslot-install-tests');
/** `npm start` keeps the development packages of a checkout that has run the tests. */
const withTests = process.argv.includes('--tests') || existsSync(stampWithTests);
const stamp = withTests ? stampWithTests : path.join(modules, '.openslot-install');

try {
  await install();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function install() {
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
  if (installed === wanted && existsSync(path.join(modules, '.package-lock.json'))) return;
  const { packages } = JSON.parse(lock);
  if (!isInstalled(packages, withTests))
    // A server may be running on the packages of `npm start`. Leave them in their places, and add those of the tests.
    await step(
      `Installing packages (once, about ${withTests ? 30 : 20} s)`,
      async () => await npm(withTests && isInstalled(packages, false) ? ['install', '--no-save'] : ['ci']),
    );
  checkNode();
  writeFileSync(stamp, wanted);
}

/**
 * Whether every needed package of the lock file is installed in its version, such as by a manual `npm install`. npm stores
 * that list in node_modules. Optional packages for other platforms may be missing.
 * @param {Packages} wanted
 * @param {boolean} withTests
 * @typedef {Record<string, { version?: string; optional?: boolean; dev?: boolean }>} Packages
 */
function isInstalled(wanted, withTests) {
  const list = path.join(modules, '.package-lock.json');
  if (!existsSync(list)) return false;
  /** @type {{ packages: Packages }} */
  const present = JSON.parse(readFileSync(list, 'utf8'));
  return Object.entries(wanted).every(([place, { version, optional, dev }]) => {
    if (place === '' || (dev && !withTests)) return true;
    const found = present.packages[place];
    return found === undefined
      ? optional === true
      : found.version === version && existsSync(path.join(root, place));
  });
}

/** @param {string[]} command */
async function npm(command) {
  // Leave out the Node in node_modules, because npm removes it.
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((place) => !place.startsWith(modules))
    .join(path.delimiter);
  const npmPath = process.env['npm_execpath'];
  // The setting or NODE_ENV of this machine must not decide which packages are installed.
  const set = [withTests ? '--include=dev' : '--omit=dev', '--include=optional'];
  const args = [...command, ...set, '--no-audit', '--no-fund', '--loglevel=error'];
  const [program, given] = npmPath?.endsWith('.js') ? ['node', [npmPath, ...args]] : ['npm', args];
  const child = spawn(program, given, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', resolve);
  });
  if (code !== 0) {
    throw new Error(
      `${output}\nInstalling the packages failed: npm ${command[0]} ended with ${code}. Check the output above and try again.`,
    );
  }
}

function checkNode() {
  const node = findNode();
  const version = node && spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (version && Number(version.slice(1).split('.')[0]) >= wantedMajor) return;
  throw new Error(
    `Openslot needs Node ${wantedMajor} or newer. Its package for ${process.platform}-${process.arch} ` +
      `${node ? `does not run here (${node})` : 'was not installed (npm may be set to omit optional packages)'}. ` +
      `You are running ${process.version}. Install Node ${wantedMajor} from nodejs.org and try again.`,
  );
}
