import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { APPEAL_DAYS } from '#domain/operator/acts.ts';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { SECOND_FACTOR } from '#domain/operator/limits.ts';
import { DAY_MS } from '#domain/time.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { postMessage } from '#server/notify/post-message.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import {
  confirmOperator,
  makeOperator,
  reopenConsole,
  sendAct,
  sendForm,
  signInAgain,
  type TestOperator,
} from '#server/testing/operator.ts';
import { turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { addOperator, removeOperator } from '../requests/requests.ts';

const CLI = { id: null };

const server = useOwnServer();
let operator: TestOperator;
let desk: Client;
let paths: Record<string, Record<string, { 'x-access': string }>>;
beforeAll(async () => {
  operator = await makeOperator(server);
  desk = operator.client;
  paths = (await server.anyone().get('/api/openapi.json')).body.paths;
});

/** Every route of the console, with an example. */
function routes(): { method: string; path: string }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, call]) => call['x-access'] === 'operator')
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path
          .replaceAll(/\{(?:id|ref|of)\}/g, '1')
          .replace('{key}', 'terms')
          .replace('{number}', 'R-2026-000001'),
      })),
  );
}

const acts = async () => await server.ctx.db.selectFrom('operatorActs').selectAll().orderBy('id').execute();

describe('the console', () => {
  // Proves OPER-03
  it('reads a large body only for an operator who may send it', async () => {
    const other = await server.signIn('both');
    // A body that was read would be refused as no JSON.
    const statusOf = async (by: Client, path: string) =>
      (await by.send('POST', path, 'x'.repeat(300_000), { 'content-type': 'application/json' })).status;
    for (const path of ['/api/operator/settings', '/api/operator/tax', '/api/operator/bank/statement'])
      expect([path, await statusOf(server.anyone(), path), await statusOf(other, path)]).toEqual([
        path,
        401,
        404,
      ]);
    // Not confirmed in the last 15 minutes.
    expect(await statusOf(desk, '/api/operator/settings')).toBe(403);
    expect(await statusOf(desk, '/api/operator/pages/terms/preview')).toBe(400);
  });

  // Proves OPER-03
  it('does not exist for other users, whatever their role', async () => {
    const others = [await server.signIn('both'), await server.signIn('buyer'), await server.signIn('seller')];
    expect(routes().length).toBeGreaterThan(25);
    for (const { method, path } of routes()) {
      for (const other of others) {
        const answer = await other.send(method, path, method === 'GET' ? undefined : { reason: 'x' });
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
      const visitor = await server
        .anyone()
        .send(method, path, method === 'GET' ? undefined : { reason: 'x' });
      // A page leads a visitor to the sign-in, and from there back. A call and a file do not.
      const isPage = path === '/operator' || path === '/operator/*';
      expect([method, path, visitor.status]).toEqual([method, path, isPage ? 303 : 401]);
      if (isPage) expect(visitor.headers.get('location')).toBe(`/auth?return=${encodeURIComponent(path)}`);
    }
  });

  // Proves OPER-03
  it('opens only after the second factor is on, and closes with the rights', async () => {
    const person = await server.signIn('both');
    const { email } = person.user;
    await addOperator(server.ctx, CLI, { email, role: 'owner', reason: 'x' });
    expect((await person.get('/api/auth/user')).status).toBe(401);
    await signInAgain(person);
    // The page opens, and says how to go on. It learns nothing else.
    expect((await person.get('/operator')).status).toBe(200);
    const session = await person.get('/api/operator/session');
    expect(session.body).toMatchObject({ isProven: false, hasApp: false, hasPasskey: false });
    for (const { method, path } of routes().filter(({ path }) => /^\/api|\.\w+$/.test(path))) {
      if (path === '/api/operator/session' || path === '/api/operator/confirm') continue;
      const { status, body } = await person.send(
        method,
        path,
        method === 'GET' ? undefined : { reason: 'x' },
      );
      expect([method, path, status, body.code]).toEqual([method, path, 403, SECOND_FACTOR]);
    }
    await removeOperator(server.ctx, CLI, { email, reason: 'x' });
    for (const path of ['/operator', '/api/operator/session'])
      expect((await person.get(path)).status).toBe(404);
    for (const path of ['/operator', '/api/operator/today']) expect((await desk.get(path)).status).toBe(200);
  });

  it('is named to operators in their own user, and to no other account', async () => {
    const me = async (who: Client) => (await who.get('/api/auth/user')).body;
    expect(await me(desk)).toMatchObject({ isOperator: true });
    const person = await server.signIn('both');
    expect(Object.keys(await me(person))).not.toContain('isOperator');
    const { email } = person.user;
    await addOperator(server.ctx, CLI, { email, role: 'owner', reason: 'x' });
    await signInAgain(person);
    expect(await me(person)).toMatchObject({ isOperator: true });
    await removeOperator(server.ctx, CLI, { email, reason: 'x' });
    expect(Object.keys(await me(person))).not.toContain('isOperator');
  });

  // Proves OPER-03
  it('asks for a fresh code before dangerous acts, for 15 minutes', async () => {
    const person = await server.signIn('both');
    const path = `/operator/people/${person.user.id}`;
    const suspendIt = async () => await sendAct(desk, `${path}/suspend`, { reason: 'Spam' });
    const asked = await suspendIt();
    expect([asked.status, asked.body.code]).toEqual([403, REAUTHENTICATE]);
    expect((await desk.post('/api/operator/confirm', { code: '000000' })).status).toBe(400);
    expect((await suspendIt()).body.code).toBe(REAUTHENTICATE);
    expect((await person.get('/api/auth/user')).status).toBe(200);

    await confirmOperator(server, operator);
    expect((await suspendIt()).status).toBe(200);
    expect((await person.get('/api/auth/user')).status).toBe(401);
    const again = await suspendIt();
    expect([again.status, again.text.includes('suspended already')]).toEqual([409, true]);
    server.clock.advance(16 * 60 * 1000);
    const late = await sendAct(desk, '/operator/operators/remove', { email: 'x@y.test', reason: 'x' });
    expect([late.status, late.body.code]).toEqual([403, REAUTHENTICATE]);
    // A restoration is not a dangerous act.
    expect((await sendAct(desk, `${path}/restore`, { reason: 'Sorry' })).status).toBe(200);
  });

  // Proves OPER-03
  it('refuses acts from another site, without a reason, and about unknown subjects', async () => {
    const person = await server.signIn('both');
    await confirmOperator(server, operator);
    const path = `/operator/people/${person.user.id}/end-sessions`;
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await sendAct(desk, path, { reason: 'x' }, foreign)).status).toBe(403);
    // A form of another site can't be an act either, because an act is JSON.
    expect((await sendForm(desk, `/api${path}`, { reason: 'x' })).status).toBe(415);
    for (const reason of ['', '   ', 'x'.repeat(501)])
      expect((await sendAct(desk, path, { reason })).status).toBe(400);
    expect((await person.get('/api/auth/user')).status).toBe(200);
    for (const id of ['0', '-1', 'abc', '2000000000', '99999999999', '%00']) {
      for (const kind of ['people', 'websites', 'zones', 'ads']) {
        expect((await desk.get(`/api/operator/${kind}/${id}`)).status).toBe(404);
        expect((await sendAct(desk, `/operator/${kind}/${id}/suspend`, { reason: 'x' })).status).toBe(404);
      }
    }
    for (const cursor of ['x', '', 'LTE', Buffer.from('9'.repeat(15)).toString('base64url')])
      for (const page of ['find', 'reports', 'appeals', 'claims', 'withdrawals', 'mail', 'jobs', 'audit'])
        expect((await desk.get(`/api/operator/${page}?cursor=${cursor}`)).status).toBeLessThan(500);
  });

  it('ends sessions, sends mail again without showing its text, retries and drops jobs, and checks the ledger', async () => {
    const person = await server.signIn('both');
    await confirmOperator(server, operator);
    await sendAct(desk, `/operator/people/${person.user.id}/end-sessions`, { reason: 'Lost phone' });
    expect((await person.get('/api/auth/user')).status).toBe(401);

    const { ctx } = server;
    const mail = { subject: 'Hello', heading: 'Hello', paragraphs: ['The code is 1234'] };
    await postMessage(ctx, ctx.db, { recipient: person.user.email, kind: 'test', mail });
    const { id } = await ctx.db
      .selectFrom('messages')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const shown = await desk.get(`/api/operator/mail?to=${encodeURIComponent(person.user.email)}`);
    expect([shown.text.includes('Hello'), shown.text.includes('1234')]).toEqual([true, false]);
    const jobsOf = async () =>
      (
        await sql<{ id: number; attempts: number }>`
          select id::integer as id, attempts from graphile_worker.jobs
            where task_identifier = 'send-message' order by id desc`.execute(ctx.db)
      ).rows;
    const before = (await jobsOf()).length;
    expect((await sendAct(desk, `/operator/mail/${id}/resend`, { reason: 'Lost' })).status).toBe(200);
    expect((await jobsOf()).length).toBe(before + 1);
    await ctx.db.updateTable('messages').set({ sentAt: ctx.now() }).where('id', '=', id).execute();
    expect((await sendAct(desk, `/operator/mail/${id}/resend`, { reason: 'x' })).status).toBe(409);

    await enqueue(ctx.db, 'send-message', { messageId: id });
    const [job] = await jobsOf();
    const jobPath = `/operator/jobs/${job?.id}`;
    expect((await desk.get('/api/operator/jobs')).text).toContain(`"id":${job?.id},`);
    expect((await sendAct(desk, `${jobPath}/retry`, { reason: 'x' })).status).toBe(200);
    expect((await sendAct(desk, `${jobPath}/drop`, { reason: 'x' })).status).toBe(200);
    expect((await jobsOf()).map((each) => each.id)).not.toContain(job?.id);
    expect((await sendAct(desk, `${jobPath}/drop`, { reason: 'x' })).status).toBe(404);
    expect((await desk.get('/api/operator/money')).status).toBe(200);
  });
});

it('the second factor of a person who has lost it is turned off, and only with a fresh code', async () => {
  const person = await server.signIn('both');
  await turnOnSecondFactor(person, server.clock.now());
  const path = `/operator/people/${person.user.id}/reset-second-factor`;
  const reset = async () => await sendAct(desk, path, { reason: 'Phone lost, called back' });
  server.clock.advance(16 * 60 * 1000);
  expect((await reset()).body.code).toBe(REAUTHENTICATE);
  expect((await person.get('/api/user/second-factor')).body.isOn).toBe(true);
  await confirmOperator(server, operator);
  expect((await reset()).status).toBe(200);
  expect((await reset()).status).toBe(409);
  expect((await person.get('/api/auth/user')).status).toBe(401);
  const login = { email: person.user.email, password: PASSWORD };
  expect((await server.anyone().post('/api/auth/login', login)).body.user).toMatchObject({
    id: person.user.id,
  });
});

describe('the rights of operators', () => {
  it('are given to an existing, verified account, once', async () => {
    const person = await server.signIn('both');
    const { email } = person.user;
    const refusals = [
      await addOperator(server.ctx, CLI, { email: 'nobody@example.test', role: 'owner', reason: 'x' }).catch(
        (error) => error,
      ),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404]);
    const twice = await Promise.allSettled(
      [1, 2, 3].map(async () => await addOperator(server.ctx, CLI, { email, role: 'owner', reason: 'x' })),
    );
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    // An operator cannot delete their account.
    await signInAgain(person);
    expect((await person.delete('/api/user/account')).status).toBe(409);
    await removeOperator(server.ctx, CLI, { email, reason: 'x' });
    expect((await person.delete('/api/user/account')).status).toBe(200);
  });

  // Proves OPER-02
  it('stay with the last owner, also if all are removed at once', async () => {
    const people = [await server.signIn('both'), await server.signIn('both'), await server.signIn('both')];
    for (const { user } of people)
      await addOperator(server.ctx, CLI, { email: user.email, role: 'owner', reason: 'x' });
    const emails = [...people.map(({ user }) => user.email), desk.user.email];
    const before = (await acts()).length;
    const removals = await Promise.allSettled(
      emails.map(async (email) => await removeOperator(server.ctx, CLI, { email, reason: 'x' })),
    );
    expect(removals.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(removals.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, message: expect.stringContaining('last owner') },
    });
    const left = await server.ctx.db.selectFrom('operators').select('userId').execute();
    expect(left).toHaveLength(1);
    expect((await acts()).length).toBe(before + 3);
    if (left[0]?.userId !== desk.user.id)
      await addOperator(server.ctx, CLI, {
        email: desk.user.email,
        role: 'owner',
        reason: 'For the other tests',
      });
    await reopenConsole(server, operator);
  });
});

describe('the audit trail', () => {
  // Proves OPER-04
  it('can neither be changed nor deleted', async () => {
    expect((await acts()).length).toBeGreaterThan(0);
    for (const statement of [
      sql`update operator_acts set reason = 'x'`,
      sql`delete from operator_acts`,
      sql`truncate operator_acts cascade`,
    ])
      await expect(statement.execute(server.owner)).rejects.toThrow('append-only');
  });

  // Proves OPER-04
  it('can be read by the affected person, page by page, without the operator’s name', async () => {
    const person = await server.signIn('seller');
    const website = await makeWebsite(person);
    await confirmOperator(server, operator);
    await sendAct(desk, `/operator/websites/${website.id}/suspend`, { reason: 'Unclear owner' });
    await sendAct(desk, `/operator/websites/${website.id}/restore`, { reason: 'Owner is clear' });
    const first = await person.get('/api/user/operator-acts?limit=1');
    expect(first.body).toEqual([
      expect.objectContaining({
        act: 'restore',
        subject: 'website',
        reason: 'Owner is clear',
        appeal: 'closed',
      }),
    ]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await person.get(next);
    expect(second.body).toEqual([
      expect.objectContaining({ act: 'suspend', subjectName: website.name, appeal: 'possible' }),
    ]);
    expect(second.headers.get('link')).toBe(null);
    expect(JSON.stringify([first.body, second.body])).not.toContain(desk.user.email);
    const exported = (await person.post('/api/user/export-data')).body.operatorActs;
    expect(exported).toEqual([...first.body, ...second.body]);
    expect((await (await server.signIn('both')).get('/api/user/operator-acts')).body).toEqual([]);
  });
});

describe('a decision', () => {
  /** A suspended person, and the path of the mailed decision. */
  async function suspended() {
    const person = await server.signIn('both');
    await confirmOperator(server, operator);
    await sendAct(desk, `/operator/people/${person.user.id}/suspend`, { reason: 'Spam & <fraud>' });
    const text = (await mailTo(server.ctx, person.user.email)).at(-1)?.text ?? '';
    const path = /\/decision\/[\w-]+\?key=[\w-]{22}/.exec(text)?.[0] ?? '';
    return { person, path, id: path.slice('/decision/'.length).split('?')[0] ?? '' };
  }
  const answer = async (path: string, body: string, client = server.anyone()) =>
    await sendForm(client, path, { body });
  const actId = async (publicId: string) =>
    (
      await server.ctx.db
        .selectFrom('operatorActs')
        .select('id')
        .where('publicId', '=', publicId)
        .executeTakeFirstOrThrow()
    ).id;
  const decide = async (id: number, outcome: string, reason = 'We read it again') =>
    await sendAct(desk, `/operator/appeals/${id}`, { outcome, reason });

  // Proves OPER-10
  it('opens only with the mailed key or for the affected person', async () => {
    const { person, path, id } = await suspended();
    const page = await server.anyone().get(path);
    expect([page.status, page.text.includes('Spam &amp; &lt;fraud&gt;')]).toEqual([200, true]);
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    const other = await server.signIn('both');
    for (const [client, address] of [
      [server.anyone(), `/decision/${id}`],
      [server.anyone(), `/decision/${id}?key=abcdefghijklmnopqrstuv`],
      [other, `/decision/${id}`],
      [other, '/decision/nobody'],
    ] as const) {
      expect((await client.get(address)).status).toBe(404);
      expect((await answer(address, 'Mine', client)).status).toBe(404);
    }
    const operators = await server.ctx.db.selectFrom('appeals').selectAll().execute();
    expect(operators.filter(({ body }) => body === 'Mine')).toEqual([]);
    // After the restoration, the person can read it with their session.
    await sendAct(desk, `/operator/people/${person.user.id}/restore`, { reason: 'x' });
    const client = server.anyone();
    await client.post('/api/auth/login', { email: person.user.email, password: PASSWORD });
    expect((await client.get(`/decision/${id}`)).status).toBe(200);
  });

  // Proves OPER-10
  it('can be answered once, also by ten requests at once, and for about half a year', async () => {
    const { path, id } = await suspended();
    expect((await answer(path, '  ')).status).toBe(400);
    expect((await answer(path, 'x'.repeat(2001))).status).toBe(400);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => (await answer(path, `Not me ${at}`)).status),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      303,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await server.anyone().get(path)).text).toContain('We’ve received your answer');
    const number = await actId(id);
    const waiting = (await desk.get('/api/operator/appeals')).body as { id: number; decision: string }[];
    expect(waiting.find((each) => each.id === number)).toMatchObject({
      decision: expect.stringMatching(/^Suspended account \d+$/),
      reason: 'Spam & <fraud>',
      answer: expect.stringContaining('Not me'),
      acts: [{ path: `/api/operator/appeals/${number}`, button: 'Decide' }],
    });

    const told = (await mailToOperator(server.ctx, 'decision-answered')).map(({ text }) => text);
    expect(told.filter((text) => text.includes(`/operator/appeals/${number}\n`))).toHaveLength(1);

    const late = await suspended();
    server.clock.advance((APPEAL_DAYS + 1) * DAY_MS);
    expect((await answer(late.path, 'Too late')).status).toBe(409);
    server.clock.advance(-(APPEAL_DAYS + 1) * DAY_MS);
  });

  // Proves OPER-10
  it('is decided again once: upheld it stays, reversed it ends at once', async () => {
    for (const outcome of ['upheld', 'reversed'] as const) {
      const { person, path, id } = await suspended();
      await answer(path, 'It was my brother');
      const number = await actId(id);
      const shown = async () => (await desk.get(`/api/operator/appeals/${number}`)).body;
      expect(await shown()).toMatchObject({
        answer: 'It was my brother',
        outcome: null,
        about: { path: `/operator/people/${person.user.id}` },
        acts: [{ consequence: expect.stringContaining('A reversed suspension ends now.') }],
      });
      expect((await decide(number, 'perhaps')).status).toBe(400);
      const both = await Promise.all([decide(number, outcome), decide(number, outcome)]);
      expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
      expect(await shown()).toMatchObject({ outcome, outcomeReason: 'We read it again', acts: [] });
      const login = { email: person.user.email, password: PASSWORD };
      const again = server.anyone();
      expect((await again.post('/api/auth/login', login)).status).toBe(200);
      const { suspendedReason } = (await again.get('/api/auth/user')).body as {
        suspendedReason: string | null;
      };
      expect(suspendedReason !== null).toBe(outcome === 'upheld');
      const subject = outcome === 'upheld' ? 'The decision stands' : 'The decision was reversed';
      const mail = (await mailTo(server.ctx, person.user.email)).find((each) => each.subject === subject);
      expect(mail?.text).toContain('We read it again');
      expect((await server.anyone().get(path)).text).toContain('We read it again');
      expect((await answer(path, 'Once more')).status).toBe(409);
    }
  });
});
