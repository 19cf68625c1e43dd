/** People who act for an account of others: inviting, joining, switching, and what each role may do. */
import { describe, expect, it } from 'vitest';
import { FOUNDER, MAX_MEMBERS, MEMBER_ROLES, type MemberRole } from '#domain/accounts/members.ts';
import { DAY_MS } from '#domain/time.ts';
import { appCode } from '#server/testing/accounts/second-factor.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { removeExpiredInvitations } from './members.ts';

const server = useOwnServer();

const MEMBERS = '/api/account/members';
const invite = async (owner: Client, email: string, role: MemberRole = 'read') =>
  await owner.post(MEMBERS, { email, role });

/** The token of the newest invitation to an address. */
async function tokenTo(email: string): Promise<string> {
  const mail = (await mailTo(server.ctx, email)).findLast(({ kind }) => kind === 'member-invitation');
  return /\/join\?token=([\w-]{22})/.exec(mail?.text ?? '')?.[1] ?? '';
}

const join = async (person: Client, token: string) => await person.post('/api/account/join', { token });
const switchTo = async (person: Client, account: number | null) =>
  await person.post('/api/account/switch', { account });
const listOf = async (owner: Client) =>
  (await owner.get(MEMBERS)).body as { id: number; email: string; role: MemberRole; isYou: boolean }[];

/** A new person who has joined the owner's account, and whose session acts for it. */
async function memberOf(owner: Client, role: MemberRole): Promise<Client & { memberId: number }> {
  const person = await server.signIn('both');
  const { body } = await invite(owner, person.user.email, role);
  expect((await join(person, await tokenTo(person.user.email))).status).toBe(200);
  expect((await switchTo(person, owner.user.id)).status).toBe(200);
  return Object.assign(person, { memberId: body.id as number });
}

const subjectOf = async (person: Client) => (await person.get('/api/auth/user')).body.id as number;

describe('invitations', () => {
  // Proves RES-77
  it('mails a link that joins its address once, and keeps neither the address nor the token after it', async () => {
    const owner = await server.signIn('both', { firstName: 'Olga', lastName: 'Owner' });
    const person = await server.signIn('buyer', { firstName: 'Pia', lastName: 'Person' });
    const { email } = person.user;
    const invited = await invite(owner, ` ${email.toUpperCase()} `, 'editor');
    expect([invited.status, invited.body]).toMatchObject([
      201,
      { email, role: 'editor', name: null, isYou: false },
    ]);
    const token = await tokenTo(email);
    const stored = await server.ctx.db.selectFrom('accountMembers').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await join(person, token)).body).toEqual({
      account: owner.user.id,
      name: 'Olga Owner',
      role: 'editor',
    });
    expect((await join(person, token)).status).toBe(404);
    const row = await server.ctx.db
      .selectFrom('accountMembers')
      .selectAll()
      .where('id', '=', invited.body.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ userId: person.user.id, email: null, tokenHash: null, expiresAt: null });
    expect(await listOf(owner)).toMatchObject([
      { id: FOUNDER, email: owner.user.email, name: 'Olga Owner', role: 'owner', isYou: true },
      { id: invited.body.id, email, name: 'Pia Person', role: 'editor', isYou: false, invitedUntil: null },
    ]);
    const mail = (await mailTo(server.ctx, owner.user.email)).find(({ kind }) => kind === 'member-joined');
    expect(mail?.text).toContain(`Pia Person (${email}) accepted`);
  });

  // Proves RES-77
  it('refuses a token that is replaced, withdrawn, expired, unknown, or of another address', async () => {
    const owner = await server.signIn('both');
    const person = await server.signIn('buyer');
    const { email } = person.user;
    await invite(owner, email);
    const first = await tokenTo(email);
    const { body: again } = await invite(owner, email, 'billing');
    expect((await listOf(owner)).filter((member) => member.email === email)).toMatchObject([
      { id: again.id, role: 'billing' },
    ]);
    const second = await tokenTo(email);
    expect((await join(person, first)).status).toBe(404);
    const stranger = await server.signIn('buyer');
    const answer = await join(stranger, second);
    expect([answer.status, answer.body.message]).toEqual([
      403,
      `This invitation is for ${email}. Sign in with that address.`,
    ]);
    expect((await join(server.anyone(), second)).status).toBe(401);
    const read = async (by: Client) => {
      const { status, body } = await by.post('/api/account/invitation', { token: second });
      return [status, body.name ?? body.message, body.role];
    };
    expect(await read(stranger)).toEqual([403, answer.body.message, undefined]);
    expect((await read(server.anyone()))[0]).toBe(401);
    expect(await read(person)).toEqual([200, expect.stringMatching(/\S/), 'billing']);
    for (const token of ['x', 'x'.repeat(22)]) expect((await join(person, token)).status).toBe(404);
    for (const body of [{}, { token: '' }, { token: 'x'.repeat(101) }, { token: 7 }])
      expect((await person.post('/api/account/join', body)).status).toBe(400);
    expect((await owner.delete(`${MEMBERS}/${again.id}`)).status).toBe(200);
    expect((await join(person, second)).status).toBe(404);
    await invite(owner, email);
    const third = await tokenTo(email);
    server.clock.advance(7 * DAY_MS);
    expect((await join(person, third)).status).toBe(404);
    expect(await listOf(owner)).toHaveLength(1);
    await removeExpiredInvitations(server.ctx);
    const left = await server.ctx.db
      .selectFrom('accountMembers')
      .select('id')
      .where('email', '=', email)
      .execute();
    expect(left).toEqual([]);
    expect((await switchTo(person, owner.user.id)).status).toBe(403);
  });

  // Proves RES-77
  it('refuses an address that its owner has not confirmed, on either side', async () => {
    const owner = await server.signIn('both');
    const thief = await server.signIn('buyer');
    const wanted = `wanted-${thief.user.id}@example.test`;
    await invite(owner, wanted, 'owner');
    const token = await tokenTo(wanted);
    expect((await thief.patch('/api/user/profile', { email: wanted })).status).toBe(200);
    const answer = await join(thief, token);
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'Verify your email address first, then open the link again.',
    ]);
    const spammer = await server.signIn('both');
    await spammer.patch('/api/user/profile', { email: `boss-${spammer.user.id}@example.test` });
    expect((await invite(spammer, 'victim@example.test')).status).toBe(403);
    expect(await mailTo(server.ctx, 'victim@example.test')).toEqual([]);
  });

  it('refuses oneself, the account, a member, a role that is none, and a 51st member', async () => {
    const owner = await server.signIn('both');
    expect((await invite(owner, owner.user.email)).status).toBe(409);
    const member = await memberOf(owner, 'owner');
    expect((await invite(member, member.user.email)).status).toBe(409);
    expect((await invite(member, owner.user.email)).status).toBe(409);
    expect((await invite(owner, member.user.email)).status).toBe(409);
    for (const body of [
      {},
      { email: 'a@example.test' },
      { email: 'no address', role: 'read' },
      { email: 'a@example.test', role: 'admin' },
      { email: 'a@example.test', role: ['owner'] },
    ])
      expect((await owner.post(MEMBERS, body)).status).toBe(400);
    for (let number = 1; number < MAX_MEMBERS; number++)
      expect((await invite(owner, `m${number}-${owner.user.id}@example.test`)).status).toBe(201);
    expect((await invite(owner, 'one-more@example.test')).status).toBe(409);
    // A new invitation to an invited address takes no more room.
    expect((await invite(owner, `m1-${owner.user.id}@example.test`, 'editor')).status).toBe(201);
  });

  it('changes and removes only the account’s own members, and never its founder', async () => {
    const owner = await server.signIn('both');
    const other = await server.signIn('both');
    const member = await memberOf(owner, 'owner');
    for (const caller of [owner, member]) {
      expect((await caller.delete(`${MEMBERS}/${FOUNDER}`)).status).toBe(403);
      expect((await caller.patch(`${MEMBERS}/${FOUNDER}`, { role: 'read' })).status).toBe(403);
    }
    for (const id of [member.memberId, 999_999, 'x', '-1', '1e0']) {
      expect((await other.delete(`${MEMBERS}/${id}`)).status).toBe(404);
      expect((await other.patch(`${MEMBERS}/${id}`, { role: 'read' })).status).toBe(404);
    }
    expect((await owner.patch(`${MEMBERS}/${member.memberId}`, { role: 'boss' })).status).toBe(400);
    const changed = await owner.patch(`${MEMBERS}/${member.memberId}`, { role: 'read' });
    expect([changed.status, changed.body.role]).toEqual([200, 'read']);
    expect((await member.get(MEMBERS)).status).toBe(403);
    expect((await owner.delete(`${MEMBERS}/${member.memberId}`)).status).toBe(200);
    expect((await owner.delete(`${MEMBERS}/${member.memberId}`)).status).toBe(404);
  });

  // Proves RES-77
  it('asks for a recent sign-in before it lets anybody in', async () => {
    const owner = await server.signIn('both');
    server.clock.advance(16 * 60 * 1000);
    const answer = await invite(owner, 'late@example.test', 'owner');
    expect([answer.status, answer.body.code]).toEqual([403, 'reauthenticate']);
    expect(await mailTo(server.ctx, 'late@example.test')).toEqual([]);
    expect((await owner.post('/api/user/reauthenticate', { password: PASSWORD })).status).toBe(200);
    expect((await invite(owner, 'late@example.test', 'owner')).status).toBe(201);
  });
});

describe('acting for an account', () => {
  // Proves RES-73
  it('lists the accounts of the person, and acts for one until the person switches back', async () => {
    const owner = await server.signIn('seller', { firstName: 'Olga', lastName: 'Owner' });
    const member = await memberOf(owner, 'editor');
    const accounts = async () => (await member.get('/api/accounts')).body;
    expect(await accounts()).toEqual([
      { id: null, name: 'Ann Bell', role: 'owner', isCurrent: false },
      { id: owner.user.id, name: 'Olga Owner', role: 'editor', isCurrent: true },
    ]);
    expect((await member.get('/api/auth/user')).body).toMatchObject({
      id: owner.user.id,
      role: 'seller',
      hasOtherAccounts: true,
      membership: {
        role: 'editor',
        rights: ['figures', 'ads', 'change'],
        account: 'Olga Owner',
        person: 'Ann Bell',
      },
    });
    const website = await makeWebsite(member, { name: 'Made by the editor' });
    expect((await owner.get('/api/websites/my')).body).toMatchObject([{ id: website.id }]);
    expect((await switchTo(member, null)).body).toMatchObject({ id: null, isCurrent: true });
    expect((await member.get('/api/auth/user')).body).toMatchObject({
      id: member.user.id,
      hasOtherAccounts: true,
    });
    expect((await member.get('/api/auth/user')).body.membership).toBeUndefined();
    expect((await member.get('/api/websites/my')).body).toEqual([]);
    expect((await owner.get('/api/auth/user')).body.hasOtherAccounts).toBeUndefined();
    for (const account of [owner.user.id + 100_000, 0, 'x', {}])
      expect((await member.post('/api/account/switch', { account })).status).toBeGreaterThanOrEqual(400);
    expect(await subjectOf(member)).toBe(member.user.id);
  });

  // Proves RES-73
  it('acts in one session only, and not after a new sign-in', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'read');
    const second = server.anyone();
    const login = { email: member.user.email, password: PASSWORD };
    expect((await second.post('/api/auth/login', login)).body.user.id).toBe(member.user.id);
    expect(await subjectOf(second)).toBe(member.user.id);
    expect(await subjectOf(member)).toBe(owner.user.id);
    // The confirmation renews the session, which still acts for the account. It asks for the member's own password.
    expect((await member.post('/api/user/reauthenticate', { password: PASSWORD })).status).toBe(200);
    expect(await subjectOf(member)).toBe(owner.user.id);
    await member.post('/api/auth/logout');
    await member.post('/api/auth/login', login);
    expect(await subjectOf(member)).toBe(member.user.id);
  });

  // Proves RES-74
  it('refuses each call from the next one on after a removal, until the person goes back', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'owner');
    const own = await makeWebsite(member);
    expect((await owner.delete(`${MEMBERS}/${member.memberId}`)).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', '/api/auth/user'],
      ['GET', '/api/websites/my'],
      ['DELETE', `/api/websites/${own.id}`],
      ['DELETE', '/api/user/account'],
      ['POST', MEMBERS, { email: 'x@example.test', role: 'owner' }],
    ] as const) {
      const answer = await member.send(method, path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'not-a-member']);
    }
    expect((await owner.get('/api/websites/my')).body).toMatchObject([{ id: own.id }]);
    expect((await member.get('/api/accounts')).body).toEqual([
      { id: null, name: 'Ann Bell', role: 'owner', isCurrent: false },
    ]);
    expect((await switchTo(member, owner.user.id)).status).toBe(403);
    expect((await switchTo(member, null)).status).toBe(200);
    expect(await subjectOf(member)).toBe(member.user.id);
  });

  // Proves RES-73
  it('lets a member leave, whose session then acts for the person', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'read');
    const stranger = await server.signIn('both');
    expect((await stranger.delete(`/api/accounts/${owner.user.id}`)).status).toBe(404);
    expect((await member.delete(`/api/accounts/${owner.user.id}`)).status).toBe(200);
    expect(await subjectOf(member)).toBe(member.user.id);
    expect((await member.delete(`/api/accounts/${owner.user.id}`)).status).toBe(404);
    expect(await listOf(owner)).toHaveLength(1);
    expect((await owner.delete(`/api/accounts/${owner.user.id}`)).status).toBe(404);
  });

  // Proves RES-74
  it('refuses a page that still shows the other account', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'editor');
    const website = { name: 'W', url: 'https://w.test', category: 'Food' };
    const shown = (id: number) => ({ 'x-shown-user': String(id) });
    expect((await member.post('/api/websites', website, shown(member.user.id))).status).toBe(409);
    expect((await member.post('/api/websites', website, shown(owner.user.id))).status).toBe(201);
    await switchTo(member, null);
    expect((await member.post('/api/websites', website, shown(owner.user.id))).status).toBe(409);
    expect((await member.get('/api/websites/my')).body).toEqual([]);
  });

  // Proves RES-74
  it('refuses while the person, or the account, is suspended or deleted', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'billing');
    const suspend = async (id: number, reason: string | null) =>
      await server.ctx.db
        .updateTable('users')
        .set({ suspendedAt: reason === null ? null : new Date(), suspendedReason: reason })
        .where('id', '=', id)
        .execute();
    await suspend(owner.user.id, 'Fraud');
    const refused = await member.get('/api/analytics/spending');
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This account is suspended, so you can only read its documents and its balance. Reason: Fraud',
    ]);
    expect((await member.get('/api/documents')).status).toBe(200);
    await suspend(owner.user.id, null);
    await suspend(member.user.id, 'Spam');
    expect((await member.get('/api/documents')).status).toBe(403);
    expect((await switchTo(member, null)).status).toBe(200);
    expect((await member.get('/api/documents')).status).toBe(200);
    await suspend(member.user.id, null);
    expect((await switchTo(member, owner.user.id)).status).toBe(200);
    expect((await owner.delete('/api/user/account')).status).toBe(200);
    expect((await member.get('/api/documents')).body.code).toBe('not-a-member');
    expect((await member.get('/api/accounts')).body).toHaveLength(1);
  });
});

describe('what each role may do', () => {
  /** One call of each kind, with the status for the roles that may make it. */
  const CALLS: [call: string, roles: readonly MemberRole[], body?: object][] = [
    ['GET /api/analytics/spending', MEMBER_ROLES],
    ['GET /api/waiting', MEMBER_ROLES],
    ['GET /api/ads/my', ['owner', 'editor', 'read']],
    ['GET /api/ad-zones/overview', ['owner', 'editor', 'read']],
    ['POST /api/websites', ['owner', 'editor'], { name: 'W', url: 'https://w.test', category: 'Food' }],
    ['PATCH /api/ad-zone-products/{product}', ['owner', 'editor'], { price: '7' }],
    ['PUT /api/ads/{ad}/approve', ['owner', 'editor']],
    ['POST /api/ads/{ad}/cancel', ['owner', 'editor'], { refundAmount: '0.00' }],
    ['POST /api/create-payment-intent', ['owner', 'billing'], { amount: '1.00', adPublicId: 'x' }],
    ['GET /api/payments/saved-card', ['owner', 'billing']],
    ['POST /api/payment-consents', ['owner', 'billing'], { limit: '1.00', ads: [] }],
    ['GET /api/documents', ['owner', 'billing']],
    ['GET /api/documents/R-2026-999999', ['owner', 'billing']],
    ['GET /api/documents/R-2026-999999.pdf', ['owner', 'billing']],
    ['GET /api/statements/2026-01.csv', ['owner', 'billing']],
    ['GET /api/payouts', ['owner', 'billing']],
    ['POST /api/payouts', ['owner', 'billing'], {}],
    ['POST /api/payouts/account', ['owner', 'billing'], { country: 'DE' }],
    ['PATCH /api/user/settings', ['owner', 'billing'], { businessName: 'Changed' }],
    ['GET /api/billing/portal', ['owner', 'billing']],
    ['GET /api/account/members', ['owner']],
    ['POST /api/account/members', ['owner'], { email: 'new@example.test', role: 'owner' }],
    ['PATCH /api/account/members/{member}', ['owner'], { role: 'read' }],
    ['DELETE /api/account/members/{member}', ['owner']],
    ['PATCH /api/user/role', ['owner'], { role: 'both' }],
    ['PATCH /api/user/profile', ['owner'], { firstName: 'Changed' }],
    ['PUT /api/user/picture', ['owner'], {}],
    [
      'POST /api/user/password',
      ['owner'],
      { currentPassword: 'wrong', newPassword: 'correct horse battery' },
    ],
    ['POST /api/user/second-factor', ['owner'], { password: 'wrong' }],
    ['GET /api/user/sessions', ['owner']],
    ['DELETE /api/user/sessions', ['owner']],
    ['GET /api/user/security-events', ['owner']],
    ['POST /api/user/export-data', ['owner']],
    ['POST /api/user/passkeys/options', []],
    ['POST /api/user/email/take-back', []],
    ['DELETE /api/user/account', ['owner']],
  ];

  // Proves RES-73
  it.each(MEMBER_ROLES)(
    'answers %s with 403 for what the role may not do, and changes nothing',
    async (role) => {
      const owner = await server.signIn('both');
      const product = await makeProduct(owner, await makeZone(owner, await makeWebsite(owner)));
      const ad = await makeAd(owner, product);
      const { body: invited } = await invite(owner, `invited-${owner.user.id}@example.test`);
      const member = await memberOf(owner, role);
      const story: Record<string, string | number> = { product: product.id, ad: ad.id, member: invited.id };
      const before = await stateOf(owner);
      const statuses: [string, boolean][] = [];
      for (const [call, roles, body] of CALLS) {
        // What a role may do comes second, so that refusals are known to have changed nothing.
        if (roles.includes(role)) continue;
        const answer = await calling(member, call, story, body);
        statuses.push([call, answer === 403]);
      }
      expect(statuses.filter(([, isRefused]) => !isRefused)).toEqual([]);
      expect(await stateOf(owner)).toEqual(before);
      const allowed: [string, number][] = [];
      for (const [call, roles, body] of CALLS)
        if (roles.includes(role)) allowed.push([call, await calling(member, call, story, body)]);
      expect(allowed.filter(([, status]) => status === 403 || status >= 500)).toEqual([]);
    },
  );

  async function calling(
    member: Client,
    call: string,
    story: Record<string, string | number>,
    body?: object,
  ): Promise<number> {
    const [method = '', path = ''] = call.split(' ');
    const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(story[name]));
    return (await member.send(method, address, body)).status;
  }

  /** What the calls above would change. */
  async function stateOf(owner: Client): Promise<unknown> {
    const { body: exported } = await owner.post('/api/user/export-data');
    const { profile, settings, websites, ads, members, paymentConsents, payouts, passkeys } = exported;
    return { profile, settings, websites, ads, members, paymentConsents, payouts, passkeys };
  }

  // Proves RES-78
  it('gives no member a way to sign in as the founder, who may act for other accounts', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'owner');
    const before = await server.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', owner.user.id)
      .executeTakeFirst();
    const taken = `taken-${owner.user.id}@example.test`;
    expect((await member.patch('/api/user/profile', { email: taken })).status).toBe(403);
    expect((await member.post('/api/user/passkeys/options')).status).toBe(403);
    // The member's own password changes nothing of the founder.
    const own = await server.signIn('both');
    expect(own.user.id).not.toBe(owner.user.id);
    await server.ctx.db
      .updateTable('users')
      .set({ password: 'another hash' })
      .where('id', '=', owner.user.id)
      .execute();
    const change = { currentPassword: PASSWORD, newPassword: 'correct horse battery' };
    expect((await member.post('/api/user/password', change)).status).toBe(400);
    expect((await member.post('/api/user/second-factor', { password: PASSWORD })).status).toBe(400);
    const after = await server.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', owner.user.id)
      .executeTakeFirst();
    expect(after).toEqual({ ...before, password: 'another hash' });
  });

  // Proves RES-78
  it('does not take a code of the account for one of the member, who may be an operator', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'owner');
    const begun = await member.post('/api/user/second-factor', { password: PASSWORD });
    const code = appCode(begun.body.secret as string, server.ctx.realNow());
    expect((await member.post('/api/user/second-factor/confirm', { code })).status).toBe(200);
    expect((await owner.get('/api/auth/user')).status).toBe(401);
    // The console of an operator opens with this note alone.
    const { rows } = await server.app.pool.query<{ sess: object }>(
      `select sess from sessions where sess ->> 'userId' = $1`,
      [String(member.user.id)],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sess).not.toHaveProperty('codeAt');
    await switchTo(member, null);
    expect((await member.get('/api/user/second-factor')).body.isOn).toBe(false);
  });

  // Proves RES-78
  it('keeps what is of the member’s person: the console of an operator, and the own session', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'owner');
    await server.ctx.db
      .insertInto('operators')
      .values({ userId: owner.user.id, role: 'read', addedAt: new Date() })
      .execute();
    expect((await member.get('/operator')).status).toBe(404);
    expect((await member.get('/api/auth/user')).body.isOperator).toBeUndefined();
    await server.ctx.db.deleteFrom('operators').where('userId', '=', owner.user.id).execute();
    // Ending all sessions of the account leaves the member's own open, and logging out ends only that.
    expect((await member.delete('/api/user/sessions')).status).toBe(200);
    expect((await owner.get('/api/auth/user')).status).toBe(401);
    expect(await subjectOf(member)).toBe(owner.user.id);
    expect((await member.post('/api/auth/logout')).status).toBe(200);
    expect((await member.get('/api/accounts')).status).toBe(401);
  });
});

describe('records', () => {
  // Proves RES-73
  it('names the member in the security log of the account', async () => {
    const owner = await server.signIn('both');
    const member = await memberOf(owner, 'owner');
    await server.ctx.db
      .updateTable('users')
      .set({ firstName: 'Mia', lastName: 'Member' })
      .where('id', '=', member.user.id)
      .execute();
    await member.patch('/api/user/role', { role: 'seller' });
    await invite(member, 'somebody@example.test');
    const { body } = await owner.get('/api/user/security-events?limit=4');
    expect(body).toMatchObject([
      { kind: 'member-invited', member: 'Mia Member' },
      { kind: 'role-changed', member: 'Mia Member' },
      { kind: 'member-joined', member: 'Mia Member' },
      { kind: 'member-invited' },
    ]);
    expect(body[3].member).toBeUndefined();
    await switchTo(member, null);
    expect((await member.delete('/api/user/account')).status).toBe(200);
    expect((await owner.get('/api/user/security-events?limit=1')).body[0].member).toBeNull();
  });

  // Proves RES-77
  it('exports members and memberships, and forgets them with the account', async () => {
    const owner = await server.signIn('both', { firstName: 'Olga', lastName: 'Owner' });
    const member = await memberOf(owner, 'read');
    const invited = await server.signIn('both');
    await invite(owner, invited.user.email, 'billing');
    expect((await owner.post('/api/user/export-data')).body).toMatchObject({
      members: [{ id: FOUNDER }, { email: member.user.email }, { email: invited.user.email }],
      memberships: { accounts: [], invitations: [] },
    });
    await switchTo(member, null);
    expect((await member.post('/api/user/export-data')).body).toMatchObject({
      members: [{ id: FOUNDER }],
      memberships: { accounts: [{ name: 'Olga Owner', role: 'read' }] },
    });
    expect((await invited.post('/api/user/export-data')).body).toMatchObject({
      memberships: { accounts: [], invitations: [{ role: 'billing' }] },
    });
    expect((await invited.delete('/api/user/account')).status).toBe(200);
    expect(await listOf(owner)).toHaveLength(2);
    expect((await member.delete('/api/user/account')).status).toBe(200);
    expect(await listOf(owner)).toHaveLength(1);
  });

  it('counts calls for the person who makes them', async () => {
    const tight = await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '1' } }));
    const owner = await tight.signIn('both');
    const person = await tight.signIn('both');
    await tight.ctx.db
      .insertInto('accountMembers')
      .values({
        accountId: owner.user.id,
        userId: person.user.id,
        role: 'owner',
        invitedBy: owner.user.id,
        invitedAt: new Date(),
        joinedAt: new Date(),
      })
      .execute();
    expect((await person.post('/api/account/switch', { account: owner.user.id })).status).toBe(200);
    const exported = async (client: Client) => (await client.post('/api/user/export-data')).status;
    for (let call = 0; call < 20; call++) expect(await exported(person)).toBe(200);
    expect(await exported(person)).toBe(429);
    expect(await exported(owner)).toBe(200);
  });
});

describe('at once', () => {
  // Proves RES-77
  it('accepts an invitation once, and never more members than fit', async () => {
    const owner = await server.signIn('both');
    const person = await server.signIn('both');
    await invite(owner, person.user.email);
    const token = await tokenTo(person.user.email);
    const answers = await Promise.all([1, 2, 3, 4].map(async () => await join(person, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404 || status === 409)).toHaveLength(3);
    expect(await listOf(owner)).toHaveLength(2);
    for (let number = 4; number <= MAX_MEMBERS; number++)
      await invite(owner, `r${number}-${owner.user.id}@example.test`);
    const last = await Promise.all(
      [1, 2, 3, 4, 5].map(
        async (number) => await invite(owner, `last${number}-${owner.user.id}@example.test`),
      ),
    );
    expect(last.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await listOf(owner)).toHaveLength(1 + MAX_MEMBERS);
  });

  // Proves RES-77
  it('ends a membership whatever runs at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const owner = await server.signIn('both');
      const member = await memberOf(owner, 'owner');
      await switchTo(member, null);
      const [removed] = await Promise.all([
        owner.delete(`${MEMBERS}/${member.memberId}`),
        switchTo(member, owner.user.id),
        member.get('/api/accounts'),
      ]);
      expect(removed.status).toBe(200);
      const answer = await member.get('/api/websites/my');
      // Whichever came first, the session acts for the person or for nobody.
      if (answer.status === 200) expect(await subjectOf(member)).toBe(member.user.id);
      else expect([answer.status, answer.body.code]).toEqual([403, 'not-a-member']);
    }
  });

  // Proves RES-77
  it('lets nobody join an account that is being deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await server.signIn('both');
      const person = await server.signIn('both');
      await invite(owner, person.user.email, 'owner');
      const token = await tokenTo(person.user.email);
      const [joined, deleted] = await Promise.all([join(person, token), owner.delete('/api/user/account')]);
      expect([200, 404]).toContain(joined.status);
      expect(deleted.status).toBe(200);
      expect((await switchTo(person, owner.user.id)).status).toBe(403);
      expect((await person.get('/api/accounts')).body).toHaveLength(1);
    }
  });
});
