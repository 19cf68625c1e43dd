/** Books the tax of publishers' self-billing documents. See docs/decisions/091-tax-is-a-liability.md. */
import { inputTaxBooked, type PublisherTax } from '#domain/payments/input-tax.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { lockPublisher, type PublisherMoney } from './debts.ts';
import { post } from './post.ts';
import { taxAccountOf } from './tax.ts';

/**
 * Posts the tax of the self-billing document of a month (YYYY-MM), in the transaction that makes the document, which has the
 * lock of its month. The rate is in thousandths of a percent, and `earnedCents` is what the tax is of. [BOOK-206]
 */
export async function postInputTax(
  tx: Tx,
  {
    month,
    tax,
    paid,
    earnedCents,
    at,
    ...money
  }: PublisherMoney & {
    month: string;
    tax: { country: string; rate: number; cents: number };
    paid: PublisherTax;
    earnedCents: number;
    at: Date;
  },
): Promise<void> {
  const { publisherId, book, currency } = money;
  const taxAccountId = await taxAccountOf(tx, tax);
  const { payableCents } = await lockPublisher(tx, money);
  await post(tx, {
    kind: 'input_tax',
    // As the function input_tax_ref of the database makes it from the document.
    externalRef: [book, publisherId, currency, month].join(':'),
    book,
    currency,
    occurredAt: at,
    recordedAt: at,
    adId: null,
    meta: { user: publisherId, month, of: earnedCents, rate: tax.rate },
    entries: inputTaxBooked({ publisherId, taxAccountId }, { taxCents: tax.cents, paid }, payableCents),
  });
}
