import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingsInForce } from '../server/config.ts';
import { withSettings } from './settings.ts';

it('the operator’s guide has each setting with its default, its meaning, and where it can be kept, as its row says', () => {
  const guide = readFileSync('docs/operations.md', 'utf8');
  expect(withSettings(guide), 'run: npm run tool settings').toBe(guide);
  for (const { name } of settingsInForce({})) expect(guide).toContain(`\n| \`${name}\` | `);
});
