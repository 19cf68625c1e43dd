/** Every act of the register by its call: its right, its refusal for every other role, its line in the trail and its leaf. */
import { beforeAll, describe, expect, it } from 'vitest';
import { actWords } from '#domain/operator/acts.ts';
import { holds, OPERATOR_ROLES, type OperatorRole } from '#domain/operator/rights.ts';
import { checkActs } from '#server/money/transparency-log/acts.ts';
import {
  ACT_SETS,
  bodyOf,
  expectedLines,
  FORMS,
  lastLine,
  linesAfter,
  makeWorld,
  offeredAt,
  pathOf,
  startAround,
  WHY,
} from '#server/testing/acts/every-act.ts';
import type { Occasion, Row, World } from '#server/testing/acts/world.ts';
import { confirmOperator, makeOperator, type TestOperator } from '#server/testing/operator.ts';
import type { TestServer } from '#server/testing/server.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { setOperatorRole } from '../requests/requests.ts';
import type { ActForm } from './define-act.ts';

it('every form of the register has a row in the tables', () => {
  const rows = Object.values(ACT_SETS).flatMap((set) => Object.keys(set.rows));
  expect(rows.toSorted()).toEqual([...FORMS.keys()].toSorted());
});

type Desks = ReadonlyMap<OperatorRole, TestOperator>;

/** One operator of each role. */
async function makeDesks(server: TestServer): Promise<Desks> {
  const desks = new Map<OperatorRole, TestOperator>();
  for (const role of OPERATOR_ROLES) {
    const desk = await makeOperator(server);
    const { email } = desk.client.user;
    if (role !== 'owner') await setOperatorRole(server.ctx, { id: null }, { email, role, reason: WHY });
    desks.set(role, desk);
  }
  return desks;
}

describe.each(Object.entries(ACT_SETS))('%s:', (_, set) => {
  const around = useStarted(async () => await startAround(set));
  const server = useOwnServer(() => around.options);
  let desks: Desks;
  let world: Omit<World, 'actor'>;
  beforeAll(async () => {
    desks = await makeDesks(server);
    world = await makeWorld(server, around.dns);
    await set.prepare?.(server);
  });

  /** The role with the fewest rights that has the right. */
  const deskFor = ({ right }: ActForm) => desks.get(OPERATOR_ROLES.findLast((role) => holds(role, right))!)!;

  /** The others are neither offered the act nor allowed to do it. */
  async function expectRefusals(form: ActForm, path: string, occasion: Occasion, body: object) {
    for (const [role, desk] of desks) {
      if (holds(role, form.right)) continue;
      await confirmOperator(server, desk);
      expect([role, await offeredAt(desk.client, form.path, occasion)]).toEqual([role, undefined]);
      const before = await lastLine(server);
      const { status, body: refusal } = await desk.client.post(`/api${path}`, body);
      expect([role, status, refusal.message]).toEqual([
        role,
        403,
        expect.stringContaining('Your role doesn’t allow this'),
      ]);
      expect([role, await linesAfter(server, before)]).toEqual([role, []]);
    }
  }

  async function expectDone(row: Row, desk: TestOperator, path: string, body: object) {
    const before = await lastLine(server);
    const { status, text } = await desk.client.post(`/api${path}`, body);
    expect([status, text]).toEqual([200, expect.stringContaining('"said"')]);
    await row.after?.(desk.client);
    const lines = await linesAfter(server, before);
    expect(lines).toEqual(expectedLines(row, desk.client));
    // Each leaf is the hash of its line.
    const refs = new Set(lines.map(({ id }) => `act ${id}`));
    expect((await checkActs(server.ctx.db)).filter(({ ref }) => refs.has(ref))).toEqual([]);
    const trail = (await desk.client.get('/api/operator/audit')).body;
    expect(trail.slice(0, lines.length)).toMatchObject(
      lines
        .toReversed()
        .map((line) => ({ id: line.id, text: actWords(line), byId: line.operatorId, reason: line.reason })),
    );
  }

  // Proves OPER-04, OPER-20, OWNS-23
  it.each(Object.entries(set.rows))(
    '%s is refused to roles without its right, and done once with a line in the trail and a leaf in the log',
    async (name, row) => {
      const form = FORMS.get(name)!;
      expect(form.right).toBe(row.right ?? set.right);
      const desk = deskFor(form);
      const occasion = await row.on({ ...world, actor: desk.client });
      await confirmOperator(server, desk);
      const path = pathOf(name, occasion);
      const offered = await offeredAt(desk.client, name, occasion);
      expect(offered === undefined).toBe(row.ownForm !== undefined);
      const body = offered ? bodyOf(offered, occasion.fields ?? {}) : { ...row.ownForm?.body, reason: WHY };
      await expectRefusals(form, path, occasion, body);
      await confirmOperator(server, desk);
      await expectDone(row, desk, path, body);
    },
  );
});
