/**
 * Builds the files that browsers load: the web application in dist/web, the tag and the landing script in dist/tag. It
 * skips a part whose sources have not changed since the last build. `--force` builds both.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { modulesOf, readManifest, scriptsOf } from './bundle.mjs';
import { exclusively } from './exclusively.mjs';
import { isStarted, root } from './node.mjs';
import { makePages } from './pages.mjs';
import { say, step } from './progress.mjs';

const ownDist = path.join(root, 'dist');

/**
 * A part is built again if a file in `sources` has changed.
 * @typedef {{ title: string; stamp: string; sources: string[]; make: (dist: string) => Promise<void> }} Part
 * @type {{ tag: Part; web: Part }}
 */
const parts = {
  tag: {
    title: 'Building the tag',
    stamp: '.tag',
    sources: ['tag', 'domain/delivery/wire.ts', 'package-lock.json'],
    make: makeTag,
  },
  web: {
    title: 'Building the web application',
    stamp: '.web',
    sources: ['web', 'domain', 'tag', 'scripts/pages.mjs', 'vite.config.ts', 'package-lock.json'],
    make: makeWeb,
  },
};

/**
 * Brings dist/, or another folder, up to date. Safe to call from several processes at once.
 * @param {{ force?: boolean; only?: keyof typeof parts; dist?: string }} options
 */
export async function build({ force = false, only, dist = ownDist } = {}) {
  mkdirSync(dist, { recursive: true });
  const outer = process.env['NODE_ENV'];
  // Vite reads NODE_ENV. With the tests' value 'test' it would bundle React's development build.
  process.env['NODE_ENV'] = 'production';
  await exclusively(path.join(dist, '.building'), async () => {
    for (const { title, stamp, sources, make } of only ? [parts[only]] : Object.values(parts)) {
      const file = path.join(dist, stamp);
      const wanted = hashOf(sources);
      if (!force && existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
      rmSync(file, { force: true });
      await step(title, async () => await make(dist));
      writeFileSync(file, wanted);
    }
  }).finally(() => {
    if (outer === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = outer;
  });
}

/**
 * Returns a folder with current builds, and leaves dist/ as it is, because a server may run from it.
 * @returns {Promise<string>}
 */
export async function buildApart() {
  const isCurrent = Object.values(parts).every(({ stamp, sources }) => {
    const file = path.join(ownDist, stamp);
    return existsSync(file) && readFileSync(file, 'utf8') === hashOf(sources);
  });
  if (isCurrent) return ownDist;
  // Below the checkout, so that the page build finds its packages.
  const dist = path.join(root, 'build', 'dist');
  await build({ dist });
  return dist;
}

/**
 * Makes the next build() build this part. Call it before another program writes into its folder.
 * @param {keyof typeof parts} part
 */
export function forgetBuild(part) {
  rmSync(path.join(ownDist, parts[part].stamp), { force: true });
}

/** @param {string} dist */
async function makeWeb(dist) {
  const { build: viteBuild } = await import('vite');
  // Build in a separate folder and move it when it is complete, so that a running server always serves a complete one.
  const unfinished = path.join(dist, 'web.new');
  rmSync(unfinished, { recursive: true, force: true });
  await viteBuild({
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: path.join(unfinished, 'static'), emptyOutDir: true },
  });
  // Only the build reads the manifest, so move it out of the folder that the server serves.
  renameSync(path.join(unfinished, 'static', 'manifest.json'), path.join(unfinished, 'manifest.json'));
  await makePages(unfinished, path.join(dist, 'prerender'));
  for (const file of filesBelow(unfinished)) {
    if (/\/static\/.*\.(js|css|svg)$/.test(file.replaceAll('\\', '/'))) precompress(file);
  }
  const target = path.join(dist, 'web');
  rmSync(target, { recursive: true, force: true });
  renameSync(unfinished, target);
  const scripts = scriptsOf(readManifest(target), modulesOf('/', 'visitor'));
  report(
    'JavaScript of a first visit to /',
    scripts.map((file) => path.join(target, 'static', file)),
  );
}

/** @param {string} dist */
async function makeTag(dist) {
  const { build: viteBuild } = await import('vite');
  const configFile = path.join(root, 'tag', 'vite.config.ts');
  const to = { build: { outDir: path.join(dist, 'tag') } };
  await viteBuild({ configFile, logLevel: 'warn', ...to });
  for (const mode of ['landing', 'posts', 'facts', 'placement', 'sample'])
    await viteBuild({ configFile, logLevel: 'warn', mode, ...to });
  for (const name of ['tag.js', 'landing.js']) report(name, [path.join(dist, 'tag', name)]);
}

/**
 * @param {string} what
 * @param {string[]} files
 */
function report(what, files) {
  const contents = files.map((file) => readFileSync(file));
  const sum = (/** @type {(content: Buffer) => number} */ size) =>
    contents.reduce((all, content) => all + size(content), 0);
  const raw = sum((content) => content.length);
  const gzip = sum((content) => gzipSync(content, { level: 9 }).length);
  const brotli = sum((content) => brotliCompressSync(content).length);
  say(`  ${what}: ${raw} bytes, ${gzip} gzip, ${brotli} brotli`);
}

/** @param {string} file */
function precompress(file) {
  const content = readFileSync(file);
  if (content.length < 1000) return;
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(content));
}

/** @param {string[]} sources */
function hashOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesBelow(path.join(root, source))) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function filesBelow(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .toSorted()
    .flatMap((name) => filesBelow(path.join(place, name)));
}

if (isStarted(import.meta.url)) await build({ force: process.argv.includes('--force') });
