/** Plays an advertiser who buys and cancels at once, and says what it costs the operator. */
import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { decimalOf } from '#domain/money.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { runMoneyWork } from '../books/run.ts';
import { checkLedger } from '../ledger/check.ts';

const server = useOwnServer({ start: new Date('2026-03-02T00:00:00Z') });

type Settings = Readonly<Record<string, string>>;
const WITHOUT: Settings = { CANCELS_PER_DAY: '100', CANCEL_REVIEW_ABOVE: '10000.00' };

async function set(settings: Settings): Promise<void> {
  await server.ctx.db.deleteFrom('settings').execute();
  await readSettings(server.ctx.db, server.ctx.config);
  for (const setting of Object.entries(settings)) {
    const { command, args } = commandOf(['settings', 'set', ...setting]);
    const options = { dryRun: false, reason: 'An attack' };
    await command.run({ ctx: server.ctx, operator: { id: null }, args, options });
  }
}

/** Buys so many campaigns at this price, then cancels each. Returns the fees that the operator does not get back. */
async function attack(count: number, price: string, settings: Settings): Promise<string> {
  // The cancels of the attack before are out of every window.
  server.clock.advance(31 * DAY_MS);
  server.ctx.config.rateLimitFactor = 1000;
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = { pricingModel: 'per_impression', duration: null, impressions: 1000, price };
  const ads = [];
  for (let n = 0; n < count; n++) ads.push((await makeLiveAd(seller, buyer, { product })).ad);
  await set(settings);
  server.ctx.config.rateLimitFactor = 1;
  for (const { publicId } of ads) {
    const { refundAmount } = (await buyer.get(`/api/ads/${publicId}/refund-quote`)).body;
    const { status } = await buyer.post(`/api/ads/${publicId}/cancel`, { refundAmount });
    expect([200, 202, 429]).toContain(status);
  }
  // The provider names its fees a moment after the payments.
  server.clock.advance(HOUR_MS);
  await sandboxOf(server).settle();
  await runMoneyWork(server.ctx);
  expect(await checkLedger(server.ctx.db)).toEqual([]);
  // A sale that was not canceled has its fee, too, but the operator also has its commission.
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(p.amount_cents), 0) as cents
      from ads join ledger_tx t on t.ad_id = ads.id
      join ledger_postings p on p.tx_id = t.id join ledger_accounts a on a.id = p.account_id
      where ads.user_id = ${buyer.user.id} and ads.status = 'completed'
        and a.kind in ('processing_fees', 'cancel_fees')`.execute(server.ctx.db);
  return decimalOf(Number(rows[0]?.cents));
}

// Proves OWNS-80, OWNS-82, OWNS-83
it.for([
  ['no limits', WITHOUT, '870.90', '234.40'],
  ['the defaults', {}, '0.00', '146.50'],
  ['CANCEL_FEE=free-once', { CANCEL_FEE: 'free-once' }, '0.00', '29.30'],
  ['CANCEL_FEE=buyer', { CANCEL_FEE: 'buyer' }, '0.00', '0.00'],
] as [string, Settings, string, string][])(
  'buying and canceling costs the operator, with %s',
  async ([name, settings, large, small]) => {
    const losses = [await attack(3, '9999.99', settings), await attack(8, '999.99', settings)];
    console.log(`${name}: 3 × 9,999.99 cost ${losses[0]}, 8 × 999.99 cost ${losses[1]}`);
    expect(losses).toEqual([large, small]);
  },
);
