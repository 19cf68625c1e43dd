/** `npm run tool settings` writes the tables of the settings into the operator's guide, from their rows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { ENVIRONMENT } from '../server/settings/environment.ts';
import { aboutSetting, MARKETPLACE, MARKETPLACE_SETTINGS } from '../server/settings/marketplace.ts';
import { type Row, schemasOf, textsOf } from '../server/settings/row.ts';
import { FILE_SETTINGS } from '../server/settings/secrets.ts';
import { isStarted } from './node.mjs';

const GUIDE = 'docs/operations.md';
const BEGIN = '<!-- Settings, by `npm run tool settings` -->';
const END = '<!-- End of the settings -->';

/** The guide as it should be, of the guide as it is. */
export function withSettings(guide: string): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${GUIDE} has no lines ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${tables()}\n\n${END}${after}`;
}

function tables(): string {
  const files = FILE_SETTINGS.map((name) => `\`${name}\``).join(', ');
  return [
    '### Settings of a server',
    table(
      ENVIRONMENT,
      Object.entries(ENVIRONMENT).map(([name, { guide }]) => [name, guide]),
    ),
    `Each of these names a file in place of a value: ${files}.`,
    '### Settings of the marketplace',
    'The environment or the database has them. See [Settings in the database](#settings-in-the-database).',
    table(
      MARKETPLACE,
      MARKETPLACE_SETTINGS.map((name) => {
        const { title, help, guide = '' } = aboutSetting(name);
        return [name, `**${title}.** ${help.replaceAll('<', '\\<')} ${guide}`.trim()];
      }),
    ),
  ].join('\n\n');
}

function table(
  rows: Readonly<Record<string, Row>>,
  meanings: readonly (readonly [string, string])[],
): string {
  const defaults = textsOf(rows, z.object(schemasOf(rows)).parse({}));
  const lines = meanings.map(([name, meaning]) => {
    const value = defaults[name];
    const fallback = rows[name]?.default ?? (value ? `\`${value}\`` : 'none');
    return `| \`${name}\` | ${fallback} | ${meaning} |`;
  });
  return ['| name | default | meaning |', '|---|---|---|', ...lines].join('\n');
}

if (isStarted(import.meta.url)) writeFileSync(GUIDE, withSettings(readFileSync(GUIDE, 'utf8')));
