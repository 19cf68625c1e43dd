/** Tools run after `npm start`, which installs no development packages. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nodeEnvironment, root } from './node.mjs';
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

const runTool = async (...args: string[]) =>
  await promisify(execFile)('npm', ['run', '-s', 'tool', ...args], { cwd: root, env: nodeEnvironment() });

// Proves RUN-28
it('package.json has the few scripts that people use, and only `bench` is both a script and a tool', () => {
  const names = Object.keys(scripts);
  expect(names.length).toBeLessThanOrEqual(11);
  expect(names).toEqual(expect.arrayContaining(['start', 'test', 'dev', 'openslot', 'tool', 'release']));
  expect(Object.keys(TOOLS).filter((name) => name in scripts)).toEqual(['bench']);
});

// Proves RUN-28, FRAUD-04
it.each(Object.entries(TOOLS).filter(([, tool]) => !tool.dev))(
  'the tool %s needs no development package',
  (_name, tool) => {
    const packages = packagesOf(path.join(root, 'script' in tool ? tool.script : ''));
    expect([...packages].filter((name) => name in devDependencies)).toEqual([]);
  },
);

// Proves RUN-28
it('npm run tool lists the tools, refuses an unknown one, and passes arguments on', async () => {
  const { stdout } = await runTool();
  for (const name of Object.keys(TOOLS)) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  await expect(runTool('nothing')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no tool nothing.') as string,
  });
  const players = (await runTool('fraud', '--', '--list')).stdout.trim().split('\n');
  expect(players.filter((name) => name.startsWith('adaptive')).length).toBeGreaterThan(2);
  // An error of the tool is the error of the command.
  await expect(runTool('fraud', '--', '--only', 'nobody')).rejects.toMatchObject({ code: 1 });
});
