import { describe, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();

const NAMES = { firstName: 'A', lastName: 'B' };

describe('without a session', () => {
  // Proves API-10, API-20, SET-19, API-24, API-25, API-26, API-29
  it.each([
    ['GET', '/api/auth/user'],
    ['POST', '/api/user/role'],
    ['PATCH', '/api/user/role'],
    ['GET', '/api/user/settings'],
    ['PATCH', '/api/user/settings'],
    ['GET', '/api/user/billing'],
    ['PATCH', '/api/user/profile'],
    ['GET', '/api/billing/portal'],
  ])('%s %s answers 401', async (method, path) => {
    const answer = await server.anyone().send(method, path, method === 'GET' ? undefined : { role: 'buyer' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ message: 'Unauthorized' });
  });
});

describe.each(['POST', 'PATCH'])('%s /api/user/role', (method) => {
  // Proves API-20, ENT-03, SET-07, AUTH-19
  it('sets each of the three roles and ends the onboarding', async () => {
    const email = `role-${method.toLowerCase()}@example.test`;
    const caller = server.anyone();
    const person = { ...NAMES, email, password: PASSWORD };
    await caller.post('/api/auth/register', person);
    await caller.post('/api/auth/verify-email', { email, code: await codeFor(server.ctx, email) });
    expect((await caller.get('/api/auth/user')).body.hasCompletedOnboarding).toBe(false);
    for (const role of ['buyer', 'seller', 'both']) {
      const answer = await caller.send(method, '/api/user/role', { role });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ email, role, hasCompletedOnboarding: true });
      expect((await caller.get('/api/auth/user')).body).toEqual(answer.body);
    }
  });

  // Proves API-20, ENT-03
  it('refuses other values, and never changes another user', async () => {
    const caller = await server.signIn('seller');
    const bystander = await server.signIn('seller');
    for (const role of ['admin', '', null, 1, undefined, ['buyer']]) {
      expect((await caller.send(method, '/api/user/role', { role })).status).toBe(400);
    }
    await caller.send(method, '/api/user/role', {
      role: 'buyer',
      id: bystander.user.id,
      userId: bystander.user.id,
    });
    expect((await bystander.get('/api/auth/user')).body.role).toBe('seller');
    expect((await caller.get('/api/auth/user')).body.role).toBe('buyer');
  });
});

// Proves ENT-06
it('gives a user without a role the access of both', async () => {
  const caller = await server.signIn();
  await server.ctx.db.updateTable('users').set({ role: null }).where('id', '=', caller.user.id).execute();
  expect((await caller.get('/api/auth/user')).body.role).toBeNull();
  expect((await caller.get('/api/user/settings')).status).toBe(200);
});

describe('/api/user/settings', () => {
  // Proves SET-19, ENT-11
  it('answers a new user with the defaults', async () => {
    const caller = await server.signIn();
    const answer = await caller.get('/api/user/settings');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(Number) as number,
      userId: caller.user.id,
      emailNotifications: true,
      marketingEmails: false,
      paymentAlerts: true,
      campaignUpdates: true,
      timezone: 'UTC',
      currency: 'USD',
      businessName: null,
      taxId: null,
      address: null,
      country: null,
      taxStatus: null,
      chargesTax: false,
      agreesToSelfBilling: false,
      isSelfBillingOffered: false,
      birthDate: null,
      registrationNumber: null,
      isReportAsked: false,
      website: null,
      description: null,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
  });

  // Proves OWNS-125
  it('takes the tax status of a publisher, and refuses details that contradict each other', async () => {
    const caller = await server.signIn();
    const change = async (details: object) => {
      const { status, body } = await caller.patch('/api/user/settings', details);
      return status === 200 ? 200 : [status, body.reason ?? body.issues?.[0]?.path];
    };
    expect(await change({ chargesTax: true })).toEqual([400, 'chargesTax']);
    expect(await change({ taxStatus: 'other' })).toEqual([400, 'taxStatus']);
    expect(await change({ taxStatus: 'business', chargesTax: true })).toEqual([400, 'chargesTax']);
    expect(await change({ agreesToSelfBilling: true })).toEqual([400, 'agreesToSelfBilling']);
    expect(await change({ taxStatus: 'private', agreesToSelfBilling: true })).toEqual([
      400,
      'agreesToSelfBilling',
    ]);
    expect(await change({ taxStatus: 'business', country: 'DE', taxId: 'DE 12' })).toEqual([400, 'tax_id']);
    expect(await change({ taxStatus: 'business', country: 'DE', taxId: 'DE 123 456 789' })).toBe(200);
    expect(await change({ chargesTax: true, agreesToSelfBilling: true })).toEqual([
      400,
      'agreesToSelfBilling',
    ]);
    expect(await change({ chargesTax: true, agreesToSelfBilling: true, address: 'Köln' })).toBe(200);
    for (const gone of [{ taxId: null }, { country: '' }, { address: null }, { taxStatus: 'private' }])
      expect(await change(gone)).toEqual([400, expect.any(String)]);
    expect((await caller.get('/api/user/settings')).body).toMatchObject({
      taxStatus: 'business',
      chargesTax: true,
      agreesToSelfBilling: true,
      taxId: 'DE 123 456 789',
      country: 'DE',
      address: 'Köln',
    });
  });

  // Proves API-24, ENT-11
  it.each([
    { emailNotifications: false },
    { marketingEmails: true },
    { paymentAlerts: false },
    { campaignUpdates: false },
    { timezone: 'Asia/Tokyo' },
    { currency: 'EUR' },
    { businessName: 'Quist & Sons' },
    { taxId: 'DE 123' },
    { website: 'https://quist.example/' },
    { description: 'We sell beans.' },
  ])('changes %j and keeps all other settings', async (change) => {
    const caller = await server.signIn();
    const before = (await caller.get('/api/user/settings')).body as Record<string, unknown>;
    const answer = await caller.patch('/api/user/settings', change);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...before, ...change, updatedAt: answer.body.updatedAt as string });
    expect((await caller.get('/api/user/settings')).body).toEqual(answer.body);
  });

  // Proves SET-17, API-24
  it('accepts the label of a timezone and stores its IANA name', async () => {
    const caller = await server.signIn();
    expect((await caller.patch('/api/user/settings', { timezone: 'Pacific' })).body.timezone).toBe(
      'America/Los_Angeles',
    );
  });

  // Proves API-10
  it('includes the timezone in every answer that contains the user', async () => {
    const caller = await server.signIn();
    expect((await caller.get('/api/auth/user')).body.timezone).toBe('UTC');
    await caller.patch('/api/user/settings', { timezone: 'Asia/Tokyo' });
    const login = await server
      .anyone()
      .post('/api/auth/login', { email: caller.user.email, password: PASSWORD });
    for (const shown of [
      (await caller.get('/api/auth/user')).body,
      (await caller.patch('/api/user/profile', { firstName: 'Aki' })).body,
      (await caller.post('/api/user/role', { role: 'buyer' })).body,
      login.body.user,
    ]) {
      expect(shown).toMatchObject({ timezone: 'Asia/Tokyo' });
    }
  });

  // Proves API-24, ENT-11
  it('ignores unknown fields and never changes id, userId or the user', async () => {
    const caller = await server.signIn();
    const before = (await caller.get('/api/user/settings')).body as { id: number };
    const answer = await caller.patch('/api/user/settings', {
      id: 999,
      userId: 999,
      nonsense: true,
      isEmailVerified: false,
      currency: 'GBP',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: before.id, userId: caller.user.id, currency: 'GBP' });
    expect((await caller.get('/api/auth/user')).body.isEmailVerified).toBe(true);
    expect((await caller.patch('/api/user/settings', {})).status).toBe(200);
  });

  // Proves API-24
  it.each([
    { emailNotifications: 'yes' },
    { timezone: 'Mars/Olympus' },
    { timezone: 'toString' },
    { currency: 'XYZ' },
    { businessName: 5 },
    { website: 'javascript:alert(1)' },
    { description: null, taxId: 'x'.repeat(51) },
  ])('refuses %j', async (change) => {
    const caller = await server.signIn();
    const answer = await caller.patch('/api/user/settings', change);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(expect.any(String));
  });

  // Proves SET-19
  it('creates missing settings with the defaults', async () => {
    const caller = await server.signIn();
    await server.ctx.db.deleteFrom('userSettings').where('userId', '=', caller.user.id).execute();
    const answers = await Promise.all(Array.from({ length: 5 }, () => caller.get('/api/user/settings')));
    for (const answer of answers) expect(answer.body.currency).toBe('USD');
  });
});

describe('PATCH /api/user/profile', () => {
  // Proves API-26
  it('changes one field at a time', async () => {
    const caller = await server.signIn();
    for (const change of [{ firstName: 'Zoë' }, { lastName: "O'Brien" }]) {
      const answer = await caller.patch('/api/user/profile', change);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject(change);
      expect((await caller.get('/api/auth/user')).body).toEqual(answer.body);
    }
  });

  // Proves API-26
  it('stores a new address as unverified, mails it a code, and notifies the old address', async () => {
    const caller = await server.signIn();
    const old = caller.user.email;
    const email = `moved-${old}`;
    const answer = await caller.patch('/api/user/profile', { email: email.toUpperCase() });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ email, isEmailVerified: false });
    expect((await caller.get('/api/auth/user')).body).toEqual(answer.body);
    expect((await mailTo(server.ctx, old)).map(({ kind }) => kind)).toEqual(['address-changed']);

    const code = await codeFor(server.ctx, email);
    const login = await server.anyone().post('/api/auth/login', { email, password: PASSWORD });
    expect(login.body).toEqual({ requiresVerification: true });
    const proved = await server.anyone().post('/api/auth/verify-email', { email, code });
    expect(proved.body.user).toMatchObject({ email, isEmailVerified: true });
  });

  // Proves API-26
  it('voids codes that were mailed to the old address', async () => {
    const caller = await server.signIn();
    const old = caller.user.email;
    await caller.post('/api/auth/forgot-password', { email: old });
    const code = await codeFor(server.ctx, old);
    await caller.patch('/api/user/profile', { email: `left-${old}` });
    // The code does not work for the next user of the address either.
    await server.anyone().post('/api/auth/register', { ...NAMES, email: old, password: PASSWORD });
    for (const email of [old, `left-${old}`]) {
      const answer = await server
        .anyone()
        .post('/api/auth/reset-password', { email, code, newPassword: 'a new password' });
      expect(answer.status).toBe(400);
    }
    const row = await server.ctx.db
      .selectFrom('users')
      .select('passwordResetCode')
      .where('id', '=', caller.user.id)
      .executeTakeFirstOrThrow();
    expect(row.passwordResetCode).toBeNull();
  });

  // Proves API-26
  it('changes nothing when the address stays the same', async () => {
    const caller = await server.signIn();
    const answer = await caller.patch('/api/user/profile', { email: caller.user.email });
    expect(answer.body).toMatchObject({ isEmailVerified: true });
    expect(await mailTo(server.ctx, caller.user.email)).toEqual([]);
  });

  // Proves API-26, ENT-01
  it('answers a taken address with 409, and lets one of ten parallel callers take a free one', async () => {
    const other = await server.signIn();
    const caller = await server.signIn();
    const taken = await caller.patch('/api/user/profile', { email: other.user.email, firstName: 'Changed' });
    expect(taken.status).toBe(409);
    expect(taken.body.message).toBe('Email is already registered');
    expect((await caller.get('/api/auth/user')).body).toMatchObject({
      email: caller.user.email,
      firstName: 'Ann',
    });

    const callers: Client[] = [];
    for (let round = 0; round < 10; round++) callers.push(await server.signIn());
    const answers = await Promise.all(
      callers.map((one) => one.patch('/api/user/profile', { email: 'wanted@example.test' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  // Proves API-26
  it('ignores role, isEmailVerified and password in the body', async () => {
    const caller = await server.signIn('buyer');
    const answer = await caller.patch('/api/user/profile', {
      firstName: 'Eve',
      role: 'both',
      isEmailVerified: false,
      password: 'hijacked password',
    });
    expect(answer.body).toMatchObject({ firstName: 'Eve', role: 'buyer', isEmailVerified: true });
    const login = { email: caller.user.email, password: PASSWORD };
    expect((await server.anyone().post('/api/auth/login', login)).status).toBe(200);
  });

  // Proves API-26
  it('refuses empty fields, wrong types, and a body without a known field', async () => {
    const caller = await server.signIn();
    for (const body of [{}, { firstName: ' ' }, { lastName: null }, { email: 'abc' }, { role: 'both' }]) {
      expect((await caller.patch('/api/user/profile', body)).status).toBe(400);
    }
  });
});

describe('billing', () => {
  // Proves API-25
  it('answers whether a billing account exists, without its id', async () => {
    const caller = await server.signIn();
    expect((await caller.get('/api/user/billing')).body).toMatchObject({ hasBillingAccount: false });
    await server.ctx.db
      .updateTable('users')
      .set({ stripeCustomerId: 'cus_secret_1' })
      .where('id', '=', caller.user.id)
      .execute();
    const answer = await caller.get('/api/user/billing');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      hasBillingAccount: true,
      provider: server.ctx.payments.name,
      mode: server.ctx.payments.mode,
    });
  });

  // Proves API-29, SET-09
  it('shows a page instead of the portal to a user without a billing account', async () => {
    const caller = await server.signIn();
    const answer = await caller.get('/api/billing/portal');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).toContain('No billing account yet');
    expect(answer.text).toContain('href="/billing"');
  });

  // Proves API-29, SET-09
  it('redirects a user with a billing account to their own portal', async () => {
    const caller = await server.signIn();
    const { id, email } = caller.user;
    const customer = await server.ctx.payments.createCustomer(
      { email, name: 'Ann Bell', metadata: { user_id: String(id) } },
      `customer-${id}`,
    );
    await server.ctx.db
      .updateTable('users')
      .set({ stripeCustomerId: customer.id })
      .where('id', '=', id)
      .execute();
    const answer = await caller.get('/api/billing/portal');
    expect(answer.status).toBe(303);
    const { url } = await server.ctx.payments.billingPortal(customer.id, `${server.url}/settings`);
    expect(new URL(answer.headers.get('location') ?? '', server.url).pathname).toBe(
      new URL(url, server.url).pathname,
    );
  });
});
