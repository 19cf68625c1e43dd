/** No operator decides in their own case, or about an operator without being an owner. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Act, ACTS, type ActSubject } from '#domain/operator/acts.ts';
import type { OperatorRole } from '#domain/operator/rights.ts';
import { turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { ABOUT_OPERATORS, perform, record } from './act.ts';
import { holdByOperator, releaseByOperator } from './money/books.ts';
import { setOperatorRole } from './requests/requests.ts';

const CLI = { id: null };
const DECISIONS = ACTS.filter((act) => act !== 'read-person' && !ABOUT_OPERATORS.includes(act));

const server = useOwnServer();
const desks = {} as Record<'owner' | 'money' | 'support', TestOperator>;
let other: TestOperator;
beforeAll(async () => {
  for (const role of ['owner', 'money', 'support'] as const) {
    desks[role] = await makeOperator(server);
    await giveRole(desks[role], role);
  }
  other = await makeOperator(server);
  await giveRole(other, 'money');
});

async function giveRole({ client }: TestOperator, role: OperatorRole): Promise<void> {
  if (role === 'owner') return;
  await setOperatorRole(server.ctx, CLI, { email: client.user.email, role, reason: 'For a test' });
}

const idOf = ({ client }: TestOperator) => client.user.id;

/** The status of an act by an operator, which is rolled back. */
async function tryAct(
  by: number | null,
  about: { act: Act; subject: ActSubject; subjectId: number; affectedId: number | null },
): Promise<number> {
  return await perform(server.ctx, { id: by, dryRun: true }, async (tx) => {
    await record(server.ctx, tx, { id: by }, { ...about, reason: 'x' });
    return 200;
  }).catch((error: { status?: number; statusCode?: number }) => Number(error.status ?? error.statusCode));
}

describe('every act', () => {
  // Proves WARD-08
  it.each(DECISIONS)(
    '%s is refused about the operator’s own account, or one of which they are a member',
    async (act) => {
      const owner = idOf(desks.owner);
      const [own, team, stranger] = [owner, await teamOf(desks.owner), await strangerOf()];
      const website = { act, subject: 'website', subjectId: 7 } as const;
      for (const account of [own, team]) {
        expect(await tryAct(owner, { ...website, affectedId: account })).toBe(409);
        expect(await tryAct(owner, { act, subject: 'person', subjectId: account, affectedId: null })).toBe(
          409,
        );
        expect(await tryAct(null, { ...website, affectedId: account })).toBe(200);
      }
      expect(await tryAct(owner, { ...website, affectedId: stranger })).toBe(200);
    },
  );

  // Proves WARD-08
  it.each(DECISIONS)('%s about the account of an operator needs an owner', async (act) => {
    const about = { act, subject: 'person', subjectId: idOf(other), affectedId: idOf(other) } as const;
    expect(await tryAct(idOf(desks.owner), about)).toBe(200);
    for (const role of ['money', 'support'] as const)
      expect(await tryAct(idOf(desks[role]), about)).toBe(403);
    expect(await tryAct(null, about)).toBe(200);
    const stranger = await strangerOf();
    expect(await tryAct(idOf(desks.support), { ...about, subjectId: stranger, affectedId: stranger })).toBe(
      200,
    );
  });
});

let cached: { team?: number; stranger?: number } = {};
/** An account of which the operator is a member. */
async function teamOf({ client }: TestOperator): Promise<number> {
  if (cached.team !== undefined) return cached.team;
  const team = await server.signIn('both');
  const { email } = client.user;
  await team.post('/api/account/members', { email, role: 'read' });
  const mail = (await mailTo(server.ctx, email)).findLast(({ kind }) => kind === 'member-invitation');
  const token = /\/join\?token=([\w-]{22})/.exec(mail?.text ?? '')?.[1];
  expect((await client.post('/api/account/join', { token })).status).toBe(200);
  return (cached.team = team.user.id);
}
const strangerOf = async () => (cached.stranger ??= (await server.signIn('both')).user.id);

describe('in the console', () => {
  beforeEach(async () => {
    for (const desk of [desks.money, desks.support]) await confirmOperator(server, desk);
  });

  // Proves WARD-08
  it('support neither turns off the second factor of an operator nor ends their sessions', async () => {
    for (const act of ['reset-second-factor', 'end-sessions']) {
      const path = `/operator/people/${idOf(other)}/${act}`;
      const answer = await sendAct(desks.support.client, path, { reason: 'Lost phone' });
      expect([act, answer.status]).toEqual([act, 403]);
      expect(answer.text).toContain('This account is an operator’s. Only an owner can do this.');
    }
    const factor = await server.ctx.db
      .selectFrom('secondFactors')
      .select('confirmedAt')
      .where('userId', '=', idOf(other))
      .executeTakeFirst();
    expect(factor?.confirmedAt).toBeInstanceOf(Date);
    const person = await server.signIn('both');
    await turnOnSecondFactor(person, server.clock.now());
    const path = `/operator/people/${person.user.id}/reset-second-factor`;
    expect((await sendAct(desks.support.client, path, { reason: 'Lost phone' })).status).toBe(200);
  });

  // Proves WARD-08
  it('a money operator gets neither a commission of their own choice nor their own earnings', async () => {
    const { client } = desks.money;
    const path = `/operator/people/${client.user.id}/commission`;
    const answer = await sendAct(client, path, { percent: '0', reason: 'Friendly' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('You can’t decide about your own account');
    const held = await holdByOperator(
      server.ctx,
      { id: idOf(desks.owner) },
      { of: 'person', id: client.user.id, reason: 'Looks odd' },
    );
    const release = await sendAct(client, `/operator/holds/${held.id}/release`, { reason: 'Mine' });
    expect(release.status).toBe(409);
    const hold = await server.ctx.db
      .selectFrom('holds')
      .select('releasedAt')
      .where('id', '=', held.id)
      .executeTakeFirst();
    expect(hold?.releasedAt).toBeNull();
  });
});

// Proves WARD-10
it('the hold of an operator is released by its maker or by an owner', async () => {
  const seller = await server.signIn('seller');
  const hold = async (by: number | null) =>
    await holdByOperator(server.ctx, { id: by }, { of: 'person', id: seller.user.id, reason: 'Looks odd' });
  const release = async (by: number | null, id: number) =>
    await releaseByOperator(server.ctx, { id: by }, { id, reason: 'Looked at it' });
  const [money, second, owner] = [idOf(desks.money), idOf(other), idOf(desks.owner)];
  for (const [maker, by] of [
    [money, money],
    [money, owner],
    [owner, null],
  ] as const) {
    const { id } = await hold(maker);
    await expect(release(second, id)).rejects.toMatchObject({ status: 403 });
    expect(await release(by, id)).toMatchObject({ id });
  }
  const { id } = await hold(null);
  await expect(release(money, id)).rejects.toMatchObject({ status: 403 });
  expect(await release(owner, id)).toMatchObject({ id });
});
