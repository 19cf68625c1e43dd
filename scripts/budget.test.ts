/** The size of each page's JavaScript on a first visit, read from the build. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { build } from './build.mjs';
import {
  gzipBytes,
  modulesOf,
  overBudget,
  readManifest,
  scriptsOf,
  weights,
  type Budget,
  type Manifest,
} from './bundle.mjs';
import { root } from './node.mjs';

const web = path.join(root, 'dist/web');
const budget = JSON.parse(readFileSync(path.join(root, 'web/budget.json'), 'utf8')).gzipBytes as Budget;

beforeAll(async () => {
  await build();
});

it('every page keeps its budget', () => {
  expect(overBudget(weights(web), budget)).toEqual([]);
});

it('the check names each page that is over its budget', () => {
  const heavier = Object.fromEntries(
    Object.entries(weights(web)).map(([page, bytes]) => [page, bytes + 100_000]),
  );
  expect(overBudget(heavier, budget)).toHaveLength(Object.keys(heavier).length);
});

it('no page loads the code of another page', () => {
  const manifest = readManifest(web);
  // The pages of routes. A dialog of a page may use its code, which is there before it opens.
  const pages = (manifest['index.html']?.dynamicImports ?? []).filter((module) =>
    module.startsWith('pages/'),
  );
  expect(pages.length).toBeGreaterThan(10);
  for (const page of pages) {
    const files = scriptsOf(manifest, ['app/signed-in-frame.tsx', page]);
    const others = pages.filter((other) => other !== page && files.includes(manifest[other]?.file ?? ''));
    expect([page, others]).toEqual([page, []]);
  }
});

it('the budget of the first visit is at most 120 kB', () => {
  expect(budget['/ (visitor)']).toBeLessThanOrEqual(120_000);
  expect(gzipBytes(web, scriptsOf(readManifest(web), modulesOf('/', 'visitor')))).toBe(
    weights(web)['/ (visitor)'],
  );
});

it('every page loads at most 8 files', () => {
  const manifest = readManifest(web);
  for (const page of Object.keys(weights(web))) {
    const files = filesOf(manifest, page);
    expect([page, files.length > 8 ? files : []]).toEqual([page, []]);
  }
});

it('every tab of the settings loads at most 14 files within the budget, and not the validation library', () => {
  const manifest = readManifest(web);
  const unwanted = validators();
  const tabs = ['accounts/settings/members.tsx', 'pages/settings-panels.tsx', 'pages/settings-security.tsx'];
  // Each file that the page loads for its tabs is in this list.
  expect(manifest['pages/settings.tsx']?.dynamicImports?.toSorted()).toEqual(tabs);
  for (const tab of tabs) {
    const files = scriptsOf(manifest, [...modulesOf('/settings', 'user'), tab]);
    const bytes = gzipBytes(web, files);
    expect([tab, files.length > 14 ? files : []]).toEqual([tab, []]);
    expect([tab, overBudget({ [tab]: bytes }, budget)]).toEqual([tab, []]);
    expect([tab, files.filter((file) => unwanted.includes(file))]).toEqual([tab, []]);
  }
});

it('no two files import each other, directly or through others', () => {
  const manifest = readManifest(web);
  const files = Object.keys(manifest);
  const importedBy = (file: string) => {
    const found = new Set<string>(manifest[file]?.imports);
    for (const each of found) manifest[each]?.imports?.forEach((imported) => found.add(imported));
    return found;
  };
  expect(files.filter((file) => importedBy(file).has(file))).toEqual([]);
});

it('no page loads the validation library, and every form finds its contract’s schema in the browser', () => {
  const manifest = readManifest(web);
  const unwanted = validators();
  expect(unwanted).not.toEqual([]);
  for (const page of Object.keys(weights(web)))
    expect([page, filesOf(manifest, page).filter((file) => unwanted.includes(file))]).toEqual([page, []]);
  // The texts of the schemas are in the files that the forms load.
  const texts = scripts().map(textOf).join('');
  for (const message of ['Please provide a reason for rejection', 'Password must be at least 8 characters'])
    expect(texts).toContain(message);
});

const textOf = (file: string) => readFileSync(path.join(web, 'static', file), 'utf8');
const scripts = () =>
  Object.values(readManifest(web)).flatMap(({ file }) => (file.endsWith('.js') ? [file] : []));
/** The scripts that contain the validation library. */
const validators = () => scripts().filter((file) => textOf(file).includes('ZodString'));

/** The scripts of a page of the budget, such as '/auth (visitor)'. */
function filesOf(manifest: Manifest, page: string): string[] {
  const [route = '', reader] = page.split(' ');
  return scriptsOf(manifest, modulesOf(route, reader === '(user)' ? 'user' : 'visitor'));
}
