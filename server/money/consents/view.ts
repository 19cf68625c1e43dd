import { decimalOf } from '#domain/money.ts';
import type { Consent } from '#domain/payments/consent-contract.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type ConsentRow, listAdsOf } from '../checkout/consent-rows.ts';

/** Consents with their ads, in the same order. */
export async function viewConsents(tx: Tx, rows: readonly ConsentRow[]): Promise<Consent[]> {
  const ids = rows.map(({ id }) => id);
  const ads = Map.groupBy(await listAdsOf(tx, ids), ({ consentId }) => consentId);
  return rows.map((row) => {
    const own = ads.get(row.id) ?? [];
    const used = own
      .filter(({ state }) => state === 'charging' || state === 'paid')
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    return {
      id: row.id,
      state: row.state,
      limit: decimalOf(row.limitCents),
      used: decimalOf(used),
      left: decimalOf(row.limitCents - used),
      card: cardOf(row),
      ads: own.map(({ publicId, title, status, amountCents, state }) => ({
        publicId,
        title,
        status,
        amount: decimalOf(amountCents),
        state,
      })),
      createdAt: row.createdAt.toISOString(),
    };
  });
}

function cardOf({ cardBrand, cardLast4, cardExpMonth, cardExpYear }: ConsentRow): Consent['card'] {
  if (cardBrand === null || cardLast4 === null || cardExpMonth === null || cardExpYear === null) return null;
  return { brand: cardBrand, last4: cardLast4, expMonth: cardExpMonth, expYear: cardExpYear };
}
