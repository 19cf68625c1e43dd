/**
 * Installs the packages of package-lock.json before `npm start` and, with `--tests`, before `npm test`, which also needs the
 * development packages and those of every extension. Packages of an extension that are installed follow its lock file. It
 * prints nothing if all are installed. It runs on Node 20 or newer and uses only Node's built-in modules.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNode, root, wantedMajor } from './node.mjs';
import { step } from './progress.mjs';

const modules = path.join(root, 'node_modules');
const STAMP = '.openslot-install';
const STAMP_WITH_TESTS = '.openslot-install-tests';
/** `npm start` keeps the development packages of a checkout that has run the tests. */
const withTests = process.argv.includes('--tests') || existsSync(path.join(modules, STAMP_WITH_TESTS));

try {
  await install(root);
  checkNode();
  for (const folder of extensions()) await install(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** The extensions whose packages are needed: all for tests, else those whose packages are there. */
function extensions() {
  const all = path.join(root, 'extensions');
  return readdirSync(all)
    .map((name) => path.join(all, name))
    .filter((folder) => existsSync(path.join(folder, withTests ? 'package-lock.json' : 'node_modules')));
}

/** @param {string} folder */
async function install(folder) {
  const lock = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
  const installed = path.join(folder, 'node_modules');
  const stamp = path.join(installed, withTests ? STAMP_WITH_TESTS : STAMP);
  const before = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
  if (before === wanted && existsSync(path.join(installed, '.package-lock.json'))) return;
  const { packages } = JSON.parse(lock);
  if (!isInstalled(folder, packages, withTests))
    // A server may be running on the packages of `npm start`. Leave them in their places, and add those of the tests.
    await step(
      `Installing packages${folder === root ? '' : ` of ${path.relative(root, folder)}`} (once, about ${folder !== root ? 5 : withTests ? 30 : 20} s)`,
      async () =>
        await npm(
          folder,
          withTests && isInstalled(folder, packages, false) ? ['install', '--no-save'] : ['ci'],
        ),
    );
  if (existsSync(installed)) writeFileSync(stamp, wanted);
}

/**
 * Whether every needed package of the lock file is installed in its version, such as by a manual `npm install`. npm stores
 * that list in node_modules. Optional packages for other platforms may be missing.
 * @param {string} folder
 * @param {Packages} wanted
 * @param {boolean} withTests
 * @typedef {Record<string, { version?: string; optional?: boolean; dev?: boolean }>} Packages
 */
function isInstalled(folder, wanted, withTests) {
  const list = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  /** @type {{ packages: Packages }} */
  const present = JSON.parse(readFileSync(list, 'utf8'));
  return Object.entries(wanted).every(([place, { version, optional, dev }]) => {
    if (place === '' || (dev && !withTests)) return true;
    const found = present.packages[place];
    return found === undefined
      ? optional === true
      : found.version === version && existsSync(path.join(folder, place));
  });
}

/**
 * @param {string} folder
 * @param {string[]} command
 */
async function npm(folder, command) {
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
    cwd: folder,
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
