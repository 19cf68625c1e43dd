/** Queries of other domains' tables for the rehearsal. */
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** An ad, with the intent that was charged for it last. */
export async function findAdToPlay(tx: Tx, ref: Reference): Promise<{ intentId: string | null } | null> {
  const row = await tx
    .selectFrom('ads')
    .leftJoin('payments', (join) =>
      join
        .onRef('payments.adId', '=', 'ads.id')
        .on('payments.book', '=', 'sandbox')
        .on('payments.chargeId', 'is not', null),
    )
    .select('payments.intentId')
    .$if('id' in ref, (query) => query.where('ads.id', '=', (ref as { id: number }).id))
    .$if('publicId' in ref, (query) =>
      query.where('ads.publicId', '=', (ref as { publicId: string }).publicId),
    )
    .orderBy('payments.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function findUserToPlay(
  tx: Tx,
  named: { email: string } | { id: number },
): Promise<{ payeeId: string | null } | null> {
  const row = await tx
    .selectFrom('users')
    .leftJoin('payeeAccounts', (join) =>
      join.onRef('payeeAccounts.userId', '=', 'users.id').on('payeeAccounts.book', '=', 'sandbox'),
    )
    .select('payeeAccounts.accountId as payeeId')
    .where('users.deletedAt', 'is', null)
    .$if('email' in named, (query) => query.where('users.email', '=', (named as { email: string }).email))
    .$if('id' in named, (query) => query.where('users.id', '=', (named as { id: number }).id))
    .executeTakeFirst();
  return row ?? null;
}

const SHOWN = 20;

/** The ads that were paid for last. */
export async function paidAds(tx: Tx) {
  return await tx
    .selectFrom('payments')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .innerJoin('users', 'users.id', 'ads.userId')
    .select([
      'payments.id',
      'ads.publicId',
      'ads.title',
      'ads.status',
      'payments.amountCents',
      'payments.currency',
      'payments.paidAt',
      'users.email',
    ])
    .where('payments.book', '=', 'sandbox')
    .where('payments.chargeId', 'is not', null)
    .orderBy('payments.id', 'desc')
    .limit(SHOWN)
    .execute();
}

/** The publishers whose payouts the sandbox makes, the newest first. */
export async function payees(tx: Tx) {
  return await tx
    .selectFrom('payeeAccounts')
    .innerJoin('users', 'users.id', 'payeeAccounts.userId')
    .select(['users.id', 'users.email', 'payeeAccounts.state'])
    .where('payeeAccounts.book', '=', 'sandbox')
    .where('users.deletedAt', 'is', null)
    .orderBy('users.id', 'desc')
    .limit(SHOWN)
    .execute();
}

export async function unverifiedSites(tx: Tx) {
  return await tx
    .selectFrom('websites')
    .innerJoin('users', 'users.id', 'websites.userId')
    .select(['websites.id', 'websites.publicId', 'websites.name', 'websites.url', 'users.email'])
    .where('websites.verifiedAt', 'is', null)
    .where('websites.verificationToken', 'is not', null)
    .orderBy('websites.id', 'desc')
    .limit(SHOWN)
    .execute();
}
