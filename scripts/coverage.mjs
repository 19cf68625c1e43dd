/**
 * Prints which tests prove which requirement. A line `// Proves AUTH-12, AUTH-13` above a test names the rows of
 * docs/requirements.md that the test proves. An unknown id is an error. A gap is a row without a test, unless the row is
 * marked N and says `checked: …`. A row marked U (a row of the user interface) without a browser test is also a gap.
 *
 * `--check` prints only what is wrong.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isStarted, root } from './node.mjs';

/**
 * @typedef {{ id: string; area: string; marks: string[]; statement: string; checked: string }} Row `checked` says how
 *   a row was checked that no test can prove. It is '' for other rows.
 * @typedef {{ file: string; title: string; ids: string[] }} Proof
 */

/** Kinds of tests in the order of the report: the folder of the test, and for those in a browser whether they have a server. */
const KINDS = ['domain', 'server', 'web', 'component', 'browser', 'other'];
const COMPONENT = 'component';
const BROWSER = 'browser';

const id = '[A-Z][A-Z0-9]+(?:-[A-Z])?-\\d{1,3}';

const HEADING = /^## ([A-Z][A-Z0-9]*(?:-[A-Z])?) · (.+)$/gm;

/**
 * Reads the rows `- ID [marks] statement | check: … | checked: …`, in order. Most rows have neither of the last cells,
 * and open points have no marks. The area of a row is that of the heading above it, because a row may stand beside rows
 * of other letters.
 * @param {string} text
 * @returns {Row[]}
 */
export function readRequirements(text) {
  const headings = [...text.matchAll(HEADING)];
  const rows = text.matchAll(new RegExp(`^- (${id})(?: \\[([^\\]]*)\\])? (.*?)(?: \\| (.*))?$`, 'gm'));
  return [...rows].map(({ index, 1: name = '', 2: marks = '', 3: statement = '', 4: rest = '' }) => ({
    id: name,
    area: headings.findLast((heading) => heading.index < index)?.[1] ?? '',
    marks: marks.split(','),
    statement,
    checked: /(?:^|\| )checked: (.*)$/.exec(rest)?.[1] ?? '',
  }));
}

const PROVES = new RegExp(`^ *// Proves ((?:${id}, )*${id})$`, 'gm');

/**
 * Matches a test's call up to its title. In a test over a table, the title follows the end of the table. A suite that
 * several implementations share counts as one test of each: describeProvider('Stripe', …).
 */
const TEST =
  /(?:\b(?:it|test|describe[A-Z]\w*)(?:\.\w+(?:\([^()]*\))?)*|^\s*(?:it|test)\.\w+\(.*\)|^\s*\]?(?: as const)?\))\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;

/**
 * Reads the tests of one file that have a line `// Proves AUTH-12, AUTH-13` above them.
 * @param {string} file
 * @param {string} text
 * @returns {{ proofs: Proof[]; mistakes: string[] }} `mistakes` name `Proves` lines without a test, and titles with ids
 */
export function readTests(file, text) {
  const tests = [...text.matchAll(TEST)].map(({ index, 0: call, 1: single, 2: double, 3: template }) => ({
    at: index,
    line: lineAt(text, index + call.length),
    title: (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1'),
  }));
  const lines = [...text.matchAll(PROVES)].map(({ index, 1: ids = '' }) => ({
    at: index,
    ids: ids.split(', '),
  }));
  const proofs = [];
  const mistakes = tests
    .filter(({ title }) => new RegExp(`^${id}\\b`).test(title))
    .map(
      ({ line }) =>
        `${file}:${line}: move the requirement ids from the title to a line \`// Proves …\` above the test`,
    );
  for (const [index, { at, ids }] of lines.entries()) {
    const end = lines[index + 1]?.at ?? text.length;
    const test = tests.find((each) => each.at > at && each.at < end);
    if (test) proofs.push({ file, title: test.title, ids });
    else mistakes.push(`${file}:${lineAt(text, at)}: no test follows this line: move it above its test`);
  }
  return { proofs, mistakes };
}

/**
 * @param {string} text
 * @param {number} offset
 */
function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** @param {string} file */
function kindOf(file) {
  const folder = file.split('/')[0] ?? '';
  if (folder === 'e2e') return BROWSER;
  if (file.endsWith('.test.tsx')) return COMPONENT;
  return KINDS.includes(folder) ? folder : 'other';
}

/** @param {Row} row */
const isOpenPoint = (row) => row.area === 'OP';

/**
 * Returns one sentence for each gap, in the order of the rows.
 * @param {Row[]} rows
 * @param {Proof[]} proofs
 */
export function findGaps(rows, proofs) {
  return rows.flatMap((row) => {
    if (isOpenPoint(row)) return [];
    const tests = proofs.filter(({ ids }) => ids.includes(row.id));
    if (tests.length === 0) {
      if (!row.marks.includes('N')) return [`${row.id} has no test`];
      return row.checked === '' ? [`${row.id} has no test and doesn’t say where it was checked`] : [];
    }
    const needsBrowser =
      row.marks.includes('U') && !tests.some(({ file }) => [BROWSER, COMPONENT].includes(kindOf(file)));
    return needsBrowser ? [`${row.id} is marked U and has no test in a browser`] : [];
  });
}

/**
 * @param {Row[]} rows
 * @param {Proof[]} proofs
 * @param {Map<string, string>} subjects the subject of each area
 */
export function writeReport(rows, proofs, subjects) {
  const areas = [...new Set(rows.map(({ area }) => area))];
  const lines = [
    '# Which tests prove which requirement',
    '',
    'The columns after Proven count the rows that each kind of test proves. Checked counts the rows that no test can prove.',
    'Each of them says where it was checked.',
    '',
    `| Area | Subject | Rows | Proven | ${KINDS.join(' | ')} | Checked |`,
    `|---|---|---:|---:|${KINDS.map(() => '---:|').join('')}---:|`,
    ...areas.filter((area) => area !== 'OP').map((area) => total(area, (row) => row.area === area)),
    total('**All rows**', (row) => !isOpenPoint(row)),
  ];
  for (const area of areas) {
    lines.push(
      '',
      `## ${area} · ${subjects.get(area) ?? ''}`,
      '',
      '| Row | Statement | Tests |',
      '|---|---|---|',
    );
    for (const row of rows.filter((each) => each.area === area)) {
      const tests = proofs.filter(({ ids }) => ids.includes(row.id));
      const names = tests.map(({ file, title }) => `\`${file}\`: ${cell(title)}`);
      const proof = names.join('<br>') || (row.checked && `checked: ${cell(row.checked)}`) || '—';
      lines.push(`| ${row.id} | ${cell(row.statement)} | ${proof} |`);
    }
  }
  return `${lines.join('\n')}\n`;

  /** @type {(name: string, belongs: (row: Row) => boolean) => string} */
  function total(name, belongs) {
    const some = rows.filter(belongs).map((row) => ({
      kinds: new Set(proofs.filter(({ ids }) => ids.includes(row.id)).map(({ file }) => kindOf(file))),
      checked: row.checked !== '',
    }));
    const counts = [
      some.length,
      some.filter(({ kinds }) => kinds.size > 0).length,
      ...KINDS.map((kind) => some.filter(({ kinds }) => kinds.has(kind)).length),
      some.filter(({ kinds, checked }) => kinds.size === 0 && checked).length,
    ];
    return `| ${name} | ${subjects.get(name) ?? ''} | ${counts.join(' | ')} |`;
  }
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|');
}

/**
 * Reads the subject of each area from the headings `## AUTH · Authentication`.
 * @param {string} text
 */
export function readSubjects(text) {
  return new Map([...text.matchAll(HEADING)].map(([, area = '', subject = '']) => [area, subject]));
}

function main() {
  const text = readFileSync(path.join(root, 'docs', 'requirements.md'), 'utf8');
  const rows = readRequirements(text);
  const folders = '{domain,server,extensions,web,tag,scripts,lab,e2e}';
  const files = globSync(`${folders}/**/*.test.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] }).map(
    (file) => file.replaceAll('\\', '/'),
  );
  const read = files.toSorted().map((file) => readTests(file, readFileSync(path.join(root, file), 'utf8')));
  const proofs = read.flatMap((each) => each.proofs);

  const known = new Set(rows.map((row) => row.id));
  const unknown = proofs.flatMap(({ file, title, ids }) =>
    ids
      .filter((name) => !known.has(name))
      .map((name) => `${file}: ${name} is not a row of docs/requirements.md: ${title}`),
  );
  const twice = rows
    .filter((row, index) => rows.findIndex(({ id: name }) => name === row.id) < index)
    .map((row) => `docs/requirements.md: ${row.id} is the id of two rows`);
  const subjects = readSubjects(text);
  const nameless = rows
    .filter(({ area }) => area === '')
    .map((row) => `docs/requirements.md: ${row.id} stands below no heading \`## AREA · Subject\``);
  const mistakes = [
    ...read.flatMap((each) => each.mistakes),
    ...unknown,
    ...twice,
    ...nameless,
    ...findGaps(rows, proofs),
  ];
  if (mistakes.length > 0) {
    console.error(mistakes.join('\n'));
    process.exitCode = 1;
  }
  if (!process.argv.includes('--check')) console.log(writeReport(rows, proofs, subjects));
}

if (isStarted(import.meta.url)) main();
