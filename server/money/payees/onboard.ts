import type { Parsed, Reply } from '#domain/endpoint.ts';
import { countryName } from '#domain/countries.ts';
import { canBePaidIn } from '#domain/payments/payout-countries.ts';
import type { startOnboarding } from '#domain/payments/payout-contract.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { conflict, invalid, unauthorized, notFound } from '#server/platform/http/errors.ts';
import type { Client } from '#server/platform/http/security-log.ts';
import { answering, isUnknown } from '../provider-requests/answer-time.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import {
  claimPayee,
  dropAccount,
  dropClaim,
  findPerson,
  hasDestination,
  keepAccount,
  type PayeeRow,
  renewPayee,
  findPayee,
} from './store.ts';
import { tellOfAccount } from './tell.ts';
import type { sandboxOnboard } from '#domain/payments/contract.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';

/**
 * Returns a fresh link to the provider's onboarding, because each link works once and for minutes. The first call makes
 * the account and fixes its country. [PYEE-01]
 */
export async function beginOnboarding(
  ctx: Context,
  who: Caller,
  { body: { country } }: Parsed<typeof startOnboarding>,
  client: Client,
): Promise<Reply<typeof startOnboarding>> {
  if (ctx.config.payoutMethod === 'bank')
    throw conflict('This marketplace pays by bank transfer. Save your IBAN under Payout Settings.');
  if (!canBePaidIn(country)) throw notPayable(country);
  await ctx.limits('payout-account', { points: 60, seconds: 3600 })(String(personOf(who)));
  const link = await answering(
    ctx,
    () => 'Please try again in a moment.',
    async () => {
      const accountId = await accountOf(ctx, who.id, country);
      try {
        return await linkTo(ctx, accountId);
      } catch (error) {
        if (!isUnknown(error)) throw error;
        // The account was withdrawn from us since we last asked.
        await dropAccount(ctx.db, accountId);
        return await linkTo(ctx, await accountOf(ctx, who.id, country));
      }
    },
  );
  // The link is answered only with its trace and the hold. Behind it, the publisher can say where payouts go.
  await ctx.db.transaction().execute(async (tx) => {
    const isChange = await hasDestination(tx, who.id, ctx.payments.book);
    await tellOfAccount(ctx, tx, { userId: who.id, client, last4: null, isChange });
  });
  return link;
}

const notPayable = (country: string) =>
  invalid(
    `Payouts to ${countryName(country)} aren’t possible. Choose one of the countries in the list.`,
    'country',
  );

async function linkTo(ctx: Context, accountId: string): Promise<{ url: string }> {
  const settings = `${ctx.config.publicUrl}/earnings?payouts=`;
  const { url } = await ctx.payments.payeeLink(accountId, {
    refresh: `${settings}expired`,
    return: `${settings}returned`,
  });
  return { url };
}

/** The id of the user's account, which is made if there is none. Throws 409 if it is in another country. */
async function accountOf(ctx: Context, userId: number, country: string): Promise<string> {
  const payee = await claimPayee(ctx.db, { userId, book: ctx.payments.book, country }, ctx.now());
  if (payee === null) throw unauthorized();
  if (payee.country !== country) {
    const name = countryName(payee.country);
    throw conflict(`Your payouts are set up for ${name}, which can’t be changed. Continue with ${name}.`);
  }
  if (payee.accountId !== null) return payee.accountId;
  try {
    return await createAccount(ctx, payee);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'invalid') {
      await dropClaim(ctx.db, payee);
      ctx.log.warn({ err: error, userId, country }, 'the payment provider refused to make a payout account');
      throw notPayable(country);
    }
    if (error.code !== 'idempotency_error') throw error;
    // The first call was interrupted, and the user has changed name or address since.
    const renewed = await renewPayee(ctx.db, payee);
    if (renewed === null) throw unauthorized();
    return renewed.accountId ?? (await createAccount(ctx, renewed));
  }
}

/** Makes the account under the key of its row, so that two clicks at once, or a repeated one, make one account. */
async function createAccount(ctx: Context, payee: PayeeRow): Promise<string> {
  const { userId, country, key } = payee;
  const { email, firstName, lastName } = await findPerson(ctx.db, userId);
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const metadata = { installation: await installationId(ctx.db), user_id: String(userId) };
  const { id } = await ctx.payments.createPayee({ email, name, country, metadata }, `acct:${key}`);
  const kept = await keepAccount(ctx.db, payee, id);
  if (kept === null) {
    await enqueue(ctx.db, 'close-payee', { accountId: id, book: payee.book });
    throw unauthorized();
  }
  return kept.accountId ?? id;
}

/** Answers the sandbox's onboarding for the caller's own account. The state follows by an event, as with a real provider. */
export async function onboardInSandbox(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof sandboxOnboard>,
): Promise<Reply<typeof sandboxOnboard>> {
  if (!isSandbox(ctx.payments)) throw notFound();
  const payee = await findPayee(ctx.db, who.id, ctx.payments.book);
  if (payee === null || payee.accountId === null)
    throw conflict('Begin in your settings, under Billing, with “Set up payouts”.');
  await ctx.payments.play.reviewPayee(payee.accountId, body.outcome === 'complete');
  return { success: true };
}
