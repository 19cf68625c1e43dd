/** The operator is told about the differences of the check of everything, until a later one finds none. */
import { sql } from 'kysely';
import { beforeAll, expect, it, vi } from 'vitest';
import { makeOperator } from '#server/testing/operator.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { tellAlarms } from './alarms.ts';
import { findWholeCheck } from './whole-check.ts';

// They check all books several times, by commands in processes of their own.
vi.setConfig({ testTimeout: 300_000 });

const server = useOwnServer({ env: { METRICS_TOKEN: 'metrics' } });
beforeAll(async () => {
  await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
});

const openslot = async (...words: string[]) =>
  await runOpenslot(words, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
  });
const linesOf = async (check: string) =>
  (await openslot('doctor')).out.split('\n').filter((line) => line.split(/ +/)[1] === check);
async function metrics(): Promise<string[]> {
  const { text } = await server.anyone().get('/metrics', { authorization: 'Bearer metrics' });
  return text.split('\n').filter((line) => line.startsWith('openslot_books'));
}

// Proves SCALE-93
it('is in the metrics, in doctor, on the page Money and in an alarm, which ends with the next check', async () => {
  const { client } = await makeOperator(server);
  const whole = async () => (await client.get('/api/operator/money')).body.whole;
  expect(await metrics()).toEqual([]);
  expect(await linesOf('books')).toEqual([
    expect.stringMatching(/^ok +books +Everything is checked for the first time on /),
  ]);

  // Before the first signed day there is no log, so this is a posting that the log does not know.
  await sql`alter table ledger_unlogged disable trigger user; delete from ledger_unlogged`.execute(
    server.owner,
  );
  const { dueAt } = await findWholeCheck(server.ctx.db);
  expect((await openslot('money', 'check', '--all')).code).toBe(1);
  // A check by hand moves nothing.
  expect((await findWholeCheck(server.ctx.db)).dueAt).toEqual(dueAt);
  const found = await metrics();
  expect(found[0]).toMatch(/^openslot_books_differences [1-9]/);
  expect(found[1]).toMatch(/^openslot_books_checked_age_seconds \d/);
  const sentence =
    /The check of everything in the books on .* found .*difference.*, the first: posting_not_logged /;
  expect((await linesOf('alarm')).join('\n')).toMatch(sentence);
  expect((await client.get('/api/operator/notices')).body.alarms).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(sentence) }),
  );
  await tellAlarms(server.ctx);
  const mails = await server.ctx.db
    .selectFrom('messages')
    .select('bodyText')
    .where('kind', '=', 'books-differ')
    .execute();
  expect(mails).toEqual([{ bodyText: expect.stringMatching(sentence) }]);

  await sql`insert into ledger_unlogged select tx_id, account_id from ledger_postings`.execute(server.owner);
  expect((await openslot('money', 'check', '--all')).code).toBe(0);
  expect((await metrics())[0]).toBe('openslot_books_differences 0');
  expect(await linesOf('alarm')).toEqual([]);
  expect(await whole()).toEqual({
    text: expect.stringContaining('Everything was last checked on '),
    isProblem: false,
  });
  expect(await linesOf('books')).toEqual([expect.stringMatching(/^ok +books +.* postings in \d+ s\./)]);
});

// Proves SCALE-93
it('that fails, or is late, is a warning of doctor', async () => {
  await sql`update whole_checks set error = 'No memory.'`.execute(server.ctx.db);
  expect(await linesOf('books')).toEqual([expect.stringMatching(/^warn +books +.* failed: No memory\./)]);
  await sql`update whole_checks set error = null, due_at = now() - interval '2 days'`.execute(server.ctx.db);
  expect(await linesOf('books')).toEqual([expect.stringMatching(/^warn +books +.* due since /)]);
});
