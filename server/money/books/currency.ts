import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';

/**
 * Refuses to start with another currency than that of the first sale, because old and new amounts could not be added up.
 * Throws ConfigError. The trigger fix_currency keeps the currency of the first sale. [BOOK-06]
 */
export async function requireCurrency(tx: Tx, currency: Currency): Promise<void> {
  const { currency: fixed } = await tx
    .selectFrom('installation')
    .select('currency')
    .executeTakeFirstOrThrow();
  if (fixed === null || fixed === currency) return;
  throw new ConfigError(
    `CURRENCY is ${currency}, but this marketplace has sold in ${fixed}. Set CURRENCY to ${fixed}.`,
  );
}

/**
 * Refuses another currency than that of a sale, of a payment that could still become one, and of a saved card with a
 * limit. Throws 409. Nothing can be paid until the transaction ends. [BOOK-06]
 */
export async function requireOpenCurrency(tx: Tx, currency: Currency): Promise<void> {
  await sql`lock table payments, payment_consents in share row exclusive mode`.execute(tx);
  const { rows } = await sql<{ currency: Currency }>`
    select currency from installation where currency <> ${currency}
    union all select currency from payments where status <> 'canceled' and currency <> ${currency}
    union all select currency from payment_consents where state <> 'withdrawn' and currency <> ${currency}
    limit 1`.execute(tx);
  const [used] = rows;
  if (used)
    throw conflict(
      `CURRENCY cannot be ${currency}, because this marketplace has payments or saved cards in ${used.currency}.`,
    );
}
