/** The accent of the marketplace, in pages and mails. */
import { expect, it } from 'vitest';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { sourceHash } from '../http/page/page.ts';
import { readSettings } from '../database/settings.ts';
import { readConfig } from '../settings/config.ts';
import { PASSWORD } from '#server/testing/accounts/sign-in.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

async function set(value: string): Promise<unknown> {
  const { command, args } = commandOf(['settings', 'set', 'ACCENT', value]);
  return await command.run({ ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false } });
}

it.each([
  [
    '#ffcc00',
    'ACCENT has a contrast of 1.4 : 1 in the light theme, and text needs 4.5 : 1. A near color that can be read is #856a00.',
  ],
  ['#b42318', 'ACCENT #b42318 looks like the color of errors. A near color that doesn’t is #b11d4e.'],
  ['red', 'ACCENT must be a color of six hexadecimal digits, such as #0f5e70.'],
  ['#fff', 'ACCENT must be a color of six hexadecimal digits, such as #0f5e70.'],
])('%s is refused', async (value, sentence) => {
  await expect(set(value)).rejects.toThrow(sentence);
  expect((await server.anyone().get('/api/marketplace')).body).toMatchObject({ accent: '#0f5e70' });
});

it('that looks like errors is refused in the environment, and one that an earlier release stored stays', async () => {
  expect(() => readConfig({ ACCENT: '#b42318' })).toThrow(
    'ACCENT #b42318 looks like the color of errors. A near color that doesn’t is #b11d4e.',
  );
  const { db, config } = server.ctx;
  await db
    .insertInto('settings')
    .values({ name: 'ACCENT', value: '#b42318', changedAt: new Date() })
    .execute();
  await readSettings(db, config);
  expect((await server.anyone().get('/api/marketplace')).body).toMatchObject({ accent: '#b42318' });
  await db.deleteFrom('settings').execute();
  await readSettings(db, config);
});

it('colors pages and mails in both themes, as their policies allow', async () => {
  await set('#9B1D64');
  const visitor = server.anyone();
  expect((await visitor.get('/api/marketplace')).body).toMatchObject({ accent: '#9b1d64' });
  for (const path of ['/', '/sites', '/measurement', '/no-such-page']) {
    const { text, headers } = await visitor.get(path, { accept: 'text/html' });
    const style = /<style>(:root\{[^}]*#9b1d64[^<]*)<\/style>/.exec(text)?.[1] ?? '';
    expect([path, style]).toEqual([path, expect.stringContaining('prefers-color-scheme:dark')]);
    const policy = headers.get('content-security-policy') ?? '';
    const sources = policy.split(';').find((each) => each.trim().startsWith('style-src '));
    expect([path, sources]).toEqual([path, expect.stringContaining(sourceHash(style))]);
  }
  const names = { firstName: 'N', lastName: 'N' };
  await visitor.post('/api/auth/register', { email: 'n@brand.test', password: PASSWORD, ...names });
  const { bodyHtml } = await server.ctx.db
    .selectFrom('messages')
    .select('bodyHtml')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(bodyHtml).toContain('border:3px solid #9b1d64');
  expect(bodyHtml).not.toContain('#0f5e70');
});
