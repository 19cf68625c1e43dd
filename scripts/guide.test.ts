/** The operator's guide has the tables of the code, and the program names sections of it that exist. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { settingsInForce } from '../server/platform/settings/config.ts';
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

/** Such as “Behind a proxy” in docs/install.md, or docs/install.md, "Packages". */
const MENTION = /(?:[“"]([^”"]+)[”"] in )?docs\/(install|run|repair)\.md(?:, [“"]([^”"]+)[”"])?/g;

it('the program and its deployments name sections of the guide that exist', () => {
  const files = globSync('{server,domain,scripts,deploy}/**/*.*', { cwd: root }).filter(
    (file) => /\.(?:ts|mjs|sql|yaml|service|conf|example)$/.test(file) && !file.startsWith('scripts/guide.'),
  );
  const mentions = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(MENTION)].flatMap(
      ([mention, before, paper, after]) => {
        const heading = before ?? after;
        return heading === undefined ? [] : [{ file, mention, paper, heading }];
      },
    ),
  );
  expect(mentions.length).toBeGreaterThan(5);
  const broken = mentions.filter(
    ({ paper, heading }) =>
      !readPaper(`docs/${paper}.md`)
        .split('\n')
        .some((line) => /^#+ (.+)$/.exec(line)?.[1] === heading),
  );
  expect(broken).toEqual([]);
});
