/**
 * `npm run -s lab defects` puts one of forty small faults into the code (lab/defects/list.ts), runs the tests of its
 * room, and takes it out again, one after the other. It prints which faults the tests found, and by which test first. So
 * tests that replace others can be held against the same list. Tests that fail without a fault find nothing, so run those of
 * `--paths` before.
 * Options: `--only NAME` (this fault, or those whose name contains the text), `--from N` (begin with the Nth), `--paths`
 * (print the tests, and run nothing) and `--results FILE` (keep what was found as JSON; other faults in the file stay).
 * Refuses to start while a file of the list has uncommitted changes, or does not contain its text exactly once. Exits with 1
 * unless all faults were found.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stopAbandonedTestServer } from '../server/testing/postgres.ts';
import { type Defect, DEFECTS } from './defects/list.ts';
import { nodeEnvironment, root } from '../scripts/node.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    paths: { type: 'boolean', default: false },
    results: { type: 'string' },
  },
});

/** 'no test': the run failed without a failed test. That may have another cause, so it does not count as found. */
type Outcome = 'found' | 'not found' | 'no test';
type Result = { name: string; outcome: Outcome; by: string; seconds: number };

/** Where vitest.config.ts has the results written. */
const report = path.join(root, '.cache', 'test-results.json');

/** The part of it that this reads. */
type Report = {
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

/** The file that has a defect now, as it was. */
let changed: { file: string; text: Buffer } | undefined;
let running: ChildProcess | undefined;
let isStopped = false;

const from = Number(values.from);
const selected = selectDefects();
if (!(Number.isSafeInteger(from) && from > 0)) fail(['--from is a whole number above 0.']);
else if (values.paths) for (const each of new Set(selected.flatMap(({ tests }) => tests))) console.log(each);
else if (selected.length === 0)
  fail([`No defect is named “${values.only}”, or there are fewer than --from.`]);
else if (!fail(problemsOf(selected))) await tryAll();

function selectDefects(): readonly Defect[] {
  const exact = DEFECTS.filter(({ name }) => name === values.only);
  const named = exact.length > 0 ? exact : DEFECTS.filter(({ name }) => name.includes(values.only));
  return named.slice(from - 1);
}

/** Prints the sentences. Returns whether there are any, and then lets the program exit with 1. */
function fail(sentences: readonly string[]): boolean {
  for (const sentence of sentences) console.error(sentence);
  if (sentences.length > 0) process.exitCode = 1;
  return sentences.length > 0;
}

function problemsOf(defects: readonly Defect[]): string[] {
  const files = defects.map(({ file }) => file);
  const dirty = execFileSync('git', ['status', '--porcelain', '--', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  return [
    ...(dirty === '' ? [] : [`Commit or restore these files first:\n${dirty.trimEnd()}`]),
    ...defects.flatMap(({ name, file, find, tests }) => {
      const times = existsSync(path.join(root, file)) ? textOf(file).split(find).length - 1 : 0;
      return [
        ...(times === 1 ? [] : [`${name}: ${file} has the text ${times} times, not once.`]),
        ...tests
          .filter((each) => !existsSync(path.join(root, each)))
          .map((each) => `${name}: there is no ${each}.`),
      ];
    }),
  ];
}

function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

async function tryAll(): Promise<void> {
  // npm and the terminal may send a signal twice. The first one ends the run, and each of them leaves the file whole.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('exit', restore);
  const results: Result[] = [];
  try {
    for (const [at, defect] of selected.entries()) {
      const result = await tryOne(defect);
      if (isStopped) break;
      results.push(result);
      console.log(`${at + 1}/${selected.length} ${result.name}: ${result.outcome}. ${result.by}`);
      keep(results);
    }
  } finally {
    restore();
    await stopAbandonedTestServer();
  }
  print(results);
  const found = results.filter(({ outcome }) => outcome === 'found').length;
  console.log(`${found} of ${results.length} defects were found, of ${selected.length} that were asked for.`);
  process.exitCode = found === selected.length ? 0 : 1;
}

function stop(): void {
  isStopped = true;
  restore();
  running?.kill('SIGTERM');
}

function restore(): void {
  if (changed) writeFileSync(changed.file, changed.text);
  changed = undefined;
}

async function tryOne(defect: Defect): Promise<Result> {
  const { name, find, replace, tests } = defect;
  const file = path.join(root, defect.file);
  const began = Date.now();
  try {
    changed = { file, text: readFileSync(file) };
    // A function, because a replacement text may have a `$`.
    writeFileSync(
      file,
      changed.text.toString().replace(find, () => replace),
    );
    const errors = await runTests(tests);
    const result = outcomeOf();
    if (result.outcome === 'no test') console.error(errors);
    return { name, ...result, seconds: Math.round((Date.now() - began) / 1000) };
  } finally {
    restore();
  }
}

/** Ends with the first test that fails. Returns what vitest wrote about itself. */
async function runTests(tests: readonly string[]): Promise<string> {
  rmSync(report, { force: true });
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--bail=1', '--reporter=json', ...tests];
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: root,
    env: nodeEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running = child;
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  running = undefined;
  return errors;
}

function outcomeOf(): { outcome: Outcome; by: string } {
  if (!existsSync(report)) return { outcome: 'no test', by: 'vitest wrote no report' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return { outcome: 'found', by: `${path.relative(root, name)} > ${failed.fullName}` };
  }
  const broken = testResults.find(({ status }) => status === 'failed');
  if (broken)
    return {
      outcome: 'no test',
      by: `${path.relative(root, broken.name)}: ${broken.message.split('\n')[0]}`,
    };
  const hasRun = testResults.some(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed'),
  );
  return hasRun ? { outcome: 'not found', by: '' } : { outcome: 'no test', by: 'no test has run' };
}

/** Written after each defect, so that an interrupted run goes on with `--from`. */
function keep(results: readonly Result[]): void {
  if (values.results === undefined) return;
  const before = existsSync(values.results)
    ? (JSON.parse(readFileSync(values.results, 'utf8')) as Result[])
    : [];
  const all = new Map([...before, ...results].map((each) => [each.name, each]));
  const inOrder = DEFECTS.flatMap(({ name }) => all.get(name) ?? []);
  writeFileSync(values.results, `${JSON.stringify(inOrder, null, 2)}\n`);
}

function print(results: readonly Result[]): void {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log();
  for (const { name, outcome, by, seconds } of results) {
    console.log(`${name.padEnd(width)}  ${outcome.padEnd(9)}  ${String(seconds).padStart(4)} s  ${by}`);
    const harm = DEFECTS.find((each) => each.name === name)?.harm;
    if (outcome !== 'found') console.log(`${' '.repeat(width)}  ${harm}`);
  }
}
