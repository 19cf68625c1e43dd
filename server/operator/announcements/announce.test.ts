/** Announcements: a bar on every page, and a mail to every account. */
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, later } from '#domain/time.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { countWaiting } from '#server/testing/database/locks.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { commandOf } from '../command-line/commands.ts';
import { mailAnnouncement } from './announce.ts';
import { findMailing, listMailed, moveMailing } from './store.ts';

const server = useOwnServer();
let operator: TestOperator;
beforeAll(async () => {
  operator = await makeOperator(server);
});
afterEach(async () => {
  await server.ctx.db.updateTable('announcements').set({ endedAt: new Date() }).execute();
  await readSettings(server.ctx.db, server.ctx.config);
});

async function command(words: string[], more: { mail?: boolean; until?: string } = {}) {
  const { command: found, args } = commandOf(words);
  return await found.run({
    ctx: server.ctx,
    operator: { id: null },
    args,
    options: { dryRun: false, ...more },
  });
}
const PAGES = ['/', '/auth', '/sites', '/ad-archive', '/operator', '/no-such-page'];
/** The announcements of these pages, as markup. */
async function shown(): Promise<Set<string | undefined>> {
  const texts = await Promise.all(
    PAGES.map(async (path) => (await operator.client.get(path, { accept: 'text/html' })).text),
  );
  return new Set(texts.map((text) => /<aside class="announcement"[^>]*><p[^>]*>(.*?)<\/p>/.exec(text)?.[1]));
}
const mails = async () =>
  (
    await server.ctx.db
      .selectFrom('messages')
      .select(['recipient', 'subject', 'bodyText'])
      .where('kind', '=', 'announcement')
      .orderBy('id')
      .execute()
  ).map(({ recipient }) => recipient);

it('stands on every page until it is ended, replaced or over, as text', async () => {
  await confirmOperator(server, operator);
  expect(await shown()).toEqual(new Set([undefined]));
  await command(['announce', 'Payouts', 'are <b>late</b> & $& slow.']);
  expect(await shown()).toEqual(new Set(['Payouts are &lt;b&gt;late&lt;/b&gt; &amp; $&amp; slow.']));
  const until = later(server.ctx.now(), HOUR_MS).toISOString();
  await command(['announce', 'Back at noon.'], { until });
  expect(await shown()).toEqual(new Set(['Back at noon.']));
  server.clock.advance(HOUR_MS);
  expect(await shown()).toEqual(new Set([undefined]));
  await command(['announce', 'Once more.']);
  await command(['announce', 'off']);
  expect(await shown()).toEqual(new Set([undefined]));
  await expect(command(['announce', 'off'])).rejects.toThrow('There is no announcement.');
  expect(await mails()).toEqual([]);
  const acts = await server.ctx.db
    .selectFrom('operatorActs')
    .select(['act', 'reason'])
    .where('subject', '=', 'announcement')
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  expect(acts).toEqual([
    { act: 'end-announcement', reason: '“Once more.”.' },
    { act: 'announce', reason: '“Once more.”.' },
  ]);
});

it('is refused without a text, too long, in two lines, or with a time that is over or none', async () => {
  for (const [text, message] of [
    ['', 'Please write a text'],
    [' ', 'Please write a text'],
    ['x'.repeat(301), 'at most 300'],
    ['a\nb', 'Remove line breaks'],
  ] as const)
    await expect(command(['announce', text])).rejects.toThrow(message);
  for (const [until, message] of [
    ['soon', 'Please enter a day and a time'],
    ['2026-13-01T00:00', 'Please enter a day and a time'],
    ['2020-01-01 00:00', 'Please choose a time in the future'],
  ] as const)
    await expect(command(['announce', 'A'], { until })).rejects.toThrow(message);
  const env = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.ctx.config.dataDir };
  const done = await runOpenslot(['announce', 'Hello', '--until', '2099-01-01T00:00:00Z', '--json'], env);
  expect([done.code, JSON.parse(done.out)]).toEqual([
    0,
    {
      id: expect.any(Number),
      text: 'Hello',
      until: '2099-01-01T00:00:00.000Z',
      isMailed: false,
      dryRun: false,
    },
  ]);
});

it('is mailed once to each account that takes mail, also by a job that runs twice, and not after its end', async () => {
  const [reader, silent, suspended] = [
    await server.signIn('buyer'),
    await server.signIn('buyer'),
    await server.signIn('seller'),
  ];
  await silent.patch('/api/user/settings', { emailNotifications: false });
  await server.ctx.db
    .updateTable('users')
    .set({ suspendedAt: server.ctx.now(), suspendedReason: 'Spam' })
    .where('id', '=', suspended.user.id)
    .execute();
  const { json } = await command(['announce', 'We move.'], { mail: true });
  const { id } = json as { id: number };
  await Promise.all([mailAnnouncement(server.ctx, id), mailAnnouncement(server.ctx, id)]);
  await mailAnnouncement(server.ctx, id);
  const sent = await mails();
  expect(sent).toEqual([operator.client.user.email, reader.user.email]);
  await confirmOperator(server, operator);
  expect((await operator.client.get('/api/operator/announcement')).body.present).toMatchObject({
    text: 'We move.',
    mailed: 2,
  });

  const again = (await command(['announce', 'We moved.'], { mail: true })).json as { id: number };
  await command(['announce', 'off']);
  await mailAnnouncement(server.ctx, again.id);
  expect(await mails()).toEqual(sent);
});

it('is not mailed after its time, and the console no longer shows it', async () => {
  const sent = await mails();
  const until = later(server.ctx.now(), HOUR_MS).toISOString();
  const { id } = (await command(['announce', 'We pause.'], { mail: true, until })).json as { id: number };
  server.clock.advance(HOUR_MS);
  await mailAnnouncement(server.ctx, id);
  expect(await mails()).toEqual(sent);
  await confirmOperator(server, operator);
  expect((await operator.client.get('/api/operator/announcement')).body.present).toBeNull();
});

it('is ended while a batch of its mail is written', async () => {
  const { ctx } = server;
  const { id } = (await command(['announce', 'We stop.'], { mail: true })).json as { id: number };
  let ending: Promise<unknown> | undefined;
  await ctx.db.transaction().execute(async (tx) => {
    await findMailing(tx, id, ctx.now());
    ending = command(['announce', 'off']);
    await expect.poll(() => countWaiting(ctx.db)).toBe(1);
    await moveMailing(tx, id, 1);
  });
  await ending;
  expect(await findMailing(ctx.db, id, ctx.now())).toBeUndefined();
});

it('reads the accounts of a batch by their numbers', async () => {
  await sql`insert into users (email, password, is_email_verified)
    select 'reader-' || n || '@example.test', 'x', true from generate_series(1, 3000) n`.execute(
    server.owner,
  );
  await sql`vacuum analyze users`.execute(server.owner);
  const plan = await planOf(server.ctx.db, (tx) => listMailed(tx, { after: 100, limit: 200 }), {
    analyze: true,
  });
  expect(rowsMet(plan, 'users')).toBeLessThanOrEqual(220);
});

it('is made and ended in the console by owners', async () => {
  await confirmOperator(server, operator);
  const { client } = operator;
  const wrong = await sendAct(client, '/operator/announcement', { text: 'Late', until: '2020-01-01T00:00' });
  expect([wrong.status, wrong.body.issues]).toEqual([
    400,
    [{ path: 'until', message: 'Please choose a time in the future.' }],
  ]);
  const made = await sendAct(client, '/operator/announcement', { text: 'Late', until: '2099-01-01 00:00' });
  expect([made.status, made.body.said]).toEqual([200, 'Every page shows it within two seconds.']);
  const { present, acts } = (await client.get('/api/operator/announcement')).body;
  expect(present).toMatchObject({ text: 'Late', until: '2099-01-01T00:00:00.000Z', mailed: null });
  expect(acts).toMatchObject([
    { consequence: expect.stringContaining('It replaces the present one: “Late”') },
  ]);
  // Somebody else has announced something since this operator opened the form.
  const overtaken = { text: 'Mine', consequence: 'Every page shows it.' };
  expect((await sendAct(client, '/operator/announcement', overtaken)).status).toBe(409);
  expect((await sendAct(client, '/operator/announcement/end', { end: 'yes' })).status).toBe(200);
  await server.ctx.db
    .updateTable('operators')
    .set({ role: 'moderation' })
    .where('userId', '=', client.user.id)
    .execute();
  expect((await sendAct(client, '/operator/announcement', { text: 'Mine' })).status).toBe(403);
  expect((await client.get('/api/operator/announcement')).body).toEqual({ present: null, acts: [] });
});
