/** The categories of the marketplace: set, renamed and retired, with two connections that race. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { categoriesIn, DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnServer();
let seller: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
});
afterEach(async () => {
  await server.ctx.db.deleteFrom('settings').execute();
  await server.owner.updateTable('websites').set({ isActive: false, category: 'Food' }).execute();
  await readSettings(server.ctx.db, server.ctx.config);
});

async function set(value: string) {
  const { command, args } = commandOf(['settings', 'set', 'CATEGORIES', value]);
  return await command.run({ ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false } });
}
const offered = async () => (await server.anyone().get('/api/marketplace')).body.categories as string[];
const categoryOf = async ({ publicId }: { publicId: string }) =>
  (await seller.get(`/api/websites/${publicId}`)).body.category as string;
const add = async (category: string) =>
  await seller.post('/api/websites', { name: 'Slot', url: 'https://slot.example', category });
const change = async ({ publicId }: { publicId: string }, body: object) =>
  await seller.patch(`/api/websites/${publicId}`, body);
const REFUSED = 'Please choose a category that is offered now. Reload the page to see the list.';

describe('the list', () => {
  it('is the ten by default, and the operator’s in every reader at once', async () => {
    expect(await offered()).toEqual(DEFAULT_CATEGORIES);
    expect((await set(' Bread,  Slow   food , Räder,')).lines).toEqual([
      expect.stringContaining('CATEGORIES is Bread, Slow food, Räder now (before: Technology, Business,'),
    ]);
    expect(await offered()).toEqual(['Bread', 'Slow food', 'Räder']);
    expect((await add('Räder')).status).toBe(201);
    expect(await add('Food')).toMatchObject({
      status: 400,
      body: { message: REFUSED, issues: [{ path: 'category', message: REFUSED }] },
    });
    expect((await server.anyone().get('/sites')).text).toContain('<option value="Slow food">');
    expect((await server.anyone().get('/')).text).toContain('"categories":["Bread","Slow food","Räder"]');
  });

  it.each([
    [',', 'must have at least one category'],
    ['Food, food', 'must have each category once. “food” stands twice'],
    ['A=B=C', 'must have names such as “Health”, or “Tech=Technology” to rename one'],
    ['=Food', 'must have names such as “Health”, or “Tech=Technology” to rename one'],
    ['A=B, A=C', 'must rename “A” once'],
    ['x'.repeat(41), `must have names of at most 40 characters. “${'x'.repeat(41)}” is longer`],
    ['a\u0007b', 'must not contain control characters'],
    [Array.from({ length: 51 }, (_, n) => `n${n}`).join(), 'must have at most 50 categories'],
  ])('refuses %j', async (text, problem) => {
    await expect(set(text)).rejects.toThrow(`CATEGORIES ${problem}.`);
    expect(await offered()).toEqual(DEFAULT_CATEGORIES);
  });

  it('can be in the environment, but a rename cannot', () => {
    const env = { PORT: '1', SAMPLE_DATA: '0' };
    expect(readConfig({ ...env, CATEGORIES: 'Bread, Bikes' }).categories).toEqual(['Bread', 'Bikes']);
    expect(() => readConfig({ ...env, CATEGORIES: 'Bread=Bikes' })).toThrow(
      'CATEGORIES must not rename a category here. Use openslot settings set or the console.',
    );
    expect(categoriesIn('x'.repeat(40))).toEqual({ names: ['x'.repeat(40)], renames: [] });
  });
});

describe('a rename', () => {
  it('takes the websites along, the hidden and deleted ones too, and is in the audit trail', async () => {
    const [first, hidden] = [await makeWebsite(seller), await makeWebsite(seller, { isActive: false })];
    await set('Technology=Tech & Tools, Food');
    expect([await categoryOf(first), await categoryOf(hidden)]).toEqual(['Tech & Tools', 'Tech & Tools']);
    expect(await offered()).toEqual(['Tech & Tools', 'Food']);
    const { reason } = await server.ctx.db
      .selectFrom('operatorActs')
      .select('reason')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(reason).toContain('to “Technology=Tech & Tools, Food”');

    // Two swap, a third only changes its case.
    const food = await makeWebsite(seller, { category: 'Food' });
    await set('Food=Tech & Tools, Tech & Tools=Food, Bread');
    expect([await categoryOf(first), await categoryOf(food)]).toEqual(['Food', 'Tech & Tools']);
    await set('FOOD, Tech & Tools, Bread');
    expect(await categoryOf(first)).toBe('FOOD');
    await set('Bread');
    await set('Bread, fOOd');
    expect(await categoryOf(first)).toBe('fOOd');
  });

  it('is refused for a name that nothing has, and then nothing changes', async () => {
    const website = await makeWebsite(seller);
    await expect(set('Technology=Tech, Techno=Music')).rejects.toThrow(
      '“Techno” is not a category of this marketplace, so it can’t be renamed.',
    );
    expect([await categoryOf(website), await offered()]).toEqual(['Technology', DEFAULT_CATEGORIES]);
  });

  it('leaves no website behind that gets the old name at the same time', async () => {
    const websites = await Promise.all([1, 2, 3, 4].map(() => makeWebsite(seller, { category: 'Food' })));
    const [, ...answers] = await Promise.all([
      set('Technology=Tech, Food'),
      ...websites.map(async (website) => await change(website, { category: 'Technology' })),
      add('Technology'),
      add('Technology'),
    ]);
    for (const { status } of answers) expect([200, 201, 400]).toContain(status);
    const { rows } = await sql`select from websites where category = 'Technology'`.execute(server.ctx.db);
    expect(rows).toEqual([]);
  });
});

describe('a retired category', () => {
  it('stays on its website, and can neither be chosen nor chosen again', async () => {
    const website = await makeWebsite(seller);
    await set('Bread, Bikes');
    expect(await categoryOf(website)).toBe('Technology');
    expect(await change(website, { category: 'Technology', name: 'Renamed' })).toMatchObject({
      status: 200,
      body: { name: 'Renamed', category: 'Technology' },
    });
    // The form of another website was open meanwhile.
    expect(await add('Technology')).toMatchObject({ status: 400, body: { message: REFUSED } });
    expect(await change(website, { category: 'Bread' })).toMatchObject({ status: 200 });
    expect(await change(website, { category: 'Technology' })).toMatchObject({ status: 400 });
    expect(await categoryOf(website)).toBe('Bread');
  });

  it('is in the filters of catalogue and marketplace while an active website has it; other names are 400 with the list', async () => {
    const website = await makeWebsite(seller);
    await makeProduct(seller, await makeZone(seller, website));
    await set('Bread & Butter, Bikes');
    const catalogue = async (category: string) =>
      await server.anyone().get(`/sites?category=${encodeURIComponent(category)}`);
    const list = async (category: string) =>
      await seller.get(`/api/websites?category=${encodeURIComponent(category)}`);
    const page = await catalogue('Technology');
    expect([page.status, page.text.includes('<option value="Technology" selected>')]).toEqual([200, true]);
    expect((await list('Technology')).body).toMatchObject([{ publicId: website.publicId }]);
    expect((await server.anyone().get('/')).text).toContain(
      '"filterCategories":["Bread & Butter","Bikes","Technology"]',
    );
    for (const category of ['Food', 'bikes', 'Bread']) {
      expect((await list(category)).status).toBe(400);
      const refused = await catalogue(category);
      expect([refused.status, refused.text.includes('Choose a category: Bread &amp; Butter, Bikes')]).toEqual(
        [400, true],
      );
    }
    await change(website, { category: 'Bread & Butter' });
    await readSettings(server.ctx.db, server.ctx.config);
    expect((await catalogue('Technology')).status).toBe(400);
    const own = (await server.anyone().get(new URL(website.pageUrl ?? '').pathname)).text;
    expect(own).toContain('href="/sites?category=Bread+%26+Butter"');
    expect((await server.anyone().get('/sites?category=Bread+%26+Butter')).text).toContain(website.name);
  });
});
