import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { LONG_FUNCTIONS, MAX_FUNCTION_LINES } from './long-functions.ts';
import { nodeEnvironment, root } from './node.mjs';

it('the list of files with long functions has no file without one', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'openslot-long-'));
  const settings = path.join(folder, 'oxlint.json');
  // The settings of the project turn the rule off for these files.
  const rules = { 'max-lines-per-function': MAX_FUNCTION_LINES };
  writeFileSync(settings, JSON.stringify({ categories: { correctness: 'off' }, rules }));
  const { stdout } = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    ['--config', settings, '--format=json', ...LONG_FUNCTIONS],
    { cwd: root, env: nodeEnvironment(), encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
  const long = new Set(diagnostics.map(({ filename }) => filename));
  expect(LONG_FUNCTIONS.filter((file) => !long.has(file))).toEqual([]);
});
