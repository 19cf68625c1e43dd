/** `npm run tool guide` writes the tables of the operator's guide, from the code that owns their rows. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { FIGURE_MEANINGS } from '../domain/operator/overview.ts';
import { otherOwner } from '../server/platform/files/s3/blobs.ts';
import { ClockMoved, findClockProblem } from '../server/platform/database/clock.ts';
import { otherMajor } from '../server/platform/database/embedded/cluster.ts';
import { UnreleasedDatabase } from '../server/platform/database/migrate.ts';
import { PooledAddress, POOLED } from '../server/platform/database/servers/pooler.ts';
import { findReadOnlyProblem } from '../server/platform/database/servers/writable.ts';
import { otherSecret } from '../server/delivery/snapshot/changes/own-row.ts';
import { describeMetrics } from '../server/operations/metrics/registry.ts';
import { listCommands } from '../server/operator/command-line/commands.ts';
import { findReleaseProblem, RELEASE } from '../server/platform/settings/release.ts';
import { ENVIRONMENT } from '../server/platform/settings/environment.ts';
import { aboutSetting, MARKETPLACE, MARKETPLACE_SETTINGS } from '../server/platform/settings/marketplace.ts';
import { type Row, schemasOf, textsOf } from '../server/platform/settings/row.ts';
import { FILE_SETTINGS } from '../server/platform/settings/secrets.ts';
import { isStarted, root } from './node.mjs';

/** The papers of the guide, with what is generated in each. A paper has a mark before and after it. */
export const GUIDE: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/install.md': { 'the settings': settings },
  'docs/run.md': { 'the figures': figures, 'the metrics': metrics, 'the commands': commands },
  'docs/repair.md': { 'the refused starts': refusedStarts },
};

export const readPaper = (paper: string): string => readFileSync(path.join(root, paper), 'utf8');

/** The paper as it should be, of the paper as it is. */
export function withTables(paper: string): string {
  let text = readPaper(paper);
  for (const [name, tables] of Object.entries(GUIDE[paper] ?? {})) {
    const begin = `<!-- Here \`npm run tool guide\` writes ${name} -->`;
    const end = `<!-- End of ${name} -->`;
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`${paper} has no lines ${begin} and ${end}`);
    text = `${before}${begin}\n\n${tables()}\n\n${end}${after}`;
  }
  return text;
}

function settings(): string {
  const files = FILE_SETTINGS.map((name) => `\`${name}\``).join(', ');
  return [
    '### Settings of a server',
    settingsTable(
      ENVIRONMENT,
      Object.entries(ENVIRONMENT).map(([name, { guide }]) => [name, guide]),
    ),
    `Each of these names a file in place of a value: ${files}.`,
    '### Settings of the marketplace',
    'The environment or the database has them. See [Settings in the database](run.md#settings-in-the-database).',
    settingsTable(
      MARKETPLACE,
      MARKETPLACE_SETTINGS.map((name) => {
        const { title, help, guide = '' } = aboutSetting(name);
        return [name, `**${title}.** ${help.replaceAll('<', '\\<')} ${guide}`.trim()];
      }),
    ),
  ].join('\n\n');
}

function settingsTable(
  rows: Readonly<Record<string, Row>>,
  meanings: readonly (readonly [string, string])[],
): string {
  const defaults = textsOf(rows, z.object(schemasOf(rows)).parse({}));
  return table(
    ['name', 'default', 'meaning'],
    meanings.map(([name, meaning]) => {
      const value = defaults[name];
      return [`\`${name}\``, rows[name]?.default ?? (value ? `\`${value}\`` : 'none'), meaning];
    }),
  );
}

function figures(): string {
  return table(
    ['figure', 'in JSON', 'meaning'],
    FIGURE_MEANINGS.map(({ name, label, meaning }) => [label, `\`${name}\``, meaning]),
  );
}

function metrics(): string {
  return table(
    ['metric', 'what'],
    describeMetrics().map(({ name, labelNames, help }) => [
      `\`${name}${labelNames.length === 0 ? '' : `{${labelNames.join(',')}}`}\``,
      help,
    ]),
  );
}

function commands(): string {
  return table(
    ['command', 'what'],
    listCommands().map(({ usage, summary }) => [`\`${usage.replaceAll('|', '\\|')}\``, summary]),
  );
}

/** The sentences come from the code that says them. An operator finds them here by their words. */
function refusedStarts(): string {
  const newer = { release: '99.0.0', compatibleFrom: '99.0.0' };
  const [earlier, later] = [new Date(0), new Date(99_000)];
  const also = 'yes';
  return table(
    ['it says', 'also while it runs', 'more'],
    [
      [
        findReadOnlyProblem({ standby: true, readOnly: true }, 'DATABASE_URL'),
        also,
        'See [the primary of the database is lost](#the-primary-of-the-database-is-lost)',
      ],
      [findReadOnlyProblem({ standby: false, readOnly: true }, 'DATABASE_URL'), also, ''],
      [findReleaseProblem(newer)?.replace(RELEASE, 'A').replaceAll('99.0.0', 'B'), also, ''],
      [
        `${new UnreleasedDatabase().message}: to start with an empty one, …`,
        '',
        'Nothing was changed. There was no release before 0.3.0, so nothing upgrades such a database',
      ],
      [
        findClockProblem(earlier, later)?.replace('99', 'N'),
        also,
        'See [the clocks differ](#the-clocks-differ)',
      ],
      [
        otherSecret('HOST:PROCESS', { sessionSecrets: [''] }),
        also,
        'Servers compare fingerprints in the database. Of two that run, the one that started later is not ready. See [another secret](run.md#another-secret)',
      ],
      [
        otherOwner(''),
        '',
        'The object `openslot-installation` there has the id of its owner. If that installation is gone for good and its files are yours, delete this object, and the next start takes the place over',
      ],
      [otherMajor('DATA_DIR/postgres', 'A', 'B'), '', 'See [upgrades](run.md#upgrades)'],
      [new PooledAddress('DATABASE_URL', POOLED).message, '', ''],
      [new ClockMoved().message, '', 'See [rehearsing money](run.md#rehearsing-money)'],
    ],
  );
}

function table(heads: readonly string[], rows: readonly (readonly (string | null | undefined)[])[]): string {
  const line = (cells: readonly (string | null | undefined)[]) =>
    `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

if (isStarted(import.meta.url))
  for (const paper of Object.keys(GUIDE)) writeFileSync(path.join(root, paper), withTables(paper));
