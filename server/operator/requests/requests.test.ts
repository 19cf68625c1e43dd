/** The second operator, the acts in the signed log, and the reading of files. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { checkMoney } from '#server/money/books/check.ts';
import { signDayRoot } from '#server/money/transparency-log/sign.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { commandOf } from '../command-line/commands.ts';
import { addOperator } from './requests.ts';

// They run the check of the books and the doctor in processes of their own.
vi.setConfig({ testTimeout: 300_000 });

const CLI = { id: null };
const DAY = 24 * 60 * 60 * 1000;

const server = useOwnServer({ env: { OPERATOR_REFUND_LIMIT: '50.00' } });
let first: TestOperator;
let second: TestOperator;
beforeAll(async () => {
  first = await makeOperator(server);
  second = await makeOperator(server);
});

async function confirmBoth(): Promise<void> {
  await confirmOperator(server, first);
  await confirmOperator(server, second);
}

const operatorIds = async () =>
  (await server.ctx.db.selectFrom('operators').select('userId').execute()).map(({ userId }) => userId);
const actsOf = async (subjectId: number) =>
  (
    await server.ctx.db
      .selectFrom('operatorActs')
      .select(['act', 'operatorId'])
      .where('subjectId', '=', subjectId)
      .orderBy('id')
      .execute()
  ).map(({ act, operatorId }) => [act, operatorId]);
const lastRequest = async () =>
  await server.ctx.db
    .selectFrom('operatorRequests')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const confirm = async ({ client }: TestOperator, id: number) =>
  (await sendAct(client, `/operator/requests/${id}/confirm`, {})).status;
const doctor = async (env: Record<string, string> = {}) =>
  await runOpenslot(['doctor'], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
    ...env,
  });

/** Runs statements as an owner of the tables whose triggers are off, checks, and rolls back. */
async function tampered(statement: string): Promise<string[]> {
  let found: string[] = [];
  await server.owner
    .transaction()
    .execute(async (tx) => {
      await sql`alter table operator_acts disable trigger user`.execute(tx);
      await sql.raw(statement).execute(tx);
      const { differences } = await checkMoney({ ...server.ctx, db: tx });
      found = differences.map(({ kind }) => kind);
      throw new Error('undone');
    })
    .catch((error: Error) => expect(error.message).toBe('undone'));
  return found;
}

describe('a second operator', () => {
  // Proves OPER-22
  it('confirms a new operator, once, and never the one who asked', async () => {
    await confirmBoth();
    const person = await server.signIn('both');
    const fields = { email: person.user.email, reason: 'Joins the team' };
    const asked = await sendAct(first.client, '/operator/operators/add', fields);
    expect([asked.status, asked.body.next]).toEqual([200, '/operator/requests']);
    expect(asked.body.said).toContain('another operator has to confirm it');
    expect(await operatorIds()).not.toContain(person.user.id);
    expect((await sendAct(first.client, '/operator/operators/add', fields)).status).toBe(409);
    const { id } = await lastRequest();
    expect(await confirm(first, id)).toBe(409);
    const words = `Add the operator ${person.user.email}`;
    const waiting = async ({ client }: TestOperator) =>
      (await client.get('/api/operator/requests')).body.requests as { acts: { button: string }[] }[];
    expect(await waiting(second)).toMatchObject([
      {
        words,
        isOwn: false,
        acts: [{ button: 'Confirm the request', reason: 'none' }, { button: 'Decline the request' }],
      },
    ]);
    expect(await waiting(first)).toMatchObject([
      { words, isOwn: true, acts: [{ button: 'Take the request back' }] },
    ]);
    // It waits on the first page of the other operator only.
    const today = async ({ client }: TestOperator) => (await client.get('/api/operator/today')).body.waiting;
    expect(await today(second)).toMatchObject([{ kind: 'Request of another operator', title: words }]);
    expect(await today(first)).toEqual([]);
    const both = await Promise.all([confirm(second, id), confirm(second, id)]);
    expect(both.toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await operatorIds()).toContain(person.user.id);
    expect(await actsOf(person.user.id)).toEqual([
      ['request-add-operator', first.client.user.id],
      ['add-operator', second.client.user.id],
    ]);

    const removal = await sendAct(first.client, '/operator/operators/remove', fields);
    expect(removal.body.next).toBe('/operator/requests');
    const request = await lastRequest();
    const declined = await sendAct(second.client, `/operator/requests/${request.id}/decline`, {
      reason: 'No',
    });
    expect([declined.status, await confirm(second, request.id)]).toEqual([200, 409]);
    expect(await operatorIds()).toContain(person.user.id);
  });

  // Proves OPER-22
  it('confirms refunds of an ad that add up to more than the limit', async () => {
    await confirmBoth();
    const { ad } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' },
    });
    const refund = async (amount: string) =>
      (await sendAct(first.client, `/operator/ads/${ad.id}/refund`, { amount, reason: 'Asked by mail' })).body
        .next;
    const cents = async () =>
      (await server.ctx.db.selectFrom('refunds').select('amountCents').orderBy('id').execute()).map(
        ({ amountCents }) => amountCents,
      );
    expect(await refund('30.00')).toBeNull();
    expect(await refund('30.00')).toBe('/operator/requests');
    expect(await cents()).toEqual([3000]);
    expect(await confirm(second, (await lastRequest()).id)).toBe(200);
    expect(await cents()).toEqual([3000, 3000]);

    expect(await refund('')).toBe('/operator/requests');
    const late = await lastRequest();
    server.clock.advance(8 * DAY);
    await confirmBoth();
    expect(await confirm(second, late.id)).toBe(409);
    expect(await cents()).toEqual([3000, 3000]);
    // The owner of the machine needs no second.
    const { command, args } = commandOf(['money', 'refund', ad.publicId]);
    await command.run({ ctx: server.ctx, operator: CLI, args, options: { reason: 'x', dryRun: false } });
    expect(await cents()).toEqual([3000, 3000, 4000]);
  });
});

describe('acts in the signed log', () => {
  // Proves OPER-20
  it('show every change, deletion and invention to the check of the books and to the doctor', async () => {
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
    await signDayRoot(server.ctx);
    expect(await tampered(`update operator_acts set reason = 'other' where id = 1`)).toEqual(['act_changed']);
    expect(
      await tampered(`alter table ledger_leaves drop constraint ledger_leaves_act_id_fkey;
        delete from operator_acts where id = 1`),
    ).toEqual(['act_missing']);
    expect(
      await tampered(`insert into operator_acts (acted_at, act, subject, subject_id, reason)
        values (now(), 'suspend', 'person', 1, 'x')`),
    ).toEqual(['act_not_logged']);
    expect((await doctor()).out).toMatch(/^ok +operators /m);

    const intruder = await server.signIn('both');
    const { id, email } = intruder.user;
    await sql`insert into operators (user_id, role, added_at) values (${id}, 'owner', now())`.execute(
      server.ctx.db,
    );
    const report = await doctor();
    expect([report.code, report.out]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^fail +operators .*${email}`, 'm')),
    ]);
    expect((await doctor({ DATABASE_URL: server.ownerUrl })).out).toMatch(
      /^warn +database role +The server works as openslot, .*Set DATABASE_OWNER_URL/m,
    );
    await sql`delete from operators where user_id = ${id}`.execute(server.ctx.db);
    expect((await doctor()).out).toMatch(/^ok +operators /m);
  });

  // Proves OPER-21
  it('say who read the file of a person, once an hour', async () => {
    await confirmBoth();
    const person = await server.signIn('both');
    const path = `/api/operator/people/${person.user.id}`;
    for (const { client } of [first, first, second]) expect((await client.get(path)).status).toBe(200);
    expect((await first.client.get('/api/operator/people/999999')).status).toBe(404);
    const { command, args } = commandOf(['show', 'person', person.user.email]);
    await command.run({ ctx: server.ctx, operator: CLI, args, options: { dryRun: false } });
    expect(await actsOf(person.user.id)).toEqual([
      ['read-person', first.client.user.id],
      ['read-person', second.client.user.id],
      ['read-person', null],
    ]);
    const audit = commandOf(['audit']);
    const { lines } = await audit.command.run({
      ctx: server.ctx,
      operator: CLI,
      args: [],
      options: { dryRun: false },
    });
    expect(lines.filter((line) => line.includes(`Read the file of account ${person.user.id}`))).toHaveLength(
      3,
    );
    expect((await person.get('/api/user/operator-acts')).body).toEqual([]);
  });

  it('are made by the command line without a second operator', async () => {
    const person = await server.signIn('both');
    await addOperator(server.ctx, CLI, { email: person.user.email, role: 'owner', reason: 'x' });
    expect(await operatorIds()).toContain(person.user.id);
  });
});
