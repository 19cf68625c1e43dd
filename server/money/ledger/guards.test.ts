/** The database refuses forbidden changes of the ledger, even from the server's own role. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { countAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from './accrue.ts';
import { checkLedger } from './check.ts';

const server = useOwnServer();
let client: pg.Client;
let ad: Ad;
let publisher: number;
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  publisher = seller.user.id;
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  ({ ad } = await makeLiveAd(seller, buyer, { product }));
  const start = new Date(ad.startDate as string);
  await countAt(server.ctx, ad, start.toISOString(), 40, 0);
  await accrueDue({ ...server.ctx, now: () => later(start, HOUR_MS) });
  client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
});

/** Runs statements as one transaction. After each test the books must be as they were. */
async function attempt(...statements: string[]): Promise<void> {
  const count = async () =>
    (await client.query('select count(*) as n from ledger_postings')).rows[0] as unknown;
  const before = await count();
  await client.query('begin');
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } finally {
    await client.query('rollback');
    expect(await count()).toEqual(before);
    expect(await checkLedger(server.ctx.db)).toEqual([]);
  }
}

const entry = (kind = 'other', ref = 'by hand') =>
  `insert into ledger_tx (kind, external_ref, occurred_at, ad_id) values ('${kind}', '${ref}', now(), ${ad.id})`;
const newest = `(select max(id) from ledger_tx)`;
const oldest = `(select min(id) from ledger_tx where kind = 'paid')`;
const account = (kind: string, owner: number | null) =>
  `(select id from ledger_accounts where kind = '${kind}' and owner_id is not distinct from ${owner ?? 'null'})`;
const posting = (tx: string, kind: string, owner: number | null, cents: number) =>
  `insert into ledger_postings (tx_id, account_id, amount_cents) values (${tx}, ${account(kind, owner)}, ${cents})`;

const refused = /append-only|out of balance|overdrawn|is closed|no postings|no payment|follows the postings/;

describe('an SQL statement', () => {
  // Proves LEDG-04
  it.each([
    ['update an entry', `update ledger_tx set meta = '{}'`],
    ['change a posting', 'update ledger_postings set amount_cents = amount_cents * 2'],
    ['delete a posting', 'delete from ledger_postings'],
    ['delete an entry', 'delete from ledger_tx'],
    [
      'empty the ledger',
      'truncate ledger_tx, ledger_postings, ledger_accounts, ledger_balances, ledger_months cascade',
    ],
    ['change an account', `update ledger_accounts set book = 'stripe-live'`],
    ['change a balance', 'update ledger_balances set amount_cents = 0'],
    ['delete a balance', 'delete from ledger_balances'],
    ['change a month', 'update ledger_months set amount_cents = 0'],
    ['delete a month', 'delete from ledger_months'],
    [
      'add a balance',
      `insert into ledger_balances select id, 0 from ledger_accounts where kind = 'commission'`,
    ],
  ])('cannot %s', async (_, statement) => {
    await expect(attempt(statement)).rejects.toThrow(refused);
  });

  // Proves LEDG-04
  it('cannot unbalance an entry, or leave one empty', async () => {
    await expect(attempt(entry())).rejects.toThrow(/has no postings/);
    await expect(attempt(entry(), posting(newest, 'commission', null, 5))).rejects.toThrow(
      /out of balance by 5/,
    );
  });

  // Proves LEDG-04
  it('cannot add a balanced pair of postings to an old entry', async () => {
    await expect(
      attempt(
        posting(oldest, 'commission', null, 100),
        posting(oldest, 'publisher_payable', publisher, -100),
      ),
    ).rejects.toThrow(/is closed/);
    // The same holds for an entry that another transaction has just committed.
    await expect(attempt(posting(newest, 'provider_clearing', null, 1))).rejects.toThrow(/is closed/);
  });

  // Proves LEDG-04
  it.each([
    ['deferred_publisher', 5101],
    ['deferred_commission', 901],
    ['publisher_payable', 3401],
  ] as const)('cannot take more from %s than it holds', async (kind, cents) => {
    const owner = kind === 'publisher_payable' ? publisher : ad.id;
    await expect(
      attempt(
        entry(),
        posting(newest, kind, owner, cents),
        posting(newest, 'provider_clearing', null, -cents),
      ),
    ).rejects.toThrow(new RegExp(`${kind} of ${owner} is overdrawn by 0\\.01 USD`));
  });

  // Proves LEDG-04
  it('cannot take a refund that was never owed to an advertiser', async () => {
    await expect(
      attempt(
        `insert into ledger_accounts (kind, owner_id, currency, book) values ('refund_payable', ${ad.id}, 'USD', 'sandbox')`,
        entry(),
        posting(newest, 'refund_payable', ad.id, 1),
        posting(newest, 'provider_clearing', null, -1),
      ),
    ).rejects.toThrow(/refund_payable of \d+ is overdrawn by 0\.01 USD/);
  });

  // Proves LEDG-04
  it('cannot book a sale a second time, or one without a payment', async () => {
    const sale = [
      posting(newest, 'provider_clearing', null, 10_000),
      posting(newest, 'deferred_publisher', ad.id, -8500),
      posting(newest, 'deferred_commission', ad.id, -1500),
    ];
    await expect(attempt(entry('paid', 'sbx_ch_invented'), ...sale)).rejects.toThrow(/no payment is of what/);
  });

  // Proves LEDG-04, BOOK-206
  it('cannot book input tax without its document, or make such a document without its entry', async () => {
    const account = `insert into ledger_accounts (kind, owner_id, currency, book) values ('input_tax', 1, 'USD', 'sandbox')`;
    for (const kind of ['input_tax', 'other'])
      await expect(
        attempt(
          account,
          entry(kind),
          posting(newest, 'input_tax', 1, 19),
          posting(newest, 'commission', null, -19),
        ),
      ).rejects.toThrow(/no document is of the input tax/);
    await expect(
      attempt(`insert into documents (book, kind, user_id, month, amount_cents, currency, tax_rate, tax_cents, tax_country,
          seller, customer, content, issued_at)
        values ('sandbox', 'self_billing', ${publisher}, '2026-01-01', 119, 'USD', 19000, 19, 'DE', '{}', '{}',
          '{"kind": "self_billing", "publisherTax": "included"}', now())`),
    ).rejects.toThrow(/the tax of document B-\d+-000001 is not booked/);
  });

  // Proves LEDG-04
  it('cannot take money twice in two transactions at once', async () => {
    const other = new pg.Client({ connectionString: server.ownerUrl });
    await other.connect();
    const take = async (by: pg.Client, ref: string) => {
      await by.query('begin');
      await by.query(entry('other', ref));
      await by.query(posting(newest, 'publisher_payable', publisher, 2000));
      await by.query(posting(newest, 'provider_clearing', null, -2000));
    };
    try {
      await take(client, 'one');
      const second = take(other, 'two').then(async () => await other.query('commit'));
      await client.query('commit');
      await expect(second).rejects.toThrow(/overdrawn by 6\.00 USD/);
    } finally {
      await other.end();
    }
    // The database cannot know why the first transaction took the money. The check of the books reports that no
    // transfer explains it.
    expect(await checkLedger(server.ctx.db)).toMatchObject([
      { kind: 'publisher_differs', amountCents: -2000 },
    ]);
  });
});
