/** The form of the console that books tax as paid. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { CARD, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import type { TestServer } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { businessDay } from '../documents/business-day.ts';
import { checkLedger } from '../ledger/check.ts';
import { readBooks } from './books.ts';

const server = useOwnServer({
  start: new Date('2026-03-12T10:00:00Z'),
  taxTable: '{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"}}}',
});
let operator: TestOperator;
beforeAll(async () => {
  await sell(server, 'DE');
  operator = await makeOperator(server);
});

async function sell(to: TestServer, country: string): Promise<void> {
  const buyer = await to.signIn('buyer');
  const ad = await makeApprovedAd(await to.signIn('seller'), buyer, { product: { price: '119.00' } });
  const { body } = await buyer.post('/api/create-payment-intent', {
    amount: ad.totalAmount,
    adPublicId: ad.publicId,
    receiptFor: { country },
  });
  const paid = await buyer.post('/api/sandbox/confirm', { clientSecret: body.clientSecret, ...CARD });
  await buyer.post('/api/payment-success', { paymentIntentId: paid.body.paymentIntentId });
}

const taxes = async (desk = operator.client) => (await desk.get('/api/operator/books')).body.taxOwed;
const owed = async () => (await readBooks(server.ctx)).taxOwed[0]?.amountCents;
const book = async (fields: object) =>
  await sendAct(operator.client, '/operator/books/tax-paid', {
    country: 'DE',
    rate: '19.00',
    paid: '5.00',
    day: '2026-03-10',
    reason: 'February',
    ref: randomUUID(),
    ...fields,
  });

// Proves OWNS-69
it('needs a confirmation, and shows what is owed by country and rate', async () => {
  expect((await book({})).body).toMatchObject({ code: REAUTHENTICATE });
  await confirmOperator(server, operator);
  const [act] = (await taxes())[0].acts;
  expect(await taxes()).toMatchObject([{ country: 'DE', rate: '19.00', amount: '19.00' }]);
  expect(act).toMatchObject({
    path: '/api/operator/books/tax-paid',
    hidden: { country: 'DE', rate: '19.00' },
    fields: [
      { name: 'paid', value: '19.00' },
      { name: 'day', value: '2026-03-12' },
    ],
  });
});

// Proves OWNS-69
it.each([
  [{ paid: '19.01' }, 409, 'Only 19.00 USD of tax is owed to DE at this rate.'],
  [{ rate: '7.00' }, 409, 'Only 0.00 USD of tax is owed to DE at this rate.'],
  [{ paid: '0' }, 400, 'Please enter an amount such as 120.50'],
  [{ country: 'XX' }, 400, 'Please name the country'],
  [{ reason: ' ' }, 400, 'Please give a reference'],
  [{ reason: 'x'.repeat(201) }, 400, 'Please use at most 200 characters'],
  [{ day: '2026-03-13' }, 400, 'Please enter today or an earlier day.'],
  [{ day: '0000-01-01' }, 400, 'Please enter today or an earlier day.'],
  [{ day: '2026-02-30' }, 400, 'Please enter a day such as 2027-03-31'],
  [{ ref: 'x' }, 400, 'Reload the page, then try again'],
])('refuses %j, and books nothing', async (fields, status, sentence) => {
  const refused = await book({ paid: '7.77', ...fields });
  expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(sentence)]);
  expect(await owed()).toBe(1900);
});

// Proves OWNS-69
it('books the payment of its day once, however often the form is sent', async () => {
  const ref = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(async () => await book({ ref })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  for (const { status, body } of answers)
    expect(status === 409 ? body.message : body.said).toContain(
      status === 409 ? 'This payment is booked already.' : 'Booked 5.00 USD of tax as paid.',
    );
  expect(await owed()).toBe(1400);
  const { occurredAt } = await server.ctx.db
    .selectFrom('ledgerTx')
    .select('occurredAt')
    .where('kind', '=', 'tax_paid')
    .executeTakeFirstOrThrow();
  expect(occurredAt.toISOString()).toBe('2026-03-10T12:00:00.000Z');
  const acts = await server.ctx.db
    .selectFrom('operatorActs')
    .select(['subjectName', 'reason', 'operatorId'])
    .where('act', '=', 'pay-tax')
    .execute();
  const operatorId = operator.client.user.id;
  expect(acts).toEqual([
    { subjectName: 'DE 19.00%', reason: '5.00 USD on 2026-03-10. February', operatorId },
  ]);
  expect((await book({ paid: '14.00', day: '' })).status).toBe(200);
  expect([await owed(), await taxes()]).toEqual([undefined, []]);
  expect(await checkLedger(server.ctx.db)).toEqual([]);
});

describe('in Auckland', () => {
  // Three in the morning of the 13th.
  const south = useOwnServer({
    start: new Date('2026-03-12T14:00:00Z'),
    env: { BUSINESS_TIME_ZONE: 'Pacific/Auckland' },
    taxTable: '{"version": 2, "seller": "NZ", "countries": {"NZ": {"rate": "15.00"}}}',
  });
  beforeAll(async () => await sell(south, 'NZ'));

  // Proves BOOK-240
  it('books by the day of the marketplace, and shows it', async () => {
    const desk = await makeOperator(south);
    await confirmOperator(south, desk);
    expect((await taxes(desk.client))[0].acts[0].fields).toMatchObject([
      { name: 'paid' },
      { name: 'day', value: '2026-03-13' },
    ]);
    const pay = async (day: string) =>
      await sendAct(desk.client, '/operator/books/tax-paid', {
        country: 'NZ',
        rate: '15.00',
        paid: '1.00',
        day,
        reason: 'March',
        ref: randomUUID(),
      });
    expect((await pay('2026-03-14')).status).toBe(400);
    expect((await pay('2026-03-13')).status).toBe(200);
    expect((await pay('2026-03-12')).status).toBe(200);
    const paid = await south.ctx.db
      .selectFrom('ledgerTx')
      .select('occurredAt')
      .where('kind', '=', 'tax_paid')
      .orderBy('id')
      .execute();
    expect(paid.map(({ occurredAt }) => businessDay(south.ctx, occurredAt))).toEqual([
      '2026-03-13',
      '2026-03-12',
    ]);
  });
});
