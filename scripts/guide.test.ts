/** The operator's guide: its tables are those of the code, and its links lead somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { settingsInForce } from '../server/config.ts';
import { GUIDE, readPaper, withTables } from './guide.ts';
import { root } from './node.mjs';

const PAPERS = Object.keys(GUIDE);

it.each(PAPERS)('%s has the tables that the code says', (paper) => {
  expect(withTables(paper), 'run: npm run tool guide').toBe(readPaper(paper));
});

it('the guide has each setting', () => {
  for (const { name } of settingsInForce({}))
    expect(readPaper('docs/install.md')).toContain(`\n| \`${name}\` | `);
});

/** The anchors of a paper's headings, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each([...PAPERS, 'README.md', 'docs/architecture.md'])(
  'each link of %s leads to a heading that exists',
  (paper) => {
    const text = readFileSync(path.join(root, paper), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    expect(links.length).toBeGreaterThan(0);
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? path.join(root, paper) : path.join(root, path.dirname(paper), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  },
);

/** Such as “Behind a proxy” in docs/install.md; docs/install.md, "Packages"; docs/repair.md#a-page-fails. */
const MENTION = /(?:[“"]([^”"]+)[”"] in )?docs\/(install|run|repair)\.md(?:, [“"]([^”"]+)[”"]|#([\w-]+))?/g;

it('the program and its deployments name sections of the guide that exist', () => {
  const files = globSync('{server,domain,scripts,deploy}/**/*.*', { cwd: root }).filter(
    (file) => /\.(?:ts|mjs|sql|yaml|service|conf|example)$/.test(file) && !file.startsWith('scripts/guide.'),
  );
  const mentions = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(MENTION)].map(
      ([mention, before, paper, after, anchor]) => ({
        file,
        mention,
        paper,
        heading: before ?? after,
        anchor,
      }),
    ),
  );
  expect(mentions.length).toBeGreaterThan(20);
  const broken = mentions.filter(({ paper, heading, anchor }) => {
    const text = readPaper(`docs/${paper}.md`);
    if (anchor !== undefined) return !anchorsOf(text).includes(anchor);
    return heading !== undefined && !new RegExp(`^#+ ${heading}$`, 'm').test(text);
  });
  expect(broken).toEqual([]);
});
