import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './node.mjs';
import { foldersOf, GROWING, MAX_DISTRICTS, MAX_FILES, MAX_SMALL_FILES } from './rooms.ts';

describe('the folders of the server', () => {
  const entries = (folder: string) => readdirSync(path.join(root, folder), { withFileTypes: true });

  it('are few at the top, beside one program', () => {
    const top = entries('server');
    expect(top.filter((entry) => entry.isDirectory()).length).toBeLessThanOrEqual(MAX_DISTRICTS);
    expect(top.flatMap((entry) => (entry.isFile() ? entry.name : [])).toSorted()).toEqual([
      'main.ts',
      'tsconfig.json',
    ]);
  });

  it('have few files each', () => {
    const crowded = foldersOf(root, 'server').filter(
      (folder) => entries(folder).filter((entry) => entry.isFile()).length > MAX_FILES,
    );
    expect(crowded.filter((folder) => folder !== GROWING)).toEqual([]);
  });

  it('have few small files', () => {
    const small = foldersOf(root, 'server')
      .flatMap((folder) => entries(folder).map(({ name }) => `${folder}/${name}`))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length <= MAX_SMALL_FILES.of);
    // Names them all, so that the next one to join to another is easy to choose.
    expect(small.length > MAX_SMALL_FILES.files ? small : []).toEqual([]);
  });
});
