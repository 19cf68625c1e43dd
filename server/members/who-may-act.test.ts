/** Every route of the server for every kind of member. A new route without a need is refused to all of them. */
import { beforeAll, expect, it } from 'vitest';
import { MEMBER_ROLES, memberMay, type MemberRole } from '#domain/accounts/members.ts';
import { MEMBER_NEEDS } from '../http/acting/member-routes.ts';
import type { Client } from '../testing/client.ts';
import { useServer } from '../testing/use-server.ts';

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
  return await person.send(method, path.replaceAll(/:\w+/g, '1'), method === 'GET' ? undefined : {});
};

// Proves RES-72
it('has a need for each route that requires a user, and for no other', async () => {
  const { paths } = (await server.anyone().get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, { 'x-access': string }>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, call]) => !['anyone', 'operator'].includes(call['x-access']))
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(MEMBER_NEEDS.map(([route]) => route).toSorted()).toEqual(routes.toSorted());
});

// Proves RES-72
it('lets no call that changes something rest on a right to read', () => {
  const changing = MEMBER_NEEDS.filter(([route]) => !route.startsWith('GET '));
  const reading = changing.filter(([, need]) => need === 'figures' || need === 'ads');
  // It notes until when the page watches a zone, and nothing of the zone.
  expect(reading.map(([route]) => route)).toEqual(['POST /api/ad-zones/:ref/watch']);
});

// Proves RES-73
it.each(MEMBER_ROLES)(
  'refuses %s each route that the role has no right to, before anything else',
  async (role) => {
    const { person } = await memberWith(role);
    const others = MEMBER_NEEDS.filter(([, need]) => need !== 'person');
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
  for (const [route, need] of MEMBER_NEEDS) {
    if (need === 'person') continue;
    const { status, body, text } = await calling(person, route);
    const isOurs = body.code === 'not-a-member' || text.includes('no longer a member');
    if (status !== 403 || !isOurs) wrong.push(`${route}: ${status}`);
  }
  expect(wrong).toEqual([]);
});
