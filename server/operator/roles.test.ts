/** The rights of operators: every act against every role. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { holds, OPERATOR_ROLES, type OperatorRole } from '#domain/operator/rights.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { addressOf } from './acts/define-act.ts';
import { OPERATOR_ACTS } from './acts/acts.ts';
import { addOperator, setOperatorRole } from './requests/requests.ts';

const CLI = { id: null };
/** Belongs to nothing, so that an act that is allowed changes nothing. */
const NOWHERE = {
  id: 2_000_000_000,
  ref: '00000000-0000-4000-8000-000000000000',
  of: 'payment',
  name: 'CURRENCY',
};
const FORMS = OPERATOR_ACTS.flatMap(({ forms }) => forms);

const server = useOwnServer();
let owner: TestOperator;
const desks = new Map<OperatorRole, TestOperator>();
beforeAll(async () => {
  owner = await makeOperator(server);
  for (const role of OPERATOR_ROLES) {
    const desk = await makeOperator(server);
    if (role !== 'owner')
      await setOperatorRole(server.ctx, CLI, { email: desk.client.user.email, role, reason: 'For a test' });
    desks.set(role, desk);
  }
});

const desk = (role: OperatorRole) => desks.get(role)!;
const emailOf = ({ client }: TestOperator) => client.user.email;
const roles = async () => await server.ctx.db.selectFrom('operators').select(['userId', 'role']).execute();
const countActs = async () => (await server.ctx.db.selectFrom('operatorActs').select('id').execute()).length;

describe('the right of an act', () => {
  // Proves OWNS-23
  it.each(OPERATOR_ROLES)('lets the role %s do what its rights allow, and nothing else', async (role) => {
    await confirmOperator(server, desk(role));
    const before = await countActs();
    for (const form of FORMS) {
      // Wrong fields, so that an allowed act is refused for them.
      const answer = await sendAct(desk(role).client, addressOf(form, NOWHERE), {});
      // The page of a thing that does not exist is 404 for everybody.
      const isMissing = answer.status === 404;
      expect([form.path, isMissing || (answer.status === 403) === !holds(role, form.right)]).toEqual([
        form.path,
        true,
      ]);
      if (answer.status === 403) expect(answer.text).toContain('Your role doesn’t allow this');
    }
    expect(await countActs()).toBe(before);
  });

  // Proves OWNS-23
  it('is asked before anything else, also about things that exist', async () => {
    const person = await server.signIn('both');
    const reader = desk('read');
    await confirmOperator(server, reader);
    const path = `/operator/people/${person.user.id}`;
    const refused = await sendAct(reader.client, `${path}/suspend`, { reason: 'x' });
    expect([refused.status, refused.text.includes('Your role doesn’t allow this')]).toEqual([403, true]);
    expect((await person.get('/api/auth/user')).status).toBe(200);
    // A page offers the acts of the role only.
    await enqueue(server.ctx.db, 'send-message', { messageId: 1 });
    await sql`update graphile_worker._private_jobs set last_error = 'x'
      where id = (select max(id) from graphile_worker._private_jobs)`.execute(server.owner);
    const offered = async (role: OperatorRole) => {
      await confirmOperator(server, desk(role));
      const { status, body } = await desk(role).client.get('/api/operator/today');
      return [
        status,
        body.waiting.map(({ acts }: { acts: { button: string }[] }) => acts.map(({ button }) => button)),
      ];
    };
    expect(await offered('read')).toEqual([200, [[]]]);
    expect(await offered('support')).toEqual([200, [[]]]);
    expect(await offered('owner')).toEqual([200, [['Retry', 'Drop']]]);
    await sql`update graphile_worker._private_jobs set last_error = null`.execute(server.owner);
    expect(await reader.client.get(`/api${path}`)).toMatchObject({ status: 200, body: { acts: [] } });
    const support = desk('support');
    await confirmOperator(server, support);
    const { acts } = (await support.client.get(`/api${path}`)).body as { acts: { path: string }[] };
    expect(acts.map((act) => act.path)).toEqual([
      `/api${path}/view-as`,
      `/api${path}/end-sessions`,
      `/api${path}/reset-second-factor`,
    ]);
  });
});

describe('the role of an operator', () => {
  it('is given with the rights, and changed from one request to the next', async () => {
    const person = await server.signIn('both');
    const { email, id } = person.user;
    await addOperator(server.ctx, CLI, { email, role: 'read', reason: 'x' });
    expect(await roles()).toContainEqual({ userId: id, role: 'read' });
    const support = desk('support');
    await confirmOperator(server, support);
    const { client } = support;
    expect((await sendAct(client, '/operator/settings', {})).status).toBe(403);
    await setOperatorRole(server.ctx, CLI, { email: emailOf(support), role: 'owner', reason: 'x' });
    expect((await sendAct(client, '/operator/settings', {})).status).toBe(400);
    await setOperatorRole(server.ctx, CLI, { email: emailOf(support), role: 'support', reason: 'x' });
    expect((await sendAct(client, '/operator/settings', {})).status).toBe(403);
  });

  it('stays with the last owner, also if all owners give it up at once', async () => {
    const owners = [owner, desk('owner')];
    const changes = await Promise.allSettled(
      owners.map(
        async (each) =>
          await setOperatorRole(server.ctx, CLI, { email: emailOf(each), role: 'money', reason: 'x' }),
      ),
    );
    expect(changes.filter(({ status }) => status === 'rejected')).toEqual([
      expect.objectContaining({
        reason: expect.objectContaining({ status: 409, message: expect.stringContaining('last owner') }),
      }),
    ]);
    expect((await roles()).filter(({ role }) => role === 'owner')).toHaveLength(1);
    for (const each of owners)
      await setOperatorRole(server.ctx, CLI, { email: emailOf(each), role: 'owner', reason: 'x' }).catch(
        ({ status }) => expect(status).toBe(409),
      );
  });

  // Proves OPER-22
  it('is changed in the console by two owners; nobody else can confirm it', async () => {
    await confirmOperator(server, owner);
    const asked = await sendAct(owner.client, '/operator/operators/role', {
      email: emailOf(desk('read')),
      role: 'owner',
      reason: 'New colleague',
    });
    expect([asked.status, asked.body.next]).toEqual([200, '/operator/requests']);
    const { id } = await server.ctx.db
      .selectFrom('operatorRequests')
      .select('id')
      .where('outcome', 'is', null)
      .executeTakeFirstOrThrow();
    const confirm = async (by: TestOperator) => {
      await confirmOperator(server, by);
      return (await sendAct(by.client, `/operator/requests/${id}/confirm`, {})).status;
    };
    expect([await confirm(desk('support')), await confirm(desk('money')), await confirm(owner)]).toEqual([
      403, 403, 409,
    ]);
    expect(await roles()).toContainEqual({ userId: desk('read').client.user.id, role: 'read' });
    expect(await confirm(desk('owner'))).toBe(200);
    expect(await roles()).toContainEqual({ userId: desk('read').client.user.id, role: 'owner' });
  });
});
