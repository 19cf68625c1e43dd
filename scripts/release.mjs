/**
 * `npm run release -- VERSION` makes a release of the current commit: the tag vVERSION, the archive of its files and its
 * notes, both in build/. It pushes nothing (docs/releasing.md). It needs git and Node 20 or newer, and no package.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './node.mjs';

/** As in https://semver.org, without metadata of the build. */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\da-z-]+(?:\.[\da-z-]+)*)?$/i;

/** The release is refused. The message says why and what to do. */
class Refusal extends Error {}

try {
  release(process.argv[2] ?? '');
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

/** @param {string} version */
function release(version) {
  const tag = `v${version}`;
  if (!VERSION.test(version))
    throw new Refusal(`“${version}” is not a version. Usage: npm run release -- 0.1.0`);
  if (git('status', '--porcelain') !== '')
    throw new Refusal('The working tree has changes. Commit or remove them, then try again.');
  if (git('tag', '--list', tag) !== '')
    throw new Refusal(
      `The tag ${tag} exists already. Choose another version, or remove it: git tag -d ${tag}`,
    );
  const notes = notesOf(version);

  const folder = path.join(root, 'build');
  const archive = path.join(folder, `openslot-${version}.tar.gz`);
  const notesFile = path.join(folder, `release-notes-${version}.md`);
  mkdirSync(folder, { recursive: true });
  // An archive of an attempt that failed must not stay.
  rmSync(archive, { force: true });
  git('archive', '--format=tar.gz', `--prefix=openslot-${version}/`, '-o', archive, 'HEAD');
  writeFileSync(notesFile, `${notes}\n`);
  // The tag comes last, so that a failure leaves none.
  git('tag', tag);

  const { version: stated } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  console.log(`Made from ${git('rev-parse', '--short', 'HEAD')}; nothing was pushed:`);
  for (const made of [`tag ${tag}`, path.relative(root, archive), path.relative(root, notesFile)])
    console.log(`  ${made}`);
  if (stated !== version)
    console.log(`package.json says ${stated}. Bump it first if this release is to be published.`);
  console.log(`Publish it with: git push origin ${tag} (docs/releasing.md)`);
}

/**
 * The part of the CHANGELOG about this version, or else what is unreleased.
 * @param {string} version
 */
function notesOf(version) {
  const parts = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  for (const title of [version, 'Unreleased']) {
    // A heading may end with the day of the release.
    const part = parts.find((each) => each.split(/\s/, 1)[0] === title);
    const notes = part?.split('\n').slice(1).join('\n').trim();
    if (notes) return notes;
  }
  throw new Refusal(`CHANGELOG.md has nothing about ${version}. Add a part “## ${version}”, then try again.`);
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}
