import type { PaymentBook } from '#server/platform/settings/config.ts';

/** One posting with what its leaf says about it. */
export type LoggedPosting = {
  entry: number;
  accountId: number;
  kind: string;
  occurredAt: Date;
  recordedAt: Date;
  /** The pseudonym of the account. */
  account: string;
  amountCents: number;
  currency: string;
  salt: Buffer;
};

/** The text of a leaf: one line of JSON, whose field order is part of the format. Debits are positive. [LOGS-02] */
export function leafText(book: PaymentBook, posting: LoggedPosting): string {
  const { entry, kind, occurredAt, recordedAt, account, amountCents, currency, salt } = posting;
  return JSON.stringify({
    book,
    entry,
    kind,
    occurredAt: occurredAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
    account,
    amountCents,
    currency,
    salt: salt.toString('hex'),
  });
}
