import type { Currency } from '#domain/money.ts';
import { ConfigError } from '../../config.ts';
import type { Tx } from '../../db/database.ts';

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
