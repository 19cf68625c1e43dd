/** Another table of tax rates is an act, with its difference. */
import { expect, it } from 'vitest';
import { COUNTRY_CODES } from '#domain/countries.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { noteTaxTable } from './tax-table.ts';

const OLD = '{"DE": "19.00", "default": "0.00"}';
const NEW = '{"DE": ["19.00", {"from": "2027-07-01", "rate": "16.00"}], "default": "0.00"}';

const server = useOwnServer({ taxTable: OLD });
const acts = async () =>
  await server.ctx.db
    .selectFrom('operatorActs')
    .select(['act', 'subject', 'subjectName', 'operatorId', 'reason'])
    .where('act', '=', 'change-tax-table')
    .orderBy('id')
    .execute();
const reasons = async () => (await acts()).map(({ reason }) => reason);
const another = async (taxTable: string) =>
  await untilTestEnds(
    startTestServer({ taxTable, through: async () => await Promise.resolve(server.databaseUrl) }),
  );

// Proves OWNS-133
it('the first start with a table records it, and the next one with the same table nothing', async () => {
  expect(await acts()).toEqual([
    {
      act: 'change-tax-table',
      subject: 'setting',
      subjectName: 'TAX_RATES_FILE',
      operatorId: null,
      reason: expect.stringMatching(
        /^DE none → 19\.00; default none → 0\.00\. Noted at the start of the server .+ on port \d+\.$/,
      ),
    },
  ]);
  await another(OLD);
  expect(await acts()).toHaveLength(1);
});

// Proves OWNS-133
it('servers that start at once with another table record one act, which the console shows', async () => {
  await Promise.all([another(NEW), another(NEW)]);
  const changed = /^DE 19\.00 → 19\.00, 16\.00 from 2027-07-01\. Noted at the start of the server/;
  expect((await reasons()).slice(1)).toEqual([expect.stringMatching(changed)]);
  const { client } = await makeOperator(server);
  const { text } = await client.get('/api/operator/audit');
  expect(text).toContain('Started with another table of tax rates');
  expect(text).toContain('DE 19.00 → 19.00, 16.00 from 2027-07-01');
  expect(text).toContain('the server');
});

// Proves OWNS-133
it('a command that starts with another table records it by its name', async () => {
  const env = { ...server.env, DATABASE_URL: server.databaseUrl };
  const before = (await reasons()).length;
  expect(await runOpenslot(['money', 'list'], env)).toMatchObject({ code: 0 });
  expect(await runOpenslot(['find', 'ad', 'Anything'], env)).toMatchObject({ code: 0 });
  expect((await reasons()).slice(before)).toEqual([
    'DE 19.00, 16.00 from 2027-07-01 → 19.00. Noted at the start of openslot money list.',
  ]);
});

// Proves OWNS-133
it('names as many countries as fit, and says how many more there are', async () => {
  const rates = Object.fromEntries(COUNTRY_CODES.map((code) => [code, '20.00']));
  const config = { ...server.ctx.config, taxTable: parseTaxTable(JSON.stringify(rates)) };
  await noteTaxTable({ ...server.ctx, config }, 'a test');
  const reason = (await reasons()).at(-1)!;
  expect(reason.length).toBeLessThanOrEqual(500);
  expect(reason).toMatch(
    /^AD none → 20\.00; AE none → 20\.00; .+; and \d+ more\. Noted at the start of a test\.$/,
  );
  await noteTaxTable({ ...server.ctx, config: { ...config, taxTable: null } }, 'a test');
  expect((await reasons()).at(-1)).toMatch(/^AD 20\.00 → none; /);
});

// Proves BOOK-242
it('the console shows the rates of today and those that come, or what to do without a table', async () => {
  const table = `{"version": 2, "seller": "DE", "countries": {
    "IT": [{"rate": "22.00"}, {"from": "2027-03-01", "business": "reverse_charge", "sentence": "Reverse <charge>."}],
    "DE": [{"rate": "19.00"}, {"from": "2026-07-01", "rate": "16.00"}, {"from": "2027-01-01", "rate": "19.00"}]},
    "default": {"rate": "0.00", "reason": "not_taxed"}}`;
  const start = new Date('2026-12-31T22:50:00Z');
  const own = await untilTestEnds(
    startTestServer({ taxTable: table, start, env: { BUSINESS_TIME_ZONE: 'Europe/Berlin' } }),
  );
  const { client } = await makeOperator(own);
  const shown = async () =>
    [...(await client.get('/operator/tax')).text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
  const others = 'All other countries: 0.00% Not taxed.';
  const italy =
    'Italy: 22.00% From Mar 1, 2027 : 22.00% Businesses with a tax number pay no tax (reverse charge). Documents say: Reverse &lt;charge&gt;.';
  expect(await shown()).toEqual(['Germany: 16.00% From Jan 1, 2027 : 19.00%', italy, others]);
  // Midnight in Berlin.
  own.clock.set(new Date('2026-12-31T23:00:00Z'));
  expect(await shown()).toEqual(['Germany: 19.00%', italy, others]);
  own.ctx.config.taxTable = null;
  expect((await client.get('/operator/tax')).text).toContain(
    'name a file of rates in <code>TAX_RATES_FILE</code>',
  );
});
