import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { MAX_CONSENT_ADS } from '#domain/payments/consents.ts';
import { adsWithConsent } from '../checkout/consent-rows.ts';

/**
 * The ids of the ads of a user's plan that wait for approval or payment and for no card yet, ascending. Throws 409 if
 * there is none.
 */
export async function adsOfPlan(
  tx: Tx,
  { userId, plan: ref }: { userId: number; plan: Reference },
): Promise<number[]> {
  const plan = await tx
    .selectFrom('plans')
    .select('id')
    .where((eb) => ('id' in ref ? eb('id', '=', ref.id) : eb('publicId', '=', ref.publicId)))
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!plan) throw notFound('Plan not found. Please reload the page.');
  const ads = await tx
    .selectFrom('ads')
    .select('id')
    .where('planId', '=', plan.id)
    .where('status', 'in', ['pending', 'approved'])
    .orderBy('id')
    .limit(MAX_CONSENT_ADS)
    .execute();
  if (ads.length === 0) throw conflict('No ad of this plan waits for approval or payment.');
  const ids = ads.map(({ id }) => id);
  const taken = await adsWithConsent(tx, ids);
  if (taken.length === ids.length)
    throw conflict(
      'You already allow us to charge a card when the ads of this plan are approved. Remove the card under Billing first.',
    );
  return ids.filter((id) => !taken.includes(id));
}
