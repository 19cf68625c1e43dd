/**
 * Makes node_modules what package-lock.json says, before `npm start` and `npm test`. Quiet when it is already so.
 * Runs on the Node a machine happens to have (20 or newer), with Node built-ins only.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNode, root, wantedMajor } from './node.mjs';
import { step } from './progress.mjs';

const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.openslot-install');

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
  if (!holds(JSON.parse(lock))) await step('Installing packages (once; about half a minute)', npmCi);
  checkNode();
  writeFileSync(stamp, wanted);
}

/**
 * Whether every package of the lock file is there in its version, as after somebody's own `npm install`. npm keeps
 * such a list itself. Packages for other platforms are absent by design.
 * @param {Lock} lock
 * @typedef {{ packages: Record<string, { version?: string; optional?: boolean }> }} Lock
 */
function holds(lock) {
  const list = path.join(modules, '.package-lock.json');
  if (!existsSync(list)) return false;
  /** @type {Lock} */
  const present = JSON.parse(readFileSync(list, 'utf8'));
  return Object.entries(lock.packages).every(([place, { version, optional }]) => {
    if (place === '') return true;
    const found = present.packages[place];
    return found === undefined
      ? optional === true
      : found.version === version && existsSync(path.join(root, place));
  });
}

async function npmCi() {
  // Not the Node in node_modules: npm is about to remove it.
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((place) => !place.startsWith(modules))
    .join(path.delimiter);
  const npm = process.env['npm_execpath'];
  // Production is built here too, and NODE_ENV=production would leave out what builds it.
  const all = ['--include=dev', '--include=optional'];
  const args = ['ci', ...all, '--no-audit', '--no-fund', '--loglevel=error'];
  const [program, given] = npm?.endsWith('.js') ? ['node', [npm, ...args]] : ['npm', args];
  const child = spawn(program, given, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', resolve);
  });
  if (code !== 0) throw new Error(`${said}\nThe packages could not be installed: npm ci ended with ${code}.`);
}

function checkNode() {
  const node = findNode();
  const version = node && spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (version && Number(version.slice(1).split('.')[0]) >= wantedMajor) return;
  throw new Error(
    `Openslot needs Node ${wantedMajor} or newer. Its package for ${process.platform}-${process.arch} ` +
      `${node ? `does not run here (${node})` : 'was not installed (npm may be set to omit optional packages)'}. ` +
      `Install Node ${wantedMajor} from nodejs.org and start again; this is ${process.version}.`,
  );
}
