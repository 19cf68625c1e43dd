/**
 * `npm test`: everything that an ordinary change can break; ends with the line `N passed, N failed`. The static checks run
 * beside the tests, which wait about half of their time.
 * `npm test -- server/ads` runs only the tests below that path, and `npm test -- --changed` those of files that import a
 * changed one.
 * `npm run test:long`: what takes long by nature. Processes are killed in the middle, clones, packages and upgrades are made,
 * NATS and S3 run, and generated tests have their full length.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findNode, isNewEnough, nodeEnvironment, programOf, root, runOnNode } from './node.mjs';

/** Where vitest.config.ts has the results written. */
const results = path.join(root, '.cache', 'test-results.json');

/**
 * @typedef {[title: string, program: string, ...args: string[]]} Check
 * @type {Check[]}
 */
const checks = [
  // Several checkers repeat a part of each other's work, which takes half as much processor time again.
  ['Types', programOf('tsc'), '-b', '--checkers', '1'],
  ['Lint', programOf('oxlint')],
  ['Format', programOf('oxfmt'), '--check'],
  ['Unused code', programOf('knip')],
  ['Types of the tables', findNode() ?? '', 'scripts/tables.mjs', '--check'],
  ['Proven requirements', findNode() ?? '', 'scripts/coverage.mjs', '--check'],
];

const LONG = '--long';

if (isNewEnough()) await main(process.argv.slice(2));
else process.exitCode = await runOnNode('scripts/test.mjs', process.argv.slice(2));

/** @param {string[]} argv */
async function main(argv) {
  const isLong = argv.includes(LONG);
  const given = argv.filter((each) => each !== LONG);
  const { getTestPrograms } = await import('./test-programs.ts');
  const missing = await getTestPrograms();
  for (const sentence of missing) console.log(sentence);

  const checksToRun = isLong || given.length > 0 ? [] : checks;
  const [failedChecks, tests] = await Promise.all([
    runChecks(checksToRun),
    runTests([...(isLong ? ['--mode', 'long'] : []), ...given]),
  ]);

  const passed = tests.passed + checksToRun.length - failedChecks.length;
  // The suites of a missing program do not run. On CI, that would go unnoticed if it were not a failure.
  const failed = tests.failed + failedChecks.length + (process.env['CI'] ? missing.length : 0);
  const failures = [
    ...failedChecks.map(({ title, output }) => `== ${title}: NOT in order\n${output}`),
    ...tests.failures,
    ...missing,
  ].map((each) => `\n${each}\n`);
  const summary = `${failures.join('')}\n${passed} passed, ${failed} failed`;
  console.log(summary);
  writeFileSync(path.join(root, '.cache', isLong ? 'summary-long.txt' : 'summary.txt'), `${summary}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/**
 * Runs the checks one after the other, beside the tests.
 * @param {Check[]} some
 * @returns {Promise<{ title: string; output: string }[]>} those that failed
 */
async function runChecks(some) {
  const failures = [];
  for (const [title, program, ...args] of some) {
    const from = Date.now();
    const { code, output } = await runQuietly(program, args);
    const seconds = ((Date.now() - from) / 1000).toFixed(1);
    console.log(`== ${title}: ${code === 0 ? 'in order' : 'NOT in order'} (${seconds} s)`);
    if (code === 0) continue;
    console.log(output);
    failures.push({ title, output });
  }
  return failures;
}

/**
 * Runs a program at a low priority and keeps what it prints.
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ code: number; output: string }>}
 */
async function runQuietly(program, args) {
  const child = spawn(program, args, {
    cwd: root,
    // The compiler and the linter's rules about types are Go programs. Collecting garbage less often saves a quarter of their
    // processor time, for 400 MB of memory.
    env: { ...nodeEnvironment(), GOGC: '400' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: program.endsWith('.cmd'),
  });
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const end = () => child.kill('SIGTERM');
  process.on('SIGTERM', end);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
  process.off('SIGTERM', end);
  return { code, output };
}

/**
 * @param {string[]} args
 * @returns {Promise<{ passed: number; failed: number; failures: string[] }>} with the failed tests in words
 */
async function runTests(args) {
  rmSync(results, { force: true });
  const code = await runOnNode(path.join(root, 'node_modules', 'vitest', 'vitest.mjs'), ['run', ...args]);
  await stopLeftOvers();
  const { numPassedTests, numFailedTests, testResults } = readResults();
  printSlowest(testResults);
  // A file without a failed test failed because it could not be loaded, or because a hook failed.
  const failedFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = numFailedTests + failedFiles.length;
  // An unhandled error and an empty run fail without a failed file.
  const unseen = (code !== 0 && failed === 0) || numPassedTests + failed === 0;
  return {
    passed: numPassedTests,
    failed: failed + (unseen ? 1 : 0),
    failures: testResults.filter(({ status }) => status === 'failed').map(inWords),
  };
}

/**
 * The log of a run is long, so what failed is repeated at its end.
 * @param {FileResult} file
 */
function inWords({ name, message, assertionResults }) {
  const tests = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `  × ${fullName}\n${failureMessages.join('\n')}`);
  return [`== ${path.relative(root, name)}`, ...(tests.length > 0 ? tests : [message])].join('\n');
}

/** @param {FileResult[]} files */
function printSlowest(files) {
  const timed = files.map(({ name, startTime, endTime }) => ({
    name: path.relative(root, name).replaceAll('\\', '/'),
    seconds: (endTime - startTime) / 1000,
  }));
  /** @param {(file: string) => boolean} isOf */
  const sumOf = (isOf) =>
    timed.reduce((sum, { name, seconds }) => sum + (isOf(name) ? seconds : 0), 0).toFixed(0);
  const tiers = {
    'in a browser with a server': sumOf((name) => name.startsWith('e2e/')),
    'components in a browser': sumOf((name) => name.endsWith('.test.tsx')),
    'on a server': sumOf((name) => name.startsWith('server/')),
    others: sumOf((name) => !/^(?:e2e|server)\/|\.test\.tsx$/.test(name)),
  };
  console.log('\nSeconds of files, added up');
  for (const [tier, seconds] of Object.entries(tiers)) console.log(`  ${seconds.padStart(6)}  ${tier}`);
  console.log('The slowest files');
  for (const { name, seconds } of timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10))
    console.log(`  ${seconds.toFixed(0).padStart(6)}  ${name}`);
}

/**
 * @typedef {{
 *   name: string;
 *   startTime: number;
 *   endTime: number;
 *   status: string;
 *   message: string;
 *   assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
 * }} FileResult
 * @returns {{ numPassedTests: number; numFailedTests: number; testResults: FileResult[] }}
 */
function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
}

/** Stops the database of a test run that was killed, unless another run still uses it. */
async function stopLeftOvers() {
  const { stopAbandonedTestServer } = await import('../server/testing/postgres.ts');
  await stopAbandonedTestServer();
}
