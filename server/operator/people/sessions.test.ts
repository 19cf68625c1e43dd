/** Which sessions open the console, and how long they do. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SECOND_FACTOR } from '#domain/operator/limits.ts';
import type { Client } from '#server/testing/client.ts';
import { makeOperator, reopenConsole, sendAct, signInAgain } from '#server/testing/operator.ts';
import { appCode, turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { addOperator } from '../requests/requests.ts';

const CLI = { id: null };
const MINUTE = 60_000;

const lines: string[] = [];

/** Another device of the same person, signed in with the password and, with `secret`, a code. */
async function deviceOf(person: Client, secret?: string): Promise<Client> {
  const client = server.anyone();
  client.user = person.user;
  await (secret === undefined ? signInAgain(client) : reopenConsole(server, { client, secret }));
  return client;
}

/** A call that each page of the console makes. */
const callOf = async (client: Client) => await client.get('/api/operator/notices');

const isSignedIn = async (client: Client) => (await client.get('/api/auth/user')).status === 200;

const server = useOwnServer({ log: (line) => lines.push(line) });

describe('sessions and the console', () => {
  // Proves OPER-03
  it('end when the account becomes an operator', async () => {
    const person = await server.signIn('both');
    const thief = await deviceOf(person);
    const other = await server.signIn('both');
    await addOperator(server.ctx, CLI, { email: person.user.email, role: 'owner', reason: 'x' });
    expect([await isSignedIn(person), await isSignedIn(thief), await isSignedIn(other)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  // Proves OPER-03
  it('end when two-step verification is turned on, but for the one that did it, which then opens the console', async () => {
    const person = await server.signIn('both');
    await addOperator(server.ctx, CLI, { email: person.user.email, role: 'owner', reason: 'x' });
    await signInAgain(person);
    const thief = await deviceOf(person);
    expect((await callOf(thief)).status).toBe(403);
    await turnOnSecondFactor(person, server.clock.now());
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([true, false]);
    expect((await callOf(person)).status).toBe(200);
    expect((await callOf(thief)).status).toBe(401);
    expect((await thief.get('/operator')).status).toBe(303);
  });

  // Proves OPER-03
  it('that a password alone opened stay outside, until a code of that session', async () => {
    const { client, secret } = await makeOperator(server);
    const device = await deviceOf(client, secret);
    expect((await callOf(device)).status).toBe(200);
    await forgetCode(client);
    const victim = await server.signIn('both');
    for (const path of ['notices', `people/${victim.user.id}`, 'audit', `find?q=${victim.user.id}`]) {
      const answer = await client.get(`/api/operator/${path}`);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, SECOND_FACTOR]);
      expect(answer.text).not.toContain(victim.user.email);
    }
    // All that it learns is how it can be confirmed.
    expect((await client.get('/api/operator/session')).body).toMatchObject({ isProven: false, hasApp: true });
    const ending = await sendAct(client, `/operator/people/${victim.user.id}/end-sessions`, { reason: 'x' });
    expect([ending.status, await isSignedIn(victim)]).toEqual([403, true]);

    expect((await client.post('/api/operator/confirm', { code: '000000' })).status).toBe(400);
    expect((await callOf(client)).status).toBe(403);
    server.clock.advance(30_000);
    const code = appCode(secret, server.clock.now());
    expect((await client.post('/api/operator/confirm', { code })).status).toBe(200);
    expect((await callOf(client)).status).toBe(200);
  });

  // Proves OPER-03
  it('of operators end after 30 idle minutes, wherever they are used next', async () => {
    const { client, secret } = await makeOperator(server);
    const idle = await deviceOf(client, secret);
    const elsewhere = await deviceOf(client, secret);
    const plain = await server.signIn('both');
    server.clock.advance(28 * MINUTE);
    expect((await callOf(client)).status).toBe(200);
    server.clock.advance(4 * MINUTE);
    expect((await callOf(client)).status).toBe(200);
    for (let round = 0; round < 2; round += 1) {
      const answer = await idle.get('/operator');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth?return=%2Foperator']);
    }
    // A call outside of the console does not bring the session back.
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect((await elsewhere.get('/operator')).status).toBe(303);
    expect(await isSignedIn(plain)).toBe(true);
  });

  // Proves OPER-03
  it('of operators end after eight hours, however busy they are', async () => {
    const { client } = await makeOperator(server);
    for (let minutes = 0; minutes < 8 * 60; minutes += 20) {
      expect((await callOf(client)).status).toBe(200);
      server.clock.advance(20 * MINUTE);
    }
    server.clock.advance(MINUTE);
    expect((await callOf(client)).status).toBe(401);
    expect((await client.get('/operator')).status).toBe(303);
    expect(await isSignedIn(client)).toBe(false);
  });

  // Proves OPER-03
  it('without a session, the console leads to the sign-in and logs no error', async () => {
    lines.length = 0;
    const anyone = server.anyone();
    expect((await anyone.get('/operator')).status).toBe(303);
    expect((await callOf(anyone)).status).toBe(401);
    expect((await sendAct(anyone, '/operator/operators/add', { reason: 'x' })).status).toBe(401);
    expect(lines.length).toBeGreaterThan(0);
    expect(
      lines
        .map((line) => JSON.parse(line) as { level: string })
        .filter(({ level }) => level === 'warn' || level === 'error'),
    ).toEqual([]);
  });
});

async function forgetCode(client: Client): Promise<void> {
  const { rows } = await sql`
    update sessions set sess = (sess::jsonb - 'codeAt' - 'operatorConfirmedAt')::json
      where sess ->> 'userId' = ${String(client.user.id)} returning sid`.execute(server.ctx.db);
  expect(rows.length).toBeGreaterThan(0);
}
