import { Signer } from '@fastify/cookie';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OpenSession } from '#domain/accounts/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import { PASSWORD, SESSION_SECRET } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const MINUTE = 60_000;

/** Signs the same user in on one more device. */
async function alsoOn(person: Client, userAgent?: string): Promise<Client> {
  const device = server.anyone();
  const headers: Record<string, string> = userAgent === undefined ? {} : { 'user-agent': userAgent };
  await device.post('/api/auth/login', { email: person.user.email, password: PASSWORD }, headers);
  return device;
}
const sessionsOf = async (client: Client) =>
  (await client.get('/api/user/sessions')).body as readonly OpenSession[];
const own = (sessions: readonly OpenSession[]) => sessions.find(({ isCurrent }) => isCurrent)?.id ?? '';
const isSignedIn = async (client: Client) => (await client.get('/api/auth/user')).status === 200;

// Proves ACCT-01
it('lists open sessions with device and times, marks the current one, and reveals no session id', async () => {
  const first = await server.signIn();
  const before = server.clock.now().getTime();
  const second = await alsoOn(first, FIREFOX);
  const answer = await second.get('/api/user/sessions');
  expect(answer.status).toBe(200);
  const sessions = answer.body as OpenSession[];
  expect(sessions).toHaveLength(2);
  const here = sessions.find(({ isCurrent }) => isCurrent);
  expect(here?.device).toBe('Firefox on Windows');
  expect(sessions.find(({ isCurrent }) => !isCurrent)?.device).toBeNull();
  expect(Date.parse(here?.startedAt ?? '')).toBeGreaterThanOrEqual(before);
  expect(Object.keys(here ?? {}).toSorted()).toEqual([
    'device',
    'id',
    'isCurrent',
    'lastUsedAt',
    'startedAt',
  ]);
  // The answer holds no session id of a cookie, and the table holds no network address or full user agent.
  const rows = await server.ctx.db.selectFrom('sessions').selectAll().execute();
  for (const { sid } of rows) expect(answer.text).not.toContain(sid);
  expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0\.1|Gecko/);
  expect(own(await sessionsOf(first))).not.toBe(here?.id);
});

// Proves ACCT-01
it('updates the last use after five minutes, not on every call', async () => {
  const person = await server.signIn();
  const used = async () => (await sessionsOf(person))[0]?.lastUsedAt ?? '';
  const begun = await used();
  server.clock.advance(4 * MINUTE);
  await person.get('/api/auth/user');
  expect(await used()).toBe(begun);
  server.clock.advance(2 * MINUTE);
  await person.get('/api/auth/user');
  expect(Date.parse(await used()) - Date.parse(begun)).toBeGreaterThanOrEqual(6 * MINUTE);
});

// Proves ACCT-01
it('lists the most recently used session first and leaves out expired ones', async () => {
  const person = await server.signIn();
  const other = await alsoOn(person);
  const over = await alsoOn(person);
  await server.ctx.db
    .updateTable('sessions')
    .set({ expire: new Date(Date.now() - MINUTE) })
    .where('publicId', '=', own(await sessionsOf(over)))
    .execute();
  server.clock.advance(10 * MINUTE);
  const sessions = await sessionsOf(person);
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  expect(own(await sessionsOf(other))).toBe(sessions[1]?.id);
});

// Proves ACCT-01
it('ends a session from another one at once, and answers 404 the second time', async () => {
  const phone = await server.signIn();
  const laptop = await alsoOn(phone);
  const id = own(await sessionsOf(laptop));
  expect((await phone.delete(`/api/user/sessions/${id}`)).body).toEqual({ success: true });
  expect(await isSignedIn(laptop)).toBe(false);
  expect(await isSignedIn(phone)).toBe(true);
  expect((await phone.delete(`/api/user/sessions/${id}`)).status).toBe(404);
});

// Proves ACCT-01
it('keeps a session ended while its calls are still running', async () => {
  const phone = await server.signIn();
  const laptop = await alsoOn(phone);
  const id = own(await sessionsOf(laptop));
  server.clock.advance(10 * MINUTE);
  await Promise.all([
    phone.delete(`/api/user/sessions/${id}`),
    ...Array.from({ length: 10 }, () => laptop.patch('/api/user/settings', { currency: 'EUR' })),
  ]);
  expect(await isSignedIn(laptop)).toBe(false);
});

// Proves ACCT-01
it('ends all other sessions of the user and none of another user', async () => {
  const here = await server.signIn();
  const others = [await alsoOn(here), await alsoOn(here)];
  const stranger = await server.signIn();
  expect((await here.delete('/api/user/sessions')).status).toBe(200);
  for (const other of others) expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(here)).toBe(true);
  expect(await isSignedIn(stranger)).toBe(true);
  expect(await sessionsOf(here)).toHaveLength(1);
});

// Proves ACCT-01
it('signs the user out when they end their current session', async () => {
  const person = await server.signIn();
  const id = own(await sessionsOf(person));
  expect((await person.delete(`/api/user/sessions/${id}`)).status).toBe(200);
  expect(await isSignedIn(person)).toBe(false);
});

// Proves ACCT-01
it('answers 404 to the id of another user’s session, like to an unknown id, and keeps it open', async () => {
  const person = await server.signIn();
  const stranger = await server.signIn();
  const id = own(await sessionsOf(person));
  for (const named of [id, crypto.randomUUID(), '1', 'x'.repeat(100), id.replaceAll('-', '')]) {
    expect((await stranger.delete(`/api/user/sessions/${named}`)).status).toBe(404);
  }
  expect(await isSignedIn(person)).toBe(true);
  expect((await sessionsOf(stranger)).map((session) => session.id)).not.toContain(id);
});

// Proves ACCT-01
it.each([
  ['GET', '/api/user/sessions'],
  ['DELETE', '/api/user/sessions'],
  ['DELETE', `/api/user/sessions/${crypto.randomUUID()}`],
])('answers 401 to %s %s without a session', async (method, path) => {
  expect((await server.anyone().send(method, path)).status).toBe(401);
});

// Proves WARD-142
it('a session of the release before goes on, and one whose seven days are over does not', async () => {
  const person = await server.signIn();
  const { db } = server.ctx;
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', originalMaxAge: 604_800_000, domain: null };
  const write = async (days: number, sid: string) => {
    await sql`insert into sessions (sid, sess, expire, started_at, last_used_at)
      select ${sid}, ${JSON.stringify({ cookie, userId: person.user.id })}, now() + ${days} * interval '1 day', now(), now()`.execute(
      db,
    );
    const client = server.anyone();
    client.cookie = `openslot=${new Signer(SESSION_SECRET).sign(sid)}`;
    return client;
  };
  expect(await isSignedIn(await write(1, 'before'))).toBe(true);
  const over = await write(-1, 'over');
  expect(await isSignedIn(over)).toBe(false);
  // The browser has forgotten it.
  expect(over.cookie).toBe('openslot=');
  await removeExpired(server.ctx);
  const { rows } = await sql<{
    sid: string;
  }>`select sid from sessions where sid in ('before', 'over')`.execute(db);
  expect(rows).toEqual([{ sid: 'before' }]);
  await person.post('/api/auth/logout');
  expect(person.cookie).toBe('openslot=');
});

// Proves WARD-142
describe('the cookie', () => {
  const secretOf = ({ cookie }: Client) =>
    decodeURIComponent(cookie.slice('openslot='.length)).replace(/\.[^.]*$/, '');

  it('stays while the database cannot say whether the session goes on', async () => {
    const person = await server.signIn();
    const { cookie } = person;
    await sql`alter table sessions rename to sessions_elsewhere`.execute(server.owner);
    try {
      expect((await person.get('/api/auth/user')).status).toBe(500);
    } finally {
      await sql`alter table sessions_elsewhere rename to sessions`.execute(server.owner);
    }
    expect(person.cookie).toBe(cookie);
    expect(await isSignedIn(person)).toBe(true);
  });

  it('of two confirmations at once is that of the one that was first', async () => {
    const person = await server.signIn();
    const other = Object.assign(server.anyone(), { cookie: person.cookie });
    const confirm = async (tab: Client) => await tab.post('/api/user/reauthenticate', { password: PASSWORD });
    const answers = await Promise.all([person, other].map(confirm));
    const cleared = answers.filter(({ headers }) =>
      headers.getSetCookie().some((each) => each.startsWith('openslot=;')),
    );
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(cleared).toEqual([]);
  });

  it('of a session that signs out while it is confirmed does not open anything', async () => {
    const person = await server.signIn();
    const other = Object.assign(server.anyone(), { cookie: person.cookie });
    const calls = await server.owner.transaction().execute(async (tx) => {
      // Both calls have read the session, and wait for its row.
      await sql`select from sessions where sid = ${secretOf(person)} for update`.execute(tx);
      const confirmed = person.post('/api/user/reauthenticate', { password: PASSWORD });
      await waiting(1);
      const signedOut = other.post('/api/auth/logout');
      await waiting(2);
      return [confirmed, signedOut];
    });
    await Promise.all(calls);
    expect(await isSignedIn(person)).toBe(false);
  });

  it('is not in an answer that a shared cache may keep', async () => {
    const ended = Object.assign(server.anyone(), { cookie: 'openslot=unknown' });
    const [page, call] = [await ended.get('/robots.txt'), await ended.get('/api/auth/user')];
    expect(page.headers.get('cache-control')).toMatch(/^public/);
    expect([page.headers.getSetCookie(), call.headers.getSetCookie()]).toEqual([
      [],
      [expect.stringMatching(/^openslot=;/)],
    ]);
  });
});

/** Waits until so many calls wait for the row of a session. */
async function waiting(calls: number): Promise<void> {
  const count = sql<{ n: number }>`select count(*)::integer as n
    from pg_locks l join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted`;
  await expect.poll(async () => (await count.execute(server.owner)).rows[0]?.n).toBe(calls);
}

// Proves WARD-15
it('ends the session that was not used for the longest when there are more than the list shows', async () => {
  const person = await server.signIn();
  const oldest = await alsoOn(person);
  const sid = `select sid from sessions where sess ->> 'userId' = '${person.user.id}'`;
  const { db } = server.ctx;
  const others = sql.raw(`
    insert into sessions (sid, sess, expire, started_at, last_used_at)
      select 'many' || n, '{"userId": ${person.user.id}}', now() + interval '1 day', now(), now() + n * interval '1 second'
        from generate_series(1, 98) n`);
  await others.execute(db);
  await sql
    .raw(`update sessions set last_used_at = now() - interval '1 hour' where sid in (${sid})
    and sid not like 'many%'`)
    .execute(db);
  await sql
    .raw(`update sessions set last_used_at = now() where sid in (${sid} and sid not like 'many%'
    order by started_at limit 1)`)
    .execute(db);
  const stranger = await server.signIn();
  expect(await sessionsOf(person)).toHaveLength(100);
  const here = await alsoOn(person);
  expect(await sessionsOf(here)).toHaveLength(100);
  const { rows } = await sql.raw<{ sid: string }>(sid).execute(db);
  expect(rows).toHaveLength(100);
  expect([await isSignedIn(oldest), await isSignedIn(person), await isSignedIn(stranger)]).toEqual([
    false,
    true,
    true,
  ]);
});
