/** An address at an internationalised domain is one account, however it is spelled. */
import { expect, it } from 'vitest';
import { findNumber, selectFound } from '#server/operator/store-find.ts';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const UNICODE = 'Ann@MÜNCHEN.de';
const ASCII = 'ann@xn--mnchen-3ya.de';
const password = 'correct horse 77';
const SPELLINGS = [UNICODE, ASCII, ' ann@münchen.DE '];

const server = useServer();

it('signs up, signs in and recovers its password by each spelling, and mail goes to the one in ASCII', async () => {
  const anyone = server.anyone();
  const person = { email: UNICODE, password, firstName: 'Ann', lastName: 'Ray' };
  expect((await anyone.post('/api/auth/register', person)).status).toBe(201);
  expect(await mailTo(server.ctx, ASCII)).toHaveLength(1);
  for (const email of SPELLINGS) {
    expect((await anyone.post('/api/auth/check-email', { email })).body).toEqual({ available: false });
    expect((await anyone.post('/api/auth/register', { ...person, email })).status).toBe(409);
  }
  const code = await codeFor(server.ctx, ASCII);
  expect((await anyone.post('/api/auth/verify-email', { email: UNICODE, code })).body.user.email).toBe(ASCII);
  for (const email of SPELLINGS) {
    const answer = await server.anyone().post('/api/auth/login', { email, password });
    expect([answer.status, answer.body.user?.email]).toEqual([200, ASCII]);
  }
  await server.anyone().post('/api/auth/forgot-password', { email: UNICODE });
  expect((await mailTo(server.ctx, ASCII)).filter(({ kind }) => kind === 'reset-code')).toHaveLength(1);
});

it('is found by operators, invited to accounts and chosen in a profile by each spelling', async () => {
  const owner = await server.signIn('buyer');
  const invite = (email: string) => owner.post('/api/account/members', { email, role: 'read' });
  for (const email of ['bo@bücher.example', 'bo@xn--bcher-kva.example'])
    expect((await invite(email)).body.email).toBe('bo@xn--bcher-kva.example');
  expect((await owner.get('/api/account/members')).body).toHaveLength(2);
  expect(await mailTo(server.ctx, 'bo@xn--bcher-kva.example')).toHaveLength(2);
  const moved = await owner.patch('/api/user/profile', { email: 'cy@bücher.example' });
  expect(moved.body.email).toBe('cy@xn--bcher-kva.example');
  const found = await selectFound(server.ctx.db, 'person', { search: 'bücher', before: null, limit: 5 });
  expect(found.map(({ id }) => id)).toEqual([owner.user.id]);
  const { client } = await makeOperator(server);
  const { body } = await client.get(`/api/operator/find/person?q=${encodeURIComponent('bücher')}`);
  expect(body).toMatchObject([{ name: 'cy@bücher.example' }]);
  for (const named of ['cy@bücher.example', 'CY@xn--bcher-kva.example']) {
    expect(await findNumber(server.ctx.db, 'person', named)).toBe(owner.user.id);
    const page = { search: named, before: null, limit: 5 };
    expect((await selectFound(server.ctx.db, 'person', page)).map(({ id }) => id)).toEqual([owner.user.id]);
  }
});

it('is refused if its local part has other letters, with the reason', async () => {
  const answer = await server.anyone().post('/api/auth/check-email', { email: 'jürgen@münchen.de' });
  expect([answer.status, answer.body.message]).toEqual([
    400,
    'Before the @, use only letters a to z, digits and signs such as . and +. Many mail servers do not deliver to other addresses.',
  ]);
});
