/** The files that CONTRIBUTING.md names, and the links and citations of all documents. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './node.mjs';

const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The files and folders in backticks, such as `server/ads/store.ts` or `server/delivery/traffic/`. */
const pathsIn = (part: string) =>
  [...part.matchAll(/`((?:domain|server|web|tag|scripts|e2e|docs)\/[^`*\s]+)`/g)].map(([, file]) =>
    String(file),
  );

it('CONTRIBUTING names files that exist', () => {
  const paths = pathsIn(text);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

it.each(['a view is counted', 'a card is charged and refunded', 'an operator suspends a website'])(
  'CONTRIBUTING follows the path "%s" from file to file',
  (name) => {
    const part = text.split(/^## /m).find((each) => each.split('\n', 1)[0]?.toLowerCase().includes(name));
    expect(new Set(pathsIn(part ?? '')).size).toBeGreaterThanOrEqual(5);
  },
);

const tracked = (pattern: string) =>
  execFileSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The anchors that a Markdown file offers, as GitHub and editors make them of its headings. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('each link from one document to another leads somewhere', () => {
  const broken = tracked('*.md').flatMap((file) =>
    [...read(file).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, to = '', anchor]) => {
        const target = to === '' ? file : path.join(path.dirname(file), to);
        if (target.startsWith('..')) return false; // A page of the repository's host.
        if (!existsSync(path.join(root, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('each decision that a comment or a document cites exists', () => {
  const numbers = new Set(tracked('docs/decisions').map((file) => path.basename(file).slice(0, 3)));
  const cited = execFileSync('git', ['grep', '-InoE', '[Dd]ecisions? \\[?[0-9]{3}\\b|decisions/[0-9]{3}'], {
    cwd: root,
    encoding: 'utf8',
  });
  const missing = cited
    .trim()
    .split('\n')
    .filter((line) => !numbers.has(line.slice(-3)));
  expect(missing).toEqual([]);
});
