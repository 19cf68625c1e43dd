/** What a browser is sent for a page, read from the build's manifest. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[]; }} Chunk
 * @typedef {Record<string, Chunk>} Manifest
 */

/**
 * @param {string} web the folder of the built web application
 * @returns {Manifest}
 */
export function readManifest(web) {
  return JSON.parse(readFileSync(path.join(web, 'manifest.json'), 'utf8'));
}

/**
 * The modules whose code a page needs besides the entry: `/checkout/:publicId` is pages/checkout.tsx, `/` is the
 * landing page for visitors and Home for others, and all but the sign-in page stand in a frame.
 * @param {string} route
 * @param {'visitor' | 'user'} reader
 */
export function modulesOf(route, reader) {
  const [, name] = route.split('/');
  const page = `pages/${name || (reader === 'user' ? 'home' : 'landing')}.tsx`;
  return reader === 'user' && name !== 'auth' ? ['app/signed-in-frame.tsx', page] : [page];
}

/**
 * The scripts that show a page, in the order in which they are needed, the entry's first.
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
 * The sum of their sizes, each compressed as it is sent.
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
  /** @type {import('../server/http/built-pages.ts').BuiltPage[]} */
  const pages = JSON.parse(readFileSync(path.join(web, 'pages.json'), 'utf8'));
  return Object.fromEntries(
    pages.flatMap(({ path: route, reader }) =>
      reader === 'anyone'
        ? []
        : [[`${route} (${reader})`, gzipBytes(web, scriptsOf(manifest, modulesOf(route, reader)))]],
    ),
  );
}

/**
 * One sentence for each page that is heavier than allowed, or for which nothing is allowed.
 * @param {Record<string, number>} weights
 * @param {Record<string, number>} budget
 */
export function overBudget(weights, budget) {
  return Object.entries(weights).flatMap(([page, bytes]) => {
    const limit = budget[page];
    if (limit === undefined) return [`web/budget.json has no line for ${page}, which takes ${bytes} bytes`];
    return bytes > limit
      ? [`${page} takes ${bytes} bytes of JavaScript, ${bytes - limit} over its budget`]
      : [];
  });
}
