import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { centsOf, decimalOf, moneyText } from '#domain/money.ts';
import type { createConsent } from '#domain/payments/consent-contract.ts';
import { consentText, MAX_CONSENT_ADS } from '#domain/payments/consents.ts';
import { lockPayableAd, type PayableAd } from '#server/ads/life/activate.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, HttpError, invalid, notFound } from '#server/platform/http/errors.ts';
import { lockLiveAccount } from '#server/platform/http/limits/quotas.ts';
import { networkHash } from '../provider-requests/hashes.ts';
import { refuseCardTesting } from '../checkout/attempts.ts';
import { customerOf, replaceCustomer } from '../checkout/customers.ts';
import { hasSuspense } from '../checkout/payment.ts';
import { taxedBuyer, taxOf } from '../checkout/tax.ts';
import { requireKnownTaxId } from '../tax-ids/check.ts';
import {
  adsWithConsent,
  type ConsentRow,
  insertConsent,
  keepSetup,
  withdraw,
} from '../checkout/consent-rows.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { answering } from '../provider-requests/answer-time.ts';
import { refuseOldTerms } from '#server/platform/pages/terms.ts';
import { adsOfPlan } from './plan.ts';
import { consentReplies } from './list.ts';

/**
 * Begins a consent: stores what the advertiser allows, and the setup of a card at the provider. Nothing can be charged
 * before the card is confirmed (confirm.ts). If the provider cannot be asked, nothing is left.
 */
export async function create(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof createConsent>,
  { ip }: { ip: string },
): Promise<Reply<typeof createConsent>> {
  await ctx.limits('payment-consent', { points: 60, seconds: 3600 })(String(personOf(who)));
  refuseOldTerms(ctx.config, body.acceptedTerms);
  await requireKnownTaxId(ctx, who.id, await taxedBuyer(ctx.db, who.id, undefined));
  const consent = await ctx.db
    .transaction()
    .execute((tx) => insert(ctx, tx, who, body, networkHash(ctx, ip)));
  try {
    const clientSecret = await answering(
      ctx,
      () => 'Your card was not saved. Please try again in a moment.',
      () => beginSetup(ctx, consent),
    );
    const [shown] = await consentReplies(ctx.db, [consent]);
    return { ...shown!, clientSecret };
  } catch (error) {
    await ctx.db.transaction().execute((tx) => withdraw(tx, { id: consent.id, adId: null }, ctx.now()));
    throw error;
  }
}

async function insert(
  ctx: Context,
  tx: Tx,
  who: Caller,
  { limit, ads: refs, plan, acceptedTerms }: Parsed<typeof createConsent>['body'],
  network: string,
): Promise<ConsentRow> {
  await lockLiveAccount(tx, who.id);
  const ids =
    plan === undefined ? await ownAds(tx, who, refs ?? []) : await adsOfPlan(tx, { userId: who.id, plan });
  const ads: PayableAd[] = [];
  for (const id of ids) {
    const ad = await lockPayableAd(tx, { id });
    if (!ad || ad.userId !== who.id) throw adNotFound();
    await requireUnpaid(tx, ad);
    ads.push(ad);
  }
  // The charge comes later, when nobody can be asked for the country any more.
  taxOf(ctx, await taxedBuyer(tx, who.id, undefined));
  const [taken] = await adsWithConsent(tx, ids);
  if (taken !== undefined) {
    throw conflict(
      'You already allow us to charge a card when this ad is approved. Remove the card under Billing first.',
    );
  }
  const { currency } = ctx.config;
  const sum = ads.reduce((total, { amountCents }) => total + amountCents, 0);
  const limitCents = centsOf(limit);
  if (limitCents < sum) {
    throw invalid(
      `The limit must be at least ${moneyText(decimalOf(sum), currency)}, the price of these ads.`,
      'limit',
    );
  }
  await refuseCardTesting(ctx, tx, { userId: who.id, network });
  return await insertConsent(
    tx,
    {
      userId: who.id,
      book: ctx.payments.book,
      currency,
      limitCents,
      agreedText: consentText({ ads: ads.length, limit: moneyText(decimalOf(limitCents), currency) }),
      network,
      createdAt: ctx.now(),
      acceptedTerms: acceptedTerms ?? null,
    },
    ads,
  );
}

/** The ids of these ads, ascending, because ads are locked in this order. */
async function ownAds(tx: Tx, who: Caller, refs: readonly Reference[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('id')
    .where('userId', '=', who.id)
    .where((eb) =>
      eb.or(refs.map((ref) => ('id' in ref ? eb('id', '=', ref.id) : eb('publicId', '=', ref.publicId)))),
    )
    .orderBy('id')
    .limit(MAX_CONSENT_ADS)
    .execute();
  const wanted = new Set(refs.map((ref) => JSON.stringify(ref)));
  if (rows.length === 0 || rows.length < new Set(wanted).size) throw adNotFound();
  return rows.map(({ id }) => id);
}

const adNotFound = () => notFound('Ad not found. Please reload the page.');

async function requireUnpaid(tx: Tx, ad: PayableAd): Promise<void> {
  if (ad.status === 'active' || ad.status === 'completed')
    throw conflict('This ad has already been paid for. You can find it under My Campaigns.');
  if (ad.status !== 'pending' && ad.status !== 'approved')
    throw conflict(`This ad is ${ad.status}. Submit it again before you set up a payment for it.`);
  if (await hasSuspense(tx, ad.id))
    throw conflict(
      'A payment for this ad is being checked by the marketplace operator. Try again afterwards.',
    );
}

async function beginSetup(ctx: Context, consent: ConsentRow): Promise<string> {
  const customerId = await customerOf(ctx, consent.userId);
  const metadata = { installation: await installationId(ctx.db), consent_id: String(consent.id) };
  const setUp = async (customer: string, key: string) => ({
    setup: await ctx.payments.createSetup({ customerId: customer, metadata }, key),
    customer,
  });
  const { setup, customer } = await setUp(customerId, `seti:${consent.key}`).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError && error.code === 'resource_missing')) throw error;
    // The customer was deleted at the provider. A refused call leaves nothing under its key.
    return await setUp(await replaceCustomer(ctx, consent.userId, customerId), `seti:${consent.key}:2`);
  });
  if (!(await keepSetup(ctx.db, consent.id, { setupId: setup.id, customerId: customer })))
    throw new HttpError(409, 'This was withdrawn in the meantime. Please start again.');
  return setup.clientSecret;
}
