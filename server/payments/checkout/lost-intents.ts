import { later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Metadata, PaymentIntent } from '../../adapters/payment-provider.ts';
import { installationId } from '../../db/installation.ts';
import { findPayment, type Payment } from './payment.ts';

/** The provider's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Our ids on an intent, by which it is found if we never learned its own. */
export async function idsOf(tx: Tx, payment: Payment): Promise<{ metadata: Metadata; publicId: string }> {
  const ad = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('installation', (join) => join.onTrue())
    .select(['ads.publicId', 'websites.userId as publisherId', 'installation.id as installation'])
    .where('ads.id', '=', payment.adId)
    .executeTakeFirstOrThrow();
  return {
    publicId: ad.publicId,
    metadata: {
      installation: ad.installation,
      payment_id: String(payment.id),
      ad_id: String(payment.adId),
      ad_public_id: ad.publicId,
      buyer_id: String(payment.userId),
      publisher_id: String(ad.publisherId),
    },
  };
}

/** Finds the intent of a payment whose id we never learned, because its answer did not arrive. */
export async function findLostIntent(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  const installation = await installationId(ctx.db);
  for await (const intent of ctx.payments.intentsSince(later(payment.createdAt, -CLOCK_SKEW_MS))) {
    const { metadata } = intent;
    if (metadata['installation'] === installation && metadata['payment_id'] === String(payment.id))
      return intent;
  }
  return null;
}

/** Our payment that these ids name; null if they are another installation's. */
export async function findPaymentOfMetadata(tx: Tx, metadata: Metadata): Promise<Payment | null> {
  const id = Number(metadata['payment_id']);
  if (!Number.isSafeInteger(id) || id <= 0 || id > 2 ** 31 - 1) return null;
  if (metadata['installation'] !== (await installationId(tx))) return null;
  return findPayment(tx, id);
}
