import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import { trafficLevel } from '#domain/inventory/traffic.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(`insert into users (email, password) values ('a@example.test', 'x')`);
  await client.query(
    `insert into websites (user_id, name, url, category) values (1, 'Site', 'https://site.example', 'Food')`,
  );
  await client.query(
    `insert into ad_zones (website_id, name, width, height, zone_type) values (1, 'Zone', 1, 1, 'custom')`,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the database refuses', () => {
  // Proves ENT-14, ENT-18, OP-073, OP-074
  it.each([
    ['a website without a name', `update websites set name = ' '`],
    ['negative visitors', 'update websites set monthly_visitors = -1'],
    ['a blank category', `update websites set category = ''`],
    ['a category of 41 characters', `update websites set category = repeat('x', 41)`],
    ['a zone without a name', `update ad_zones set name = ''`],
    ['a zone without width', 'update ad_zones set width = 0'],
    ['a zone higher than 5000', 'update ad_zones set height = 5001'],
    ['an unknown zone type', `update ad_zones set zone_type = 'square'`],
    ['a deleted zone that is active', 'update ad_zones set deleted_at = current_timestamp'],
  ])('%s', async (_what, sql) => {
    await expect(client.query(sql)).rejects.toMatchObject({ code: '23514' });
  });

  // Proves ENT-21, GEN-14, ENT-23, GEN-13, ENT-25, OP-099
  it.each([
    ['a negative price', `'text', -1, 'per_day', 1, null, null`],
    ['a price of zero', `'text', 0, 'per_day', 1, null, null`],
    ['an unknown ad type', `'audio', 1, 'per_day', 1, null, null`],
    ['an unknown pricing model', `'text', 1, 'per_week', 1, null, null`],
    ['a per-day plan without days', `'text', 1, 'per_day', null, null, null`],
    ['a per-day plan of zero days', `'text', 1, 'per_day', 0, null, null`],
    ['a per-day plan with clicks', `'text', 1, 'per_day', 1, null, 5`],
    ['an impression plan without impressions', `'text', 1, 'per_impression', null, null, null`],
    ['a click plan without clicks', `'text', 1, 'per_click', null, 5, null`],
  ])('%s', async (_what, values) => {
    const insert = `insert into ad_zone_products (ad_zone_id, ad_type, price, pricing_model, duration, impressions, clicks) values (1, ${values})`;
    await expect(client.query(insert)).rejects.toMatchObject({ code: '23514' });
  });

  // Proves ENT-14, ENT-18, OP-114
  it('a second website or zone with the same uuid', async () => {
    for (const [table, columns] of [
      ['websites', `user_id, name, url, category`],
      ['ad_zones', 'website_id, name, width, height, zone_type'],
    ]) {
      const copy = `insert into ${table} (public_id, ${columns}) select public_id, ${columns} from ${table}`;
      await expect(client.query(copy)).rejects.toMatchObject({ code: '23505' });
    }
  });

  // Proves GEN-03
  it('to delete a website that still has zones', async () => {
    // PostgreSQL 18 has a code of its own for `on delete restrict`.
    await expect(client.query('delete from websites')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:23503|23001)$/),
    });
  });
});

describe('rules that exist in SQL and in the domain', () => {
  // Proves MKT-03, OP-077
  it('agree on the traffic levels', async () => {
    const visitors = [0, 1, 9999, 10_000, 10_001, 49_999, 50_000, 50_001, 2_147_483_647];
    const levels: string[] = [];
    for (const count of visitors) {
      const { rows } = await client.query<{ traffic: string }>(
        'update websites set monthly_visitors = $1 returning traffic',
        [count],
      );
      levels.push(rows[0]?.traffic ?? '');
    }
    expect(levels).toEqual(visitors.map(trafficLevel));
  });

  // Proves CONST-24, OP-076
  it('accept the ten categories', async () => {
    for (const category of DEFAULT_CATEGORIES) {
      expect((await client.query('update websites set category = $1', [category])).rowCount).toBe(1);
    }
  });
});
