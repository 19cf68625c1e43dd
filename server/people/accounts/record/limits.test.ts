import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from '#server/testing/client.ts';
import { linkTokenFor } from '#server/testing/mail/mail.ts';
import { PASSWORD, startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

// These tests use the real limits. Each group has a server of its own, because all callers share one network.
async function limited(env: Record<string, string> = {}): Promise<TestServer> {
  return await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '1', ...env } }));
}

/** Makes the calls one after the other. */
async function repeat(times: number, call: (round: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let round = 0; round < times; round++) answers.push(await call(round));
  return answers;
}
const refusedFrom = (answers: Answer[]) => answers.findIndex(({ status }) => status === 429);

describe('rate limits', () => {
  const server = useOwnServer({ env: { RATE_LIMIT_FACTOR: '1' } });
  let caller: Client;
  beforeAll(() => {
    caller = server.anyone();
  });

  // Proves API-11
  it('answer the 31st check-email in a minute with 429, Retry-After and a message', async () => {
    const answers = await repeat(35, (round) =>
      caller.post('/api/auth/check-email', { email: `someone-${round}@example.test` }),
    );
    expect(refusedFrom(answers)).toBe(30);
    const refusal = answers.at(-1);
    expect(refusal?.body.message).toContain('Too many requests');
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refusal?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  // Proves API-13
  it('stop wrong passwords for one address in any letter case, whether or not it has an account', async () => {
    const known = await server.signIn();
    for (const email of [known.user.email, 'unknown@example.test']) {
      const answers = await repeat(22, (round) =>
        caller.post('/api/auth/login', { email: round % 2 ? email : email.toUpperCase(), password: 'wrong' }),
      );
      expect(refusedFrom(answers)).toBe(20);
      expect(answers.at(-1)?.body.message).toContain('Too many requests');
    }
    // The right password is refused, too. Otherwise the limit would reveal it.
    const right = await caller.post('/api/auth/login', { email: known.user.email, password: PASSWORD });
    expect(right.status).toBe(429);
    // Other users of the same network can still sign in.
    expect((await server.signIn()).user.id).toBeGreaterThan(0);
  });

  // Proves API-15, API-16
  it('stop mails with codes to one address', async () => {
    for (const path of ['/api/auth/resend-code', '/api/auth/forgot-password']) {
      const email = `flooded-${path.length}@example.test`;
      const answers = await repeat(12, () => caller.post(path, { email }));
      expect(refusedFrom(answers)).toBe(10);
    }
  });

  // Proves API-14, API-17
  it('stop wrong codes for one account', async () => {
    const calls: [string, Record<string, string>][] = [
      ['/api/auth/verify-email', { email: 'guessed-1@example.test', code: 'AAAA' }],
      [
        '/api/auth/reset-password',
        { email: 'guessed-2@example.test', code: 'AAAA', newPassword: 'long enough' },
      ],
    ];
    for (const [path, body] of calls) {
      expect(refusedFrom(await repeat(22, () => caller.post(path, body)))).toBe(20);
    }
  });
});

describe('right passwords', () => {
  // Proves SEC-15
  it.each(['one account', 'many accounts'])('of %s, 60 at once, lock no network out', async (whose) => {
    const server = await limited();
    const people = await Promise.all(
      Array.from(
        { length: whose === 'one account' ? 1 : 60 },
        async () => (await server.signIn()).user.email,
      ),
    );
    const login = async (email: string, password: string) =>
      (await server.anyone().post('/api/auth/login', { email, password })).status;
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, at) => login(people[at % people.length] as string, PASSWORD)),
    );
    // While 20 passwords of one account are being compared, no more are taken.
    const refused = statuses.filter((status) => status !== 200);
    expect(new Set(refused)).toEqual(new Set(whose === 'one account' && refused.length > 0 ? [429] : []));
    expect(await login(people[0] as string, PASSWORD)).toBe(200);
  });

  // Proves SEC-15
  it('give an attacker no more guesses, however many are sent at once', async () => {
    const server = await limited();
    const { email } = (await server.signIn()).user;
    const guesses = await Promise.all(
      Array.from({ length: 60 }, () =>
        server.anyone().post('/api/auth/login', { email, password: 'a guess' }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
    const right = await server.anyone().post('/api/auth/login', { email, password: PASSWORD });
    expect(right.status).toBe(429);
  });
});

// Proves DOOR-09
it('the spellings of one mailbox share the limit of mails with codes', async () => {
  const server = await limited();
  for (const call of ['forgot-password', 'resend-code', 'register']) {
    const dotted = Array.from(call).join('.').replaceAll('.-.', '-');
    const spellings = Array.from({ length: 24 }, (_, at) => `${at % 2 ? dotted : call}+${at}@example.test`);
    const answers = await repeat(24, (round) =>
      server.anyone().post(`/api/auth/${call}`, {
        email: spellings[round],
        ...(call === 'register' && { password: PASSWORD, firstName: 'A', lastName: 'B' }),
      }),
    );
    expect([call, refusedFrom(answers)]).toEqual([call, 10]);
  }
});

// Proves API-14
it('stops a network that tries codes for many accounts', async () => {
  const server = await limited();
  const answers = await repeat(62, (round) =>
    server.anyone().post('/api/auth/verify-email', { email: `sprayed-${round}@example.test`, code: 'AAAA' }),
  );
  expect(refusedFrom(answers)).toBe(60);
});

// Proves SEC-15
it('refuses no caller because of the calls of other networks', async () => {
  // Behind a trusted proxy each caller has its own network. A small factor replaces a large number of calls.
  const server = await limited({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FACTOR: '0.01' });
  const known = await server.signIn();
  const { email } = known.user;
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const calls: [string, object][] = [
    ['/api/auth/register', { email, password: PASSWORD, firstName: 'A', lastName: 'B' }],
    ['/api/auth/forgot-password', { email }],
    ['/api/auth/verify-email', { email, code: 'AAAA' }],
    ['/api/auth/login', { email, password: 'wrong' }],
  ];
  for (const [path, body] of calls) {
    const answers = await repeat(15, (round) => server.anyone().post(path, body, from(`198.51.${round}.7`)));
    expect(refusedFrom(answers)).toBe(-1);
  }
});

// Proves SEC-15
it('exempts a browser that is known for the account from the limits that others exhaust in the same network', async () => {
  const server = await limited({ RATE_LIMIT_FACTOR: '0.1' });
  const known = await server.signIn();
  const { email } = known.user;
  await repeat(3, () => server.anyone().post('/api/auth/login', { email, password: 'wrong' }));
  await repeat(12, (round) =>
    server.anyone().post('/api/auth/login', { email: `a${round}@b.example`, password: 'wrong' }),
  );
  const stranger = await server.anyone().post('/api/auth/login', { email, password: PASSWORD });
  expect(stranger.status).toBe(429);
  expect((await known.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200);
  expect((await known.post('/api/auth/forgot-password', { email })).status).toBe(200);
  // A known browser has a limit of its own.
  const guesses = await repeat(3, () => known.post('/api/auth/login', { email, password: 'wrong' }));
  expect(refusedFrom(guesses)).toBe(2);
});

// Proves SEC-15
it('never refuses the right link of a mail', async () => {
  const server = await limited();
  const person = await server.signIn();
  const { email } = person.user;
  await person.post('/api/auth/forgot-password', { email });
  const token = await linkTokenFor(server.ctx, email, 'reset');
  const guess = { token: 'x'.repeat(22) };
  const guesses = await repeat(62, () => server.anyone().post('/api/auth/reset-link', guess));
  expect(refusedFrom(guesses)).toBe(60);
  const caller = server.anyone();
  const { code } = (await caller.post('/api/auth/reset-link', { token })).body as { code: string };
  const body = { email, code, newPassword: 'a new password', token };
  expect((await caller.post('/api/auth/reset-password', body)).status).toBe(200);
});

// Proves SEC-15
it('limits a rented network, and lets no subscriber exhaust it', async () => {
  const server = await limited({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FACTOR: '0.1' });
  const check = (ip: string) =>
    server.anyone().post('/api/auth/check-email', { email: 'a@b.example' }, { 'x-forwarded-for': ip });
  expect(refusedFrom(await repeat(5, () => check('203.0.113.1')))).toBe(3);
  expect((await check('203.0.113.2')).status).toBe(200);
  // 4 of 15 points of the network are taken.
  expect(refusedFrom(await repeat(15, (round) => check(`203.0.113.${10 + round}`)))).toBe(11);
});

// Proves API-11
it('counts the addresses of one IPv6 subscriber together, and other subscribers separately', async () => {
  const server = await limited({ TRUSTED_PROXIES: '127.0.0.1' });
  const check = (address: string) =>
    server.anyone().post('/api/auth/check-email', { email: 'a@b.example' }, { 'x-forwarded-for': address });
  expect(refusedFrom(await repeat(31, (round) => check(`2001:db8:1:2::${round + 1}`)))).toBe(30);
  expect((await check('2001:db8:1:2:ffff::1')).status).toBe(429);
  expect((await check('2001:db8:1:3::1')).status).toBe(200);
});

// Proves OPS-51
it('counts a caller once whose connections a proxy writes with their ports', async () => {
  const server = await limited({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FACTOR: '0.1' });
  const check = (forwarded: string) =>
    server.anyone().post('/api/auth/check-email', { email: 'a@b.example' }, { 'x-forwarded-for': forwarded });
  expect(refusedFrom(await repeat(5, (round) => check(`203.0.113.7:${50_000 + round}`)))).toBe(3);
  expect(refusedFrom(await repeat(5, (round) => check(`[2001:db8:1:2::7]:${50_000 + round}`)))).toBe(3);
});

// Proves API-13, WARD-15
it('counts sign-ins with the right password far beyond those with a wrong one', async () => {
  const server = await limited();
  const known = await server.signIn();
  const signIn = async (password: string) =>
    await server.anyone().post('/api/auth/login', { email: known.user.email, password });
  const before = await countSessions(server);
  const answers = await repeat(62, () => signIn(PASSWORD));
  // The sign-in above was one.
  expect(refusedFrom(answers)).toBeOneOf([59, 60]);
  expect((await countSessions(server)) - before).toBe(refusedFrom(answers));
  // Another account of this network signs in.
  expect((await server.signIn()).user.id).toBeGreaterThan(0);
});

async function countSessions({ ctx }: TestServer): Promise<number> {
  return (await ctx.db.selectFrom('sessions').select('sid').execute()).length;
}

// Proves API-11
it('multiplies the limits by RATE_LIMIT_FACTOR', async () => {
  const server = await limited({ RATE_LIMIT_FACTOR: '0.1' });
  const answers = await repeat(4, () =>
    server.anyone().post('/api/auth/check-email', { email: 'a@b.example' }),
  );
  expect(refusedFrom(answers)).toBe(3);
});

// Proves API-11
it('ignores X-Forwarded-For unless a proxy is trusted', async () => {
  const server = await limited({ RATE_LIMIT_FACTOR: '0.1' });
  const answers = await repeat(4, (round) =>
    server
      .anyone()
      .post('/api/auth/check-email', { email: 'a@b.example' }, { 'x-forwarded-for': `203.0.113.${round}` }),
  );
  expect(refusedFrom(answers)).toBe(3);
});

it('answers 429 with Retry-After after 30 submitted ads per account and hour', async () => {
  const server = await limited();
  const seller = await server.signIn('seller');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const body = {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: 'text',
    title: 'T',
    description: 'D',
    targetUrl: 'https://a.example/',
  };
  const buyer = await server.signIn('buyer');
  const answers = await repeat(32, () => buyer.post('/api/ads', body));
  expect(refusedFrom(answers)).toBe(30);
  const refusal = answers.at(-1);
  expect(refusal?.body.message).toContain('Too many requests');
  expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refusal?.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  expect((await (await server.signIn('buyer')).post('/api/ads', body)).status).toBe(201);
});

it('counts corrections and resubmissions of ads like submissions, 30 an hour', async () => {
  const server = await limited();
  const seller = await server.signIn('seller');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const [one, two] = [await server.signIn('buyer'), await server.signIn('buyer')];
  const corrected = await makeAd(one, product);
  const corrections = await repeat(31, (round) =>
    one.patch(`/api/ads/${corrected.id}`, { targetUrl: `https://n${round}.example/` }),
  );
  expect(refusedFrom(corrections)).toBe(29);
  expect(corrections.at(-1)?.status).toBe(429);
  const again = await makeAd(two, product);
  const resubmissions = await repeat(31, async (round) => {
    await seller.put(`/api/ads/${again.id}/reject`, { rejectionReason: 'No' });
    return await two.put(`/api/ads/${again.id}`, {
      title: `Version ${round}`,
      description: 'D',
      targetUrl: 'https://a.example/',
    });
  });
  expect(refusedFrom(resubmissions)).toBe(29);
});

// Proves ACCT-07
it('counts guessed links of mails like guessed codes', async () => {
  const server = await limited();
  const guess = async (path: string) =>
    await repeat(62, (round) => server.anyone().post(path, { token: `${round}`.padStart(22, 'x') }));
  expect(refusedFrom(await guess('/api/auth/reset-link'))).toBe(60);
  expect(refusedFrom(await guess('/api/auth/restore-email'))).toBe(0);
});
