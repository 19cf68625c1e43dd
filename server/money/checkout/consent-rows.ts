/** The SQL of "Pay when approved". Consents are locked after their ads and payments (docs/decisions/049-lock-order.md). */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import type { ConsentAdState, ConsentState } from '#domain/payments/consents.ts';
import type { SavedCard } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';

export type ConsentRow = {
  id: number;
  userId: number;
  book: PaymentBook;
  key: string;
  limitCents: number;
  state: ConsentState;
  setupId: string | null;
  customerId: string | null;
  cardId: string | null;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpMonth: number | null;
  cardExpYear: number | null;
  createdAt: Date;
};

const COLUMNS = [
  'id',
  'userId',
  'book',
  'key',
  'limitCents',
  'state',
  'setupId',
  'customerId',
  'cardId',
  'cardBrand',
  'cardLast4',
  'cardExpMonth',
  'cardExpYear',
  'createdAt',
] as const;

const consents = (tx: Tx) => tx.selectFrom('paymentConsents').select(COLUMNS);

/** A consent for some ads, before its card is saved. The caller has locked the ads. */
export async function insertConsent(
  tx: Tx,
  consent: {
    userId: number;
    book: PaymentBook;
    currency: Currency;
    limitCents: number;
    agreedText: string;
    network: string;
    createdAt: Date;
    acceptedTerms: number | null;
  },
  ads: readonly { id: number; amountCents: number }[],
): Promise<ConsentRow> {
  const row = await tx
    .insertInto('paymentConsents')
    .values(consent)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  const { createdAt } = consent;
  await tx
    .insertInto('consentAds')
    .values(
      ads.map(({ id, amountCents }) => ({
        consentId: row.id,
        adId: id,
        amountCents,
        nextTryAt: createdAt,
        changedAt: createdAt,
      })),
    )
    .execute();
  return row;
}

/** Notes the setup of a card, unless the consent was withdrawn meanwhile. */
export async function keepSetup(
  tx: Tx,
  id: number,
  setup: { setupId: string; customerId: string },
): Promise<boolean> {
  const row = await tx
    .updateTable('paymentConsents')
    .set(setup)
    .where('id', '=', id)
    .where('state', '=', 'needs_card')
    .where('setupId', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findConsent(tx: Tx, id: number): Promise<ConsentRow | null> {
  return (await consents(tx).where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findConsentOfSetup(tx: Tx, setupId: string) {
  const query = tx.selectFrom('paymentConsents').select(['id', 'userId', 'network', 'book']);
  return (await query.where('setupId', '=', setupId).executeTakeFirst()) ?? null;
}

/** Newest first, with ids below `before`. */
export async function listConsentsOf(
  tx: Tx,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<ConsentRow[]> {
  return await consents(tx)
    .where('userId', '=', userId)
    .$if(page.before !== null, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export type AdOfConsent = {
  consentId: number;
  publicId: string;
  title: string;
  status: AdStatus;
  amountCents: number;
  state: ConsentAdState;
};

/** The name of `waiting` outside: the consent is active until its ad is charged. */
const SHOWN_STATE = sql<ConsentAdState>`case consent_ads.state when 'waiting' then 'active' else consent_ads.state end`;

export async function listAdsOf(tx: Tx, consentIds: readonly number[]): Promise<AdOfConsent[]> {
  if (consentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('consentAds')
    .innerJoin('ads', 'ads.id', 'consentAds.adId')
    .select(['consentAds.consentId', 'ads.publicId', 'ads.title', 'ads.status', 'consentAds.amountCents'])
    .select(SHOWN_STATE.as('state'))
    .where('consentAds.consentId', 'in', consentIds)
    .orderBy('consentAds.id')
    .execute();
  return rows;
}

export type KeptCard = Pick<SavedCard, 'brand' | 'last4' | 'expMonth' | 'expYear'> & {
  /** Of the consent. */
  id: number;
  /** The provider's. */
  cardId: string;
};

/** The card that a user saved last and that the provider still keeps; with `id`, only that of this consent. */
export async function findKeptCard(
  tx: Tx,
  userId: number,
  book: PaymentBook,
  id?: number,
): Promise<KeptCard | null> {
  const row = await consents(tx)
    .where('userId', '=', userId)
    .where('book', '=', book)
    .where('state', '=', 'active')
    .where('cardId', 'is not', null)
    .where('forgottenAt', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { cardId, cardBrand, cardLast4, cardExpMonth, cardExpYear } = row;
  return {
    id: row.id,
    cardId: cardId as string,
    brand: cardBrand as string,
    last4: cardLast4 as string,
    expMonth: cardExpMonth as number,
    expYear: cardExpYear as number,
  };
}

/** The ids of those ads that have a consent which can still be charged, or whose card is being saved. */
export async function adsWithConsent(tx: Tx, adIds: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('consentAds')
    .select('adId')
    .where('adId', 'in', adIds)
    .where('state', 'in', ['waiting', 'charging'])
    .execute();
  return rows.map(({ adId }) => adId);
}

/** needs_card -> active, with the saved card. Returns false if the consent is in another state. */
export async function markActive(tx: Tx, id: number, card: SavedCard, at: Date): Promise<boolean> {
  const row = await tx
    .updateTable('paymentConsents')
    .set({
      state: 'active',
      cardId: card.id,
      cardBrand: card.brand,
      cardLast4: card.last4,
      cardExpMonth: card.expMonth,
      cardExpYear: card.expYear,
      confirmedAt: at,
    })
    .where('id', '=', id)
    .where('state', '=', 'needs_card')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The approved ads that an active consent can be charged for now. */
export async function listApprovedAdsOf(tx: Tx, consentId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('consentAds')
    .innerJoin('ads', 'ads.id', 'consentAds.adId')
    .select('ads.id')
    .where('consentAds.consentId', '=', consentId)
    .where('consentAds.state', '=', 'waiting')
    .where('ads.status', '=', 'approved')
    .orderBy('ads.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks the consents of an ad, before the rows of the ad. The caller has locked the ad. */
async function lockConsentsOfAd(tx: Tx, adId: number): Promise<void> {
  await tx
    .selectFrom('paymentConsents')
    .select('id')
    .where('id', 'in', (query) => query.selectFrom('consentAds').select('consentId').where('adId', '=', adId))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export type Chargeable = {
  /** Of the row in consent_ads. */
  id: number;
  state: 'waiting' | 'charging';
  amountCents: number;
  attempts: number;
  /** Charged or being charged for the other ads of this consent. */
  usedCents: number;
  limitCents: number;
  book: PaymentBook;
  userId: number;
  network: string;
  cardId: string;
};

/** An active consent for an ad, or a charge that was sent before the consent was withdrawn. */
export async function findChargeable(tx: Tx, adId: number): Promise<Chargeable | null> {
  return chargeableOf(await chargeable(tx, adId).executeTakeFirst());
}

/** The same, locked. The caller has locked the ad, and its payment if it needs one. */
export async function lockChargeable(tx: Tx, adId: number): Promise<Chargeable | null> {
  await lockConsentsOfAd(tx, adId);
  return chargeableOf(await chargeable(tx, adId).forNoKeyUpdate('consentAds').executeTakeFirst());
}

function chargeable(tx: Tx, adId: number) {
  return tx
    .selectFrom('consentAds')
    .innerJoin('paymentConsents as consent', 'consent.id', 'consentAds.consentId')
    .select([
      'consentAds.id',
      'consentAds.state',
      'consentAds.amountCents',
      'consentAds.attempts',
      'consent.limitCents',
      'consent.book',
      'consent.userId',
      'consent.network',
      'consent.cardId',
    ])
    .select(
      sql<string>`(select coalesce(sum(other.amount_cents), 0) from consent_ads other
        where other.consent_id = consent.id and other.id <> consent_ads.id
          and other.state in ('charging', 'paid'))`.as('usedCents'),
    )
    .where('consentAds.adId', '=', adId)
    .where((eb) =>
      eb.or([
        eb('consentAds.state', '=', 'charging'),
        eb.and([eb('consentAds.state', '=', 'waiting'), eb('consent.state', '=', 'active')]),
      ]),
    );
}

type ChargeableRow = Awaited<ReturnType<ReturnType<typeof chargeable>['executeTakeFirst']>>;

const chargeableOf = (row: ChargeableRow): Chargeable | null =>
  row ? ({ ...row, usedCents: Number(row.usedCents) } as Chargeable) : null;

/** waiting -> charging, or the next try of a charge whose answer was lost. */
export async function markCharging(
  tx: Tx,
  id: number,
  charge: { paymentId: number; nextTryAt: Date; at: Date },
): Promise<void> {
  await tx
    .updateTable('consentAds')
    .set({
      state: 'charging',
      paymentId: charge.paymentId,
      attempts: sql<number>`attempts + 1`,
      nextTryAt: charge.nextTryAt,
      changedAt: charge.at,
    })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'charging'])
    .execute();
}

export async function postponeCharge(tx: Tx, id: number, nextTryAt: Date): Promise<void> {
  await tx.updateTable('consentAds').set({ nextTryAt }).where('id', '=', id).execute();
}

/** The charge ended without money. Returns false if another transaction has noted its end. */
export async function markNotCharged(
  tx: Tx,
  id: number,
  state: 'needs_action' | 'failed',
  at: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('consentAds')
    .set({ state, changedAt: at })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'charging'])
    .returning('consentId')
    .executeTakeFirst();
  if (row) await forgetUnusedCard(tx, row.consentId, at);
  return row !== undefined;
}

/**
 * Notes that an ad is paid, by its consent or by hand, or that its money came too late and goes back. The caller has
 * locked the ad and its payment.
 */
export async function endConsentOfAd(
  tx: Tx,
  adId: number,
  state: 'paid' | 'failed',
  at: Date,
): Promise<void> {
  await lockConsentsOfAd(tx, adId);
  const rows = await tx
    .updateTable('consentAds')
    .set({ state, changedAt: at })
    .where('adId', '=', adId)
    .where('state', 'in', state === 'paid' ? ['waiting', 'charging', 'needs_action', 'failed'] : ['charging'])
    .returning('consentId')
    .execute();
  for (const { consentId } of rows) await forgetUnusedCard(tx, consentId, at);
}

/** Withdraws a consent, or only that for one ad. Charges that were sent stay. */
export async function withdraw(
  tx: Tx,
  { id, adId }: { id: number; adId: number | null },
  at: Date,
): Promise<void> {
  await consents(tx).where('id', '=', id).forNoKeyUpdate().execute();
  if (adId === null) {
    await tx
      .updateTable('paymentConsents')
      .set({ state: 'withdrawn', withdrawnAt: at })
      .where('id', '=', id)
      .where('state', '<>', 'withdrawn')
      .execute();
  }
  await tx
    .updateTable('consentAds')
    .set({ state: 'withdrawn', changedAt: at })
    .where('consentId', '=', id)
    .where('state', '=', 'waiting')
    .$if(adId !== null, (query) => query.where('adId', '=', adId as number))
    .execute();
  await forgetUnusedCard(tx, id, at);
}

/** Withdraws consents of a user: all, or those that were given since then. */
export async function withdrawConsentsOf(
  tx: Tx,
  userId: number,
  since: Date | null,
  at: Date,
): Promise<void> {
  const rows = await consents(tx)
    .where('userId', '=', userId)
    .where('state', '<>', 'withdrawn')
    .$if(since !== null, (query) => query.where('createdAt', '>=', since as Date))
    .orderBy('id')
    .execute();
  for (const { id } of rows) await withdraw(tx, { id, adId: null }, at);
}

/** The consents whose card was not saved until `before`. */
export async function listAbandoned(tx: Tx, before: Date, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('paymentConsents')
    .select('id')
    .where('state', '=', 'needs_card')
    .where('createdAt', '<=', before)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** A job lets the provider forget a card that no ad can be charged to any more. */
async function forgetUnusedCard(tx: Tx, consentId: number, at: Date): Promise<void> {
  const row = await tx
    .updateTable('paymentConsents')
    .set({ forgottenAt: at })
    .where('id', '=', consentId)
    .where('cardId', 'is not', null)
    .where('forgottenAt', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('consentAds')
            .select('id')
            .whereRef('consentId', '=', 'paymentConsents.id')
            .where('state', 'in', ['waiting', 'charging']),
        ),
      ),
    )
    .returning(['cardId', 'book'])
    .executeTakeFirst();
  if (row?.cardId) await enqueue(tx, 'forget-card', { cardId: row.cardId, book: row.book });
}

/**
 * The approved ads whose charge is due: their job was lost, they could not be paid for, or the provider was away. Their
 * next try is put off until `until`, so that no other instance takes them meanwhile.
 */
export async function takeDueCharges(
  tx: Tx,
  now: Date,
  until: Date,
  limit: number,
): Promise<{ adId: number }[]> {
  return await tx
    .updateTable('consentAds')
    .set({ nextTryAt: until })
    .where('id', 'in', (query) =>
      query
        .selectFrom('consentAds')
        .innerJoin('ads', 'ads.id', 'consentAds.adId')
        .innerJoin('paymentConsents as consent', 'consent.id', 'consentAds.consentId')
        .select('consentAds.id')
        .where('consentAds.state', 'in', ['waiting', 'charging'])
        .where('consentAds.nextTryAt', '<=', now)
        .where((eb) =>
          eb.or([
            eb('consentAds.state', '=', 'charging'),
            eb.and([eb('ads.status', '=', 'approved'), eb('consent.state', '=', 'active')]),
          ]),
        )
        .orderBy('consentAds.nextTryAt')
        .limit(limit)
        .forNoKeyUpdate('consentAds')
        .skipLocked(),
    )
    .returning('adId')
    .execute();
}
