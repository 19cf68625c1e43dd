import { describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import { addOperator } from '#server/operator/requests/requests.ts';
import { linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { confirmOperator, makeOperator, sendAct, signInAgain } from '#server/testing/operator.ts';
import {
  addPasskey,
  cborBytes,
  cborInt,
  cborList,
  cborMap,
  cborText,
  confirmByPasskey,
  signInByPasskey,
  TestPasskey,
  type Twist,
} from '#server/testing/accounts/passkeys.ts';
import { turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { PASSWORD, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer({ host: 'localhost' });

const MINUTE = 60_000;
const PATH = '/api/user/passkeys';
const isSignedIn = async (client: Client) => (await client.get('/api/auth/user')).status === 200;
const listed = async (person: Client) => (await person.get(PATH)).body as { id: number; name: string }[];
const begin = async (person: Client) =>
  ((await person.post(`${PATH}/options`)).body as { challenge: string }).challenge;
const kinds = async (person: Client) =>
  ((await person.get('/api/user/security-events?limit=50')).body as { kind: string }[]).map(
    ({ kind }) => kind,
  );
const rowOf = async (passkey: TestPasskey) =>
  await server.ctx.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', passkey.id)
    .executeTakeFirst();

async function personWithPasskey(): Promise<{ person: Client; passkey: TestPasskey; id: number }> {
  const person = await server.signIn();
  return { person, ...(await addPasskey(person, 'Phone')) };
}

describe('the list', () => {
  // Proves KEY-01
  it('adds, renames and removes passkeys, with a mail and an entry in the security log', async () => {
    const person = await server.signIn();
    const options = (await person.post(`${PATH}/options`)).body;
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: person.user.email, displayName: 'Ann Bell' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(Buffer.from(options.user.id, 'base64url').toString()).not.toContain(String(person.user.id));
    const passkey = new TestPasskey(server.url);
    const credential = passkey.create(options.challenge);
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const added = await person.post(PATH, { credential }, agent);
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      id: added.body.id,
      name: 'Firefox on Windows',
      createdAt: expect.any(String),
      lastUsedAt: null,
    });
    // The browser is told not to make a second passkey on the same device.
    const again = (await person.post(`${PATH}/options`)).body;
    expect(again.excludeCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['hybrid', 'internal'] },
    ]);
    expect(again.user.id).toBe(options.user.id);

    const renamed = await person.patch(`${PATH}/${added.body.id}`, { name: '  Work laptop ' });
    expect(renamed.body).toMatchObject({ name: 'Work laptop' });
    expect((await person.patch(`${PATH}/${added.body.id}`, { name: ' ' })).status).toBe(400);
    expect((await person.patch(`${PATH}/${added.body.id}`, { name: 'x'.repeat(61) })).status).toBe(400);
    expect(await listed(person)).toMatchObject([{ name: 'Work laptop' }]);

    expect((await person.delete(`${PATH}/${added.body.id}`)).body).toEqual({ success: true });
    expect(await listed(person)).toEqual([]);
    expect((await person.delete(`${PATH}/${added.body.id}`)).status).toBe(404);
    const mails = await mailTo(server.ctx, person.user.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'A passkey was added for your Openslot account',
      'A passkey was removed for your Openslot account',
    ]);
    expect(await kinds(person)).toEqual(expect.arrayContaining(['passkey-added', 'passkey-removed']));
    // The password still works.
    expect(
      (await server.anyone().post('/api/auth/login', { email: person.user.email, password: PASSWORD }))
        .status,
    ).toBe(200);
  });

  // Proves KEY-01
  it('answers 404 for the passkey of another account, which stays as it is', async () => {
    const { person, passkey, id } = await personWithPasskey();
    const stranger = await server.signIn();
    expect((await stranger.patch(`${PATH}/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.delete(`${PATH}/${id}`)).status).toBe(404);
    expect(await listed(stranger)).toEqual([]);
    expect(await listed(person)).toMatchObject([{ id, name: 'Phone' }]);
    // Nor can another account register the same credential.
    const stolen = await stranger.post(PATH, { credential: passkey.create(await begin(stranger)) });
    expect(stolen.status).toBe(409);
    expect((await rowOf(passkey))?.userId).toBe(person.user.id);
  });

  // Proves KEY-01
  it('needs a sign-in or a repeated password of the last 15 minutes to add or remove one', async () => {
    const { person, id } = await personWithPasskey();
    const challenge = await begin(person);
    server.clock.advance(15 * MINUTE + 1000);
    const credential = new TestPasskey(server.url).create(challenge);
    for (const answer of [
      await person.post(`${PATH}/options`),
      await person.post(PATH, { credential }),
      await person.delete(`${PATH}/${id}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'reauthenticate']);
    }
    expect(await listed(person)).toHaveLength(1);
    await person.post('/api/user/reauthenticate', { password: PASSWORD });
    expect((await person.delete(`${PATH}/${id}`)).status).toBe(200);
  });

  // Proves KEY-01
  it('has at most 20 passkeys, also when calls run at the same time', async () => {
    const person = await server.signIn();
    for (let count = 0; count < 18; count++) await addPasskey(person);
    const challenges = await Promise.all(Array.from({ length: 6 }, () => begin(person)));
    const answers = await Promise.all(
      challenges.map((challenge) =>
        person.post(PATH, { credential: new TestPasskey(server.url).create(challenge) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 201, 409, 409, 409, 409,
    ]);
    expect(await listed(person)).toHaveLength(20);
    expect((await person.post(`${PATH}/options`)).status).toBe(409);
  });
});

describe('a new passkey', () => {
  const CERTIFICATE = cborMap([
    [cborText('alg'), cborInt(-7)],
    [cborText('sig'), cborBytes(Buffer.alloc(64))],
    [cborText('x5c'), cborList([cborBytes(Buffer.alloc(64))])],
  ]);
  // Proves KEY-03
  it.each<[string, Twist]>([
    ['of another origin', { origin: 'http://evil.example' }],
    ['of another name', { rpId: 'evil.example' }],
    ['for a sign-in', { type: 'webauthn.get' }],
    ['without a check of the user', { verified: false }],
    ['with the certificate of a device', { attestation: { format: 'packed', statement: CERTIFICATE } }],
    [
      'with an attestation that was not asked for',
      { attestation: { format: 'tpm', statement: CERTIFICATE } },
    ],
  ])('%s is refused, and nothing is stored', async (_name, twist) => {
    const person = await server.signIn();
    const passkey = new TestPasskey(server.url);
    const challenge = await begin(person);
    const refused = await person.post(PATH, { credential: passkey.create(challenge, twist) });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^This passkey was not accepted/);
    // The challenge is used up.
    const second = await person.post(PATH, { credential: passkey.create(challenge) });
    expect([second.status, await listed(person)]).toEqual([400, []]);
    expect((await person.post(PATH, { credential: passkey.create(await begin(person)) })).status).toBe(201);
  });

  // Proves KEY-03
  it.each([
    {},
    { credential: {} },
    { credential: { id: 'a', rawId: 'a', type: 'public-key', response: {} } },
    { credential: { ...new TestPasskey('http://localhost').create('x'), id: '!' } },
    {
      credential: {
        ...new TestPasskey('http://localhost').create('x'),
        response: { clientDataJSON: 'bm8', attestationObject: 'bm8' },
      },
    },
  ])('in the form %j is refused with a sentence', async (body) => {
    const person = await server.signIn();
    const refused = await person.post(PATH, body);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/\w+ \w+/);
  });
});

describe('signing in', () => {
  // Proves KEY-02
  it('needs neither password nor code, marks the passkey as used, and is fresh for 15 minutes', async () => {
    const { person, passkey } = await personWithPasskey();
    await turnOnSecondFactor(person, server.clock.now());
    const client = server.anyone();
    const options = await client.post('/api/auth/passkey/options');
    // The options name no passkey, so they tell nothing about accounts.
    expect(options.body).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    });
    expect(options.headers.get('set-cookie')).toMatch(/^openslot-passkey=[\w-]{43}; Max-Age=300; .*HttpOnly/);
    const answer = await client.post('/api/auth/passkey', {
      credential: passkey.get(options.body.challenge),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ email: person.user.email });
    expect(await isSignedIn(client)).toBe(true);
    expect((await client.post('/api/user/export-data')).status).toBe(200);
    expect((await rowOf(passkey))?.lastUsedAt).not.toBeNull();
    expect((await kinds(person)).slice(0, 3)).toEqual(['data-exported', 'new-device', 'passkey-used']);
    expect((await mailTo(server.ctx, person.user.email)).at(-1)?.subject).toContain('New sign-in');
  });

  // Proves KEY-02
  it('sends an unverified address its code instead of opening a session', async () => {
    const { person, passkey } = await personWithPasskey();
    await person.patch('/api/user/profile', { email: `new-${person.user.email}` });
    const client = server.anyone();
    const answer = await signInByPasskey(client, passkey);
    expect(answer.body).toEqual({ requiresVerification: true, email: `new-${person.user.email}` });
    expect(await isSignedIn(client)).toBe(false);
  });

  // Proves KEY-02
  it('lets a suspended account in to read only, with the reason', async () => {
    const { person, passkey } = await personWithPasskey();
    await server.ctx.db
      .updateTable('users')
      .set({ suspendedAt: server.clock.now(), suspendedReason: 'Forged traffic.' })
      .where('id', '=', person.user.id)
      .execute();
    const client = server.anyone();
    const answer = await signInByPasskey(client, passkey);
    expect([answer.status, answer.body.user.suspendedReason]).toEqual([200, 'Forged traffic.']);
    expect((await client.get('/api/websites')).status).toBe(403);
  });

  // Proves KEY-03
  it.each<[string, number, Twist]>([
    ['of another origin', 401, { origin: 'http://evil.example' }],
    ['for another name', 401, { rpId: 'evil.example' }],
    ['for a registration', 401, { type: 'webauthn.create' }],
    ['without a check of the user', 401, { verified: false }],
    ['for an unknown passkey', 401, { id: 'dW5rbm93bg' }],
    ['to a challenge that nobody gave', 400, { challenge: 'A'.repeat(43) }],
  ])('with an answer %s is refused, and nothing changes', async (_name, status, twist) => {
    const { passkey } = await personWithPasskey();
    const before = await rowOf(passkey);
    const client = server.anyone();
    const refused = await signInByPasskey(client, passkey, { counter: 5, ...twist });
    expect(refused.status).toBe(status);
    expect(refused.body.message).toMatch(/try again/i);
    expect(await isSignedIn(client)).toBe(false);
    expect(await rowOf(passkey)).toEqual(before);
  });

  // Proves KEY-03
  it('accepts the answer to a challenge once, also of ten parallel calls', async () => {
    const { passkey } = await personWithPasskey();
    const client = server.anyone();
    const { challenge } = (await client.post('/api/auth/passkey/options')).body;
    const credential = passkey.get(challenge);
    const callers = Array.from({ length: 10 }, () => {
      const caller = server.anyone();
      caller.passkey = client.passkey;
      return caller;
    });
    const answers = await Promise.all(
      callers.map((caller) => caller.post('/api/auth/passkey', { credential })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const replayed = await client.post('/api/auth/passkey', { credential });
    expect([replayed.status, replayed.body.message]).toEqual([400, expect.stringContaining('already used')]);
  });

  // Proves KEY-03
  it('refuses the answer of another browser, and one after five minutes', async () => {
    const { passkey } = await personWithPasskey();
    const client = server.anyone();
    const { challenge } = (await client.post('/api/auth/passkey/options')).body;
    const thief = server.anyone();
    await thief.post('/api/auth/passkey/options');
    const credential = passkey.get(challenge);
    expect((await thief.post('/api/auth/passkey', { credential })).status).toBe(400);
    expect((await server.anyone().post('/api/auth/passkey', { credential })).status).toBe(400);
    server.clock.advance(5 * MINUTE);
    expect((await client.post('/api/auth/passkey', { credential })).status).toBe(400);
    // A challenge for one purpose is not good for another.
    const { person, passkey: own } = await personWithPasskey();
    const other = (await person.post('/api/user/reauthenticate/passkey/options')).body;
    expect((await person.post('/api/auth/passkey', { credential: own.get(other.challenge) })).status).toBe(
      400,
    );
    expect((await signInByPasskey(client, passkey)).status).toBe(200);
  });

  // Proves KEY-04
  it('refuses and logs a counter that has not grown, and goes on with one that has', async () => {
    const { person, passkey } = await personWithPasskey();
    expect((await signInByPasskey(server.anyone(), passkey, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 3, 0]) {
      const client = server.anyone();
      const refused = await signInByPasskey(client, passkey, { counter });
      expect([refused.status, refused.body.message]).toEqual([401, expect.stringContaining('copied')]);
      expect(await isSignedIn(client)).toBe(false);
      expect((await rowOf(passkey))?.counter).toBe(7);
    }
    expect((await kinds(person)).filter((kind) => kind === 'passkey-copied')).toHaveLength(3);
    expect((await signInByPasskey(server.anyone(), passkey, { counter: 8 })).status).toBe(200);
  });

  // Proves KEY-04
  it('lets one of two parallel answers with the same counter in', async () => {
    const { passkey } = await personWithPasskey();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => signInByPasskey(server.anyone(), passkey, { counter: 4 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  // Proves KEY-02
  it('limits wrong answers of one network and leaves the sign-in with a password alone', async () => {
    const strict = await untilTestEnds(
      startTestServer({ host: 'localhost', env: { RATE_LIMIT_FACTOR: '0.05' } }),
    );
    const person = await strict.signIn();
    const { passkey } = await addPasskey(person);
    const tries: Answer[] = [];
    for (let count = 0; count < 6; count++)
      tries.push(await signInByPasskey(strict.anyone(), passkey, { origin: 'http://evil.example' }));
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    // Both steps of a new passkey have a limit of a person, here of one.
    expect((await person.post(`${PATH}/options`)).status).toBe(429);
    const credential = new TestPasskey(strict.url).create('challenge');
    expect((await person.post(PATH, { credential })).status).toBe(429);
    const login = { email: person.user.email, password: PASSWORD };
    expect((await strict.anyone().post('/api/auth/login', login)).status).toBe(200);
  });
});

describe('an older session', () => {
  // Proves KEY-05
  it('is confirmed by one of the user’s passkeys, without password or code', async () => {
    const { person, passkey } = await personWithPasskey();
    await turnOnSecondFactor(person, server.clock.now());
    server.clock.advance(16 * MINUTE);
    expect((await person.post('/api/user/export-data')).status).toBe(403);
    const stranger = await personWithPasskey();
    const foreign = await confirmByPasskey(person, stranger.passkey);
    expect([foreign.status, (await person.post('/api/user/export-data')).status]).toEqual([400, 403]);
    expect((await confirmByPasskey(person, passkey, { verified: false })).status).toBe(400);
    expect((await person.post('/api/user/export-data')).status).toBe(403);
    expect((await confirmByPasskey(person, passkey)).status).toBe(200);
    expect((await person.post('/api/user/export-data')).status).toBe(200);
    expect(await kinds(person)).toEqual(expect.arrayContaining(['reauthenticated', 'passkey-failed']));
  });

  // Proves KEY-05
  it('of a user without a passkey gets a sentence', async () => {
    const person = await server.signIn();
    const answer = await person.post('/api/user/reauthenticate/passkey/options');
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('password')]);
  });
});

describe('an operator', () => {
  // Proves KEY-05
  it('enters the console with a passkey alone, and acts for 15 minutes', async () => {
    const { person, passkey } = await personWithPasskey();
    await addOperator(
      server.ctx,
      { id: null },
      { email: person.user.email, role: 'owner', reason: 'For a test' },
    );
    await signInAgain(person);
    // This session was opened with the password alone.
    expect((await person.get('/api/operator/today')).status).toBe(403);
    const desk = server.anyone();
    await signInByPasskey(desk, passkey);
    expect((await desk.get('/api/operator/today')).status).toBe(200);
    const target = await server.signIn();
    const path = `/operator/people/${target.user.id}`;
    const act = async (verb: string) => await sendAct(desk, `${path}/${verb}`, { reason: 'Spam' });
    expect((await act('suspend')).status).toBe(200);
    await act('restore');

    server.clock.advance(16 * MINUTE);
    const asked = await act('suspend');
    expect([asked.status, asked.body.code]).toEqual([403, REAUTHENTICATE]);
    expect((await desk.get('/api/operator/session')).body).toMatchObject({ hasPasskey: true, hasApp: false });
    const before = desk.cookie;
    expect((await confirmByPasskey(desk, passkey)).status).toBe(200);
    expect(desk.cookie).not.toBe(before);
    expect((await act('suspend')).status).toBe(200);
  });

  // Proves KEY-06
  it('gets a new session id with a fresh code', async () => {
    const operator = await makeOperator(server);
    const stolen = server.anyone();
    stolen.cookie = operator.client.cookie;
    await confirmOperator(server, operator);
    expect((await stolen.get('/operator')).status).toBe(303);
    expect((await operator.client.get('/api/operator/today')).status).toBe(200);
  });
});

// Proves KEY-02
it('removes the passkeys of the account when its owner undoes a change of the e-mail address', async () => {
  const { person, passkey } = await personWithPasskey();
  const { email } = person.user;
  await person.patch('/api/user/profile', { email: `thief-${email}` });
  const token = await linkTokenFor(server.ctx, email, 'restore');
  expect((await server.anyone().post('/api/auth/restore-email', { token })).status).toBe(200);
  const client = server.anyone();
  expect((await signInByPasskey(client, passkey)).status).toBe(401);
  expect(await isSignedIn(client)).toBe(false);
});

// Proves KEY-03
it('removes challenges that were not answered in time', async () => {
  await server.anyone().post('/api/auth/passkey/options');
  const left = async () =>
    (await server.ctx.db.selectFrom('passkeyChallenges').select('purpose').execute()).length;
  expect(await left()).toBeGreaterThan(0);
  server.clock.advance(5 * MINUTE);
  await removeExpired(server.ctx);
  expect(await left()).toBe(0);
});

it('exports the names and dates of passkeys, and removes them with the account', async () => {
  const { person, passkey } = await personWithPasskey();
  const { passkeys } = (await person.post('/api/user/export-data')).body;
  expect(passkeys).toEqual([
    { id: expect.any(Number), name: 'Phone', createdAt: expect.any(String), lastUsedAt: null },
  ]);
  expect((await person.delete('/api/user/account')).status).toBe(200);
  expect(await rowOf(passkey)).toBeUndefined();
  expect((await signInByPasskey(server.anyone(), passkey)).status).toBe(401);
});

// Proves KEY-02
it('says that passkeys need a domain name if the server’s address is an IP address', async () => {
  const numeric = await untilTestEnds(startTestServer());
  const person = await numeric.signIn();
  for (const path of [`${PATH}/options`, '/api/auth/passkey/options']) {
    const answer = await person.post(path);
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('IP address')]);
  }
});
