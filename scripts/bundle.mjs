/** Finds the scripts of each page and their sizes in the build's manifest. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[]; dynamicImports?: string[]; }} Chunk
 * @typedef {Record<string, Chunk>} Manifest
 * @typedef {Record<string, number> & { '*': number }} Budget The most bytes of a page; `*` stands for every page without an own entry
 */

/**
 * @param {string} web the folder of the built web application
 * @returns {Manifest}
 */
export function readManifest(web) {
  return JSON.parse(readFileSync(path.join(web, 'manifest.json'), 'utf8'));
}

/**
 * The modules that a page needs besides the entry. `/checkout/:publicId` is pages/checkout.tsx, and `/plans/new` is
 * pages/plans-new.tsx. `/` is Home for users. The landing page and the demo are in the entry. Users also need the frame
 * around all pages except the sign-in page and the operator's console.
 * @param {string} route
 * @param {'visitor' | 'user'} reader
 */
export function modulesOf(route, reader) {
  const name = route
    .split('/')
    .filter((part) => part && !/^[:*]/.test(part))
    .join('-');
  const isInEntry = name === 'demo' || (name === '' && reader === 'visitor');
  if (name === 'operator') return ['operator/console.tsx'];
  const page = isInEntry ? [] : [`pages/${name || 'home'}.tsx`];
  return reader === 'user' && name !== 'auth' ? ['app/signed-in-frame.tsx', ...page] : page;
}

/**
 * The scripts of a page in the order in which the browser needs them. The entry's script comes first.
 * @param {Manifest} manifest
 * @param {string[]} modules
 */
export function scriptsOf(manifest, modules) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @param {string} key */
  const add = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(add);
  };
  add('index.html');
  modules.forEach(add);
  return [...files];
}

/**
 * The sum of the files' sizes, each compressed by gzip as the server sends it.
 * @param {string} web
 * @param {string[]} files
 */
export function gzipBytes(web, files) {
  return files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(path.join(web, 'static', file)), { level: 9 }).length,
    0,
  );
}

/**
 * The gzipped JavaScript of a first visit, for every page that the build has made.
 * @param {string} web
 * @returns {Record<string, number>}
 */
export function weights(web) {
  const manifest = readManifest(web);
  /** @type {import('../server/platform/http/web-app/built-pages.ts').BuiltPage[]} */
  const pages = JSON.parse(readFileSync(path.join(web, 'pages.json'), 'utf8'));
  return Object.fromEntries(
    pages.flatMap(({ path: route, reader }) =>
      route === '*' || reader === 'anyone'
        ? []
        : [[`${route} (${reader})`, gzipBytes(web, scriptsOf(manifest, modulesOf(route, reader)))]],
    ),
  );
}

/**
 * Returns a sentence for each page that is over its budget.
 * @param {Record<string, number>} weights
 * @param {Budget} budget
 */
export function overBudget(weights, budget) {
  return Object.entries(weights).flatMap(([page, bytes]) => {
    const limit = budget[page] ?? budget['*'];
    return bytes > limit
      ? [`${page} loads ${bytes} bytes of JavaScript, ${bytes - limit} over its budget in web/budget.json`]
      : [];
  });
}
