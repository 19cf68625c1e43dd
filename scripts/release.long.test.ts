import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newTemporaryFolder } from '../server/testing/temporary.ts';
import { root } from './node.mjs';

const execute = promisify(execFile);

/** The repository that the clone came from, and the clone, which has no packages. */
let origin: string;
let clone: string;

beforeEach(async () => {
  const folder = newTemporaryFolder('release');
  origin = path.join(folder, 'origin');
  clone = path.join(folder, 'clone');
  mkdirSync(path.join(origin, 'scripts'), { recursive: true });
  for (const file of [
    'package.json',
    '.gitignore',
    'CHANGELOG.md',
    'scripts/release.mjs',
    'scripts/node.mjs',
  ])
    cpSync(path.join(root, file), path.join(origin, file));
  await git(origin, 'init', '-q');
  await commit(origin);
  await git(folder, 'clone', '-q', origin, clone);
});
afterEach(() => rmSync(path.dirname(clone), { recursive: true, force: true }));

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await execute('git', args, { cwd })).stdout;
}

async function commit(cwd: string): Promise<void> {
  await git(cwd, 'add', '-A');
  await git(cwd, '-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-qm', 'a');
}

/** Runs the command with nothing but the machine's npm and git. */
async function release(...args: string[]): Promise<{ code: number; out: string }> {
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((place) => !place.includes('node_modules'))
    .join(path.delimiter);
  const env = { PATH, HOME: path.dirname(clone), GIT_CONFIG_GLOBAL: '/dev/null' };
  return await execute('npm', ['run', '-s', 'release', '--', ...args], { cwd: clone, env }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, out: error.stderr }),
  );
}

const tags = async (place: string) => (await git(place, 'tag', '--list')).trim();

it('a release is a tag, an archive and notes, and nothing is pushed', async () => {
  expect(await release('0.1.0')).toMatchObject({ code: 0 });
  expect([await tags(clone), await tags(origin)]).toEqual(['v0.1.0', '']);
  expect(readdirSync(path.join(clone, 'build')).toSorted()).toEqual([
    'openslot-0.1.0.tar.gz',
    'release-notes-0.1.0.md',
  ]);
  const { stdout } = await execute('tar', ['-tzf', path.join(clone, 'build/openslot-0.1.0.tar.gz')]);
  expect(stdout.split('\n')).toContain('openslot-0.1.0/package.json');
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const notes = readFileSync(path.join(clone, 'build/release-notes-0.1.0.md'), 'utf8').trim();
  expect(notes.length).toBeGreaterThan(500);
  expect(changelog).toContain(notes);
  expect(notes).not.toMatch(/^## /m);
  // The files of the release are no changes of the next one.
  expect(await git(clone, 'status', '--porcelain')).toBe('');
});

it('a version without a part of the CHANGELOG takes the notes of what is unreleased', async () => {
  writeFileSync(
    path.join(clone, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- Old.\n',
  );
  await commit(clone);
  expect(await release('0.2.0-rc.1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('package.json says'),
  });
  expect(readFileSync(path.join(clone, 'build/release-notes-0.2.0-rc.1.md'), 'utf8')).toBe('- New.\n');
});

it('a bad version, a tag that exists, changes and missing notes are refused, and leave nothing behind', async () => {
  for (const bad of [[], ['v0.1.0'], ['0.1'], ['01.0.0'], ['0.1.0; id'], ['../0.1.0']])
    expect(await release(...bad)).toMatchObject({
      code: 1,
      out: expect.stringContaining('is not a version'),
    });
  writeFileSync(path.join(clone, 'new.txt'), 'new');
  expect(await release('0.1.0')).toMatchObject({ code: 1, out: expect.stringContaining('has changes') });
  rmSync(path.join(clone, 'new.txt'));
  writeFileSync(path.join(clone, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n');
  await commit(clone);
  expect(await release('0.1.0')).toMatchObject({
    code: 1,
    out: expect.stringContaining('has nothing about'),
  });
  expect(await tags(clone)).toBe('');
  await git(clone, 'tag', 'v0.1.0');
  expect(await release('0.1.0')).toMatchObject({ code: 1, out: expect.stringContaining('exists already') });
  expect(existsSync(path.join(clone, 'build'))).toBe(false);
});
