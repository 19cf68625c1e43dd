/** Every route of the server for every kind of member. A route that declares no right is refused to everybody. */
import type { FastifyRequest } from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { listAccounts } from '#domain/accounts/members-contract.ts';
import { MEMBER_ROLES, memberMay, type MemberRole } from '#domain/accounts/members.ts';
import type { MemberNeed } from '#server/platform/http/acting/acting.ts';
import { rightsOf, rightsTable } from '#server/platform/http/rights.ts';
import { route } from '#server/platform/http/route.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();
let owner: Client;
beforeAll(async () => {
  owner = await server.signIn('both');
});

/** A member with the role, whose session acts for the owner's account. */
async function memberWith(role: MemberRole): Promise<{ person: Client; memberId: number }> {
  const person = await server.signIn('both');
  const { id } = await server.ctx.db
    .insertInto('accountMembers')
    .values({
      accountId: owner.user.id,
      userId: person.user.id,
      role,
      invitedBy: owner.user.id,
      invitedAt: new Date(),
      joinedAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await person.post('/api/account/switch', { account: owner.user.id });
  return { person, memberId: id };
}

const calling = async (person: Client, route: string) => {
  const [method = '', path = ''] = route.split(' ');
  return await person.send(method, path.replaceAll(/\{\w+\}/g, '1'), method === 'GET' ? undefined : {});
};

/** The calls that require a user, such as 'PUT /api/ads/{ref}/reject', and the right that each needs. */
function needs(): (readonly [call: string, need: MemberNeed])[] {
  return rightsOf(server.app).flatMap(({ method, path, who }) =>
    who.access === 'anyone' || who.access === 'operator' ? [] : [[`${method} ${path}`, who.right] as const],
  );
}

// Proves RES-73
it('a route that requires a user and declares no right does not compile, and admits nobody', async () => {
  // @ts-expect-error The right is missing.
  route(listAccounts, { access: 'user' }, async () => []);
  for (const config of [{}, { who: { access: 'anyone' } }]) {
    const request = { routeOptions: { config, url: '/api/new' } } as FastifyRequest;
    await expect(admitUser(server.ctx, request)).rejects.toThrow('The route /api/new does not declare');
  }
});

// Proves RES-73
it('lets no call that changes something rest on a right to read', () => {
  const changing = needs().filter(([call]) => !call.startsWith('GET '));
  const reading = changing.filter(([, need]) => need === 'figures' || need === 'ads');
  // It notes until when the page watches a zone, and nothing of the zone.
  expect(reading.map(([call]) => call)).toEqual(['POST /api/ad-zones/{ref}/watch']);
});

// Proves RES-73
it('the list for auditors has every call of the server', async () => {
  const { paths } = (await server.anyone().get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, { 'x-access': string }>>;
  };
  const rows = rightsTable(server.app).split('\n').slice(2);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => `${method.toUpperCase()} ${path} ${call['x-access']}`),
  );
  const listed = rows.map((row) =>
    row
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim())
      .join(' '),
  );
  expect(listed.toSorted()).toEqual(described.toSorted());
  expect(rows).toContain('| GET /api/billing/portal | user | money |  | yes |  | yes |');
  expect(rows).toContain('| GET /api/documents/{number} | user | money | yes |  |  | yes |');
});

// Proves RES-73
it.each(MEMBER_ROLES)(
  'refuses %s each route that the role has no right to, before anything else',
  async (role) => {
    const { person } = await memberWith(role);
    const others = needs().filter(([, need]) => need !== 'person');
    const refused = others.filter(([, need]) => need === 'self' || !memberMay(role, need as 'owner'));
    const wrong: string[] = [];
    for (const [route] of refused) {
      const { status, body, text } = await calling(person, route);
      const isOurs = `${body.message ?? text}`.includes('account');
      if (status !== 403 || !isOurs) wrong.push(`${route}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(refused.length).toBeGreaterThanOrEqual(3);
  },
);

// Proves RES-74
it('refuses a removed member each route of the account', async () => {
  const { person, memberId } = await memberWith('owner');
  expect((await owner.delete(`/api/account/members/${memberId}`)).status).toBe(200);
  const wrong: string[] = [];
  for (const [route, need] of needs()) {
    if (need === 'person') continue;
    const { status, body, text } = await calling(person, route);
    const isOurs = body.code === 'not-a-member' || text.includes('no longer a member');
    if (status !== 403 || !isOurs) wrong.push(`${route}: ${status}`);
  }
  expect(wrong).toEqual([]);
});
