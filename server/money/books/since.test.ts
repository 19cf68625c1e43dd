/** The check of the books reads what came since the last signed day, and everything where that day does not fit. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { countAt } from '#server/testing/figures.ts';
import { fillLedger } from '#server/testing/money/ledger.ts';
import { undone } from '#server/testing/money/undone.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { checkLedger } from '../ledger/check.ts';
import { scopeOf } from '../ledger/scope.ts';
import { findSoundOpening, readAfter } from '../transparency-log/opening.ts';
import { signDayRoot } from '../transparency-log/sign.ts';
import { checkMoney } from './check.ts';

const START = new Date('2026-03-30T10:00:00Z');

/** Sold and partly delivered on the signed day, and delivered further on the next one. */
let ad: Ad;
const server = useOwnServer({ start: START });

beforeAll(async () => {
  const seller = await server.signIn('seller');
  ({ ad } = await makeLiveAd(seller, await server.signIn('buyer'), {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000 },
  }));
  await deliver(later(START, HOUR_MS), 300);
  await signDayRoot(server.ctx);
  await deliver(later(START, DAY_MS), 200);
});

async function deliver(at: Date, views: number): Promise<void> {
  server.clock.set(at);
  await countAt(server.ctx, ad, at.toISOString(), views, 0);
  server.clock.set(later(at, HOUR_MS));
  await accrueDue(server.ctx);
}

const postings = async (tx: Tx) =>
  Number((await sql<{ n: string }>`select count(*) as n from ledger_postings`.execute(tx)).rows[0]?.n);

// Proves BOOK-03
it('reads the postings since the signed day, or all of them, and says which', async () => {
  const { command, args } = commandOf(['money', 'check']);
  const check = async (all: boolean) =>
    await command.run({
      ctx: server.ctx,
      operator: { id: null, dryRun: false },
      args,
      options: { all, dryRun: false },
    });
  const since = await check(false);
  expect(since).toMatchObject({
    json: { holds: true, differences: [], suspense: [], since: '2026-03-30', postings: 4 },
    refused: false,
  });
  expect(since.lines).toEqual([
    'The books hold.',
    'This read 4 postings since the signed day 2026-03-30, and 8 older lines of the log again. To read everything: openslot money check --all',
  ]);
  expect(await check(true)).toMatchObject({
    json: {
      holds: true,
      differences: [],
      since: null,
      postings: await postings(server.ctx.db),
    },
    lines: ['The books hold.'],
  });
});

const account = (kind: string) => `(select id from ledger_accounts where kind = '${kind}' limit 1)`;
const first = "(select id from ledger_tx where kind = 'accrual' order by id limit 1)";
const newest = "(select id from ledger_tx where kind = 'accrual' order by id desc limit 1)";

const DAMAGE = [
  [
    'a posting since',
    'unbalanced_entry',
    `update ledger_postings set amount_cents = 7 where tx_id = ${newest}`,
  ],
  [
    'an older posting',
    'leaf_changed',
    `update ledger_postings set amount_cents = amount_cents * 2 where tx_id = ${first}`,
  ],
  [
    'an inserted posting in an older entry',
    'posting_not_logged',
    `insert into ledger_postings (tx_id, account_id, amount_cents) values (${first}, ${account('provider_clearing')}, 5)`,
  ],
  [
    'an inserted entry without a leaf',
    'posting_not_logged',
    `with t as (insert into ledger_tx (kind, external_ref, occurred_at) values ('other', 'x', now()) returning id)
      insert into ledger_postings (tx_id, account_id, amount_cents)
        select t.id, a.id, case a.kind when 'commission' then 5 else -5 end from t, ledger_accounts a
          where a.kind in ('commission', 'provider_clearing')`,
  ],
  ['a balance', 'balance_differs', 'update ledger_balances set amount_cents = amount_cents - 1'],
  ['a month', 'month_differs', 'update ledger_months set amount_cents = amount_cents - 1'],
  [
    'a month and its balance',
    'month_differs',
    `update ledger_months set amount_cents = amount_cents - 1;
      update ledger_balances set amount_cents = amount_cents - 1`,
  ],
  ['a payment', 'payment_not_booked', 'update payments set amount_cents = amount_cents + 1'],
  ['earnings', 'earnings_differ', 'update ad_earnings set publisher_cents = publisher_cents + 1'],
  ['a signed root', 'root_changed', `update ledger_roots set root = sha256('x')`],
  [
    'a hash of a leaf',
    'leaf_changed',
    `update ledger_nodes set hash = sha256('x') where level = 0 and index = 1`,
  ],
  ['a signed balance', 'opening_differs', `update ledger_openings set balances = '[]'`],
  ['a signed sum', 'opening_differs', `update ledger_openings set months_hash = sha256('x')`],
] as const;

// Proves BOOK-03
it.each(DAMAGE)('finds a change of %s in either way', async (_, kind, damage) => {
  await undone(server.owner, async (tx) => {
    await sql.raw(damage).execute(tx);
    for (const all of [false, true]) {
      const { differences } = await checkMoney({ ...server.ctx, db: tx }, { all });
      expect([all, differences.map((each) => each.kind)]).toEqual([all, expect.arrayContaining([kind])]);
    }
  });
});

// Proves BOOK-03
it('reads everything if the opening is not signed by a key of ours, or another day was signed without one', async () => {
  const other = await untilTestEnds(startTestServer());
  const { keysFor } = other.ctx;
  expect(keysFor('x')).toEqual(server.ctx.keysFor('x'));
  const strange = { ...server.ctx, keysFor: () => [Buffer.alloc(32, 7)] };
  expect(await checkMoney(strange)).toMatchObject({ holds: true, since: null });
  // Nothing was signed yet.
  expect(await checkMoney(other.ctx)).toMatchObject({ holds: true, since: null, postings: 0 });
  await undone(server.owner, async (tx) => {
    await sql`update ledger_openings set signature = decode(repeat('00', 64), 'hex')`.execute(tx);
    expect(await checkMoney({ ...server.ctx, db: tx })).toMatchObject({ since: null });
  });
  await expect(sql`update ledger_openings set last_tx = 0`.execute(server.owner)).rejects.toThrow(
    'append-only',
  );
  await expect(sql`delete from ledger_openings`.execute(server.owner)).rejects.toThrow('append-only');
});

// Proves BOOK-03
it('starts from the balances of the newest signed day, to which a day adds its postings', async () => {
  await signDayRoot(server.ctx);
  expect(await checkMoney(server.ctx)).toMatchObject({ holds: true, since: '2026-03-31', postings: 0 });
  await undone(server.owner, async (tx) => {
    const { rows } = await sql<{
      balances: unknown;
    }>`select balances from ledger_openings order by day`.execute(tx);
    const [before, after] = rows.map(
      ({ balances }) => new Map((balances as unknown[][]).map((row) => [row[2], row[3]])),
    );
    const sums = (earned: number, commission: number) => ({
      deferred_publisher: earned - 8500,
      deferred_commission: commission - 1500,
      publisher_payable: -earned,
      commission: -commission,
    });
    expect(Object.fromEntries(before ?? [])).toMatchObject(sums(2550, 450));
    expect(Object.fromEntries(after ?? [])).toMatchObject(sums(4250, 750));
  });
  // The next day continues only what was signed. A day that was changed since is added up anew.
  await sql`alter table ledger_openings disable trigger user;
    update ledger_openings set balances = '[]' where day = '2026-03-31';
    alter table ledger_openings enable trigger user`.execute(server.owner);
  expect(await checkMoney(server.ctx)).toMatchObject({ holds: false, since: null });
  server.clock.set(later(START, 2 * DAY_MS));
  await signDayRoot(server.ctx);
  expect(await checkMoney(server.ctx, { all: true })).toMatchObject({ holds: true });
  expect(await checkMoney(server.ctx)).toMatchObject({ holds: true, since: '2026-04-01' });
});

// Proves BOOK-03
it('reads a part of the older log again each day, and neither the rest nor the entries of other ads', async () => {
  const other = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000 },
  });
  await fillLedger(server.owner, other.ad.id, { copies: 9, entriesEach: 250 });
  server.clock.set(later(START, 3 * DAY_MS));
  await signDayRoot(server.ctx);
  await sql`analyze ledger_leaves, ledger_nodes, ledger_months, ledger_balances, ledger_unlogged`.execute(
    server.owner,
  );
  const { db, keysFor, now } = server.ctx;
  const opening = await findSoundOpening({ keysFor }, db, 'sandbox');
  if (!opening) throw new Error('The day has no sound opening');
  const read = await planOf(
    db,
    async (tx) => {
      await readAfter(tx, opening);
      await checkLedger(tx, await scopeOf(tx, []));
    },
    { analyze: true },
  );
  expect(await postings(db)).toBeGreaterThan(10_000);
  expect(rowsMet(read, 'ledger_postings')).toBeLessThan(100);
  expect(rowsMet(read, 'ledger_leaves')).toBeLessThan(100);

  await undone(server.owner, async (tx) => {
    await sql`update ledger_tx set occurred_at = occurred_at - interval '1 day'
      where id = (select tx_id from ledger_leaves where index = 30)`.execute(tx);
    const found: boolean[] = [];
    for (let day = 0; day < 3; day += 1) {
      const at = later(now(), day * DAY_MS);
      const { since, differences, rechecked } = await checkMoney({ ...server.ctx, db: tx, now: () => at });
      expect([since, rechecked <= 4096]).toEqual(['2026-04-02', true]);
      found.push(differences.some(({ kind }) => kind === 'leaf_changed'));
    }
    // One day in three reads the first 4,096 of 11,000 leaves.
    expect(found.filter(Boolean)).toHaveLength(1);
    const { differences } = await checkMoney({ ...server.ctx, db: tx }, { all: true });
    expect(differences.map(({ kind }) => kind)).toContain('leaf_changed');
  });
});
