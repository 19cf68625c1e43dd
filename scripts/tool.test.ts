/** Tools run after `npm start`, which installs no development packages. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nodeEnvironment, root } from './node.mjs';
import { LAB } from '../lab/lab.mjs';
import { TOOLS } from './tool.mjs';

const { devDependencies, imports, scripts } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
) as {
  devDependencies: Record<string, string>;
  imports: Record<string, string>;
  scripts: Record<string, string>;
};

/** The packages that a file needs, directly and through other files. Imports of types are left out. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(file)) return found;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, named = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)) {
    const inside = Object.entries(imports).find(([from]) => named.startsWith(from.slice(0, -1)));
    if (named.startsWith('.'))
      for (const each of packagesOf(path.resolve(path.dirname(file), named), seen)) found.add(each);
    else if (inside)
      for (const each of packagesOf(
        path.join(root, inside[1].replace('*', named.slice(inside[0].length - 1))),
        seen,
      ))
        found.add(each);
    else found.add(named);
  }
  return found;
}

const npmRun = async (...args: string[]) =>
  await promisify(execFile)('npm', ['run', '-s', ...args], { cwd: root, env: nodeEnvironment() });

it('package.json has the few scripts that people use, and there are at most ten tools', () => {
  const names = Object.keys(scripts);
  expect(names.length).toBeLessThanOrEqual(11);
  expect(names).toEqual(
    expect.arrayContaining(['start', 'test', 'dev', 'openslot', 'tool', 'lab', 'release']),
  );
  expect(Object.keys(TOOLS).length).toBeLessThanOrEqual(10);
  expect(Object.keys({ ...TOOLS, ...LAB }).filter((name) => name in scripts)).toEqual([]);
});

it.each(Object.entries({ ...TOOLS, ...LAB }).filter(([, tool]) => !tool.dev))(
  'the tool %s needs no development package',
  (_name, tool) => {
    const packages = packagesOf(path.join(root, 'script' in tool ? tool.script : ''));
    expect([...packages].filter((name) => name in devDependencies)).toEqual([]);
  },
);

it.each([
  ['tool', TOOLS],
  ['lab', LAB],
])('npm run %s lists its programs, and refuses an unknown one', async (command, tools) => {
  const { stdout } = await npmRun(command);
  for (const name of Object.keys(tools)) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  await expect(npmRun(command, 'nothing')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no tool nothing.') as string,
  });
});

it('npm run lab passes arguments on', async () => {
  const players = (await npmRun('lab', 'fraud', '--', '--list')).stdout.trim().split('\n');
  expect(players.filter((name) => name.startsWith('adaptive')).length).toBeGreaterThan(2);
  // An error of the program is the error of the command.
  await expect(npmRun('lab', 'fraud', '--', '--only', 'nobody')).rejects.toMatchObject({ code: 1 });
});
