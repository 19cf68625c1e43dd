/** Another table of tax rates is an act, with its difference. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { COUNTRY_CODES } from '#domain/countries.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { commandOf } from '../command-line/commands.ts';
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
it('servers that start at once with another table record one act, which the audit trail shows', async () => {
  await Promise.all([another(NEW), another(NEW)]);
  const changed = /^DE 19\.00 → 19\.00, 16\.00 from 2027-07-01\. Noted at the start of the server/;
  expect((await reasons()).slice(1)).toEqual([expect.stringMatching(changed)]);
  const { lines } = await commandOf(['audit']).command.run({
    ctx: server.ctx,
    operator: { id: null },
    args: [],
    options: { dryRun: false },
  });
  expect(lines.join('\n')).toMatch(
    /the server {2}Changed the table of tax rates in the setting “TAX_RATES_FILE”: DE 19\.00 → 19\.00, 16\.00 from 2027-07-01/,
  );
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
it('the console shows the rates of today and those that come, and says what an advertiser pays', async () => {
  const table = `{"version": 2, "seller": "DE", "countries": {
    "IT": [{"rate": "22.00"}, {"from": "2027-03-01", "business": "reverse_charge", "sentence": "Reverse <charge>."}],
    "DE": [{"rate": "19.00"}, {"from": "2026-07-01", "rate": "16.00"}, {"from": "2027-01-01", "rate": "19.00"}]},
    "default": {"rate": "0.00", "reason": "not_taxed"}}`;
  const start = new Date('2026-12-31T22:50:00Z');
  const own = await untilTestEnds(
    startTestServer({ taxTable: table, start, env: { BUSINESS_TIME_ZONE: 'Europe/Berlin' } }),
  );
  const { client } = await makeOperator(own);
  const shown = async () => (await client.get('/api/operator/tax')).body;
  const charge = { from: null, business: 'charge', reason: null, sentence: null };
  const rates = {
    table: {
      seller: 'DE',
      countries: [
        {
          country: 'IT',
          rules: [
            { ...charge, rate: '22.00' },
            {
              from: '2027-03-01',
              rate: '22.00',
              business: 'reverse_charge',
              reason: null,
              sentence: 'Reverse <charge>.',
            },
          ],
        },
        {
          country: 'DE',
          rules: [
            { ...charge, rate: '19.00' },
            { ...charge, rate: '16.00', from: '2026-07-01' },
            { ...charge, rate: '19.00', from: '2027-01-01' },
          ],
        },
      ],
      others: [{ ...charge, rate: '0.00', reason: 'not_taxed' }],
    },
    sellerCountry: null,
    source: 'file',
    version: '',
    timeZone: 'Europe/Berlin',
    acts: [],
  };
  expect(await shown()).toEqual({ ...rates, today: '2026-12-31' });
  const quote = { country: 'DE', buyer: 'private', price: '119.00' };
  const quoted = async (more = {}) =>
    (await client.post('/api/operator/tax/quote', { ...quote, ...more })).body.sentence;
  expect(await quoted()).toContain('It contains $16.41 of tax (16%)');
  // Midnight in Berlin.
  own.clock.set(new Date('2026-12-31T23:00:00Z'));
  expect(await shown()).toEqual({ ...rates, today: '2027-01-01' });
  expect(await quoted()).toContain('It contains $19.00 of tax (19%)');
  expect(await quoted({ day: '2026-12-31' })).toContain('It contains $16.41 of tax (16%)');
  expect(await quoted({ table: '{"DE": "7.00"}' })).toContain('of tax (7%)');
  const gap = await client.post('/api/operator/tax/quote', {
    ...quote,
    table: '{"DE": [{"from": "2027-01-01", "rate": "7.00"}]}',
  });
  expect([gap.status, gap.body.message]).toEqual([
    400,
    expect.stringContaining('The table must give “DE” a first rate without "from"'),
  ]);
});

describe('without a file', () => {
  const own = useOwnServer();
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await makeOperator(own);
  });
  const GERMANY = '{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"}}}';
  const FRANCE =
    '{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"}, "FR": {"rate": "20.00"}}}';
  const shown = async () => (await operator.client.get('/api/operator/tax')).body;
  const save = async (table: string, fields: Record<string, string> = {}) =>
    await sendAct(operator.client, '/operator/tax', { table, reason: 'By law', ...fields });
  const rateOf = (server: Pick<TestServer, 'ctx'>) => server.ctx.config.taxTable?.countries['DE']?.[0].rate;

  // Proves BOOK-260
  it('an owner saves a table as a whole, which every running server follows, with its difference in the trail', async () => {
    const { app: other } = await untilTestEnds(anotherInstance(own));
    expect(await shown()).toMatchObject({ table: null, source: 'none', version: '' });
    expect((await save(GERMANY)).body).toMatchObject({ code: REAUTHENTICATE });
    await confirmOperator(own, operator);
    for (const [wrong, sentence] of [
      ['{', 'The table must name a file of JSON'],
      [GERMANY.replace('19.00', '119.00'), 'a rate from "0.00" to "99.99"'],
      [
        GERMANY.replace('{"rate": "19.00"}', '[{"from": "2027-07-01", "rate": "16.00"}]'),
        'because no rate is in force before',
      ],
    ] as const) {
      const refused = await save(wrong);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(sentence)]);
    }
    expect((await save(GERMANY, { reason: '' })).status).toBe(400);
    expect(await shown()).toMatchObject({ table: null, source: 'none' });
    expect(await save(GERMANY, { version: '' })).toMatchObject({
      status: 200,
      body: { said: 'Saved 2 changes of the tax rates.' },
    });
    expect(await shown()).toMatchObject({ source: 'database', table: { seller: 'DE' } });
    expect(rateOf(own)).toBe(19_000);
    await expect.poll(() => rateOf(other), { timeout: 5000 }).toBe(19_000);
    const row = await own.ctx.db
      .selectFrom('operatorActs')
      .select(['act', 'subjectName', 'operatorId', 'reason'])
      .where('act', '=', 'change-tax-table')
      .execute();
    expect(row).toEqual([
      {
        act: 'change-tax-table',
        subjectName: 'TAX_RATES',
        operatorId: operator.client.user.id,
        reason: 'seller none → DE; DE none → 19.00. By law',
      },
    ]);
    // A start has nothing to note.
    await untilTestEnds(anotherInstance(own));
    expect(await own.ctx.db.selectFrom('taxTables').select('id').execute()).toHaveLength(1);
  });

  // Proves BOOK-260
  it('of two operators who save at once, one is refused, and the same table is no change', async () => {
    const { version } = await shown();
    const twice = await Promise.all([save(FRANCE, { version }), save(FRANCE, { version })]);
    expect(twice.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const late = await save(GERMANY, { version });
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringContaining('was changed while this page was open'),
    ]);
    expect((await save(FRANCE)).body.message).toContain('in force already');
  });

  // Proves BOOK-260
  it('a byte order mark is left out of what servers read, and a sentence with a null character is refused', async () => {
    await confirmOperator(own, operator);
    const marked = `\uFEFF${GERMANY.replace('19.00', '18.00')}`;
    expect((await save(marked)).status).toBe(200);
    expect(rateOf(own)).toBe(18_000);
    const { app: started } = await untilTestEnds(anotherInstance(own));
    expect(rateOf(started)).toBe(18_000);
    const refused = await save(GERMANY.replace('"19.00"', String.raw`"19.00", "sentence": "a\u0000b"`));
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('must give “DE” a sentence'),
    ]);
    expect((await save(FRANCE)).status).toBe(200);
  });

  // Proves BOOK-260
  it('a receipt keeps the tax of its sale, also when the table is removed', async () => {
    const buyer = await own.signIn('buyer');
    const ad = await makeApprovedAd(await own.signIn('seller'), buyer, { product: { price: '119.00' } });
    await buyer.patch('/api/user/settings', { country: 'DE' });
    const { paymentIntentId } = await payByCard(buyer, ad);
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
    const receipts = async () => (await buyer.get('/api/documents')).body;
    const before = await receipts();
    expect(before).toHaveLength(1);
    const [, remove] = (await shown()).acts;
    expect((await save('', { version: remove.hidden.version })).status).toBe(200);
    expect([await shown(), own.ctx.config.taxTable]).toMatchObject([{ table: null, source: 'none' }, null]);
    expect(await receipts()).toEqual(before);
    const payment = await own.ctx.db.selectFrom('payments').select('taxCents').executeTakeFirstOrThrow();
    expect(payment.taxCents).toBe(1900);
  });

  // Proves BOOK-260
  it('is refused while a file has the table, and to operators who are no owner', async () => {
    const file = path.join(newTemporaryFolder('tax'), 'rates.json');
    writeFileSync(file, GERMANY);
    const { app: other } = await untilTestEnds(anotherInstance(own, { env: { TAX_RATES_FILE: file } }));
    await expect.poll(async () => (await save(FRANCE)).body.message).toContain('TAX_RATES_FILE is set');
    expect(other.ctx.config.taxTable?.seller).toBe('DE');
    await own.ctx.db
      .updateTable('operators')
      .set({ role: 'money' })
      .where('userId', '=', operator.client.user.id)
      .execute();
    expect((await save(FRANCE)).status).toBe(403);
    expect((await shown()).acts).toEqual([]);
  });
});

// Proves BOOK-260
it('a command puts the table of a file in force, and prints it as such a file', async () => {
  const own = await untilTestEnds(startTestServer());
  const env = { ...own.env, DATABASE_URL: own.databaseUrl };
  const file = path.join(newTemporaryFolder('tax'), 'rates.json');
  writeFileSync(file, '{"version": 2, "seller": "CH", "countries": {"CH": {"rate": "8.1"}}}');
  expect(await runOpenslot(['tax', 'set', file, '--reason', 'By law'], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('CH none → 8.10'),
  });
  const { out } = await runOpenslot(['tax', 'show'], env);
  expect(JSON.parse(out)).toEqual({
    version: 2,
    seller: 'CH',
    countries: { CH: [{ rate: '8.10', business: 'charge', reason: null, sentence: null }] },
  });
  const trail = await runOpenslot(['audit'], env);
  expect(trail.out).toContain('command line  Changed the table of tax rates in the setting “TAX_RATES”');
});
