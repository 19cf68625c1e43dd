/**
 * `npm test`: everything that must hold, each part with its time; ends with the line `N passed, N failed`.
 * `npm test -- server/ads` runs only the tests below that path.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { isNewEnough, root, run, runOnNode } from './node.mjs';

const results = path.join(root, '.cache', 'test-results.json');

/** @type {[title: string, work: () => Promise<boolean>][]} */
const checks = [
  ['Types', tool('tsc', '-b')],
  ['Lint', tool('oxlint')],
  ['Format', tool('oxfmt', '--check')],
  ['Unused code', tool('knip')],
  ['Types of the tables', script('scripts/tables.mjs', '--check')],
  ['Proven requirements', script('scripts/coverage.mjs', '--check')],
  ['Build', async () => await build().then(() => true)],
];

const counts = { passed: 0, failed: 0 };

if (isNewEnough()) await main(process.argv.slice(2));
else process.exitCode = await runOnNode('scripts/test.mjs', process.argv.slice(2));

/** @param {string[]} paths */
async function main(paths) {
  const failures = [];
  for (const [title, work] of paths.length > 0 ? [] : checks) {
    if (await timed(title, work)) counts.passed += 1;
    else failures.push(title);
  }
  counts.failed += failures.length;
  if (!(await timed('Tests', async () => await vitest(paths)))) failures.push('Tests');
  if (failures.length > 0) console.log(`\nNot in order: ${failures.join(', ')}`);
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

/**
 * Runs the tests and adds their numbers to the counts.
 * @param {string[]} paths
 */
async function vitest(paths) {
  mkdirSync(path.dirname(results), { recursive: true });
  rmSync(results, { force: true });
  const cli = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const code = await runOnNode(cli, ['run', ...reporters, ...paths]);
  const { numPassedTests, numFailedTests } = readResults();
  counts.passed += numPassedTests;
  // A file that could not be loaded, an unhandled error and an empty run fail without a failed test.
  const unseen = (code !== 0 && numFailedTests === 0) || numPassedTests + numFailedTests === 0;
  counts.failed += numFailedTests + (unseen ? 1 : 0);
  await stopLeftOvers();
  return code === 0 && !unseen;
}

/** @returns {{ numPassedTests: number; numFailedTests: number }} */
function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}

/** A test run that was killed leaves its database running; the last one out turns off the light. */
async function stopLeftOvers() {
  const { stopForgottenTestServer } = await import('../server/testing/postgres.ts');
  await stopForgottenTestServer();
}

/**
 * @param {string} title
 * @param {() => Promise<boolean>} work
 */
async function timed(title, work) {
  console.log(`\n== ${title}`);
  const from = Date.now();
  const ok = await work().catch((error) => {
    console.error(error);
    return false;
  });
  console.log(
    `== ${title}: ${ok ? 'in order' : 'NOT in order'} (${((Date.now() - from) / 1000).toFixed(1)} s)`,
  );
  return ok;
}

/**
 * A program of node_modules/.bin.
 * @param {string} name
 * @param {string[]} args
 */
function tool(name, ...args) {
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  return async () => (await run(path.join(root, 'node_modules', '.bin', `${name}${suffix}`), args)) === 0;
}

/**
 * @param {string} file
 * @param {string[]} args
 */
function script(file, ...args) {
  return async () => (await runOnNode(file, args)) === 0;
}
