import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { listPlansOf } from './store.ts';

const server = useOwnServer();

it('a page of plans reads only its own rows', async () => {
  const [{ user }, other] = [await server.signIn('buyer'), await server.signIn('buyer')];
  const { db } = server.ctx;
  await sql`insert into plans (user_id, request_id, body_hash, name)
    select case when n % 20 = 0 then ${user.id}::integer else ${other.user.id}::integer end, gen_random_uuid(), '', 'Plan'
      from generate_series(1, 2000) n`.execute(db);
  await sql`vacuum analyze plans`.execute(server.owner);
  const page = { before: null, limit: 21 };
  const plan = await planOf(db, (tx) => listPlansOf(tx, user.id, page), { analyze: true });
  expect(rowsMet(plan, 'plans')).toBeLessThanOrEqual(21);
});
