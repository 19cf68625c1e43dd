import type { Parsed } from '#domain/endpoint.ts';
import type { Consent, listConsents } from '#domain/payments/consent-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { listConsentsOf, type ConsentRow, listAdsOf } from '../checkout/consent-rows.ts';
import { decimalOf } from '#domain/money.ts';
import type { Tx } from '#server/platform/database/database.ts';

const DEFAULT_LIMIT = 20;

/** The user's own consents, newest first. */
export async function myConsents(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listConsents>,
): Promise<Page<Consent>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const before = decodeCursor(query.cursor);
  const rows = await listConsentsOf(ctx.db, who.id, { before, limit: limit + 1 });
  return pageOf(await consentReplies(ctx.db, rows), limit);
}

/** Consents with their ads, in the same order. */
export async function consentReplies(tx: Tx, rows: readonly ConsentRow[]): Promise<Consent[]> {
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
