/** Everybody who got into an account is outside after its owner took it back. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY_MS, later } from '#domain/time.ts';
import { addPasskey, signInByPasskey } from '#server/testing/accounts/passkeys.ts';
import { turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import type { Client } from '#server/testing/client.ts';
import { codeFor, linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { takeBack } from './end-access.ts';

const server = useOwnServer({ host: 'localhost' });

/** Lets a new person join the account as an owner. Their session acts for it. */
async function accompliceOf(owner: Client): Promise<Client> {
  const person = await server.signIn('both');
  const { email } = person.user;
  expect((await owner.post('/api/account/members', { email, role: 'owner' })).status).toBe(201);
  const mail = (await mailTo(server.ctx, email)).findLast(({ kind }) => kind === 'member-invitation');
  const token = /\/join\?token=([\w-]{22})/.exec(mail?.text ?? '')?.[1];
  expect((await person.post('/api/account/join', { token })).status).toBe(200);
  await actFor(person, owner);
  return person;
}

const actFor = async (person: Client, account: Client) =>
  (await person.post('/api/account/switch', { account: account.user.id })).status;

const openPayouts = async (person: Client) =>
  (await person.post('/api/payouts/account', { country: 'DE' })).status;

async function choosePassword(email: string, newPassword = 'the owner’s own'): Promise<Client> {
  const anyone = server.anyone();
  await anyone.post('/api/auth/forgot-password', { email });
  const code = await codeFor(server.ctx, email);
  expect((await anyone.post('/api/auth/reset-password', { email, code, newPassword })).status).toBe(200);
  const signedIn = await anyone.post('/api/auth/login', { email, password: newPassword });
  expect(signedIn.status).toBe(200);
  return Object.assign(anyone, { user: signedIn.body.user });
}

describe('a password for an address that nobody had verified', () => {
  // Proves WARD-01
  it('opens nothing to the person who moved an account of their own to the address', async () => {
    const thief = await server.signIn('both');
    const { passkey } = await addPasskey(thief, 'Phone');
    const accomplice = await accompliceOf(thief);
    const email = 'victim@example.test';
    expect((await thief.patch('/api/user/profile', { email })).status).toBe(200);
    const victim = await choosePassword(email);
    expect((await victim.patch('/api/user/role', { role: 'both' })).status).toBeLessThan(300);
    await makeWebsite(victim);

    const byPasskey = server.anyone();
    expect((await signInByPasskey(byPasskey, passkey)).body.user).toMatchObject({ id: thief.user.id });
    for (const client of [byPasskey, thief, accomplice])
      expect((await client.get('/api/websites/my')).body).toEqual([]);
    expect(await actFor(accomplice, victim)).toBe(403);
    // The thief's own notice is no way to the victim's address.
    const token = await linkTokenFor(server.ctx, thief.user.email, 'restore');
    expect((await server.anyone().post('/api/auth/restore-email', { token })).status).toBe(400);
    expect((await victim.get('/api/auth/user')).body).toMatchObject({ email, isEmailVerified: true });
  });

  // Proves WARD-01
  it('ends every way into a sign-up with the address, and says so', async () => {
    const person = await server.signIn('both');
    const { passkey } = await addPasskey(person, 'Phone');
    await turnOnSecondFactor(person, server.clock.now());
    const accomplice = await accompliceOf(person);
    await sql`update users set is_email_verified = false where id = ${person.user.id}`.execute(server.ctx.db);
    const { email } = person.user;
    const owner = await choosePassword(email);
    expect(owner.user).toMatchObject({ id: person.user.id, isEmailVerified: true });
    expect((await signInByPasskey(server.anyone(), passkey)).status).toBe(401);
    expect((await person.get('/api/auth/user')).status).toBe(401);
    expect(await actFor(accomplice, owner)).toBe(403);
    const told = (await mailTo(server.ctx, email)).find(({ kind }) => kind === 'password-changed');
    expect(told?.text).toContain('Everything that could open the account before has ended');
  });
});

describe('the link in the notice of a changed address', () => {
  // Proves WARD-02
  it('ends what the thief made, and nothing that is older than their session can be', async () => {
    const victim = await server.signIn('both');
    const colleague = await accompliceOf(victim);
    const second = await accompliceOf(victim);
    const role = await victim.get('/api/account/members');
    server.clock.advance(8 * DAY_MS);
    const thief = server.anyone();
    const { email } = victim.user;
    await thief.post('/api/auth/login', { email, password: PASSWORD });
    const accomplice = await accompliceOf(Object.assign(thief, { user: victim.user }));
    const invited = 'invited@example.test';
    await thief.post('/api/account/members', { email: invited, role: 'owner' });
    const { id } = role.body.find((row: { email: string }) => row.email === second.user.email);
    expect((await thief.patch(`/api/account/members/${id}`, { role: 'billing' })).status).toBe(200);
    expect((await thief.patch('/api/user/profile', { email: `thief-${email}` })).status).toBe(200);
    await addPasskey(thief, 'Phone');

    const token = await linkTokenFor(server.ctx, email, 'restore');
    expect((await server.anyone().post('/api/auth/restore-email', { token })).status).toBe(200);
    expect((await thief.get('/api/auth/user')).status).toBe(401);
    expect(await actFor(accomplice, victim)).toBe(403);
    expect(await openPayouts(accomplice)).toBe(403);
    const kinds = (await mailTo(server.ctx, email)).map(({ kind }) => kind);
    expect(kinds).toContain('account-restored');
    const owner = await choosePassword(email);
    expect((await owner.get('/api/account/members')).body.map((row: { email: string }) => row.email)).toEqual(
      [email, colleague.user.email],
    );
  });
});

/** The tables that give access to an account, with a row of the account and what is left of it after `takeBack`. */
const ACCESS: Record<string, { row: (account: number, other: number) => string; left: string }> = {
  sessions: {
    row: (account) =>
      `insert into sessions (sid, sess, expire) values ('s', '{"userId": ${account}}', now() + interval '1 day')`,
    left: `sess ->> 'userId' =`,
  },
  known_devices: {
    row: (account) => `insert into known_devices values (${account}, 'd', now())`,
    left: 'user_id::text =',
  },
  second_factors: {
    row: (account) => `insert into second_factors values (${account}, 's', 0, now(), now())`,
    left: 'user_id::text =',
  },
  recovery_codes: {
    row: (account) => `insert into recovery_codes values (${account}, 'c')`,
    left: 'user_id::text =',
  },
  passkeys: {
    row: (account) =>
      `insert into passkeys (user_id, credential_id, public_key, counter, name, created_at)
        values (${account}, 'x', 'x', 0, 'x', now())`,
    left: 'user_id::text =',
  },
  account_members: {
    row: (account, other) =>
      `insert into account_members (account_id, role, user_id, invited_by, invited_at, joined_at)
        values (${account}, 'owner', ${other}, ${account}, now(), now())`,
    left: 'account_id::text =',
  },
  report_links: {
    row: (account) =>
      `insert into report_links (key, user_id, plan_id, created_at, expires_at)
        select 'k', ${account}, id, now(), now() + interval '30 days' from plans`,
    left: 'revoked_at is null and user_id::text =',
  },
  conversion_keys: {
    row: (account) => `insert into conversion_keys (user_id, key_hash) values (${account}, 'k')`,
    left: 'user_id::text =',
  },
  payment_consents: {
    row: (account) =>
      `insert into payment_consents (user_id, book, limit_cents, currency, agreed_text, network, created_at)
        values (${account}, 'sandbox', 100, 'USD', 'x', 'x', now())`,
    left: `state <> 'withdrawn' and user_id::text =`,
  },
  payee_accounts: {
    row: (account) =>
      `insert into payee_accounts (user_id, book, country) values (${account}, 'sandbox', 'DE')`,
    left: 'user_id::text =',
  },
};

/** The other tables that refer to users, because a row of them opens nothing. */
const OPENS_NOTHING = [
  'account_ties', // Past relations, for holds only.
  'email_changes', // The way back of the owner of a verified address.
  'operators', // Changes with a second operator, and the console needs a session and a second factor.
  'operator_requests',
  'provider_customers', // The provider knows them. The billing portal needs a session.
  'user_settings',
  'security_events',
  'tax_id_checks',
  'media_library',
  'uploads',
  'websites',
  'ads',
  'plans',
  'waiting_list',
  'trusted_advertisers',
  'blocked_advertisers',
  'closing_parties',
  'conversions',
  'publisher_days',
  'told_withdrawals',
  'payments',
  'card_attempts',
  'holds',
  'payouts',
  'payout_weeks',
  'bank_accounts', // A row of payee_accounts says which one receives payouts.
  'documents',
];

describe('the list of ways into an account', () => {
  // Proves WARD-03
  it('has each table that refers to users, or it is known to open nothing', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct conrelid::regclass::text as name from pg_constraint
        where contype = 'f' and confrelid = 'users'::regclass order by 1`.execute(server.owner);
    // The user of a session is a member of its JSON, which has no foreign key.
    const known = [...Object.keys(ACCESS), ...OPENS_NOTHING].filter((name) => name !== 'sessions');
    expect(rows.map(({ name }) => name)).toEqual(known.toSorted());
  });

  // Proves WARD-03
  it('ends a row of each', async () => {
    const account = await server.signIn('both');
    const other = await server.signIn('both');
    const { db } = server.ctx;
    const { id, email } = account.user;
    await sql`insert into plans (user_id, request_id, body_hash, name) values (${id}, gen_random_uuid(), '', 'Plan')`.execute(
      db,
    );
    for (const { row } of Object.values(ACCESS)) await sql.raw(row(id, other.user.id)).execute(db);
    const left = async () => {
      const counts: Record<string, number> = {};
      for (const [table, { left: where }] of Object.entries(ACCESS)) {
        const { rows } = await sql
          .raw<{ n: number }>(`select count(*)::integer as n from ${table} where ${where} '${id}'`)
          .execute(db);
        counts[table] = rows[0]!.n;
      }
      return counts;
    };
    for (const count of Object.values(await left())) expect(count).toBeGreaterThan(0);
    const end = async (since: Date | null) =>
      await db.transaction().execute(async (tx) => await takeBack(server.ctx, tx, { id, email }, since));
    // Besides the ways to sign in, older rows stay.
    await end(later(new Date(), DAY_MS));
    expect(await left()).toEqual({
      ...Object.fromEntries(Object.keys(ACCESS).map((table) => [table, 0])),
      account_members: 1,
      report_links: 1,
      conversion_keys: 1,
      payment_consents: 1,
      payee_accounts: 1,
    });
    await end(null);
    expect(Object.values(await left()).filter((count) => count > 0)).toEqual([]);
  });
});
