import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import {
  actFor,
  deleteAllOf,
  deleteExpired,
  deleteMembership,
  findInvitation,
  selectAccountsOf,
  selectInvitationsTo,
  selectMembers,
} from './store.ts';

const server = useOwnServer();

// Proves RES-73
it('reads only the members that it needs', async () => {
  const owner = await server.signIn('both');
  const { db } = server.ctx;
  await sql`insert into users (email, password, first_name, last_name, role, is_email_verified, created_at, updated_at)
    select 'many' || n || '@example.test', '', 'Ann', 'Bell', 'both', true, now(), now()
      from generate_series(1, 2000) n`.execute(db);
  await sql`insert into account_members (account_id, role, user_id, joined_at, invited_by, invited_at)
    select account.id, 'read', person.id, now(), account.id, now()
      from users account join users person on person.id = account.id + 1
      where account.email like 'many%'`.execute(db);
  await sql`insert into account_members (account_id, role, email, token_hash, expires_at, invited_by, invited_at)
    select id, 'read', 'invited-' || email, sha256(email::bytea), timestamptz '2027-01-01' + id * interval '1 hour', id, now()
      from users where email like 'many%'`.execute(db);
  await sql`vacuum analyze account_members, users, sessions`.execute(server.owner);
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'many7@example.test')
    .executeTakeFirstOrThrow();
  const at = new Date('2026-12-01T00:00:00Z');
  const early = new Date('2027-01-01T12:00:00Z');
  const sid = owner.cookie;
  for (const query of [
    (tx) => selectMembers(tx, id, at),
    (tx) => selectAccountsOf(tx, id),
    (tx) => findInvitation(tx, Buffer.from('x'), at),
    (tx) => selectInvitationsTo(tx, 'invited-many7@example.test'),
    (tx) => actFor(tx, { sid, accountId: id, userId: id + 1 }),
    (tx) => deleteMembership(tx, id, id + 1),
    (tx) => deleteAllOf(tx, id, 'invited-many9@example.test'),
    (tx) => deleteExpired(tx, early),
  ] satisfies Parameters<typeof planOf>[1][])
    expect(rowsMet(await planOf(db, query, { analyze: true }), 'account_members')).toBeLessThanOrEqual(15);
});
