/** The database's own constraints. The statements of this file bypass the use cases. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(`
    insert into users (email, password) values ('a@example.test', 'x');
    insert into websites (user_id, name, url, category) values (1, 'Site', 'https://site.example', 'Food');
    insert into ad_zones (website_id, name, width, height, zone_type) values (1, 'Zone', 1, 1, 'custom')`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const INSERT = `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount,
  commission_amount, pricing_model, duration) values (1, 1, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 1)`;

/** The id of a new pending ad, in a transaction that is rolled back before the next test. */
let ad: number;
beforeEach(async () => {
  await client.query('rollback');
  await client.query('begin');
  ad = (await client.query<{ id: number }>(`${INSERT} returning id`)).rows[0]?.id as number;
});

const move = (changes: string) => client.query(`update ads set ${changes} where id = ${ad}`);
const PAYMENT =
  'insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at, tax_account_id, tax_cents, tax_split)';
/** Pays with a tax of 16.00, if there is a split. */
const pay = (intent: string, cents = 10_000, commissionCents = 1500, split: 'net' | 'gross' | null = null) =>
  client.query(
    `${PAYMENT} values (${ad}, 1, 'sandbox', 'USD', '${intent}', ${cents}, ${commissionCents}, 'succeeded',
      'ch_${intent}', current_timestamp, ${split && 1}, ${split ? 1600 : 0}, ${split && `'${split}'`})`,
  );
const GO_LIVE = `status = 'active', payment_intent_id = 'pi', start_date = current_timestamp, end_date = current_timestamp`;
const check = () => client.query('set constraints all immediate');
const refused = { code: '23514' };

describe('the constraints on ads', () => {
  // Proves PAY-09, STATE-33
  it.each([
    ['is rejected without a reason', `status = 'rejected'`],
    ['is rejected with a blank reason', `status = 'rejected', rejection_reason = '  '`],
    ['has a rejection reason without being rejected', `rejection_reason = 'Too loud'`],
    ['has a negative price', 'total_amount = -1'],
    ['has a price of zero', 'total_amount = 0'],
    ['changes its price', 'total_amount = 99'],
    ['has a fee above its price', 'commission_amount = 101'],
    ['changes its plan', 'duration = 2'],
    ['has both a duration and a click goal', 'clicks = 5'],
    ['has a blank title', `title = ' '`],
    ['has an unknown status', `status = 'paused'`],
    ['has a start date while pending', 'start_date = current_timestamp'],
    ['has a negative view count', 'total_impressions = -1'],
    ['goes live without approval', GO_LIVE],
    [
      'is completed without having been live',
      `status = 'completed', payment_intent_id = 'pi', start_date = current_timestamp`,
    ],
    ['changes while it waits for review', `title = 'Other'`],
  ])('refuse an ad that %s', async (_what, changes) => {
    await expect(move(changes)).rejects.toMatchObject(refused);
  });

  // Proves PAY-09
  it('refuse a new ad that is not pending, is already paid or already has views', async () => {
    await client.query('savepoint before');
    for (const [column, value] of [
      ['status', `'approved'`],
      ['payment_intent_id', `'pi'`],
      ['total_impressions', '1'],
    ]) {
      const insert = INSERT.replace('duration)', `duration, ${column})`).replace(/1\)$/, `1, ${value})`);
      await expect(client.query(insert)).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('a new ad is'),
      });
      await client.query('rollback to before');
    }
  });

  // Proves PAY-09, GEN-17
  it.each(['title', 'description', 'target_url', 'image_url', 'video_url'])(
    'refuse to change the %s of an approved ad',
    async (column) => {
      await move(`status = 'approved'`);
      await expect(move(`${column} = 'https://other.example'`)).rejects.toMatchObject(refused);
    },
  );

  // Proves PAY-09
  it('refuse to make an ad live without a payment of its own amount and intent', async () => {
    await move(`status = 'approved'`);
    await client.query('savepoint approved');
    await move(GO_LIVE);
    await expect(check()).rejects.toMatchObject(refused);
    for (const [intent, cents] of [
      ['pi', 9999],
      ['another', 10_000],
    ] as const) {
      await client.query('rollback to approved');
      await pay(intent, cents);
      await move(GO_LIVE);
      await expect(check()).rejects.toMatchObject(refused);
    }
  });

  // Proves PAY-09, OWNS-65
  it('refuse to make an ad live on a payment with another fee, beside which there can be a tax', async () => {
    await client.query(
      `insert into tax_accounts (id, country, rate) overriding system value values (1, 'DE', 19000)`,
    );
    await move(`status = 'approved'`);
    await client.query('savepoint approved');
    // The fee of the ad is 15.00. The one of a net amount is lower.
    for (const [commission, split, isRight] of [
      [1499, null, false],
      [1501, null, false],
      [1500, 'gross', true],
      [1600 + 1260, 'gross', false],
      [1600 + 1260, 'net', true],
      [1600 + 1501, 'net', false],
      [1599, 'net', false],
    ] as const) {
      await client.query('rollback to approved');
      await pay('pi', 10_000, commission, split);
      await move(GO_LIVE);
      const checked = check()
        .then(() => true)
        .catch(({ code }: { code: string }) => code !== refused.code);
      expect([commission, split, await checked]).toEqual([commission, split, isRight]);
    }
  });

  // Proves HOOK-01, PAY-09
  it('allow an ad to go live on its payment, and then refuse another payment, intent, start date or status', async () => {
    await move(`status = 'approved'`);
    await pay('pi');
    await move(GO_LIVE);
    await check();
    await client.query('savepoint live');
    for (const changes of [
      `payment_intent_id = 'other'`,
      `start_date = start_date - interval '1 day'`,
      `status = 'approved'`,
    ]) {
      await expect(move(changes)).rejects.toMatchObject(refused);
      await client.query('rollback to live');
    }
    await expect(pay('second')).rejects.toMatchObject({
      code: '23505',
      constraint: 'payments_one_succeeded',
    });
  });

  // Proves PAY-09, STATE-06
  it('refuse a counter above the ad’s goal', async () => {
    await client.query('rollback');
    await client.query('begin');
    for (const [model, goal, counter] of [
      ['per_impression', 'impressions', 'total_impressions'],
      ['per_click', 'clicks', 'total_clicks'],
    ]) {
      const insert = INSERT.replace('duration)', `${goal})`).replace(`'per_day', 1`, `'${model}', 10`);
      const { rows } = await client.query<{ id: number }>(`${insert} returning id`);
      await client.query(`update ads set ${counter} = 10 where id = ${rows[0]?.id}`);
      await client.query('savepoint at_goal');
      await expect(
        client.query(`update ads set ${counter} = 11 where id = ${rows[0]?.id}`),
      ).rejects.toMatchObject(refused);
      await client.query('rollback to at_goal');
    }
  });
});

describe('the payments table', () => {
  const open = async () =>
    client.query(`insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents)
      values (${ad}, 1, 'sandbox', 'USD', 'pi', 10000, 1500)`);

  // Proves PAY-09
  it.each([
    ['has an amount of zero', 'amount_cents = 0'],
    ['changes its amount', 'amount_cents = 1'],
    ['changes its payer', 'user_id = 2'],
    ['changes its book', `book = 'stripe-live'`],
    ['changes its intent', `intent_id = 'other'`],
    ['succeeds without a charge', `status = 'succeeded'`],
    ['has an unknown status', `status = 'perhaps'`],
  ])('refuses a payment that %s', async (_what, changes) => {
    await open();
    await expect(client.query(`update payments set ${changes} where ad_id = ${ad}`)).rejects.toMatchObject(
      refused,
    );
  });

  // Proves PAY-09
  it('refuses to reopen a canceled payment; if money arrives for it, it can only become orphaned', async () => {
    await open();
    await client.query(`update payments set status = 'canceled' where ad_id = ${ad}`);
    await client.query('savepoint canceled');
    const paid = `charge_id = 'ch', paid_at = current_timestamp`;
    for (const status of ['succeeded', 'open']) {
      await expect(
        client.query(`update payments set status = '${status}', ${paid} where ad_id = ${ad}`),
      ).rejects.toMatchObject(refused);
      await client.query('rollback to canceled');
    }
    await client.query(`update payments set status = 'orphaned', ${paid} where ad_id = ${ad}`);
  });

  // Proves HOOK-10
  it.each([
    ['changes its charge', `charge_id = 'other'`],
    ['changes its time', `paid_at = paid_at + interval '1 day'`],
    ['changes the key of its intent', 'key = gen_random_uuid()'],
    ['changes its customer', `customer_id = 'other'`],
    ['goes back', `status = 'open'`],
    ['goes to suspense after it succeeded', `status = 'suspense'`],
  ])('refuses a paid payment that %s', async (_what, changes) => {
    await open();
    const paid = `status = 'orphaned', charge_id = 'ch', paid_at = current_timestamp`;
    await client.query(`update payments set ${paid} where ad_id = ${ad}`);
    await expect(client.query(`update payments set ${changes} where ad_id = ${ad}`)).rejects.toMatchObject(
      refused,
    );
  });

  // Proves HOOK-10
  it.each([`delete from payments where ad_id = `, 'truncate payments cascade; select '])(
    'refuses to remove a payment: %s',
    async (statement) => {
      await open();
      await expect(client.query(`${statement}${ad}`)).rejects.toMatchObject({
        ...refused,
        message: 'a payment is never removed',
      });
    },
  );

  // Proves STATE-30, PAY-09
  it('refuses a second open payment for an ad', async () => {
    await open();
    await expect(
      client.query(`insert into payments (ad_id, user_id, book, currency, amount_cents, commission_cents)
        values (${ad}, 1, 'sandbox', 'USD', 10000, 1500)`),
    ).rejects.toMatchObject({ code: '23505', constraint: 'payments_one_open' });
  });
});

describe('the ledger', () => {
  beforeEach(async () => {
    await client.query(`
      insert into ledger_accounts (kind, owner_id, currency, book)
        values ('provider_clearing', null, 'USD', 'sandbox'), ('refund_payable', ${ad}, 'USD', 'sandbox');
      insert into ledger_tx (kind, external_ref, occurred_at) values ('orphan_paid', 'ch', current_timestamp)`);
  });
  const account = (kind: string) => `(select id from ledger_accounts where kind = '${kind}')`;
  const postings = (debit: number, credit: number) =>
    client.query(`insert into ledger_postings (tx_id, account_id, amount_cents)
      select t.id, v.account, v.cents from ledger_tx t,
        (values (${account('provider_clearing')}, ${debit}), (${account('refund_payable')}, ${credit})) as v (account, cents)`);

  // Proves LEDG-04
  it('refuses a transaction that does not sum to zero', async () => {
    await postings(100, -99);
    await expect(check()).rejects.toMatchObject(refused);
  });

  // Proves LEDG-04
  it('refuses to post the same charge twice', async () => {
    await expect(
      client.query(
        `insert into ledger_tx (kind, external_ref, occurred_at) values ('orphan_paid', 'ch', current_timestamp)`,
      ),
    ).rejects.toMatchObject({ code: '23505' });
  });

  // Proves LEDG-04
  it.each([
    'update ledger_postings set amount_cents = 1',
    'delete from ledger_postings',
    'truncate ledger_postings cascade',
    `update ledger_tx set external_ref = 'x'`,
    'delete from ledger_tx',
    `update ledger_accounts set owner_id = 5 where kind = 'refund_payable'`,
    'delete from ledger_accounts',
  ])('refuses the statement `%s`', async (statement) => {
    await postings(100, -100);
    await check();
    await expect(client.query(statement)).rejects.toMatchObject(refused);
  });
});
