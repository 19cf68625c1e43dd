import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();

let people = 0;
const person = (fields: Record<string, unknown> = {}) => ({
  email: `new-${++people}@example.test`,
  password: 'eight-8c',
  firstName: 'Nora',
  lastName: 'Quist',
  ...fields,
});
const userRow = async (email: string) =>
  await server.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('POST /api/auth/register', () => {
  // Proves OP-024, ERR-23
  it('answers an unexpected error with "Registration failed" and stores nothing', async () => {
    const body = person();
    await sql`alter table users add constraint nobody check (last_name <> 'Unexpected')`.execute(
      server.owner,
    );
    const answer = await server.anyone().post('/api/auth/register', { ...body, lastName: 'Unexpected' });
    await sql`alter table users drop constraint nobody`.execute(server.owner);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ message: 'Registration failed', reference: expect.any(String) });
    expect(await userRow(body.email)).toBeUndefined();
  });

  // Proves API-12, ENT-01, ENT-03, ENT-04
  it('opens an account with the defaults and no session', async () => {
    const body = person();
    const caller = server.anyone();
    const answer = await caller.post('/api/auth/register', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ success: true, requiresVerification: true });
    expect(caller.cookie).toBe('');
    expect((await caller.get('/api/auth/user')).status).toBe(401);

    const row = await userRow(body.email);
    expect(row).toMatchObject({
      firstName: 'Nora',
      lastName: 'Quist',
      role: 'both',
      hasCompletedOnboarding: false,
      isEmailVerified: false,
      profileImageUrl: null,
      stripeCustomerId: null,
    });
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('takes the timezone of the browser, and UTC without one that it knows', async () => {
    const settingsOf = async (email: string) => {
      const user = await userRow(email);
      const { timezone } = await server.ctx.db
        .selectFrom('userSettings')
        .select('timezone')
        .where('userId', '=', user?.id ?? 0)
        .executeTakeFirstOrThrow();
      return timezone;
    };
    const berlin = person({ timezone: 'Europe/Berlin' });
    expect((await server.anyone().post('/api/auth/register', berlin)).status).toBe(201);
    expect(await settingsOf(berlin.email)).toBe('Europe/Berlin');
    const silent = person();
    await server.anyone().post('/api/auth/register', silent);
    expect(await settingsOf(silent.email)).toBe('UTC');
    for (const timezone of ['Mars/Olympus', 'toString', '+01:00', 'Europe/Berlin; drop', '']) {
      const unknown = person({ timezone });
      expect((await server.anyone().post('/api/auth/register', unknown)).status).toBe(201);
      expect([timezone, await settingsOf(unknown.email)]).toEqual([timezone, 'UTC']);
    }
    expect((await server.anyone().post('/api/auth/register', person({ timezone: 7 }))).status).toBe(400);
  });

  // Proves AUTH-26, ENT-07, AUTH-04, ENT-10, SEC-17
  it('mails a code, which appears only in the body of the mail', async () => {
    const body = person();
    const answer = await server.anyone().post('/api/auth/register', body);
    const code = await codeFor(server.ctx, body.email);
    expect(answer.text).not.toContain(code);

    const rows = await server.ctx.db
      .selectFrom('emailVerifications')
      .selectAll()
      .where('email', '=', body.email)
      .execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ isUsed: false, purpose: 'verify', tries: 0 });
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/);
    // The code is stored as a keyed hash. [SEC-17]
    expect(rows[0]?.code).toMatch(/^[\w-]{43}$/);
    // The code is valid for ten minutes, and the link is stored only as a hash. [OP-021]
    expect(Number(rows[0]?.expiresAt) - Number(rows[0]?.createdAt)).toBe(600_000);
    expect(rows[0]?.linkHash).toHaveLength(32);
    expect(await userRow(body.email)).toMatchObject({
      verificationCode: rows[0]?.code,
      verificationCodeExpires: rows[0]?.expiresAt,
    });

    const [mail] = await mailTo(server.ctx, body.email);
    expect(mail?.subject).not.toContain(code);
    expect(mail?.html).toContain(code);
  });

  // Proves API-12, ENT-01
  it('refuses a taken address in any letter case, verified or not, and changes nothing', async () => {
    const body = person();
    await server.anyone().post('/api/auth/register', body);
    const before = await userRow(body.email);
    const again = await server
      .anyone()
      .post('/api/auth/register', person({ email: `  ${body.email.toUpperCase()} ` }));
    expect(again.status).toBe(409);
    expect(again.body.message).toBe('Email is already registered');
    expect(await userRow(body.email)).toEqual(before);
    expect(await mailTo(server.ctx, body.email)).toHaveLength(1);
  });

  // Proves ENT-01, API-12
  it('accepts exactly one of ten parallel registrations with one address', async () => {
    const body = person();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.anyone().post('/api/auth/register', body)),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect(await mailTo(server.ctx, body.email)).toHaveLength(1);
  });

  // Proves VAL-01, VAL-02, VAL-03, VAL-06
  it.each([
    [{ email: 'abc' }, 'Invalid email address'],
    [{ password: 'seven77' }, 'Password must be at least 8 characters'],
    [{ firstName: '  ' }, 'First name is required'],
    [{ lastName: undefined }, 'Last name is required'],
    [{ password: 12_345_678 }, 'Password must be at least 8 characters'],
    [{ firstName: 'A\u0000B' }, 'Text can’t contain null characters. Remove them and try again.'],
  ])('refuses %j', async (fields, message) => {
    const body = person(fields);
    const answer = await server.anyone().post('/api/auth/register', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(message);
    expect(await userRow(body.email)).toBeUndefined();
  });

  // Proves ENT-03, ENT-01
  it('ignores role, id and verification in the body', async () => {
    const body = person({ role: 'admin', isEmailVerified: true, id: 1, hasCompletedOnboarding: true });
    expect((await server.anyone().post('/api/auth/register', body)).status).toBe(201);
    expect(await userRow(body.email)).toMatchObject({
      role: 'both',
      isEmailVerified: false,
      hasCompletedOnboarding: false,
    });
  });

  // Proves ENT-01, ENT-03
  it('stores no duplicate address, unnormalized address or unknown role: constraints refuse them', async () => {
    const body = person();
    await server.anyone().post('/api/auth/register', body);
    // The types refuse an unknown role as well, so this statement goes around them.
    const insert = (email: string, role = 'both') =>
      sql`insert into users (email, role, password) values (${email}, ${role}, 'x')`.execute(server.ctx.db);
    await expect(insert(body.email)).rejects.toThrow('users_email_key');
    await expect(insert('Upper@example.test')).rejects.toThrow('users_email_normalized');
    await expect(insert('role@example.test', 'admin')).rejects.toThrow('users_role_known');
  });
});

describe('POST /api/auth/check-email', () => {
  // Proves API-11
  it('answers whether an address is free, in any letter case', async () => {
    const body = person();
    const caller = server.anyone();
    expect((await caller.post('/api/auth/check-email', { email: body.email })).body).toEqual({
      available: true,
    });
    await caller.post('/api/auth/register', body);
    const taken = await caller.post('/api/auth/check-email', { email: body.email.toUpperCase() });
    expect(taken.status).toBe(200);
    expect(taken.body).toEqual({ available: false });
  });

  // Proves API-11
  it('refuses a malformed address', async () => {
    for (const email of ['abc', 'a@', '', null, 7, { $gt: '' }, ['a@b.example']]) {
      const answer = await server.anyone().post('/api/auth/check-email', { email });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe('Invalid email address');
    }
  });
});
