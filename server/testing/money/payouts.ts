/** Publishers who can be paid, for tests of payouts. */
import { expect } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import type { Context } from '#server/platform/context.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import type { Client } from '../client.ts';
import type { TestServer } from '../server.ts';
import { makeLiveAd } from '../story.ts';
import { countAt } from '../figures.ts';
import type { Ad } from '#domain/ads/contract.ts';

/** Sets up a publisher's account at the provider, as their onboarding would. Returns its id. */
export async function onboard(ctx: Context, userId: number): Promise<string> {
  const { id: accountId } = await ctx.payments.createPayee(
    { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: { user_id: String(userId) } },
    `acct:${userId}`,
  );
  await ctx.db
    .insertInto('payeeAccounts')
    .values({
      userId,
      book: ctx.payments.book,
      accountId,
      country: 'DE',
      state: 'ready',
      syncedAt: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['userId', 'book', 'method']).doUpdateSet({ accountId }))
    .execute();
  if (isSandbox(ctx.payments)) await ctx.payments.play.reviewPayee(accountId, true);
  return accountId;
}

/** The account is paid out to the bank account or card with this fingerprint, which the server learns by asking. */
export async function movePayoutsTo(
  server: TestServer,
  movePayouts: (accountId: string, destination: string) => unknown,
  who: Client,
  destination: string,
): Promise<void> {
  const known = await server.ctx.db
    .selectFrom('payeeAccounts')
    .select('accountId')
    .where('userId', '=', who.user.id)
    .executeTakeFirst();
  await movePayouts(known?.accountId ?? (await onboard(server.ctx, who.user.id)), destination);
  server.clock.advance(2 * MINUTE_MS);
  expect((await who.get('/api/payouts')).status).toBe(200);
}

/**
 * A paid ad for 100 views at this price, without a hold on its earnings. `views` of them are delivered, and their
 * earnings are posted.
 */
export async function makeEarned(
  server: TestServer,
  seller: Client,
  buyer: Client,
  { price, views = 100 }: { price: string; views?: number },
): Promise<Ad> {
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100, price };
  const { ad } = await makeLiveAd(seller, buyer, { product });
  await releaseHolds(server, ad);
  await deliver(server, ad, views);
  return ad;
}

export async function releaseHolds({ ctx }: TestServer, ad: Ad): Promise<void> {
  await ctx.db.updateTable('holds').set({ releasedAt: ctx.now() }).where('adId', '=', ad.id).execute();
}

/** Delivers views and posts their earnings. */
export async function deliver(server: TestServer, ad: Ad, views: number): Promise<void> {
  server.clock.advance(1000);
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
  await accrueDue(server.ctx, { early: true });
}

/** Posts the earnings, lets days pass, and applies the changes at the provider since then. */
export async function waitDays(server: TestServer, days: number): Promise<void> {
  await accrueDue(server.ctx, { early: true });
  server.clock.advance(days * DAY_MS);
  await checkPayments(server.ctx);
}
