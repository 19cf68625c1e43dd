import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { confirmConsent } from '#domain/payments/consent-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { cardDeclined, conflict, notFound } from '#server/platform/http/errors.ts';
import { refuseCardTesting } from '../checkout/attempts.ts';
import { type ConsentRow, findConsent, listApprovedAdsOf, markActive } from '../checkout/consent-rows.ts';
import { answering } from '../provider-requests/answer-time.ts';
import { consentReplies } from './list.ts';

/**
 * The browser reports that the card is saved, and the provider is asked whether it is. From then on each ad is charged
 * when it is approved, and at once if it is approved already.
 */
export async function confirm(
  ctx: Context,
  who: Caller,
  { params: { id } }: Parsed<typeof confirmConsent>,
): Promise<Reply<typeof confirmConsent>> {
  const consent = await findConsent(ctx.db, id);
  if (!consent || consent.userId !== who.id) throw notFound('Consent not found. Please reload the page.');
  if (consent.state === 'needs_card') await activate(ctx, consent);
  const present = (await findConsent(ctx.db, id)) as ConsentRow;
  if (present.state !== 'active') throw conflict('This consent was withdrawn. Please start again.');
  const [shown] = await consentReplies(ctx.db, [present]);
  return shown!;
}

async function activate(ctx: Context, { id, userId, setupId, customerId, book }: ConsentRow): Promise<void> {
  if (setupId === null) throw notConfirmed();
  if (book !== ctx.payments.book)
    throw conflict('The marketplace has changed its card provider. Please start again.');
  const setup = await answering(
    ctx,
    () => 'Your card was not charged. Please try again in a moment.',
    () => ctx.payments.getSetup(setupId),
  );
  const { card } = setup;
  if (setup.status !== 'succeeded' || card === null || setup.customerId !== customerId) throw notConfirmed();
  await ctx.db.transaction().execute(async (tx) => {
    await refuseCardTesting(ctx, tx, { userId, network: null });
    if (!(await markActive(tx, id, card, ctx.now()))) return;
    for (const adId of await listApprovedAdsOf(tx, id)) await enqueue(tx, 'charge-consented', { adId });
  });
}

const notConfirmed = () =>
  cardDeclined('Your card has not been saved yet. Enter it and confirm it.', 'setup_not_confirmed');
