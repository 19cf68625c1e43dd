/** The rules for each act of an operator. A new act gets its rows here by itself. */
import { beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { OPERATOR_ACTS } from './acts.ts';
import { UsageError } from './command.ts';
import { helpText } from '../command-line/commands.ts';
import { type ActForm, addressOf } from './define-act.ts';

const FORMS = OPERATOR_ACTS.flatMap(({ forms }) => forms.map((form) => [form.path, form] as const));
const COMMANDS = OPERATOR_ACTS.flatMap(({ commands }) => Object.entries(commands));

const server = useOwnServer();
let operator: TestOperator;
beforeAll(async () => {
  operator = await makeOperator(server);
});

/** Sends the form with ids that have the right form and belong to nothing. */
async function send(form: ActForm, fields: Record<string, string>) {
  const ids = { id: 2_000_000_000, ref: '00000000-0000-4000-8000-000000000000', of: 'payment' };
  return await sendAct(operator.client, addressOf(form, ids), fields);
}

const countActs = async () => (await server.ctx.db.selectFrom('operatorActs').select('id').execute()).length;

describe('a form of the console', () => {
  beforeAll(async () => {
    await confirmOperator(server, operator);
    server.clock.advance(16 * 60 * 1000);
  });

  // Proves OPER-03
  it.each(FORMS)('%s asks for a confirmation again if the act is dangerous', async (_, form) => {
    const { body } = await send(form, {});
    expect(body.code === REAUTHENTICATE).toBe(form.isDangerous);
  });
});

describe('a confirmed form of the console', () => {
  let before: number;
  beforeAll(async () => {
    await confirmOperator(server, operator);
    before = await countActs();
  });

  // Proves OPER-03, OPER-04
  it.each(FORMS)('%s needs a reason, and is refused without one', async (path, form) => {
    const { status, body } = await send(form, {});
    // Only the confirmation of a request takes no reason, because the request has one. This request does not exist.
    expect([path, status]).toEqual([
      path,
      path.endsWith('/:id/confirm') ? 404 : expect.toBeOneOf([400, 404]),
    ]);
    if (status === 400) expect(body.issues.length).toBeGreaterThan(0);
    expect(await countActs()).toBe(before);
  });
});

describe('a command', () => {
  it.each(COMMANDS)(
    '%s is listed with its usage, and needs its words and a reason',
    async (words, command) => {
      expect(helpText(words.split(' ')[0])).toContain(`  openslot ${words} ${command.usage}`.trimEnd());
      const before = await countActs();
      const run = async (args: string[], reason?: string) =>
        await command.run({
          ctx: server.ctx,
          operator: { id: null },
          args,
          options: { dryRun: false, ...(reason !== undefined && { reason }) },
        });
      if (!/^\[?--reason/.test(command.usage)) await expect(run([], 'x')).rejects.toThrow(UsageError);
      if (/(^| )--reason TEXT$/.test(command.usage))
        await expect(run(['ad', '1'])).rejects.toThrow(UsageError);
      expect(await countActs()).toBe(before);
    },
  );
});
