/** The key of a cell is replaced, and a cell is removed, by the commands of operators. */
import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, hourOf, later } from '#domain/time.ts';
import { adRow, addZone, makeRunningAd } from '../../testing/delivery.ts';
import { useOwnAdServer } from '../../testing/starts/use-server.ts';
import { makeUser, SITE } from '../../testing/delivery/running-ads.ts';
import type { Options } from '../acts/command.ts';
import { commandOf } from '../command-line/commands.ts';

const server = useOwnAdServer();

async function run(words: string, options: Partial<Options> = {}) {
  const { command, args } = commandOf(words.split(' '));
  const input = { ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false, ...options } };
  return await command.run(input);
}

let name: string;
let key: string;
let cells = 0;
beforeEach(async () => {
  name = `cell-${++cells}`;
  ({ key } = (await run(`cell add ${name}`, { deliveryUrl: 'https://north.example' })).json as {
    key: string;
  });
});

type Sold = { id: number; zoneId: number; userId: number };

/** An ad that has run for a day, in an ad zone of the cell. */
async function sell(): Promise<Sold> {
  const { ctx } = server;
  const userId = await makeUser(ctx);
  await ctx.db
    .updateTable('users')
    .set((with_) => ({ cellId: with_.selectFrom('cells').select('id').where('name', '=', name) }))
    .where('id', '=', userId)
    .execute();
  const { id: websiteId } = await ctx.db
    .insertInto('websites')
    .values({ userId, name: 'The Daily', url: SITE, category: 'Technology' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { zoneId } = await addZone(ctx, websiteId);
  const aDayAgo = { ...ctx, now: () => later(ctx.now(), -DAY_MS) };
  const { id } = await makeRunningAd(aDayAgo, zoneId, { pricingModel: 'per_impression', amount: 100 });
  return { id, zoneId, userId };
}

/** Sends that the ad was seen so often in this hour, and returns the status. */
async function send({ id, zoneId }: Sold, views: number, withKey: string): Promise<number> {
  const hour = new Date(hourOf(server.clock.now().getTime())).toISOString();
  const figure = {
    zoneId,
    adId: id,
    endedAt: null,
    hours: [hour],
    counts: [[hour, 'view', '', views]],
    creatives: [],
  };
  const body = { release: '1.0.0', countedUntil: null, figures: [figure] };
  const authorization = `Bearer ${withKey}`;
  return (await server.caller.send('POST', '/api/cells/v1/figures', body, { authorization })).status;
}

const views = async ({ id }: Sold) => (await adRow(server.ctx, id)).totalImpressions;

// Proves WARD-99
it('replaces the key of a cell at once, and takes with the new one what was counted meanwhile', async () => {
  const sold = await sell();
  expect(await send(sold, 4, key)).toBe(200);
  const { json, lines } = await run(`cell rotate ${name}`, { reason: 'A colleague left' });
  const rotated = (json as { key: string }).key;
  expect(rotated).toMatch(/^cell_[\w-]{43}$/);
  expect(lines.join('')).toContain(rotated);
  expect(await send(sold, 6, key)).toBe(401);
  expect(await views(sold)).toBe(4);
  expect(await send(sold, 6, rotated)).toBe(200);
  expect(await views(sold)).toBe(6);
  expect(JSON.stringify(await server.ctx.db.selectFrom('cells').selectAll().execute())).not.toContain(
    rotated,
  );
  expect((await run('audit')).lines.join('\n')).toContain(
    `Replaced the key of the cell “${name}”: The former key has ended. A colleague left`,
  );
  await expect(run('cell rotate west')).rejects.toThrow('There is no cell “west”.');
  await expect(run('cell rotate')).rejects.toThrow('Name the cell.');
});

// Proves WARD-100
it('removes a cell that serves nothing and has sent everything, and says what to do first otherwise', async () => {
  const { db } = server.ctx;
  const sold = await sell();
  expect(await send(sold, 4, key)).toBe(200);
  await expect(run(`cell remove ${name}`, { lost: true })).rejects.toThrow(
    `The cell ${name} serves 1 ad zone. Their campaigns have to end, and its publishers to delete them first. If the cell is lost, start it again`,
  );
  const endDate = server.clock.now();
  await db
    .updateTable('ads')
    .set({ status: 'completed', endedReason: 'canceled', endDate })
    .where('id', '=', sold.id)
    .execute();
  await db
    .updateTable('adZones')
    .set({ isActive: false, deletedAt: endDate })
    .where('id', '=', sold.zoneId)
    .execute();
  const heard = async (countedUntil: Date) =>
    await db.updateTable('cells').set({ countedUntil }).where('name', '=', name).execute();
  await heard(later(endDate, -HOUR_MS));
  await expect(run(`cell remove ${name}`)).rejects.toThrow(
    `The figures of 1 campaign have not all arrived from the cell ${name}. Let it run until`,
  );
  expect(await send(sold, 4, key)).toBe(200);

  await heard(later(endDate, 1000));
  await run(`cell remove ${name}`, { reason: 'Fewer visitors' });
  expect(await send(sold, 5, key)).toBe(401);
  expect((await run('cell list')).json).not.toMatchObject({
    cells: expect.arrayContaining([expect.objectContaining({ name })]),
  });
  const { cellId } = await db
    .selectFrom('users')
    .select('cellId')
    .where('id', '=', sold.userId)
    .executeTakeFirstOrThrow();
  expect(cellId).toBeNull();
  expect(await views(sold)).toBe(4);
  expect((await run('audit')).lines.join('\n')).toContain(
    `Removed the cell “${name}”: It serves nothing. Fewer visitors`,
  );
  await expect(run(`cell remove ${name}`)).rejects.toThrow(`There is no cell “${name}”.`);
});

// Proves WARD-100
it('gives up the figures of a lost cell only when it is told so', async () => {
  const { db } = server.ctx;
  const { id, zoneId } = await sell();
  const at = server.clock.now();
  await db
    .updateTable('ads')
    .set({ status: 'completed', endedReason: 'canceled', endDate: at })
    .where('id', '=', id)
    .execute();
  await db.updateTable('adZones').set({ isActive: false, deletedAt: at }).where('id', '=', zoneId).execute();
  await expect(run(`cell remove ${name}`)).rejects.toThrow('give them up with --lost');
  await run(`cell remove ${name}`, { lost: true });
  expect((await run('audit')).lines.join('\n')).toContain(`Removed the cell “${name}”: It is lost.`);
});
