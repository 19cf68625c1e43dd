/** An operator looks at the product as a person, and changes nothing. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REAUTHENTICATE, SHOWN_USER, VIEWING } from '#domain/endpoint.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#domain/operator/rights.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { rightsOf } from '#server/platform/http/rights.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import {
  confirmOperator,
  makeOperator,
  reopenConsole,
  sendAct,
  type TestOperator,
} from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { removeOperator, setOperatorRole, addOperator } from '../requests/requests.ts';
import { endSessionsOfPerson } from './sessions.ts';
import { suspend } from '../decisions/suspend.ts';

const CLI = { id: null };
const REASON = { reason: 'They asked for help' };
const CHANGES_NOTHING = 'You look at this account as its operator and can’t change anything.';

const server = useOwnServer();
let boss: TestOperator;
let desk: TestOperator;
let pat: Client;
/** An ad of Pat's own in Pat's own zone, for addresses that exist. */
let story: { ad: { id: number; publicId: string }; zone: { id: number }; website: { id: number } };

beforeAll(async () => {
  boss = await makeOperator(server);
  desk = await makeOperator(server);
  await giveRole(desk, 'support');
  pat = await server.signIn('both');
  const website = await makeWebsite(pat);
  const zone = await makeZone(pat, website);
  const buyer = await server.signIn('buyer');
  const ad = await makeAd(buyer, await makeProduct(pat, zone));
  story = { ad: await approve(pat, ad), zone, website };
});

beforeEach(async () => {
  await stop();
  await confirmOperator(server, desk);
});

async function giveRole({ client }: TestOperator, role: OperatorRole): Promise<void> {
  await setOperatorRole(server.ctx, CLI, { email: client.user.email, role, reason: 'For a test' });
}

/** Without an act, which would end nothing else. */
const setRole = async (role: OperatorRole) =>
  await server.ctx.db
    .updateTable('operators')
    .set({ role })
    .where('userId', '=', desk.client.user.id)
    .execute();

const view = async (person: Client, by = desk, fields: Record<string, string> = REASON) =>
  await sendAct(by.client, `/operator/people/${person.user.id}/view-as`, fields);
const stop = async () => await desk.client.post('/api/account/end-view');
/** The account that the operator's session shows now, and until when it looks at it. */
const shown = async (by = desk) => {
  const { body } = await by.client.get('/api/auth/user');
  return { id: body.id as number, until: body.view?.until as string | undefined };
};
const viewsOf = async (person: Client) =>
  await server.ctx.db
    .selectFrom('operatorActs')
    .select(['operatorId', 'affectedId', 'reason'])
    .where('act', '=', 'view-as')
    .where('subjectId', '=', person.user.id)
    .orderBy('id')
    .execute();

/**
 * A number for the content of each table, without the session of the operator, the request limits of others than the person,
 * and the life sign of the server.
 */
async function contentOfTables(): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'servers'`.execute(server.owner);
  const counted: Record<string, ReturnType<typeof sql>> = {
    sessions: sql`where sess ->> 'userId' <> ${String(desk.client.user.id)}`,
    rate_limits: sql`where key like ${`%:${pat.user.id}`}`,
  };
  const content: Record<string, string> = {};
  for (const { name } of rows) {
    const read = sql<{ hash: string }>`
      select coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash
        from ${sql.table(name)} t ${counted[name] ?? sql``}`;
    content[name] = (await read.execute(server.owner)).rows[0]?.hash ?? '';
  }
  return content;
}

const filled = (path: string) =>
  path
    .replaceAll(/\{(publicId|site)\}/g, story.ad.publicId)
    .replaceAll(/\/ads\/\{\w+\}/g, `/ads/${story.ad.id}`)
    .replaceAll(/\/ad-zones\/\{\w+\}/g, `/ad-zones/${story.zone.id}`)
    .replaceAll(/\/websites\/\{\w+\}/g, `/websites/${story.website.id}`)
    .replaceAll(/\{\w+\}/g, '1');

/** The ad server knows no sessions, and pages that are the same for everybody are served without one. */
const readsNoSession = ({ path }: { path: string }) => path.startsWith('/api/serve/');
const routes = () => rightsOf(server.app).filter((route) => !readsNoSession(route));

describe('a view', () => {
  // Proves OPER-200
  it('is refused every call that is no GET, whichever the route, and changes nothing', async () => {
    expect((await view(pat)).status).toBe(200);
    const before = await contentOfTables();
    const changing = routes().filter(({ method, who }) => method !== 'GET' && !who.endsView);
    const wrong: string[] = [];
    for (const { method, path } of changing) {
      const { status, body } = await desk.client.send(method, filled(path), {});
      if (status !== 403 || body.code !== VIEWING || body.message !== CHANGES_NOTHING)
        wrong.push(`${method} ${path}: ${status} ${body.message}`);
    }
    expect(wrong).toEqual([]);
    expect(changing.length).toBeGreaterThan(100);
    for (const path of ['/api/nothing', '/api/ads/1/nothing'])
      expect((await desk.client.delete(path)).body.code).toBe(VIEWING);
    expect(await contentOfTables()).toEqual(before);
  });

  // Proves OPER-200
  it('may end itself by two calls, and nothing else', () => {
    const ending = routes().filter(({ who }) => who.endsView);
    expect(ending.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/account/end-view',
      'POST /api/auth/logout',
    ]);
  });

  // Proves OPER-200
  it('shows each page as the person sees it, without a trace of it in the person’s account', async () => {
    await view(pat);
    const calls = routes().filter(({ method, who }) => method === 'GET' && who.access !== 'operator');
    const reading = calls.filter(({ path, who }) => !who.notInView && path !== '/api/logout');
    // Nothing of Pat's was read before, so that what a first reading makes would be seen.
    const before = await contentOfTables();
    const seen = new Map<string, number>();
    for (const { path } of reading) seen.set(path, (await desk.client.get(filled(path))).status);
    expect(await contentOfTables()).toEqual(before);
    const wrong: string[] = [];
    for (const { path } of reading) {
      const { status } = await pat.get(filled(path));
      if (status !== seen.get(path)) wrong.push(`${path}: ${seen.get(path)} instead of ${status}`);
    }
    expect(wrong).toEqual([]);
    expect((await desk.client.get('/api/ads/pending')).body).toEqual(
      (await pat.get('/api/ads/pending')).body,
    );
    expect((await desk.client.get('/api/accounts')).body).toEqual((await pat.get('/api/accounts')).body);
    const sessions = (await desk.client.get('/api/user/sessions')).body as { isCurrent: boolean }[];
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false]);
  });

  // Proves OPER-200
  it('does not read what is worth something after it, or is an act of its own', async () => {
    await view(pat);
    const hidden = routes().filter(({ who }) => who.notInView);
    expect(hidden.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/ads/{ref}/report-links',
      'GET /api/billing/portal',
      'GET /api/documents/{number}',
      'GET /api/documents/{number}.pdf',
      'GET /api/documents/{number}.xml',
      'GET /api/documents/{number}/proof',
      'GET /api/plans/{ref}/report-links',
      'GET /api/statements/{month}.csv',
      'GET /api/user/confirmed',
    ]);
    for (const { path } of hidden) {
      const { status, text } = await desk.client.get(filled(path));
      expect([path, status, text]).toEqual([path, 403, expect.stringContaining('this isn’t shown to you')]);
    }
  });

  // Proves OPER-200
  it('has no console, until it is stopped', async () => {
    await view(pat);
    const console = routes().filter(({ method, who }) => method === 'GET' && who.access === 'operator');
    for (const { path } of console) {
      const { status, text } = await desk.client.get(filled(path));
      expect([path, status, text]).toEqual([
        path,
        403,
        expect.stringContaining('Stop looking to use the console'),
      ]);
    }
    expect((await stop()).status).toBe(200);
    expect((await desk.client.get('/api/operator/session')).status).toBe(200);
    expect(await shown()).toEqual({ id: desk.client.user.id, until: undefined });
    // A second click, or one after the end.
    expect((await stop()).status).toBe(200);
  });

  // Proves OPER-200
  it('ends by itself after 15 minutes', async () => {
    await view(pat);
    const { id, until = '' } = await shown();
    expect(id).toBe(pat.user.id);
    const left = () => Date.parse(until) - server.clock.now().getTime();
    expect(left()).toBeLessThanOrEqual(15 * MINUTE_MS);
    server.clock.advance(left() - 1000);
    expect(await shown()).toEqual({ id: pat.user.id, until });
    // Using it does not make it longer.
    server.clock.advance(1000);
    expect(await shown()).toEqual({ id: desk.client.user.id, until: undefined });
    // A page that still shows Pat writes into no account.
    const late = await desk.client.patch(
      '/api/user/profile',
      { firstName: 'X' },
      { [SHOWN_USER]: String(pat.user.id) },
    );
    expect([late.status, late.body.code]).toEqual([409, 'another-user']);
  });

  // Proves OPER-200
  it('ends when the operator signs out, who is the one that signed out', async () => {
    await view(pat);
    expect((await desk.client.post('/api/auth/logout')).status).toBe(200);
    expect((await desk.client.get('/api/auth/user')).status).toBe(401);
    const kinds = async (by: Client) =>
      (await by.get('/api/user/security-events')).body.map(({ kind }: { kind: string }) => kind) as string[];
    expect(await kinds(pat)).not.toContain('signed-out');
    await reopenConsole(server, desk);
    expect(await kinds(desk.client)).toContain('signed-out');
    expect((await shown()).id).toBe(desk.client.user.id);
  });

  // Proves OPER-200
  it('ends when the operator loses the right, or is no operator any more', async () => {
    await view(pat);
    for (const [role, sees] of [
      ['money', false],
      ['read', false],
      ['moderation', true],
      ['owner', true],
    ] as const) {
      await setRole(role);
      expect([role, (await shown()).id === pat.user.id]).toEqual([role, sees]);
    }
    await setRole('support');
    const gone = await makeOperator(server);
    await confirmOperator(server, gone);
    expect((await view(pat, gone)).status).toBe(200);
    await removeOperator(server.ctx, CLI, { email: gone.client.user.email, reason: 'For a test' });
    const { status, body } = await gone.client.get('/api/auth/user');
    expect([status, body.id]).not.toEqual([200, pat.user.id]);
  });

  // Proves OPER-200
  it('ends when the person is deleted, or becomes an operator', async () => {
    const person = await server.signIn('both');
    expect((await view(person)).status).toBe(200);
    await server.owner
      .updateTable('users')
      .set({ deletedAt: new Date() })
      .where('id', '=', person.user.id)
      .execute();
    expect((await shown()).id).toBe(desk.client.user.id);

    await confirmOperator(server, desk);
    const next = await server.signIn('both');
    expect((await view(next)).status).toBe(200);
    await addOperator(server.ctx, CLI, { email: next.user.email, role: 'read', reason: 'For a test' });
    expect((await shown()).id).toBe(desk.client.user.id);
  });

  it('goes on when the person signs out everywhere, and shows a suspended person what they still see', async () => {
    const person = await server.signIn('seller');
    await view(person);
    await endSessionsOfPerson(server.ctx, CLI, { id: person.user.id, ...REASON });
    expect((await shown()).id).toBe(person.user.id);
    await suspend(server.ctx, CLI, { subject: 'person', id: person.user.id, ...REASON });
    expect((await desk.client.get('/api/auth/user')).body.suspendedReason).toBe(REASON.reason);
    expect((await desk.client.get('/api/payouts')).status).toBe(200);
    expect((await desk.client.get('/api/ads/my')).status).toBe(403);
    expect((await stop()).status).toBe(200);
  });
});

describe('the act', () => {
  // Proves OPER-200
  it('has a reason, is in the trail and in the signed log, and is neither mailed nor shown to the person', async () => {
    const person = await server.signIn('both');
    const mails = (await mailTo(server.ctx, person.user.email)).length;
    expect((await view(person, desk, {})).status).toBe(400);
    expect(await viewsOf(person)).toEqual([]);
    const { status, body } = await view(person);
    expect([status, body.next]).toEqual([200, '/']);
    expect(await viewsOf(person)).toEqual([
      { operatorId: desk.client.user.id, affectedId: null, reason: REASON.reason },
    ]);
    expect((await person.get('/api/user/operator-acts')).body).toEqual([]);
    expect(await mailTo(server.ctx, person.user.email)).toHaveLength(mails);
    const unlogged = await server.ctx.db.selectFrom('operatorActsUnlogged').selectAll().execute();
    expect(unlogged).toEqual([]);
  });

  // Proves OPER-200
  it.each(OPERATOR_ROLES)('needs the right of support: %s', async (role) => {
    await setRole(role);
    const { status } = await view(pat);
    expect(status).toBe(['owner', 'moderation', 'support'].includes(role) ? 200 : 403);
    await stop();
    await setRole('support');
  });

  // Proves OPER-200
  it('needs a confirmation of the last 15 minutes', async () => {
    server.clock.advance(16 * MINUTE_MS);
    const { status, body } = await view(pat);
    expect([status, body.code]).toEqual([403, REAUTHENTICATE]);
  });

  // Proves OPER-200
  it('is refused for an operator, for oneself, for an own team, and for nobody', async () => {
    await confirmOperator(server, boss);
    // Not even an owner looks at the product as an operator.
    expect((await view(desk.client, boss)).status).toBe(403);
    expect((await view(boss.client, desk)).status).toBe(403);
    expect((await view(boss.client, boss)).status).toBe(409);
    const team = await server.signIn('both');
    await server.ctx.db
      .insertInto('accountMembers')
      .values({
        accountId: team.user.id,
        userId: desk.client.user.id,
        role: 'read',
        invitedBy: team.user.id,
        invitedAt: new Date(),
        joinedAt: new Date(),
      })
      .execute();
    expect((await view(team)).status).toBe(409);
    expect((await sendAct(desk.client, '/operator/people/2000000000/view-as', REASON)).status).toBe(404);
    for (const person of [boss.client, desk.client, team]) expect(await viewsOf(person)).toEqual([]);
    expect((await shown()).id).toBe(desk.client.user.id);
  });

  it('belongs to one session: another one of the operator stays in the console', async () => {
    const other = await makeOperator(server);
    await confirmOperator(server, other);
    await view(pat);
    expect((await other.client.get('/api/operator/session')).status).toBe(200);
    expect((await view(pat, other)).status).toBe(200);
    await stop();
    expect((await shown(other)).id).toBe(pat.user.id);
  });
});
